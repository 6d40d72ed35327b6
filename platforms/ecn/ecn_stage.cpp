#include <spillway/hw/ecn/ecn_checker.hpp>
#include <spillway/hw/ecn/ecn_rider_checker.hpp>
#include <spillway/platforms/ecn/ecn_stage.hpp>
#include <string>

namespace spillway {

ecn_stage::ecn_stage(const stage_context& c, const ecn_throttle_config& throttle,
                     const ecn_reflector_config& reflector)
    : terminal_(c.terminal),
      terminals_(c.terminals),
      delays_(throttle.delays),
      throttle_(("throttle_" + std::to_string(c.terminal)).c_str(), throttle, c.routes, c.next),
      reflector_(("reflector_" + std::to_string(c.terminal)).c_str(), reflector, c.routes,
                 c.networks == 1 ? c.next : link_end{}) {
  if (c.networks == 1) return;
  const auto make_link = [&](const char* what) {
    link_place place;
    place.name = what + std::to_string(c.terminal);
    return std::make_unique<packet_link>(std::move(place));
  };
  rider_ = std::make_unique<ecn_rider>(("rider_" + std::to_string(c.terminal)).c_str(), c.terminals, c.routes,
                                       c.next);
  to_rider_ = make_link("link_marks_to_rider_"), from_rider_ = make_link("link_marks_from_rider_");
  to_rider_->connect(reflector_.reflected), to_rider_->connect(rider_->notifications);
  from_rider_->connect(rider_->notices), from_rider_->connect(throttle_.notices);
}

std::vector<clocked*> ecn_stage::blocks() {
  std::vector<clocked*> all{&throttle_, &reflector_};
  if (rider_) all.push_back(rider_.get());
  return all;
}

std::vector<network_link*> ecn_stage::links() {
  if (!rider_) return {};
  return {to_rider_.get(), from_rider_.get()};
}

void ecn_stage::connect_sent(unsigned network, packet_link& l) {
  if (network) sent_acks_ = &l;
  l.connect(network ? rider_->acks : throttle_.in);
}

void ecn_stage::connect_arrived(unsigned network, packet_link& l) {
  l.connect(network ? rider_->acks_in : reflector_.out);
}

void ecn_stage::connect_output(unsigned network, network_link& l) {
  to_network_[network] = &link_cast<packet_link>(l);
  to_network_[network]->connect(!network ? throttle_.out : rider_ ? rider_->reflected : reflector_.reflected);
}

void ecn_stage::connect_input(unsigned network, network_link& l) {
  from_network_[network] = &link_cast<packet_link>(l);
  from_network_[network]->connect(!network ? reflector_.in : rider_ ? rider_->returned : throttle_.notices);
}

std::vector<std::unique_ptr<clocked>> ecn_stage::make_checkers(const violation_handler& handler) {
  const std::string n = std::to_string(terminal_);
  auto checker = std::make_unique<ecn_checker>(
      ("check_ecn_" + n).c_str(), ecn_checker_config{throttle_.name(), terminal_, terminals_, delays_},
      handler);
  to_network_[0]->connect(checker->sent);
  (rider_ ? *to_rider_ : *to_network_[1]).connect(checker->reflected);
  from_network_[0]->connect(checker->arrived);
  (rider_ ? *from_rider_ : *from_network_[1]).connect(checker->returned);
  std::vector<std::unique_ptr<clocked>> all;
  all.push_back(std::move(checker));
  if (!rider_) return all;
  auto of_rider =
      std::make_unique<ecn_rider_checker>(("check_rider_" + n).c_str(), rider_->name(), terminals_, handler);
  to_rider_->connect(of_rider->notifications);
  sent_acks_->connect(of_rider->acks);
  to_network_[1]->connect(of_rider->reflected);
  from_network_[1]->connect(of_rider->returned);
  from_rider_->connect(of_rider->notices);
  all.push_back(std::move(of_rider));
  return all;
}

std::uint64_t ecn_stage::lost_in_reset() const {
  return throttle_.lost_in_reset() + reflector_.lost_in_reset();
}

void ecn_stage::count(counters& all) const {
  throttle_.count(all);
  reflector_.count(all);
  if (rider_) rider_->count(all);
}

}  // namespace spillway
