#pragma once
#include <memory>
#include <spillway/hw/nifdy/lossy_link.hpp>
#include <spillway/hw/nifdy/nifdy_unit.hpp>
#include <spillway/platforms/elaborate/interface_entry.hpp>
#include <vector>

namespace spillway {

/// `what` of a terminal, as a name.
std::string part_name(const std::string& what, unsigned terminal);

/// A NIFDY unit between whatever endpoint a terminal has and its networks, behind lossy links where the
/// section asks for loss. One network on the terminal's side, one or two on the other: the first for packets,
/// the last for acknowledgements.
class nifdy_stage final : public interface_stage {
public:
  /// `section`: the keys of the unit, defaults filled in. `networks`: on the side of the network.
  nifdy_stage(const stage_context& c, const nlohmann::json& section, unsigned networks);

  void connect_sent(unsigned network, packet_link& l) override;
  void connect_arrived(unsigned network, packet_link& l) override;
  void connect_output(unsigned network, network_link& l) override;
  void connect_input(unsigned network, network_link& l) override;

  std::vector<clocked*> blocks() override;
  std::vector<network_link*> links() override;
  /// That of the protocol.
  std::vector<std::unique_ptr<clocked>> make_checkers(const violation_handler& handler) override;
  std::uint64_t held_flits() const override;
  std::uint64_t lost_in_reset() const override;
  void count(counters& all) const override;

private:
  void make_loss(unsigned network, double probability, const stage_context& c);

  nifdy_unit unit_;
  std::vector<std::unique_ptr<lossy_link>> losses_;
  std::vector<std::unique_ptr<packet_link>> kept_;       // behind the lossy links
  std::vector<packet_link*> to_network_, from_network_;  // by network, what the unit is bound to
  packet_link* to_terminal_ = nullptr;
};

/// `stages: [{kind: nifdy}]`.
class nifdy_stage_entry final : public stage_entry {
public:
  nifdy_stage_entry() : stage_entry("nifdy") {}

  nlohmann::json schema() const override;
  std::unique_ptr<interface_stage> make(const stage_context& context) const override;
  network_uses networks(const nlohmann::json& parameters, const network_uses& inner) const override;
  port_queues queues(const nlohmann::json& parameters) const override;
  bool in_order(const nlohmann::json& parameters) const override;
  unsigned longest(const nlohmann::json& parameters) const override;
  packet_requests requests(const nlohmann::json& parameters) const override;
  unsigned latency(const nlohmann::json& parameters, unsigned flits) const override;
  bool repeats() const override { return false; }
  std::vector<objection> object_to(const nlohmann::json& parameters, unsigned packet_length) const override;
};

/// JSON Schema of the keys of a unit. `whole`: those of the bulk mode and of the networks too.
nlohmann::json nifdy_unit_schema(bool whole);
/// What a section with the keys of a NIFDY unit says, defaults filled in; without those of the bulk mode it
/// has none.
nifdy_config nifdy_config_of(const nlohmann::json& section, unsigned networks, unsigned terminal,
                             unsigned packet_length);
/// What does not fit in such a section, which is at `at` in the file.
std::vector<objection> nifdy_objections(const nlohmann::json& section, const std::string& at);
/// The logical networks of a unit: packets, and acknowledgements where they have one of their own.
network_uses nifdy_networks(unsigned networks);
/// What a unit wants of the queues of a port.
port_queues nifdy_queues(const nlohmann::json& section);
/// What software can ask of such a unit.
packet_requests nifdy_requests(const nlohmann::json& section);
/// Cycles that two units with the keys of `section` add to the way of a packet of so many flits: the pool
/// takes it whole, and from a link to the terminal take two.
unsigned nifdy_latency(const nlohmann::json& section, unsigned flits);
/// Cycles of the link that loses packets; 0: there is none.
unsigned lossy_link_latency(const nlohmann::json& section);
/// Flits of the longest packet that such a unit makes by itself.
unsigned longest_acknowledgement(const nlohmann::json& section);

}  // namespace spillway
