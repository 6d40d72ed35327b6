#pragma once
#include <set>
#include <spillway/hw/isolation/isolation_link.hpp>
#include <spillway/hw/links/packet_checker.hpp>
#include <string>

namespace spillway {

/// Which rules an isolation_checker enforces; docs/checker-rules.md states them in full.
struct isolation_checker_config {
  packet_checker_config packet;  ///< PL1 to PL5, and the name of the link in messages
  bool stops = true;             ///< IS1 a root is stopped and let go in turns
  bool tokens = true;            ///< IS2 tokens are neither lost nor doubled
  bool one_word = true;          ///< IS3 set or clear, not both
  bool quiet = true;             ///< IS4 nothing is told out of reset
  unsigned queues = 0;           ///< IS5 at most so many roots are stopped at a time; 0: not looked at
};

/// Watches the wires of one isolation link and drives none; the packet rules hold on it too. `rst` is the
/// reset of the link's blocks.
class isolation_checker : public packet_checker {
public:
  input<tree_message> stop{"stop"};    ///< what the receiver tells
  input<tree_message> token{"token"};  ///< what the sender tells

  /// `config`: the rules. `handler`: see violation_handler.
  explicit isolation_checker(const sc_core::sc_module_name& name, isolation_checker_config config = {},
                             violation_handler handler = {});

  /// Binds to the wires of any bundle that has those of an isolation link.
  template <class Bundle>
  void bind(Bundle& link) {
    packet_checker::bind(link);
    stop(link.stop), token(link.token);
  }

  unsigned stopped() const override { return static_cast<unsigned>(stopped_.size()); }

private:
  void reset() override;
  void tick() override;
  void check(const char* rule, bool enforced, std::set<std::uint32_t>& roots, const tree_message& m);

  const isolation_checker_config rules_;
  std::set<std::uint32_t> stopped_, set_aside_;
  bool was_in_reset_ = false, reset_reported_ = false;
};

}  // namespace spillway
