#pragma once
#include <memory>
#include <spillway/hw/ecn/ecn_reflector.hpp>
#include <spillway/hw/ecn/ecn_rider.hpp>
#include <spillway/hw/ecn/ecn_throttle.hpp>
#include <spillway/platforms/elaborate/interface_entry.hpp>
#include <vector>

namespace spillway {

/// A throttle for what a terminal sends, a reflector for what arrives. Two networks on the network's side:
/// packets, and notifications, or the acknowledgements of what is on the terminal's side: then a rider lets
/// marks ride on these.
class ecn_stage final : public interface_stage {
public:
  ecn_stage(const stage_context& c, const ecn_throttle_config& throttle,
            const ecn_reflector_config& reflector);

  void connect_sent(unsigned network, packet_link& l) override;
  void connect_arrived(unsigned network, packet_link& l) override;
  void connect_output(unsigned network, network_link& l) override;
  void connect_input(unsigned network, network_link& l) override;

  std::vector<clocked*> blocks() override;
  std::vector<network_link*> links() override;
  /// Those of the rules EC1 to EC3 and, with a rider, EC4 and EC5.
  std::vector<std::unique_ptr<clocked>> make_checkers(const violation_handler& handler) override;
  std::uint64_t held_flits() const override { return throttle_.held_flits() + reflector_.held_flits(); }
  std::uint64_t lost_in_reset() const override;
  void count(counters& all) const override;

private:
  const unsigned terminal_, terminals_;
  const ecn_delays_config delays_;
  ecn_throttle throttle_;
  ecn_reflector reflector_;
  std::unique_ptr<ecn_rider> rider_;
  std::unique_ptr<packet_link> to_rider_, from_rider_;
  packet_link* sent_acks_ = nullptr;  // of the interface, to the rider
  std::vector<packet_link*> to_network_{nullptr, nullptr}, from_network_{nullptr, nullptr};
};

}  // namespace spillway
