#include <algorithm>
#include <spillway/hw/nifdy/nifdy_reorder.hpp>

namespace spillway {

nifdy_reorder::nifdy_reorder(const sc_core::sc_module_name& name, const nifdy_config& config)
    : clocked(name), config_(config), dialogs_(config.bulk() ? config.dialogs : 0) {
  for (dialog_state& d : dialogs_) d.buffers.resize(config.window);
}

std::uint64_t nifdy_reorder::held_flits() const {
  std::uint64_t flits = 0;
  for (const dialog_state& d : dialogs_)
    for (const buffer& b : d.buffers)
      if (!b.flits.empty() && !nifdy::is_control(b.flits.front())) flits += b.flits.size() - b.given;
  return flits;
}

void nifdy_reorder::reset() {
  lost_ += held_flits();
  for (dialog_state& d : dialogs_) {
    d = dialog_state{};
    d.buffers.resize(config_.window);
  }
  into_ = nullptr;
  delivering_ = -1;
  showing_ = false;
  turn_ = 0;
  alarm_ = 0;
  progress_queue_.clear();
  reminders_ = 0;
  in.ready.write(0);
  opened.ready.write(0);
  out.valid.write(false);
  progress.valid.write(false);
}

void nifdy_reorder::tick() {
  open();
  if (!progress_queue_.empty() && progress.valid.read() && (progress.ready.read() & 1)) {
    reminders_ -= progress_queue_.front().reminder;
    progress_queue_.pop_front();
    wake_at(cycle() + 1);
  }
  take();
  deliver();
  choose();
  if (config_.patience) end_idle();
  in.ready.write(1);
  opened.ready.write(1);
  out.valid.write(showing_);
  if (showing_) {
    dialog_state& d = dialogs_[static_cast<unsigned>(delivering_)];
    const buffer& b = front(d);
    flit f = b.flits[b.given];
    f.source = d.source;
    out.data.write(f);
  }
  progress.valid.write(!progress_queue_.empty());
  if (!progress_queue_.empty()) progress.data.write(progress_queue_.front().ack);
}

void nifdy_reorder::open() {
  if (!opened.crosses()) return;
  const flit& f = opened.data.read();
  const std::uint16_t name = nifdy::header_of(f).dialog;
  dialog_state& d = dialogs_[nifdy::dialog_number(name)];
  d.open = true;
  d.asked_to_end = false;
  d.name = name;
  d.source = f.source;
  d.next = d.acknowledged = 0;
  d.front = 0;
  d.last_activity = cycle();
  wake_at(cycle() + 1);
}

void nifdy_reorder::take() {
  if (!in.crosses()) return;
  const flit& f = in.data.read();
  if (f.head()) take_head(f);
  if (into_) into_->flits.push_back(f);
  wake_at(cycle() + 1);
}

void nifdy_reorder::take_head(const flit& f) {
  into_ = nullptr;
  const nifdy::header h = nifdy::header_of(f);
  const unsigned number = nifdy::dialog_number(h.dialog);
  if (number >= dialogs_.size()) {
    ++strays_;
    return;
  }
  dialog_state& d = dialogs_[number];
  const bool known = d.open && d.name == h.dialog;
  if (known) d.last_activity = cycle();  // a late copy of an earlier dialog is no sign of this one
  const int place = known ? nifdy::ahead(h.sequence, d.next) : -1;
  if (place >= static_cast<int>(config_.window)) {
    ++strays_;
    return;
  }
  if (place < 0) return acknowledge_again(f, d);
  buffer& b = at(d, static_cast<unsigned>(place));
  if (!b.flits.empty()) {
    ++duplicates_;
    return;
  }
  early_ += place > 0;
  into_ = &b;
}

/// A packet that has been handed on already comes once more: its acknowledgement may be lost.
void nifdy_reorder::acknowledge_again(const flit& head, const dialog_state& d) {
  if (!config_.lossy()) {
    ++strays_;
    return;
  }
  ++duplicates_;
  dialog_state unknown = d;
  const nifdy::header h = nifdy::header_of(head);
  if (!d.open || d.name != h.dialog) {  // it was of a dialog that is over, so all of that one has come
    unknown.name = h.dialog;
    unknown.source = head.source;
    unknown.next = static_cast<std::uint16_t>(h.sequence + 1);
  }
  remind(unknown, 0);
}

/// Says once more, or asks the sender to leave. There is a place a dialog: where nothing is lost each is
/// asked once, and else it is said again later.
void nifdy_reorder::remind(const dialog_state& d, std::uint8_t flags) {
  if (reminders_ == dialogs_.size()) return;
  ++reminders_;
  acknowledge(d, flags, true);
}

void nifdy_reorder::acknowledge(const dialog_state& d, std::uint8_t flags, bool reminder) {
  flit f;
  f.kind = flit_kind::acknowledge;
  f.source = config_.terminal;
  f.destination = d.source;
  nifdy::set_header(f, {static_cast<std::uint8_t>(nifdy::bulk | flags), d.next, d.name});
  progress_queue_.push_back({f, reminder});
}

void nifdy_reorder::deliver() {
  if (!showing_ || !(out.ready.read() & 1)) return;
  dialog_state& d = dialogs_[static_cast<unsigned>(delivering_)];
  buffer& b = front(d);
  const bool tail = b.flits[b.given++].tail();
  showing_ = false;
  if (tail) {
    advance(d);
    delivering_ = -1;
  }
  wake_at(cycle() + 1);
}

/// The packet at the front has been handed on.
void nifdy_reorder::advance(dialog_state& d) {
  buffer& b = front(d);
  const bool last = nifdy::has(b.flits.front(), nifdy::exit);
  b.flits.clear();
  b.given = 0;
  ++d.next;
  d.front = (d.front + 1) % config_.window;
  d.last_activity = cycle();
  if (last) {
    acknowledge(d, nifdy::exit);
    d.open = false;
  } else if (nifdy::ahead(d.next, d.acknowledged) >= static_cast<int>(config_.ack_every())) {
    // It may overtake what asks to leave, which then counts no more.
    acknowledge(d, d.asked_to_end ? nifdy::refused : std::uint8_t{0});
    d.acknowledged = d.next;
  }
}

bool nifdy_reorder::ready_to_deliver(const dialog_state& d) const {
  if (!d.open) return false;
  const buffer& b = d.buffers[d.front];
  return b.flits.size() > b.given;
}

void nifdy_reorder::choose() {
  const auto count = static_cast<unsigned>(dialogs_.size());
  for (unsigned i = 0; i < count && delivering_ < 0; ++i) {
    const unsigned number = (turn_ + i) % count;
    dialog_state& d = dialogs_[number];
    if (ready_to_deliver(d) && nifdy::is_control(front(d).flits.front())) {
      advance(d);  // an empty packet is not for the processor
      wake_at(cycle() + 1);
    }
    if (!ready_to_deliver(d)) continue;
    delivering_ = static_cast<int>(number);
    turn_ = (number + 1) % count;
  }
  if (delivering_ < 0 || showing_ || !ready_to_deliver(dialogs_[static_cast<unsigned>(delivering_)])) return;
  showing_ = true;
  wake_at(cycle() + 1);
}

void nifdy_reorder::end_idle() {
  std::uint64_t next = nifdy::never;
  for (dialog_state& d : dialogs_) {
    if (!d.open || (d.asked_to_end && !config_.lossy())) continue;
    if (cycle() - d.last_activity >= config_.patience) {
      ended_ += !d.asked_to_end;
      d.asked_to_end = true;
      d.last_activity = cycle();
      remind(d, nifdy::refused);
      wake_at(cycle() + 1);
    }
    next = std::min(next, nifdy::later(d.last_activity, config_.patience));
  }
  // What is heard before only puts the moment off.
  if (next != nifdy::never && alarm_ <= cycle()) wake_at(alarm_ = next);
}

void nifdy_reorder::count(counters& all) const {
  all["nifdy.bulk_out_of_order"] += static_cast<double>(early_);
  all["nifdy.dialogs_ended_by_receiver"] += static_cast<double>(ended_);
  all["nifdy.bulk_duplicates_dropped"] += static_cast<double>(duplicates_);
  all["nifdy.bulk_strays"] += static_cast<double>(strays_);
}

}  // namespace spillway
