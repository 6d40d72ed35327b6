#pragma once
#include <tlm>

namespace spillway {

/// At the target of a network: which terminal a transaction comes from. Every transaction there has it, those
/// of debug transport and requests for direct memory, too.
struct tlm_origin : tlm::tlm_extension<tlm_origin> {
  unsigned terminal = 0;  ///< of the network that carried it last

  /// @{
  /// As SystemC asks of an extension.
  tlm::tlm_extension_base* clone() const override { return new tlm_origin(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    terminal = static_cast<const tlm_origin&>(other).terminal;
  }
  /// @}
};

}  // namespace spillway
