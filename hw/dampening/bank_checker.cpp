#include <algorithm>
#include <spillway/hw/dampening/bank_checker.hpp>

namespace spillway {

namespace {

std::string place_of(unsigned slot) { return "place " + std::to_string(slot); }

}  // namespace

std::unique_ptr<clocked> spill_link::make_checker(const violation_handler& handler) {
  auto checker = std::make_unique<spill_checker>(checker_name().c_str(), slots_, path(), handler);
  connect(*checker);
  return checker;
}

std::unique_ptr<clocked> refill_link::make_checker(const violation_handler& handler) {
  auto checker = std::make_unique<refill_checker>(checker_name().c_str(), slots_, path(), handler);
  connect(*checker);
  return checker;
}

void bank_rules::fail(const char* rule, const std::string& what) {
  ++violations_;
  report_violation(handler_, rule, watched_.empty() ? name() : watched_, cycle(), what);
}

bool bank_rules::exists(unsigned slot, const char* what) {
  if (slot < slots_) return true;
  fail("BL1", place_of(slot) + what + ", the bank has " + std::to_string(slots_));
  return false;
}

void bank_rules::check_silence(bool loud) {
  // At the first edge of a reset the blocks have not seen it yet.
  if (in_reset_ && loud && !reported_) {
    reported_ = true;
    fail("BL3", "the link is in use during reset");
  }
  in_reset_ = true;
}

void bank_rules::end_reset(bool loud) {
  if (in_reset_ && loud && !reported_) fail("BL3", "the link is in use at the first edge after reset");
  in_reset_ = reported_ = false;
}

spill_checker::spill_checker(const sc_core::sc_module_name& name, unsigned slots, std::string watched,
                             violation_handler handler)
    : bank_rules(name, slots, std::move(watched), std::move(handler)), spill_watch("") {}

void spill_checker::reset() { check_silence(valid.read()); }

void spill_checker::tick() {
  end_reset(valid.read());
  if (!valid.read()) return;
  exists(slot.read(), " is spilled to");
  wake_at(cycle() + 1);  // the next spill may look the same
}

refill_checker::refill_checker(const sc_core::sc_module_name& name, unsigned slots, std::string watched,
                               violation_handler handler)
    : bank_rules(name, slots, std::move(watched), std::move(handler)), refill_watch("") {}

void refill_checker::reset() {
  check_silence(valid.read() || fetch.read());
  asked_ = false;
}

void refill_checker::tick() {
  end_reset(valid.read() || fetch.read());
  if (valid.read() && !asked_)
    fail("BL2", place_of(slot.read()) + " is shown, and was not asked for");
  else if (asked_ && !valid.read())
    fail("BL2", place_of(asked_for_) + " was asked for, and nothing is shown");
  else if (asked_ && slot.read() != asked_for_)
    fail("BL2", place_of(slot.read()) + " is shown, " + place_of(asked_for_) + " was asked for");
  asked_ = fetch.read() && exists(wanted.read(), " is asked for");
  asked_for_ = wanted.read();
  if (valid.read() || fetch.read()) wake_at(cycle() + 1);  // what is shown next may look the same
}

bank_checker::bank_checker(const sc_core::sc_module_name& name, unsigned ports, unsigned slots,
                           std::string watched, violation_handler handler)
    : bank_rules(name, slots, std::move(watched), std::move(handler)),
      spill(ports, "spill"),
      refill(ports, "refill"),
      places_(slots),
      answers_(ports) {}

void bank_checker::reset() {
  std::fill(places_.begin(), places_.end(), place{});
  std::fill(answers_.begin(), answers_.end(), answer{});
}

void bank_checker::tick() {
  bool active = false;
  for (const spill_watch& port : spill) {
    if (!port.valid.read()) continue;
    active = true;
    take(port);
  }
  // What comes in at an edge may be asked for at the same.
  for (unsigned p = 0; p < answers_.size(); ++p) {
    compare(refill[p], answers_[p]);
    answers_[p].due = false;
    if (!refill[p].fetch.read()) continue;
    active = true;
    note_request(refill[p], answers_[p]);
  }
  if (active) wake_at(cycle() + 1);
}

void bank_checker::take(const spill_watch& from) {
  if (from.slot.read() >= slots()) return;  // BL1 speaks of it
  place& to = places_[from.slot.read()];
  if (to.now == use::stored)
    fail("BL4", text(from.data.read()) + " is spilled to " + place_of(from.slot.read()) + ", where " +
                    text(to.data) + " has not been fetched");
  to = {use::stored, from.data.read()};
}

void bank_checker::compare(const refill_watch& got, const answer& expected) {
  // A missing answer, and one for another place, are BL2's.
  if (!expected.due || !got.valid.read() || got.slot.read() != expected.slot) return;
  if (got.data.read() != expected.data)
    fail("BL6", text(got.data.read()) + " comes from " + place_of(expected.slot) + ", where " +
                    text(expected.data) + " was spilled");
}

void bank_checker::note_request(const refill_watch& by, answer& next) {
  const std::uint16_t slot = by.wanted.read();
  if (slot >= slots()) return;
  place& from = places_[slot];
  if (from.now == use::empty) {
    fail("BL5", place_of(slot) + " is asked for, where nothing was spilled");
    return;
  }
  from.now = use::fetched;
  next = {true, slot, from.data};
}

}  // namespace spillway
