#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <spillway/tb/traffic/entries.hpp>

namespace spillway {

std::uint32_t terminal_at(const document& file, const document::json_pointer& at, std::size_t terminals) {
  const auto t = file.root.at(at).get<std::uint64_t>();
  if (t >= terminals) file.fail(at, fmt::format("expected a terminal 0..{}, found {}", terminals - 1, t));
  return static_cast<std::uint32_t>(t);
}

std::vector<std::uint64_t> traffic_context::dimensions() const {
  const document::json_pointer key("/topology/dimensions");
  const nlohmann::json found = file.root.contains(key) ? file.root.at(key) : nlohmann::json();
  // A topology of the user's may mean something else by it, or have another number of terminals.
  const auto whole = [](const nlohmann::json& size) { return size.is_number_integer() && size > 0; };
  if (!found.is_array() || !std::all_of(found.begin(), found.end(), whole)) return {terminals};
  auto sizes = found.get<std::vector<std::uint64_t>>();
  const std::uint64_t all =
      std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{1}, std::multiplies<std::uint64_t>());
  if (all != terminals) return {terminals};
  return sizes;
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
