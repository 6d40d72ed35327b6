#include <spillway/tb/workloads/cshift.hpp>
#include <spillway/tb/workloads/message_supply.hpp>

namespace spillway {

namespace {

/// Cyclic shift (Callahan and Goldstein, section 4.3): in phase p, from 1, terminal i sends a message to
/// terminal i + p; with barriers between the phases, or at its own pace.
class cshift_supply final : public message_supply {
public:
  cshift_supply(const message_library& library, std::uint16_t packet_length, std::uint32_t terminal,
                std::uint32_t terminals, std::uint32_t words, bool barriers)
      : message_supply(library, packet_length),
        terminal_(terminal),
        terminals_(terminals),
        packets_(library.packets(words)),
        barriers_(barriers) {}

  std::uint32_t barriers() const override {
    if (!barriers_) return 0;
    return between_messages() ? phase_ : phase_ - 1;
  }
  void passed(std::uint64_t, std::uint32_t barriers) override { passed_ = barriers; }

private:
  bool finished() const override { return phase_ + 1 >= terminals_; }
  std::uint64_t next_message(std::uint64_t now) override {
    return !barriers_ || passed_ == phase_ ? now : never;
  }
  message begin(std::uint64_t) override {
    ++phase_;
    return {(terminal_ + phase_) % terminals_, packets_};
  }

  const std::uint32_t terminal_, terminals_, packets_;
  const bool barriers_;
  std::uint32_t phase_ = 0, passed_ = 0;  // begun; barriers that all have come to
};

}  // namespace

nlohmann::json cshift_workload::schema() const {
  nlohmann::json schema = parse_schema(R"({
  "description": "Cyclic shift: in phase p every terminal i sends a message to i + p.",
  "properties": {
    "library": true,
    "words": {
      "type": "integer",
      "minimum": 1,
      "maximum": 1000000000,
      "default": 80,
      "description": "Words of data in a message."
    },
    "barriers": {
      "type": "boolean",
      "default": false,
      "description": "Whether all meet between the phases."
    }
  }
  })");
  schema["properties"]["library"] = message_library::schema();
  return schema;
}

workload_plan cshift_workload::plan(const workload_context& c) const {
  const message_library library(c.parameters.at("library"), c.packet_length, c.requests);
  const std::uint32_t words = c.parameters.at("words");
  workload_plan plan;
  plan.barriers = c.parameters.at("barriers");
  plan.make = [=, length = c.packet_length, terminals = c.terminals,
               barriers = plan.barriers](std::uint32_t terminal) {
    return std::make_unique<cshift_supply>(library, length, terminal, terminals, words, barriers);
  };
  return plan;
}

}  // namespace spillway
