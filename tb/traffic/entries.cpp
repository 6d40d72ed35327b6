#include <fmt/format.h>

#include <spillway/tb/traffic/entries.hpp>

namespace spillway {

std::uint32_t terminal_at(const document& file, const document::json_pointer& at, std::size_t terminals) {
  const auto t = file.root.at(at).get<std::uint64_t>();
  if (t >= terminals) file.fail(at, fmt::format("expected a terminal 0..{}, found {}", terminals - 1, t));
  return static_cast<std::uint32_t>(t);
}

std::vector<std::uint32_t> terminals_at(const document& file, const document::json_pointer& at,
                                        std::size_t terminals) {
  std::vector<std::uint32_t> list;
  if (!file.root.contains(at)) return list;
  for (std::size_t i = 0; i < file.root.at(at).size(); ++i)
    list.push_back(terminal_at(file, at / i, terminals));
  return list;
}

}  // namespace spillway
