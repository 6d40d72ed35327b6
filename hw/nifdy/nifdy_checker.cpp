#include <spillway/hw/nifdy/nifdy_checker.hpp>
#include <sstream>

namespace spillway {

namespace {

std::string described(const flit& f) {
  const nifdy::header h = nifdy::header_of(f);
  std::ostringstream os;
  os << f;
  if (nifdy::has(f, nifdy::bulk)) os << " dialog " << h.dialog << " sequence " << h.sequence;
  return os.str();
}

std::string number(std::uint64_t n) { return std::to_string(n); }

}  // namespace

nifdy_checker::nifdy_checker(const sc_core::sc_module_name& name, nifdy_checker_config config,
                             violation_handler handler)
    : clocked(name),
      to_network(config.links, "to_network"),
      from_network(config.links, "from_network"),
      config_(std::move(config)),
      handler_(std::move(handler)) {}

void nifdy_checker::reset() {
  scalars_.clear();
  incoming_.clear();
  over_.clear();
  sources_.clear();
  accepted_.clear();
  outstanding_ = 0;
  requested_ = false;
  out_ = {};
  alarm_ = 0;
}

void nifdy_checker::tick() {
  const auto each = [this](packet_watch& w, auto&& sees) {
    if (!w.crosses()) return;
    wake_at(cycle() + 1);
    if (w.data.read().head()) sees(w.data.read());
  };
  // What comes first: a unit may act on it from the next edge on.
  for (packet_watch& w : from_network) each(w, [this](const flit& f) { sees_come(f); });
  for (packet_watch& w : to_network) each(w, [this](const flit& f) { sees_sent(f); });
  each(to_processor, [this](const flit& f) { sees_accepted(f); });
  if (config_.patience) check_patience();
}

void nifdy_checker::sees_sent(const flit& f) {
  if (nifdy::is_control(f) && !nifdy::has(f, nifdy::bulk | nifdy::exit)) return sees_own_ack(f);
  if (nifdy::has(f, nifdy::bypass)) return;
  if (nifdy::has(f, nifdy::ack_rides)) sees_own_ack(f);
  if (nifdy::has(f, nifdy::bulk))
    sees_bulk(f);
  else
    sees_scalar(f);
}

void nifdy_checker::sees_scalar(const flit& f) {
  scalar_state& to = scalars_[f.destination];
  const bool again = config_.lossy && to.packet == f.packet && to.toggle == nifdy::has(f, nifdy::toggle);
  if (again) return;
  if (to.outstanding)
    fail("NL1", described(f) + " is sent while packet " + number(to.packet) + " is unacknowledged");
  else if (outstanding_ >= config_.outstanding)
    fail("NL2", described(f) + " is sent while " + number(outstanding_) + " others are unacknowledged");
  outstanding_ += !to.outstanding;
  if (out_.open && out_.peer == f.destination)
    fail("NL4", described(f) + " is sent as a scalar packet to the receiver of an open dialog");
  const bool request = nifdy::has(f, nifdy::request);
  if (request && (requested_ || out_.open))
    fail("NL5", described(f) +
                    (requested_ ? " asks while a request is unanswered" : " asks while a dialog is open"));
  requested_ |= request;
  to = {f.packet, true, nifdy::has(f, nifdy::toggle), request};
}

void nifdy_checker::sees_bulk(const flit& f) {
  const nifdy::header h = nifdy::header_of(f);
  const bool of_dialog = out_.open && out_.peer == f.destination && out_.name == h.dialog;
  if (config_.lossy && (!of_dialog || nifdy::ahead(h.sequence, out_.next) < 0)) return;  // once more
  if (!of_dialog) return fail("NL4", described(f) + " is of no dialog that is open");
  if (out_.left) return fail("NL4", described(f) + " is sent after the exit bit");
  if (h.sequence != out_.next)
    fail("NL4", described(f) + " is sent where sequence " + number(out_.next) + " is due");
  const int beyond = nifdy::ahead(h.sequence, out_.acknowledged);
  if (beyond >= static_cast<int>(config_.window))
    fail("NL3", described(f) + " is sent with all before " + number(out_.acknowledged) + " acknowledged");
  out_.next = static_cast<std::uint16_t>(h.sequence + 1);
  out_.left = nifdy::has(f, nifdy::exit);
}

void nifdy_checker::sees_own_ack(const flit& f) {
  const nifdy::header h = nifdy::header_of(f);
  if (nifdy::has(f, nifdy::bulk) && nifdy::is_control(f)) {
    const auto d = incoming_.find(h.dialog);
    const auto over = over_.find(h.dialog);
    const bool known = d != incoming_.end() || over != over_.end();
    const std::uint16_t come = d != incoming_.end() ? d->second.next
                               : known              ? over->second
                                                    : std::uint16_t{0};
    if (!known)
      fail("NL8", described(f) + " acknowledges in a dialog that was not granted");
    else if (nifdy::ahead(h.sequence, come) > 0)
      fail("NL8", described(f) + " acknowledges more than has come, all before " + number(come));
    return;
  }
  source_state& from = sources_[f.destination];
  if (from.scalars == 0 && !(config_.lossy && from.ever)) {
    fail("NL8", described(f) + " acknowledges a scalar packet that has not come");
    return;
  }
  if (from.scalars) --from.scalars;
  if (nifdy::has(f, nifdy::granted)) sees_own_grant(f);
}

void nifdy_checker::sees_own_grant(const flit& f) {
  const nifdy::header h = nifdy::header_of(f);
  const auto known = incoming_.find(h.dialog);
  if (config_.lossy &&
      ((known != incoming_.end() && known->second.source == f.destination) || over_.count(h.dialog)))
    return;  // the same acknowledgement once more
  source_state& from = sources_[f.destination];
  if (!from.requested) fail("NL6", described(f) + " grants a dialog that was not asked for");
  if (known != incoming_.end())
    fail("NL6", described(f) + " grants dialog " + number(h.dialog) + ", which is open");
  else if (incoming_.size() >= config_.dialogs)
    fail("NL6", described(f) + " grants a dialog while " + number(incoming_.size()) + " are open");
  from.requested = false;
  incoming_dialog& d = incoming_[h.dialog];
  d = {};
  d.source = f.destination;
  d.last_activity = cycle();
  over_.erase(h.dialog);
}

void nifdy_checker::sees_come(const flit& f) {
  if (nifdy::is_control(f) && !nifdy::has(f, nifdy::bulk | nifdy::exit)) return sees_ack(f);
  if (nifdy::has(f, nifdy::bypass)) return;
  if (nifdy::has(f, nifdy::ack_rides)) sees_ack(f);
  if (nifdy::has(f, nifdy::bulk)) return sees_bulk_come(f);
  source_state& from = sources_[f.source];
  ++from.scalars;
  from.requested |= nifdy::has(f, nifdy::request);
  from.ever = true;
}

void nifdy_checker::sees_ack(const flit& f) {
  const nifdy::header h = nifdy::header_of(f);
  if (nifdy::has(f, nifdy::bulk) && nifdy::is_control(f)) return sees_bulk_ack(f);
  scalar_state& to = scalars_[f.source];
  if (!to.outstanding || to.toggle != nifdy::has(f, nifdy::toggle)) return;
  to.outstanding = false;
  --outstanding_;
  if (!to.request) return;
  requested_ = false;
  if (nifdy::has(f, nifdy::granted)) out_ = {true, false, f.source, h.dialog, 0, 0};
}

void nifdy_checker::sees_bulk_ack(const flit& f) {
  const nifdy::header h = nifdy::header_of(f);
  const int newly = nifdy::ahead(h.sequence, out_.acknowledged);
  if (!out_.open || f.source != out_.peer || h.dialog != out_.name || newly < 0) return;  // overtaken
  out_.acknowledged = h.sequence;
  if (out_.left && out_.acknowledged == out_.next) out_ = {};
}

void nifdy_checker::sees_bulk_come(const flit& f) {
  const nifdy::header h = nifdy::header_of(f);
  const auto found = incoming_.find(h.dialog);
  if (found == incoming_.end()) return;  // the sender's fault, or a packet that comes again
  incoming_dialog& d = found->second;
  d.last_activity = cycle();
  if (nifdy::ahead(h.sequence, d.next) >= 0) d.early.insert(h.sequence);
  if (nifdy::has(f, nifdy::exit)) d.exit_at = h.sequence;
  while (d.early.erase(d.next)) {
    const bool last = d.exit_at == d.next;
    ++d.next;
    if (!last) continue;
    over_[h.dialog] = d.next;
    incoming_.erase(found);
    return;
  }
}

void nifdy_checker::sees_accepted(const flit& f) {
  if (nifdy::has(f, nifdy::bypass)) return;
  const auto [last, first] = accepted_.try_emplace({f.source, f.kind == flit_kind::reply}, f.packet);
  if (first) return;
  if (static_cast<std::int32_t>(f.packet - last->second) <= 0)
    fail("NL7", described(f) + " goes to the processor after packet " + number(last->second));
  else
    last->second = f.packet;
}

void nifdy_checker::check_patience() {
  std::uint64_t next = nifdy::never;
  for (auto& [name, d] : incoming_) {
    if (cycle() - d.last_activity >= config_.patience) {
      fail("NL9", "dialog " + number(name) + " of terminal " + number(d.source) +
                      " has been without a packet for " + number(cycle() - d.last_activity) + " cycles");
      d.last_activity = cycle();
    }
    next = std::min(next, nifdy::later(d.last_activity, config_.patience));
  }
  if (next != nifdy::never && alarm_ <= cycle()) wake_at(alarm_ = next);
}

void nifdy_checker::fail(const char* rule, const std::string& what) {
  ++violations_;
  report_violation(handler_, rule, config_.unit.empty() ? name() : config_.unit, cycle(), what);
}

}  // namespace spillway
