#pragma once
#include <memory>
#include <spillway/platforms/elaborate/interface_entry.hpp>
#include <vector>

namespace spillway {

/// What stands between the workload of a terminal and the network, as an experiment describes it: the
/// interface, the stages behind it, and the course of each logical network through the switches.
struct interface_chain {
  const interface_entry* interface;  ///< of the level of abstraction that is wanted
  const switch_entry* switches;
  struct stage {
    const stage_entry* entry;
    const nlohmann::json* parameters;
    unsigned networks;  ///< on the side of the terminal
  };
  std::vector<stage> stages;            ///< from the interface outwards
  bool has_ports = false;               ///< the switches' ports join it to the network
  network_uses own, networks;           ///< of the interface, and of what is outermost
  std::vector<network_course> courses;  ///< by network
  unsigned longest = 1;                 ///< flits of the longest packet, those of the workload included
  bool in_order = false;                ///< the packets of a source are delivered in order over any network
  bool keeps_order = true;  ///< interface and stages, which else deliver in order as network and switches do
  port_queues queues;
  unsigned latency = 0;  ///< cycles that interface and stages add to the way of the longest packet

  /// Different courses, in the order of their networks: so many links a terminal has.
  std::vector<network_course> ways() const;
  /// Copies of the switches.
  unsigned copies() const;
  /// Kind of the links of what is outermost.
  std::string link_kind() const { return stages.empty() ? interface->link_kind() : "packet"; }
};

struct platform_config;

/// Of a platform's sections `interface`, `stages` and `switch`. Throws std::invalid_argument if they do not
/// fit each other, objection_error where it is a stage that does not fit.
interface_chain chain_of(const catalogue& all, const platform_config& config);

/// What the software of a platform's terminals can ask of the interface, or else of the first stage that can
/// do what it is asked for.
packet_requests requests_of(const catalogue& all, const platform_config& config);

/// The blocks of one terminal: its unit, the stages behind it, the port of the switches where they have one,
/// and the links between them.
class terminal_edge final : public terminal_unit {
public:
  terminal_edge(const interface_chain& chain, terminal_context context, const nlohmann::json& switch_section);
  ~terminal_edge() override;

  /// `way`: of interface_chain::ways().
  void connect_output(unsigned way, network_link& l) override { outermost().connect_output(way, l); }
  void connect_input(unsigned way, network_link& l) override { outermost().connect_input(way, l); }
  std::vector<clocked*> blocks() override;
  std::vector<network_link*> links() override;
  std::vector<std::unique_ptr<clocked>> make_checkers(const violation_handler& handler) override;
  std::uint64_t held_flits() const override;
  std::uint64_t resting_flits() const override;
  std::uint64_t lost_in_reset() const override;
  void count(counters& all) const override;

  terminal_unit& unit() { return *unit_; }

private:
  terminal_unit& outermost() { return stages_.empty() ? *unit_ : *stages_.back(); }
  void join(std::unique_ptr<interface_stage> stage, unsigned networks, const std::string& name);

  std::unique_ptr<terminal_unit> unit_;
  std::vector<std::unique_ptr<interface_stage>> stages_;  // from the unit outwards, the port last
  std::vector<std::unique_ptr<packet_link>> links_;
};

}  // namespace spillway
