// Claims and expressions of reproductions.
#include <spillway/tb/reproduce/expression.hpp>

#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spillway;
  const std::string text = text_of(data, size);
  const auto lookup = [](const reference& name) -> quantity {
    if (name.key == "unknown") throw expression_error("there is no such number");
    quantity rows;
    for (std::size_t row = 0; row <= name.selectors.size(); ++row)
      rows.push_back({{1.0 + static_cast<double>(row), 2.0, -3.5}, {std::to_string(row)}});
    return rows;
  };
  try {
    static_cast<void>(overall(judge(text, lookup)));
  } catch (const expression_error&) {
  }
  try {
    static_cast<void>(evaluate(text, lookup));
  } catch (const expression_error&) {
  }
  return 0;
}
