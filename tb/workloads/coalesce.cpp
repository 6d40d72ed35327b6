#include <boost/random/uniform_int_distribution.hpp>
#include <spillway/tb/traffic/random.hpp>
#include <spillway/tb/workloads/coalesce.hpp>
#include <stdexcept>

namespace spillway {

namespace {

/// The coalesce step of a radix sort (Callahan and Goldstein, section 4.5): every key goes to another
/// terminal at random, a packet each.
class coalesce_supply final : public packet_supply {
public:
  coalesce_supply(std::uint32_t terminal, std::uint32_t terminals, std::uint32_t keys,
                  std::uint16_t packet_length, std::uint64_t seed)
      : terminal_(terminal),
        terminals_(terminals),
        left_(keys),
        packet_length_(packet_length),
        where_(make_stream(seed, terminal, 20)) {}

  bool exhausted() const override { return left_ == 0; }
  std::uint64_t due(std::uint64_t now, std::size_t backlog) override {
    return backlog || left_ == 0 ? never : now;
  }
  packet_order take(std::uint64_t) override {
    --left_;
    packet_order order;
    const boost::random::uniform_int_distribution<std::uint32_t> other(1, terminals_ - 1);
    order.destination = (terminal_ + other(where_)) % terminals_;
    order.length = packet_length_;
    return order;
  }

private:
  const std::uint32_t terminal_, terminals_;
  std::uint32_t left_;
  const std::uint16_t packet_length_;
  random_stream where_;
};

}  // namespace

nlohmann::json coalesce_workload::schema() const {
  return parse_schema(R"({
  "description": "Coalesce step of a radix sort: every key is a packet to another terminal at random.",
  "properties": {
    "keys": {
      "type": "integer",
      "minimum": 1,
      "maximum": 4294967295,
      "default": 256,
      "description": "Keys of a terminal."
    }
  }
  })");
}

workload_plan coalesce_workload::plan(const workload_context& c) const {
  if (c.terminals < 2) throw std::invalid_argument("a key goes to another terminal: expected 2 or more");
  workload_plan plan;
  plan.make = [terminals = c.terminals, length = c.packet_length, seed = c.seed,
               keys = c.parameters.at("keys").get<std::uint32_t>()](std::uint32_t terminal) {
    return std::make_unique<coalesce_supply>(terminal, terminals, keys, length, seed);
  };
  return plan;
}

}  // namespace spillway
