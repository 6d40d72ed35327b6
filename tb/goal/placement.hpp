#pragma once
#include <cstdint>
#include <filesystem>
#include <vector>

namespace spillway {

/// The terminal of each rank.
using placement = std::vector<std::uint32_t>;

/// Rank after rank, `each` to a terminal.
placement place_in_line(std::uint32_t ranks, std::uint32_t each);
/// At random by `seed`, at most `each` to a terminal.
placement place_at_random(std::uint32_t ranks, std::uint32_t each, std::uint32_t terminals,
                          std::uint64_t seed);
/// A terminal a line, from rank 0 on; `#` begins a comment. Throws config_error `file:line:column`.
placement read_placement(const std::filesystem::path& file, std::uint32_t ranks, std::uint32_t each,
                         std::uint32_t terminals);

}  // namespace spillway
