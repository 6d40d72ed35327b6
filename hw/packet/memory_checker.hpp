#pragma once
#include <cstdint>
#include <spillway/hw/links/packet_checker.hpp>
#include <spillway/hw/packet/memory_link.hpp>

namespace spillway {

/// Watches a memory link: the rules of a packet link, and FL1.
class memory_checker final : public packet_checker {
public:
  input<std::uint16_t> length{"length"};  ///< flits in the queue, the one that is shown included

  /// `unshown`: most flits that the queue may hold without showing one.
  explicit memory_checker(const sc_core::sc_module_name& name, packet_checker_config config = {},
                          violation_handler handler = {}, unsigned unshown = 0);

private:
  void reset() override;
  void tick() override;

  const unsigned unshown_;
  unsigned least_ = 0;  // what the length may have fallen to
  bool reported_ = false;
};

}  // namespace spillway
