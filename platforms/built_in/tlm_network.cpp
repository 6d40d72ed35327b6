#include <spillway/platforms/built_in/tlm_network.hpp>
#include <spillway/platforms/tlm/tlm_unit.hpp>
#include <stdexcept>

namespace spillway {

namespace {

using pointer = nlohmann::json::json_pointer;

/// The users' own transactions are all that there is to watch.
class nobody final : public endpoint_observer {
  void created(std::uint64_t, const flit&) override {}
  void injected(std::uint64_t, const flit&) override {}
  void delivered(std::uint64_t, unsigned, const flit&) override {}
};

/// Pins that a clock of the user's steps need no period.
void check_period(const platform_config& config, const platform_clock* clock, const document& d) {
  if (clock && config.level == abstraction::pins) return;
  try {
    config.period(!clock);
    if (clock) check_clock(config, *clock);
  } catch (const std::invalid_argument& error) {
    d.fail(pointer("/period"), error.what());
  }
}

}  // namespace

tlm_network::tlm_network(const sc_core::sc_module_name& name, const std::filesystem::path& file,
                         const std::vector<std::string>& overrides, const catalogue& all)
    : tlm_network(name, load_document(file, experiment_schema(all), overrides), nullptr, all) {}

tlm_network::tlm_network(const sc_core::sc_module_name& name, const std::filesystem::path& file,
                         const platform_clock& clock, const std::vector<std::string>& overrides,
                         const catalogue& all)
    : tlm_network(name, load_document(file, experiment_schema(all), overrides), &clock, all) {}

tlm_network::tlm_network(const sc_core::sc_module_name& name, const document& experiment,
                         const catalogue& all)
    : tlm_network(name, experiment, nullptr, all) {}

tlm_network::tlm_network(const sc_core::sc_module_name& name, const document& experiment,
                         const platform_clock& clock, const catalogue& all)
    : tlm_network(name, experiment, &clock, all) {}

tlm_network::tlm_network(const sc_core::sc_module_name& name, const document& d, const platform_clock* clock,
                         const catalogue& all)
    : sc_module(name), nobody_(std::make_unique<nobody>()) {
  if (d.root.at("interface").at("kind") != "tlm")
    d.fail(pointer("/interface/kind"), "a network with TLM sockets needs `interface: {kind: tlm}`");
  const network_plan plan = read_network(d, all);
  check_network(plan, all, d);
  check_period(plan.config, clock, d);
  try {
    platform_ = std::make_unique<platform>(
        "platform", plan, all,
        workload{[](unsigned) { return nullptr; }, [](unsigned) { return sink_config{}; }, *nobody_}, clock);
  } catch (const std::invalid_argument& error) {
    d.fail(pointer(), error.what());
  }
}

tlm_network::~tlm_network() = default;

tlm_port& tlm_network::port(unsigned terminal) {
  if (terminal >= terminals())
    throw std::out_of_range(std::string(name()) + ": there is no terminal " + std::to_string(terminal) +
                            " of " + std::to_string(terminals()));
  return port_of(platform_->terminals()[terminal]->unit());
}

}  // namespace spillway
