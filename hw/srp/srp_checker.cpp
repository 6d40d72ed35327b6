#include <spillway/hw/srp/srp_checker.hpp>
#include <spillway/hw/srp/srp_messages.hpp>
#include <sstream>

namespace spillway {

using srp::message;

srp_checker::srp_checker(const sc_core::sc_module_name& name, srp_checker_config config,
                         violation_handler handler)
    : clocked(name), config_(std::move(config)), handler_(std::move(handler)), flows_(config_.terminals) {}

void srp_checker::reset() {
  flows_.assign(flows_.size(), flow{});
  unanswered_.clear();
  deferred_.clear();
  waiting_.clear();
  come_.clear(), dropped_.clear();
  speculation_waits_.reset(), data_waits_.reset(), request_waits_.reset();
  reserved_until_ = 0;
}

/// A head that is shown now was chosen at the edge before: so it comes first, then what crosses at this edge.
void srp_checker::tick() {
  if (is_new(speculates, speculation_waits_)) sees_speculation(speculates.data.read());
  if (is_new(sends, data_waits_)) sees_data(sends.data.read());
  if (is_new(asks, request_waits_)) sees_request(asks.data.read());
  if (answered.crosses()) hears(answered.data.read());
  if (sends.crosses()) done(flow_to(sends.data.read()), 1);
  if (speculates.crosses() && speculates.data.read().head()) {
    const flit& f = speculates.data.read();
    unanswered_[srp::packet_of(f, f.destination)] = f.length;
  }
  if (guessed.crosses() && guessed.data.read().tail())
    come_.insert(srp::packet_of(guessed.data.read(), guessed.data.read().source));
  if (asked.crosses()) {
    const flit& f = asked.data.read();
    if (srp::message_of(f) == message::dropped)
      dropped_.insert(srp::subject_of(f, f.source));
    else
      waiting_[f.source] = f.payload;
  }
  if (answers.crosses()) sees_answer(answers.data.read());
  for (const packet_watch* const pins : {&speculates, &sends, &asks, &answers, &guessed, &asked, &answered})
    if (pins->crosses()) return wake_at(cycle() + 1);
}

/// Whether the pins show a head that they did not show before.
bool srp_checker::is_new(const packet_watch& pins, std::optional<flit>& waits) {
  const bool shown = pins.valid.read();
  const bool fresh = shown && pins.data.read().head() && (!waits || *waits != pins.data.read());
  if (shown && !pins.crosses())
    waits = pins.data.read();
  else
    waits.reset();
  return fresh;
}

void srp_checker::sees_request(const flit& request) {
  flow& to = flow_to(request);
  if (to.open) fail("SR3", request, "asks again before the last message there is done");
  if (config_.reserve == srp_reserve::last_switch)
    fail("SR3", request, "asks although its last switch reserves");
  if (config_.reserve == srp_reserve::after_drop && !to.refused)
    fail("SR3", request, "asks although nothing has been dropped");
  to = {true, false, to.refused, 0, request.payload};
}

void srp_checker::sees_speculation(const flit& head) {
  if (config_.reserve == srp_reserve::last_switch) {
    if (deferred_.count(srp::packet_of(head, head.destination)))
      fail("SR4", head, "is sent speculatively although it has a granted time");
    return;
  }
  const flow& to = flow_to(head);
  if (config_.reserve == srp_reserve::after_drop) {
    if (to.refused) fail("SR4", head, "is sent speculatively after another was dropped");
    return;
  }
  if (!to.open) return fail("SR4", head, "is sent speculatively without a reservation");
  if (to.granted || to.refused)
    fail("SR4", head,
         std::string("is sent speculatively after ") + (to.granted ? "the grant" : "another was dropped"));
}

void srp_checker::sees_data(const flit& head) {
  if (const auto found = deferred_.find(srp::packet_of(head, head.destination)); found != deferred_.end()) {
    const std::uint64_t start = found->second;
    deferred_.erase(found);
    return keeps_time(head, start);
  }
  const flow& to = flow_to(head);
  if (!to.open) {
    if (head.length >= config_.smallest) fail("SR1", head, "goes without a reservation");
    return;
  }
  if (!to.granted) return fail("SR1", head, "goes before its reservation is granted");
  keeps_time(head, to.start);
}

void srp_checker::keeps_time(const flit& head, std::uint64_t start) {
  if (cycle() - 1 < start)
    fail("SR1", head, "goes " + std::to_string(start - cycle() + 1) + " cycles before its granted time");
}

void srp_checker::hears(const flit& answer) {
  flow& to = flows_[answer.source % flows_.size()];
  if (srp::message_of(answer) == message::grant) {
    to.granted = true;
    to.start = srp::may_leave(answer, cycle());
    return done(to, 0);
  }
  const auto found = unanswered_.find(srp::subject_of(answer, answer.source));
  const bool deferred = srp::message_of(answer) == message::deferred;
  if (deferred && (config_.reserve != srp_reserve::last_switch || found == unanswered_.end()))
    fail("SR3", answer, "tells of a packet that does not wait for its last switch");
  if (found == unanswered_.end()) return;
  const unsigned flits = found->second;
  unanswered_.erase(found);
  if (srp::message_of(answer) == message::delivered) return done(to, flits);
  if (deferred) {
    deferred_[srp::subject_of(answer, answer.source)] = srp::may_leave(answer, cycle());
    return;
  }
  to.refused = true;
}

void srp_checker::sees_answer(const flit& answer) {
  switch (srp::message_of(answer)) {
    case message::grant:
      return sees_grant(answer);
    case message::delivered:
      return sees_receipt(come_, answer, "has come");
    case message::refused:
      return sees_receipt(dropped_, answer, "is known to have been dropped");
    default:
      fail("SR3", answer, "is no answer: its kind is " + std::to_string(answer.interface_word));
  }
}

void srp_checker::sees_grant(const flit& grant) {
  const auto request = waiting_.find(grant.destination);
  if (request == waiting_.end()) return fail("SR3", grant, "grants what nobody waits for");
  // The count's low bits are granted.
  const auto start = static_cast<std::uint32_t>(grant.payload);
  const auto free = static_cast<std::uint32_t>(reserved_until_);
  if (reserved_until_ > cycle() && static_cast<std::int32_t>(start - free) < 0)
    fail("SR2", grant,
         "grants cycle " + std::to_string(start) + ", up to " + std::to_string(free) + " others have grants");
  const auto ahead = static_cast<std::int32_t>(start - static_cast<std::uint32_t>(cycle()));
  reserved_until_ = cycle() + static_cast<std::uint64_t>(static_cast<std::int64_t>(ahead)) +
                    srp::cycles_of(request->second, config_.overhead);
  waiting_.erase(request);
}

void srp_checker::sees_receipt(std::set<packet_name>& owed, const flit& answer, const char* of) {
  if (!owed.erase(srp::subject_of(answer, answer.destination)))
    fail("SR3", answer, std::string("tells of a packet of which none ") + of);
}

/// So many flits of the message need no more time.
void srp_checker::done(flow& f, unsigned flits) {
  if (!f.open) return;
  f.left -= std::min<std::uint64_t>(flits, f.left);
  if (f.left == 0 && f.granted) f = {};
}

void srp_checker::fail(const char* rule, const flit& f, const std::string& what) {
  ++violations_;
  std::ostringstream text;
  text << f << ' ' << what;
  report_violation(handler_, rule, config_.unit.empty() ? name() : config_.unit, cycle(), text.str());
}

}  // namespace spillway
