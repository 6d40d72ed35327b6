#include <algorithm>
#include <boost/random/discrete_distribution.hpp>
#include <boost/random/uniform_01.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <spillway/tb/traffic/random.hpp>
#include <spillway/tb/workloads/message_supply.hpp>
#include <spillway/tb/workloads/phases.hpp>
#include <stdexcept>

namespace spillway {

namespace {

struct phases_config {
  double share = 1;                    // probability that a terminal sends in a phase
  std::uint32_t least = 1, most = 1;   // packets of a sender in a phase
  std::vector<std::uint32_t> lengths;  // packets a message, with their weights
  std::vector<double> weights;
  std::uint32_t phases = 0;  // 0: without end
};

/// The synthetic traffic of Callahan and Goldstein, section 4.1: in each phase a terminal that sends does so
/// as fast as it can, message after message, each to another terminal at random; then all meet at a barrier.
/// What it draws depends on nothing but the seed.
class phases_supply final : public message_supply {
public:
  phases_supply(const phases_config& config, const message_library& library, std::uint16_t packet_length,
                std::uint32_t terminal, std::uint32_t terminals, std::uint64_t seed)
      : message_supply(library, packet_length),
        config_(config),
        length_(config.weights.begin(), config.weights.end()),
        terminal_(terminal),
        terminals_(terminals),
        phases_(make_stream(seed, terminal, 16)),
        messages_(make_stream(seed, terminal, 17)) {
    draw_phase();
  }

  std::uint32_t barriers() const override { return between_messages() && left_ == 0 ? phase_ + 1 : phase_; }
  void passed(std::uint64_t, std::uint32_t barriers) override {
    for (; phase_ < barriers && !finished(); draw_phase()) ++phase_;
  }

private:
  bool finished() const override { return config_.phases && phase_ == config_.phases; }
  std::uint64_t next_message(std::uint64_t now) override { return left_ ? now : never; }

  message begin(std::uint64_t) override {
    message m;
    m.destination = (terminal_ + 1 + below(terminals_ - 1)) % terminals_;
    m.packets = std::min(left_, config_.lengths[length_(messages_)]);
    left_ -= m.packets;
    return m;
  }

  void draw_phase() {
    const bool sends = boost::random::uniform_01<double>()(phases_) < config_.share;
    const std::uint32_t packets =
        boost::random::uniform_int_distribution<std::uint32_t>(config_.least, config_.most)(phases_);
    left_ = sends ? packets : 0;
  }

  std::uint32_t below(std::uint32_t n) {
    return boost::random::uniform_int_distribution<std::uint32_t>(0, n - 1)(messages_);
  }

  const phases_config config_;
  const boost::random::discrete_distribution<std::size_t, double> length_;
  const std::uint32_t terminal_, terminals_;
  random_stream phases_, messages_;
  std::uint32_t phase_ = 0, left_ = 0;  // packets of the phase in messages that have not begun
};

phases_config config_of(const nlohmann::json& section) {
  phases_config config;
  config.share = section.at("share");
  config.least = section.at("packets").at(0);
  config.most = section.at("packets").at(1);
  config.lengths = section.at("lengths").get<std::vector<std::uint32_t>>();
  config.weights = section.at("weights").get<std::vector<double>>();
  config.phases = section.at("phases");
  if (config.weights.empty()) config.weights.assign(config.lengths.size(), 1);
  if (config.weights.size() != config.lengths.size())
    throw std::invalid_argument("every length has a weight: expected " +
                                std::to_string(config.lengths.size()) + " weights, found " +
                                std::to_string(config.weights.size()));
  if (*std::max_element(config.weights.begin(), config.weights.end()) <= 0)
    throw std::invalid_argument("some length has a weight above 0");
  if (config.least > config.most)
    throw std::invalid_argument("packets: expected the least and the most, found " +
                                std::to_string(config.least) + " and " + std::to_string(config.most));
  return config;
}

}  // namespace

nlohmann::json phases_workload::schema() const {
  nlohmann::json schema = parse_schema(R"({
  "description": "Synthetic traffic: in each phase terminals send messages to others at random as fast as they can, and then meet at a barrier.",
  "properties": {
    "library": true,
    "share": {
      "type": "number",
      "minimum": 0,
      "maximum": 1,
      "default": 1,
      "description": "Probability that a terminal sends in a phase."
    },
    "packets": {
      "type": "array",
      "minItems": 2,
      "maxItems": 2,
      "items": { "type": "integer", "minimum": 1, "maximum": 4294967295 },
      "default": [100, 300],
      "description": "Least and most packets of a sender in a phase."
    },
    "lengths": {
      "type": "array",
      "minItems": 1,
      "items": { "type": "integer", "minimum": 1, "maximum": 65535 },
      "default": [1, 2, 3, 4, 5],
      "description": "Packets of a message."
    },
    "weights": {
      "type": "array",
      "items": { "type": "number", "minimum": 0 },
      "default": [],
      "description": "How likely each of the lengths is; all alike when left out."
    },
    "phases": {
      "type": "integer",
      "minimum": 0,
      "maximum": 4294967295,
      "default": 0,
      "description": "Phases; 0: without end."
    }
  }
  })");
  schema["properties"]["library"] = message_library::schema();
  return schema;
}

workload_plan phases_workload::plan(const workload_context& c) const {
  if (c.terminals < 2)
    throw std::invalid_argument("a terminal sends to others: expected 2 terminals or more");
  const phases_config config = config_of(c.parameters);
  const message_library library(c.parameters.at("library"), c.packet_length, c.requests);
  workload_plan plan;
  plan.barriers = true;
  plan.ends = config.phases != 0;
  plan.make = [=, length = c.packet_length, terminals = c.terminals, seed = c.seed](std::uint32_t terminal) {
    return std::make_unique<phases_supply>(config, library, length, terminal, terminals, seed);
  };
  return plan;
}

}  // namespace spillway
