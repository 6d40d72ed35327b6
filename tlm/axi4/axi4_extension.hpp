#pragma once
#include <cstdint>
#include <spillway/hw/adapters/axi4.hpp>
#include <spillway/tlm/tlm_origin.hpp>
#include <tlm>
#include <utility>

namespace spillway {

/// What AXI4 says of a burst beyond the attributes of TLM-2.0's payload. The payload of a WRAP burst has its
/// lowest address and its bytes from there on.
struct axi4_extension : tlm::tlm_extension<axi4_extension> {
  /// As the manager has shown it; its `addr` is `skip` bytes above the payload's, which networks change.
  axi4_address burst;
  std::uint64_t skip = 0;         ///< bytes
  bool done_exclusively = false;  ///< with the response: it is EXOKAY

  /// @{
  /// As SystemC asks of an extension.
  tlm::tlm_extension_base* clone() const override { return new axi4_extension(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    const auto& o = static_cast<const axi4_extension&>(other);
    burst = o.burst, skip = o.skip, done_exclusively = o.done_exclusively;
  }
  /// @}
};

/// Who made a transaction: the terminal that it comes from and its AXI4 ID there. Of one such, AXI4 keeps
/// reads in order, and writes.
using axi4_thread = std::pair<unsigned, unsigned>;

/// Of whatever initiator; what a transaction does not say is 0.
inline axi4_thread thread_of(const tlm::tlm_generic_payload& p) {
  const auto* const origin = p.get_extension<tlm_origin>();
  const auto* const axi = p.get_extension<axi4_extension>();
  return {origin ? origin->terminal : 0, axi ? axi->burst.id : 0};
}

}  // namespace spillway
