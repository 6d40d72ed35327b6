#pragma once
#include <cstdint>
#include <memory>
#include <spillway/tb/traffic/entries.hpp>
#include <vector>

namespace spillway {

/// A packet of a trace.
struct trace_line {
  std::uint64_t cycle;  ///< after the start of the entry
  std::uint32_t source, destination;
  std::uint16_t length;  ///< flits
};

/// The packets of a list, in ascending order of cycles: it says where, when and how long.
class trace_pattern final : public pattern {
public:
  trace_pattern(std::uint32_t terminals, const std::vector<trace_line>& lines);

  void address(packet_order& packet, std::uint32_t terminal, std::uint64_t number,
               random_stream& random) const override;
  bool silent(std::uint32_t terminal) const override { return (*lines_)[terminal].empty(); }
  bool ends() const override { return true; }
  std::shared_ptr<const injection> times() const override;
  unsigned longest_packet() const override;

private:
  std::shared_ptr<const std::vector<std::vector<trace_line>>> lines_;  // by source
};

class trace_entry final : public pattern_entry {
public:
  trace_entry() : pattern_entry("trace") {}
  nlohmann::json schema() const override;
  std::shared_ptr<const pattern> make(const traffic_context& context) const override;
};

}  // namespace spillway
