#include <fmt/format.h>

#include <algorithm>
#include <boost/random/uniform_int_distribution.hpp>
#include <charconv>
#include <spillway/platforms/config/error.hpp>
#include <spillway/platforms/config/file.hpp>
#include <spillway/tb/goal/placement.hpp>
#include <spillway/tb/traffic/random.hpp>
#include <unordered_map>

namespace spillway {

constexpr std::uint64_t placement_stream = 21;

placement place_in_line(std::uint32_t ranks, std::uint32_t each) {
  placement where(ranks);
  for (std::uint32_t r = 0; r < ranks; ++r) where[r] = r / each;
  return where;
}

placement place_at_random(std::uint32_t ranks, std::uint32_t each, std::uint32_t terminals,
                          std::uint64_t seed) {
  // A shuffle of all places of which only those that have moved are kept.
  const std::uint64_t places = std::uint64_t{each} * terminals;
  std::unordered_map<std::uint64_t, std::uint64_t> moved;
  const auto at = [&](std::uint64_t i) { return moved.emplace(i, i).first->second; };
  random_stream random = make_stream(seed, 0, placement_stream);
  placement where;
  for (std::uint64_t i = 0; i < ranks; ++i) {
    const auto chosen = boost::random::uniform_int_distribution<std::uint64_t>(i, places - 1)(random);
    const std::uint64_t place = at(chosen);
    moved[chosen] = at(i);
    where.push_back(static_cast<std::uint32_t>(place / each));
  }
  return where;
}

placement read_placement(const std::filesystem::path& file, std::uint32_t ranks, std::uint32_t each,
                         std::uint32_t terminals) {
  const std::string bytes = read_file(file);
  const std::string_view text = without_mark(bytes);
  placement where;
  std::vector<std::uint32_t> used(terminals);
  std::size_t line = 0;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    std::string_view words = text.substr(start, end - start);
    start = end + 1;
    ++line;
    words = words.substr(0, words.find('#'));
    const std::size_t at = words.find_first_not_of(" \t\r");
    if (at == std::string_view::npos) continue;
    const auto fail = [&](const std::string& message) {
      throw config_error(fmt::format("{}:{}:{}: {}", file.string(), line, at + 1, message));
    };
    std::uint32_t terminal = 0;
    const auto [past, error] = std::from_chars(words.data() + at, words.data() + words.size(), terminal);
    const std::string_view rest(past, static_cast<std::size_t>(words.data() + words.size() - past));
    if (error != std::errc{} || rest.find_first_not_of(" \t\r") != std::string_view::npos ||
        terminal >= terminals)
      fail(fmt::format("expected the terminal of rank {}, 0..{}", where.size(), terminals - 1));
    if (where.size() == ranks) fail(fmt::format("expected {} ranks, found more", ranks));
    if (++used[terminal] > each)
      fail(fmt::format("expected at most {} ranks of terminal {}, found more", each, terminal));
    where.push_back(terminal);
  }
  if (where.size() < ranks)
    throw config_error(fmt::format("{}:{}:1: expected a terminal for each of {} ranks, found {}",
                                   file.string(), line + 1, ranks, where.size()));
  return where;
}

}  // namespace spillway
