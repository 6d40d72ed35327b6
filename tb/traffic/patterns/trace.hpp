#pragma once
#include <cstdint>
#include <memory>
#include <spillway/tb/traffic/entries.hpp>
#include <spillway/tb/traffic/patterns/scratch_rows.hpp>
#include <vector>

namespace spillway {

/// A packet of a trace.
struct trace_line {
  std::uint64_t cycle;  ///< after the start of the entry
  std::uint32_t source, destination;
  std::uint16_t length;  ///< flits
};

/// The packets of a trace, source by source. They are not in memory.
class trace_lines {
public:
  trace_lines(std::uint32_t terminals, const scratch_rows<trace_line>& lines);

  /// How many the terminal has.
  std::uint64_t count(std::uint32_t terminal) const { return starts_[terminal + 1] - starts_[terminal]; }
  trace_line at(std::uint32_t terminal, std::uint64_t number) const {
    return by_source_.at(starts_[terminal] + number);
  }
  unsigned longest() const { return longest_; }  ///< flits

private:
  std::vector<std::uint64_t> starts_;  // by terminal, and the end
  scratch_rows<trace_line> by_source_;
  unsigned longest_ = 0;
};

/// The packets of a list, in ascending order of cycles: it says where, when and how long.
class trace_pattern final : public pattern {
public:
  trace_pattern(std::uint32_t terminals, const scratch_rows<trace_line>& lines)
      : lines_(std::make_shared<const trace_lines>(terminals, lines)) {}

  void address(packet_order& packet, std::uint32_t terminal, std::uint64_t number,
               random_stream& random) const override;
  bool silent(std::uint32_t terminal) const override { return lines_->count(terminal) == 0; }
  bool ends() const override { return true; }
  std::shared_ptr<const injection> times() const override;
  unsigned longest_packet() const override { return lines_->longest(); }

private:
  const std::shared_ptr<const trace_lines> lines_;
};

class trace_entry final : public pattern_entry {
public:
  trace_entry() : pattern_entry("trace") {}
  nlohmann::json schema() const override;
  std::shared_ptr<const pattern> make(const traffic_context& context) const override;
};

}  // namespace spillway
