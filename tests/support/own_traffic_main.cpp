// The command `spillway` with a pattern, an injection, a workload and a measurement of a user's own: packets
// go back and forth between neighbours, with the ticks of a metronome.
#include <cstdlib>
#include <spillway/platforms/config/schema.hpp>
#include <spillway/tb/command/command.hpp>
#include <spillway/tb/measure/measure_entry.hpp>
#include <spillway/tb/traffic/entries.hpp>
#include <spillway/tb/workloads/workload.hpp>

namespace {

using namespace spillway;

class neighbour_pattern final : public pattern {
public:
  neighbour_pattern(std::uint32_t terminals, std::uint32_t away) : terminals_(terminals), away_(away) {}
  void address(packet_order& packet, std::uint32_t terminal, std::uint64_t number,
               random_stream&) const override {
    packet.destination = (terminal + (number % 2 ? terminals_ - away_ : away_)) % terminals_;
  }
  std::vector<std::uint32_t> hotspots() const override { return {0}; }

private:
  const std::uint32_t terminals_, away_;
};

class neighbour_entry final : public pattern_entry {
public:
  neighbour_entry() : pattern_entry("neighbour") {}
  nlohmann::json schema() const override {
    return parse_schema(R"({
      "description": "To and fro between neighbours.",
      "properties": {"away": {"type": "integer", "minimum": 1, "default": 1, "description": "Distance."}}
    })");
  }
  std::shared_ptr<const pattern> make(const traffic_context& c) const override {
    const std::uint32_t away = c.section().at("away");
    if (away >= c.terminals)
      c.fail("away", "expected less than " + std::to_string(c.terminals) + " terminals");
    return std::make_shared<neighbour_pattern>(c.terminals, away);
  }
};

class metronome final : public injection {
public:
  metronome(std::uint64_t period, std::uint64_t ticks) : period_(period), ticks_(ticks) {}
  std::shared_ptr<arrivals> start(std::uint32_t) const override {
    return std::make_unique<beats>(period_, ticks_);
  }
  bool ends() const override { return true; }

private:
  class beats final : public arrivals {
  public:
    beats(std::uint64_t period, std::uint64_t ticks) : period_(period), left_(ticks) {}
    std::uint64_t first(std::uint64_t begin, random_stream&) override { return begin; }
    std::uint64_t next(std::uint64_t due, std::uint64_t, unsigned, random_stream&) override {
      return --left_ ? due + period_ : never;
    }

  private:
    const std::uint64_t period_;
    std::uint64_t left_;
  };
  const std::uint64_t period_, ticks_;
};

class metronome_entry final : public injection_entry {
public:
  metronome_entry() : injection_entry("metronome") {}
  nlohmann::json schema() const override {
    return parse_schema(R"({
      "description": "A packet at every tick.", "required": ["period"],
      "properties": {
        "period": {"type": "integer", "minimum": 1, "description": "Cycles from tick to tick."},
        "ticks": {"type": "integer", "minimum": 1, "default": 10, "description": "Ticks."}
      }
    })");
  }
  std::shared_ptr<const injection> make(const traffic_context& c, const offered_load&) const override {
    return std::make_shared<metronome>(c.section().at("period"), c.section().at("ticks"));
  }
};

class one_each final : public packet_supply {
public:
  one_each(std::uint32_t destination, std::uint16_t length) : destination_(destination), length_(length) {}
  std::uint64_t due(std::uint64_t now, std::size_t) override { return sent_ ? never : now; }
  packet_order take(std::uint64_t) override {
    sent_ = true;
    packet_order order;
    order.destination = destination_;
    order.length = length_;
    return order;
  }
  bool exhausted() const override { return sent_; }

private:
  const std::uint32_t destination_;
  const std::uint16_t length_;
  bool sent_ = false;
};

class greeting_workload final : public workload_entry {
public:
  greeting_workload() : workload_entry("greeting") {}
  nlohmann::json schema() const override { return {{"description", "One packet to the next terminal."}}; }
  workload_plan plan(const workload_context& c) const override {
    workload_plan made;
    made.make = [n = c.terminals, length = c.packet_length](std::uint32_t terminal) {
      return std::make_unique<one_each>((terminal + 1) % n, length);
    };
    return made;
  }
};

/// Flits that come from one terminal.
class flit_count final : public measurement {
public:
  explicit flit_count(std::uint32_t from) : from_(from) {}
  void delivered(const delivery& d) override {
    if (d.source == from_) flits_ += d.length;
  }
  void count(counters& all) const override { all["own.flits"] = static_cast<double>(flits_); }
  std::vector<std::string> columns() const override { return {"own.flits"}; }
  std::vector<double> sample(std::uint64_t) override { return {static_cast<double>(flits_)}; }
  std::vector<series_picture> pictures() const override {
    return {{"own_flits", "Flits that have come.", "flits", columns(), 15, "fifteen"}};
  }

private:
  const std::uint32_t from_;
  std::uint64_t flits_ = 0;
};

class flit_count_measure final : public measure_entry {
public:
  flit_count_measure() : measure_entry("flit_count") {}
  nlohmann::json schema() const override {
    return parse_schema(R"({
      "description": "Flits that come from one terminal.",
      "properties": {"from": {"type": "integer", "minimum": 0, "default": 0, "description": "Terminal."}}
    })");
  }
  std::unique_ptr<measurement> make(const nlohmann::json& section,
                                    const measure_context& context) const override {
    const std::uint32_t from = section.at("from");
    if (from >= context.terminals)
      throw std::invalid_argument("there is no terminal " + std::to_string(from));
    return std::make_unique<flit_count>(from);
  }
};

}  // namespace

int sc_main(int argc, char** argv) {
  catalogue all = standard_catalogue();
  all.add<neighbour_entry>();
  all.add<metronome_entry>();
  all.add<greeting_workload>();
  all.add<flit_count_measure>();
  return command(argc, argv, all);
}

int main(int argc, char** argv) {
  setenv("SC_COPYRIGHT_MESSAGE", "DISABLE", 0);
  return sc_core::sc_elab_and_sim(argc, argv);
}
