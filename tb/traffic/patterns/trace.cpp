#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <spillway/tb/traffic/patterns/number_lines.hpp>
#include <spillway/tb/traffic/patterns/trace.hpp>

namespace spillway {

namespace {

class trace_times final : public injection {
public:
  explicit trace_times(std::shared_ptr<const trace_lines> lines) : lines_(std::move(lines)) {}
  std::shared_ptr<arrivals> start(std::uint32_t terminal) const override {
    return std::make_unique<listed>(lines_, terminal);
  }

private:
  class listed final : public arrivals {
  public:
    listed(std::shared_ptr<const trace_lines> lines, std::uint32_t terminal)
        : lines_(std::move(lines)), terminal_(terminal) {}
    std::uint64_t first(std::uint64_t begin, random_stream&) override {
      begin_ = begin;
      return cycle();
    }
    std::uint64_t next(std::uint64_t, std::uint64_t, unsigned, random_stream&) override {
      ++line_;
      return cycle();
    }

  private:
    std::uint64_t cycle() const {
      if (line_ >= lines_->count(terminal_)) return never;
      // The last cycle that there is, rather than one that wraps around to the first.
      return begin_ + std::min(lines_->at(terminal_, line_).cycle, never - 1 - begin_);
    }

    const std::shared_ptr<const trace_lines> lines_;
    const std::uint32_t terminal_;
    std::uint64_t begin_ = 0, line_ = 0;
  };

  const std::shared_ptr<const trace_lines> lines_;
};

}  // namespace

trace_lines::trace_lines(std::uint32_t terminals, const scratch_rows<trace_line>& lines)
    : starts_(terminals + 1) {
  lines.for_each([this](const trace_line& line) {
    ++starts_[line.source + 1];
    longest_ = std::max<unsigned>(longest_, line.length);
    by_source_.add(line);
  });
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  std::vector<std::uint64_t> next = starts_;
  lines.for_each([&](const trace_line& line) { by_source_.set(next[line.source]++, line); });
}

void trace_pattern::address(packet_order& packet, std::uint32_t terminal, std::uint64_t number,
                            random_stream&) const {
  const trace_line line = lines_->at(terminal, number);
  packet.destination = line.destination;
  packet.length = line.length;
}

std::shared_ptr<const injection> trace_pattern::times() const {
  return std::make_shared<trace_times>(lines_);
}

nlohmann::json trace_entry::schema() const {
  return parse_schema(R"({
    "description": "Packets from a file, which says when, too: the injection and the rate do not count.",
    "required": ["file"],
    "properties": {
      "file": {
        "type": "string", "minLength": 1, "x-path": true,
        "description": "CSV file with the columns cycle, source, destination, size, relative to the experiment's file. The size of a packet is 1 to 65535 flits, 1 when left out."
      }
    }
  })");
}

std::shared_ptr<const pattern> trace_entry::make(const traffic_context& c) const {
  scratch_rows<trace_line> lines;
  std::uint64_t before = 0;
  for (number_lines in(c, "file", "cycle,source,destination,size"); in.next();) {
    const std::string expected = "cycle,source,destination,size as whole numbers";
    const auto cycle = in.read<std::uint64_t>(expected);
    if (cycle < before) in.fail_at_last("expected cycles in ascending order");
    std::uint32_t ends[2];
    for (std::uint32_t& t : ends) {
      t = in.read<std::uint32_t>(expected);
      if (t >= c.terminals)
        in.fail_at_last(fmt::format("expected a terminal 0..{}, found {}", c.terminals - 1, t));
    }
    const auto size = in.read_or<std::uint64_t>(1, expected);
    if (size < 1 || size > 65535)
      in.fail_at_last(fmt::format("expected a size of 1..65535 flits, found {}", size));
    if (in.more()) in.fail("expected no more than cycle,source,destination,size");
    lines.add({cycle, ends[0], ends[1], static_cast<std::uint16_t>(size)});
    before = cycle;
  }
  if (lines.size() == 0) c.fail("file", "found no packets, expected lines cycle,source,destination,size");
  return std::make_shared<trace_pattern>(c.terminals, lines);
}

}  // namespace spillway
