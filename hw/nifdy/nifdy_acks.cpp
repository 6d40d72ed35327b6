#include <spillway/hw/nifdy/nifdy_acks.hpp>

namespace spillway {

nifdy_acks::nifdy_acks(const sc_core::sc_module_name& name, const nifdy_config& config)
    : clocked(name), config_(config), numbers_(config.bulk() ? config.dialogs : 0) {}

void nifdy_acks::reset() {
  numbers_.assign(numbers_.size(), number_state{});
  queue_.clear();
  notices_.clear();
  last_.clear();
  showing_ = false;
  open_ = 0;
  accepted.ready.write(0);
  progress.ready.write(0);
  opened.valid.write(false);
  out.valid.write(false);
}

void nifdy_acks::tick() {
  if (showing_ && (out.ready.read() & 1)) {
    queue_.pop_front();
    showing_ = false;
    wake_at(cycle() + 1);
  }
  if (!notices_.empty() && opened.valid.read() && (opened.ready.read() & 1)) {
    notices_.pop_front();
    wake_at(cycle() + 1);
  }
  // Two of the cycles pass anyway: this edge, and the one at which the pool sends it.
  const std::uint64_t due = cycle() + config_.ack_processing - 2;
  if (progress.crosses()) {
    flit ack = progress.data.read();
    if (nifdy::has(ack, nifdy::exit)) {
      numbers_[nifdy::dialog_number(nifdy::header_of(ack).dialog)].open = false;
      --open_;
      nifdy::clear_flags(ack, nifdy::exit);
    }
    queue_.push_back({due, ack});
    wake_at(cycle() + 1);
  }
  if (accepted.crosses()) {
    queue_.push_back({due, answer(accepted.data.read())});
    wake_at(cycle() + 1);
  }
  if (!showing_ && !queue_.empty()) {
    showing_ = queue_.front().due <= cycle();
    wake_at(showing_ ? cycle() + 1 : queue_.front().due);
  }
  const lane_mask room = queue_.size() + 2 <= places() ? 1 : 0;  // both may come at one edge
  if (room != accepted.ready.read()) wake_at(cycle() + 1);
  accepted.ready.write(room);
  progress.ready.write(room);
  opened.valid.write(!notices_.empty());
  if (!notices_.empty()) opened.data.write(notices_.front());
  out.valid.write(showing_);
  if (showing_) out.data.write(queue_.front().ack);
}

flit nifdy_acks::answer(const flit& head) {
  if (config_.lossy()) {
    const auto previous = last_.find(head.source);
    if (previous != last_.end() &&
        nifdy::has(previous->second, nifdy::toggle) == nifdy::has(head, nifdy::toggle))
      return previous->second;  // word for word, so that a grant is not given twice
  }
  flit ack;
  ack.kind = flit_kind::acknowledge;
  ack.source = config_.terminal;
  ack.destination = head.source;
  if (nifdy::has(head, nifdy::toggle)) nifdy::set_flags(ack, nifdy::toggle);
  if (nifdy::has(head, nifdy::request)) grant(head, ack);
  if (config_.lossy()) last_[head.source] = ack;
  return ack;
}

void nifdy_acks::grant(const flit& head, flit& ack) {
  for (unsigned number = 0; number < numbers_.size(); ++number) {
    number_state& n = numbers_[number];
    if (n.open) continue;
    n.open = true;
    ++open_;
    ++granted_;
    nifdy::header says = nifdy::header_of(ack);
    says.flags |= nifdy::granted;
    says.dialog = nifdy::dialog_name(number, ++n.epoch);
    nifdy::set_header(ack, says);
    flit notice;
    notice.kind = flit_kind::acknowledge;
    notice.source = head.source;
    notice.destination = config_.terminal;
    nifdy::set_header(notice, {0, 0, says.dialog});
    notices_.push_back(notice);
    return;
  }
  ++refused_;
  nifdy::set_flags(ack, nifdy::refused);
}

void nifdy_acks::count(counters& all) const {
  all["nifdy.dialogs_granted"] += static_cast<double>(granted_);
  all["nifdy.dialogs_refused"] += static_cast<double>(refused_);
}

}  // namespace spillway
