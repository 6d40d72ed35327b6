#pragma once
#include <memory>
#include <spillway/hw/nifdy/lossy_link.hpp>
#include <spillway/hw/nifdy/nifdy_unit.hpp>
#include <spillway/hw/nifdy/nifdy_view.hpp>
#include <spillway/platforms/catalogue/terminal_unit.hpp>
#include <vector>

namespace spillway {

/// A NIFDY unit between whatever endpoint a terminal has and its networks: behind a gate where their links
/// are embargo links, and behind lossy links where the section asks for loss. The endpoint binds its pins to
/// `from_endpoint` and `to_endpoint`.
class nifdy_edge {
public:
  /// `section`: the keys of the unit, defaults filled in. `networks`: logical networks that the unit has, the
  /// first for packets, the last for acknowledgements.
  nifdy_edge(const terminal_context& c, const nlohmann::json& section, unsigned networks);
  ~nifdy_edge();

  /// Bind a network's link: `network` counts those of the unit.
  void connect_output(unsigned network, network_link& l);
  void connect_input(unsigned network, network_link& l);

  std::vector<clocked*> blocks();
  std::vector<network_link*> links();
  std::uint64_t held_flits() const;
  std::uint64_t lost_in_reset() const;
  void count(counters& all) const;

private:
  class embargo_gate;

  void make_loss(unsigned network, double probability, const terminal_context& c);

  nifdy_unit unit_;
  std::vector<std::unique_ptr<lossy_link>> losses_;
  std::vector<std::unique_ptr<packet_link>> kept_;  // behind the lossy links
  std::vector<std::unique_ptr<embargo_gate>> gates_;
  std::unique_ptr<nifdy_view> view_;

public:
  packet_link from_endpoint, to_endpoint;
};

/// What a section with the keys of a NIFDY unit says, defaults filled in; without those of the bulk mode it
/// has none.
nifdy_config nifdy_config_of(const nlohmann::json& section, unsigned networks, unsigned terminal,
                             unsigned packet_length);
/// Flits of the longest packet that such a unit makes by itself.
unsigned longest_acknowledgement(const nlohmann::json& section);

}  // namespace spillway
