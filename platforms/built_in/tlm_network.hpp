#pragma once
#include <filesystem>
#include <memory>
#include <spillway/platforms/built_in/built_in.hpp>
#include <spillway/platforms/config/document.hpp>
#include <spillway/platforms/elaborate/platform.hpp>
#include <spillway/tlm/tlm_port.hpp>
#include <string>
#include <vector>

namespace spillway {

/// A network with TLM-2.0 sockets at its terminals, from the same file as an experiment: `interface:
/// {kind: tlm, map: [...]}`. With `level: pins` (the default) every payload travels as flits through the
/// platform's switches; with `level: transaction` one module models the network (see tlm_channel); with
/// `level: functional` there is none, calls go straight to the targets, which may grant DMI.
///
///     tlm_network network("network", "platform.yaml");
///     cpu.socket.bind(network.target(0));
///     network.initiator(1).bind(memory.socket);
class tlm_network : public sc_core::sc_module {
public:
  /// Throws config_error with the place of what is wrong in the file.
  tlm_network(const sc_core::sc_module_name& name, const std::filesystem::path& file,
              const std::vector<std::string>& overrides = {}, const catalogue& all = platform_catalogue());
  /// The same with a clock and a reset of the user's. Without pins the clock must be an sc_clock of the
  /// file's `period`.
  tlm_network(const sc_core::sc_module_name& name, const std::filesystem::path& file,
              const platform_clock& clock, const std::vector<std::string>& overrides = {},
              const catalogue& all = platform_catalogue());
  /// @{
  /// The same from what is no file: `load_document_text(text, name, experiment_schema(all))`.
  tlm_network(const sc_core::sc_module_name& name, const document& experiment,
              const catalogue& all = platform_catalogue());
  tlm_network(const sc_core::sc_module_name& name, const document& experiment, const platform_clock& clock,
              const catalogue& all = platform_catalogue());
  /// @}
  ~tlm_network() override;

  unsigned terminals() const { return static_cast<unsigned>(platform_->terminals().size()); }
  /// Where an initiator is bound to; these throw std::out_of_range beyond the last terminal.
  auto& target(unsigned terminal) { return port(terminal).target; }
  /// What a target is bound by.
  auto& initiator(unsigned terminal) { return port(terminal).initiator; }
  tlm_port& port(unsigned terminal);

  /// The network itself, for its reset, its links and its counts.
  platform& network() { return *platform_; }

private:
  tlm_network(const sc_core::sc_module_name& name, const document& experiment, const platform_clock* clock,
              const catalogue& all);

  std::unique_ptr<endpoint_observer> nobody_;
  std::unique_ptr<platform> platform_;
};

}  // namespace spillway
