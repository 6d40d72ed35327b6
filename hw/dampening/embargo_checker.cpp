#include <spillway/hw/dampening/embargo_checker.hpp>
#include <sstream>

namespace spillway {

namespace {

template <class T>
std::string printed(const T& value) {
  std::ostringstream os;
  os << value;
  return os.str();
}

}  // namespace

std::unique_ptr<clocked> embargo_link::make_checker(const violation_handler& handler) {
  embargo_checker_config config;
  config.packet.link = path();
  config.packet.lanes = 1;
  config.sender_calculates = reported_;
  config.pool = places_;
  auto checker = std::make_unique<embargo_checker>(checker_name().c_str(), std::move(config), handler);
  connect(*checker);
  return checker;
}

embargo_checker::embargo_checker(const sc_core::sc_module_name& name, embargo_checker_config config,
                                 violation_handler handler)
    : packet_checker(name, config.packet, std::move(handler)), rules_(std::move(config)) {}

void embargo_checker::reset() {
  packet_checker::reset();
  // At the first edge of a reset the blocks have not seen it yet.
  const bool loud = control.read().any() || interdict.read();
  if (was_in_reset_ && loud && !reset_reported_ && rules_.quiet) {
    reset_reported_ = true;
    fail("EL6", interdict.read() ? "interdict is high during reset"
                                 : printed(control.read()) + " is announced during reset");
  }
  was_in_reset_ = true;
  embargoed_.clear();
  not_reported_.clear();
  interdicted_ = waits_ = false;
}

void embargo_checker::tick() {
  if (was_in_reset_) {
    if ((control.read().any() || interdict.read()) && !reset_reported_ && rules_.quiet)
      fail("EL6", "control or interdict is not silent at the first edge after reset");
    was_in_reset_ = reset_reported_ = false;
  }
  packet_checker::tick();
  if (valid.read() && !waits_) check_sent(data.read());
  waits_ = valid.read() && !crossed();
  if (crossed() && rules_.sender_calculates) check_place(data.read(), place.read());
  const control_message& m = control.read();
  if (m.any()) {
    check_control(m);
    wake_at(cycle() + 1);
  }
  interdicted_ = interdict.read();
}

void embargo_checker::check_sent(const flit& f) {
  if (interdicted_ && rules_.interdicts) fail("EL4", printed(f) + " is sent under interdiction");
  if (!rules_.embargoes) return;
  if (embargoed_.count({false, f.destination}) || embargoed_.count({true, f.source}))
    fail("EL1", printed(f) + " is sent under embargo");
}

void embargo_checker::check_place(const flit& f, std::uint16_t named) {
  const auto sent_to = [&] { return printed(f) + " is sent to place " + std::to_string(named); };
  if (rules_.pool && named >= rules_.pool && rules_.places)
    fail("EL7", sent_to() + " of " + std::to_string(rules_.pool));
  if (named >= not_reported_.size()) not_reported_.resize(named + 1u);
  if (not_reported_[named] && rules_.places)
    fail("EL7", sent_to() + ", which " + printed(*not_reported_[named]) + " has not left");
  not_reported_[named] = f;
}

void embargo_checker::check_control(const control_message& m) {
  ++messages_;
  if (m.embargo + m.release + m.report > 1) {
    if (rules_.one_message) fail("EL3", printed(m) + " are announced at once");
    return;
  }
  const terminal whose{m.by_source, m.terminal};
  if (m.embargo && !embargoed_.insert(whose).second && rules_.releases)
    fail("EL2", printed(m) + ", which is under embargo already");
  if (m.release && embargoed_.erase(whose) == 0 && rules_.releases)
    fail("EL2", printed(m) + ", which is not under embargo");
  if (!m.report) return;
  if (m.place < not_reported_.size() && not_reported_[m.place] && m.concerns(*not_reported_[m.place]))
    not_reported_[m.place].reset();
  else if (rules_.reports)
    fail("EL5", printed(m) + ", of which no message is there");
}

}  // namespace spillway
