#pragma once
#include <array>
#include <spillway/hw/srp/srp_messages.hpp>
#include <spillway/hw/srp/srp_receiver.hpp>
#include <spillway/hw/srp/srp_sender.hpp>
#include <spillway/platforms/elaborate/interface_entry.hpp>
#include <vector>

namespace spillway {

/// A sender for what a terminal sends, a receiver for what arrives; on the network's side srp::networks.
class srp_stage final : public interface_stage {
public:
  srp_stage(const stage_context& c, const srp_sender_config& sender, const srp_receiver_config& receiver);

  void connect_sent(unsigned network, packet_link& l) override;
  void connect_arrived(unsigned network, packet_link& l) override;
  void connect_output(unsigned network, network_link& l) override;
  void connect_input(unsigned network, network_link& l) override;

  std::vector<clocked*> blocks() override { return {&sender_, &receiver_}; }
  /// That of the rules SR1 to SR4.
  std::vector<std::unique_ptr<clocked>> make_checkers(const violation_handler& handler) override;
  std::uint64_t held_flits() const override { return sender_.held_flits() + receiver_.held_flits(); }
  std::uint64_t lost_in_reset() const override { return sender_.lost_in_reset() + receiver_.lost_in_reset(); }
  void count(counters& all) const override;

private:
  const unsigned terminal_, terminals_, smallest_, overhead_;
  const srp_reserve reserve_;
  srp_sender sender_;
  srp_receiver receiver_;
  std::array<packet_link*, srp::networks> to_network_{}, from_network_{};
};

}  // namespace spillway
