#pragma once
#include <filesystem>
#include <memory>
#include <spillway/platforms/elaborate/platform.hpp>
#include <spillway/tlm/tlm_channel.hpp>
#include <spillway/tlm/tlm_port.hpp>
#include <string>
#include <vector>

namespace spillway {

/// A network with TLM-2.0 sockets at its terminals, from the same file as an experiment: `interface:
/// {kind: tlm, map: [...]}`. With `level: pins` (the default) every payload travels as flits through the
/// platform's switches; with `level: transaction` one module models the network (see tlm_channel).
///
///     tlm_network network("network", "platform.yaml");
///     cpu.socket.bind(network.target(0));
///     network.initiator(1).bind(memory.socket);
class tlm_network : public sc_core::sc_module {
public:
  /// Throws config_error with the place of what is wrong in the file.
  tlm_network(const sc_core::sc_module_name& name, const std::filesystem::path& file,
              const std::vector<std::string>& overrides = {}, const block_kinds& kinds = standard_kinds());
  ~tlm_network() override;

  unsigned terminals() const { return static_cast<unsigned>(plan_.shape.terminals.size()); }
  /// Where an initiator is bound to; std::out_of_range beyond the last terminal.
  auto& target(unsigned terminal) { return port(terminal).target; }
  /// What a target is bound by.
  auto& initiator(unsigned terminal) { return port(terminal).initiator; }

  tlm_port& port(unsigned terminal) { return *ports_.at(terminal); }

  /// The platform of pins, or nullptr at level `transaction`.
  platform* pins() { return platform_.get(); }
  counters count() const;

private:
  void make_channel();

  network_plan plan_;
  std::unique_ptr<endpoint_observer> nobody_;
  std::unique_ptr<platform> platform_;
  std::unique_ptr<tlm_channel> channel_;
  std::vector<std::unique_ptr<tlm_port>> own_ports_;
  std::vector<tlm_port*> ports_;
};

}  // namespace spillway
