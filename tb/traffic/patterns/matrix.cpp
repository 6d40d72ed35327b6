#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <spillway/tb/traffic/patterns/matrix.hpp>
#include <spillway/tb/traffic/patterns/number_lines.hpp>

namespace spillway {

matrix_pattern::matrix_pattern(std::uint32_t terminals, const std::vector<cell>& cells) : rows_(terminals) {
  for (const cell& one : cells) {
    if (one.weight <= 0) continue;
    auto& row = rows_[one.source];
    row.push_back({one.destination, one.weight + (row.empty() ? 0 : row.back().up_to)});
  }
}

void matrix_pattern::address(packet_order& packet, std::uint32_t terminal, std::uint64_t,
                             random_stream& random) const {
  const auto& row = rows_[terminal];
  const double drawn = uniform(random) * row.back().up_to;
  const auto found = std::upper_bound(row.begin(), row.end() - 1, drawn,
                                      [](double value, const share& s) { return value < s.up_to; });
  packet.destination = found->destination;
}

nlohmann::json matrix_entry::schema() const {
  return parse_schema(R"({
    "description": "Destinations by a traffic matrix from a file; every terminal with a weight in its row offers the rate.",
    "required": ["file"],
    "properties": {
      "file": {
        "type": "string", "minLength": 1, "x-path": true,
        "description": "Text file with numbers separated by commas or blanks, relative to the experiment's file."
      },
      "form": {
        "enum": ["cells", "full"], "default": "cells",
        "description": "What a line is: source, destination, weight, where what is left out has none; or all weights of a source, one a destination."
      }
    }
  })");
}

namespace {

using cells = std::vector<matrix_pattern::cell>;

double read_weight(number_lines& in, const std::string& expected) {
  const auto weight = in.read<double>(expected);
  if (!(weight >= 0) || !std::isfinite(weight))
    in.fail_at_last(fmt::format("expected a weight of 0 or more, found {}", weight));
  return weight;
}

cells read_cells(number_lines& in, std::uint32_t terminals) {
  cells all;
  while (in.next()) {
    const std::string expected = "source, destination, weight";
    std::uint32_t ends[2];
    for (std::uint32_t& t : ends) {
      t = in.read<std::uint32_t>(expected);
      if (t >= terminals)
        in.fail_at_last(fmt::format("expected a terminal 0..{}, found {}", terminals - 1, t));
    }
    all.push_back({ends[0], ends[1], read_weight(in, expected)});
    if (in.more()) in.fail("expected no more than " + expected);
  }
  return all;
}

cells read_full(number_lines& in, std::uint32_t terminals) {
  cells all;
  for (std::uint32_t source = 0; source < terminals; ++source) {
    if (!in.next()) in.fail(fmt::format("expected {} lines, found {}", terminals, source));
    for (std::uint32_t destination = 0; destination < terminals; ++destination) {
      const double weight = read_weight(in, fmt::format("{} weights", terminals));
      if (weight > 0) all.push_back({source, destination, weight});
    }
    if (in.more()) in.fail(fmt::format("expected no more than {} weights", terminals));
  }
  if (in.next()) in.fail(fmt::format("expected no more than {} lines", terminals));
  return all;
}

}  // namespace

std::shared_ptr<const pattern> matrix_entry::make(const traffic_context& c) const {
  const bool full = c.section().at("form") == "full";
  number_lines in(c, "file", full ? "source" : "source,destination,weight");
  const cells all = full ? read_full(in, c.terminals) : read_cells(in, c.terminals);
  if (std::none_of(all.begin(), all.end(), [](const auto& one) { return one.weight > 0; }))
    c.fail("file", "expected some weight above 0");
  return std::make_shared<matrix_pattern>(c.terminals, all);
}

}  // namespace spillway
