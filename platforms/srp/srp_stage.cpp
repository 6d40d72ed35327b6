#include <spillway/hw/srp/srp_checker.hpp>
#include <spillway/platforms/srp/srp_stage.hpp>
#include <string>

namespace spillway {

srp_stage::srp_stage(const stage_context& c, const srp_sender_config& sender,
                     const srp_receiver_config& receiver)
    : terminal_(c.terminal),
      terminals_(c.terminals),
      smallest_(sender.smallest),
      overhead_(receiver.overhead),
      reserve_(sender.reserve),
      sender_(("sender_" + std::to_string(c.terminal)).c_str(), sender, c.routes, c.next),
      receiver_(("receiver_" + std::to_string(c.terminal)).c_str(), receiver, c.routes, c.next) {}

void srp_stage::connect_sent(unsigned, packet_link& l) { l.connect(sender_.in); }

void srp_stage::connect_arrived(unsigned, packet_link& l) { l.connect(receiver_.out); }

void srp_stage::connect_output(unsigned network, network_link& l) {
  const std::array<packet_out*, srp::networks> pins{&sender_.speculative, &sender_.reserved,
                                                    &sender_.requests, &receiver_.answers};
  to_network_[network] = &link_cast<packet_link>(l);
  to_network_[network]->connect(*pins[network]);
}

void srp_stage::connect_input(unsigned network, network_link& l) {
  const std::array<packet_in*, srp::networks> pins{&receiver_.speculative, &receiver_.reserved,
                                                   &receiver_.requests, &sender_.answers};
  from_network_[network] = &link_cast<packet_link>(l);
  from_network_[network]->connect(*pins[network]);
}

std::vector<std::unique_ptr<clocked>> srp_stage::make_checkers(const violation_handler& handler) {
  auto checker = std::make_unique<srp_checker>(
      ("check_srp_" + std::to_string(terminal_)).c_str(),
      srp_checker_config{sender_.name(), terminals_, smallest_, overhead_, reserve_}, handler);
  to_network_[srp::speculative]->connect(checker->speculates);
  to_network_[srp::reserved]->connect(checker->sends);
  to_network_[srp::requests]->connect(checker->asks);
  to_network_[srp::answers]->connect(checker->answers);
  from_network_[srp::speculative]->connect(checker->guessed);
  from_network_[srp::requests]->connect(checker->asked);
  from_network_[srp::answers]->connect(checker->answered);
  std::vector<std::unique_ptr<clocked>> all;
  all.push_back(std::move(checker));
  return all;
}

void srp_stage::count(counters& all) const {
  sender_.count(all);
  receiver_.count(all);
}

}  // namespace spillway
