#include <algorithm>
#include <spillway/tb/workloads/scan.hpp>

namespace spillway {

namespace {

/// The scan of a radix sort (Callahan and Goldstein, section 4.5): for each bucket a terminal gets a sum from
/// the one before it and sends its own on to the next, a packet each.
class scan_supply final : public packet_supply {
public:
  scan_supply(std::uint32_t terminal, std::uint32_t terminals, std::uint32_t buckets, std::uint64_t delay,
              std::uint16_t packet_length)
      : terminal_(terminal),
        delay_(delay),
        packet_length_(packet_length),
        last_(terminal + 1 == terminals),
        known_(terminal == 0 ? buckets : 0) {}

  bool listens() const override { return true; }
  void arrived(std::uint64_t now, const flit& f) override {
    if (!f.tail()) return;
    ++known_;
    known_since_ = now;
  }
  bool exhausted() const override { return last_ || sent_ == known_; }
  std::uint64_t due(std::uint64_t now, std::size_t backlog) override {
    if (backlog || exhausted()) return never;
    const bool newest = sent_ + 1 == known_;  // those before it have been here for at least a cycle
    return std::max({now, newest ? known_since_ + 1 : 0, next_});
  }
  packet_order take(std::uint64_t now) override {
    ++sent_;
    next_ = now + delay_;
    packet_order order;
    order.destination = terminal_ + 1;
    order.length = packet_length_;
    return order;
  }

private:
  const std::uint32_t terminal_;
  const std::uint64_t delay_;
  const std::uint16_t packet_length_;
  const bool last_;
  std::uint32_t known_, sent_ = 0;  // buckets
  std::uint64_t known_since_ = 0, next_ = 0;
};

}  // namespace

nlohmann::json scan_workload::schema() const {
  return parse_schema(R"({
  "description": "Scan of a radix sort: for each bucket a packet goes from terminal to terminal.",
  "properties": {
    "buckets": {
      "type": "integer",
      "minimum": 1,
      "maximum": 4294967295,
      "default": 256,
      "description": "Buckets."
    },
    "delay": {
      "type": "integer",
      "minimum": 0,
      "maximum": 4294967295,
      "default": 0,
      "description": "Least cycles from one packet of a terminal to its next."
    }
  }
  })");
}

workload_plan scan_workload::plan(const workload_context& c) const {
  c.expect_to_hear();
  workload_plan plan;
  plan.make = [terminals = c.terminals, length = c.packet_length,
               buckets = c.parameters.at("buckets").get<std::uint32_t>(),
               delay = c.parameters.at("delay").get<std::uint64_t>()](std::uint32_t terminal) {
    return std::make_unique<scan_supply>(terminal, terminals, buckets, delay, length);
  };
  return plan;
}

}  // namespace spillway
