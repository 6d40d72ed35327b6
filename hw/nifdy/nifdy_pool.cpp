#include <algorithm>
#include <spillway/hw/nifdy/nifdy_pool.hpp>
#include <spillway/hw/switching/next_output.hpp>
#include <spillway/hw/switching/packet_length.hpp>
#include <sstream>

namespace spillway {

nifdy_pool::nifdy_pool(const sc_core::sc_module_name& name, const nifdy_config& config,
                       std::shared_ptr<const routing> routes, link_end next)
    : clocked(name),
      out(config.networks, "out"),
      config_(config),
      routes_(std::move(routes)),
      next_(next),
      rank_(config),
      buffers_(config.pool),
      ports_(config.networks),
      showing_(config.networks) {
  for (packet_out& o : out) o.lanes().declare(next.lanes);
}

std::uint64_t nifdy_pool::held_flits() const {
  std::uint64_t flits = 0;
  for (const auto& buffer : buffers_) flits += buffer.size();
  for (const transmission& port : ports_)
    if (port.under_way && port.slot != no_slot) flits -= port.next;
  return flits;
}

std::uint64_t nifdy_pool::copied_flits() const {
  std::uint64_t flits = 0;
  for (const copy& c : copies_) flits += c.acknowledged ? 0 : c.flits.size();
  return flits;
}

void nifdy_pool::reset() {
  lost_ += held_flits() + copied_flits();  // of what a link has dropped the copy is all that was left
  rank_.clear();
  for (auto& buffer : buffers_) buffer.clear();
  for (transmission& port : ports_) port = transmission{};
  showing_.assign(showing_.size(), false);
  acks_waiting_.clear();
  copies_.clear();
  resting_.clear();
  toggles_.clear();
  filling_ = no_slot;
  alarm_ = 0;
  turn_ = 0;
  last_.reset();
  previous_.reset();
  in.ready.write(0);
  acks.ready.write(0);
  sent.valid.write(false);
  for (packet_out& o : out) o.valid.write(false);
}

void nifdy_pool::tick() {
  send();
  take_ack();
  fill();
  if (config_.lossy()) forget_acknowledged();
  start();
  show();
  set_alarm();
  if (open() != (in.ready.read() != 0)) wake_at(cycle() + 1);
  in.ready.write(open() ? 1 : 0);
  acks.ready.write(acks_waiting_.size() < most_acks ? 1 : 0);
}

void nifdy_pool::send() {
  for (unsigned n = 0; n < config_.networks; ++n) {
    transmission& port = ports_[n];
    if (!showing_[n] || !(out[n].ready.read() >> port.flits[port.next].lane & 1)) continue;
    wake_at(cycle() + 1);
    turn_ = (n + 1) % config_.networks;
    if (observer_ && port.slot != no_slot && port.next == 0) observer_->let_go(cycle(), port.flits.front());
    if (++port.next == port.flits.size()) finish(port);
  }
}

void nifdy_pool::finish(transmission& port) {
  port.under_way = false;
  for (copy& c : copies_)
    if (c.flits.front() == port.flits.front()) c.due = nifdy::later(cycle(), config_.timeout);
  if (port.slot == no_slot) return;
  rank_.remove(static_cast<unsigned>(port.slot));
  buffers_[static_cast<unsigned>(port.slot)].clear();
}

bool nifdy_pool::open() const { return filling_ != no_slot || rank_.used() < config_.pool; }

void nifdy_pool::take_ack() {
  if (!acks.crosses()) return;
  const flit& a = acks.data.read();
  acks_waiting_.push_back({a, nifdy::later(cycle(), may_piggyback(a) ? config_.piggyback : 0)});
  wake_at(cycle() + 1);
}

/// What the processor shows goes into buffers that are made for the packets of these networks.
void nifdy_pool::check_flit(const flit& f) const {
  check_length(*this, 0, f, config_.packet_length);
  const bool begins = filling_ == no_slot;
  if (f.head() == begins && f.network < config_.networks) return;
  std::ostringstream what;
  what << name() << ": found " << f << " of network " << static_cast<unsigned>(f.network)
       << " from the processor, expected " << (begins ? "the first" : "another")
       << " flit of a packet, on one of " << config_.networks << " networks";
  SC_REPORT_ERROR("spillway/nifdy", what.str().c_str());
  sc_core::sc_abort();  // only if errors have been told not to throw
}

void nifdy_pool::fill() {
  if (!in.crosses()) return;
  const flit& f = in.data.read();
  check_flit(f);
  if (f.head()) {
    filling_ = static_cast<int>(rank_.enter(f));
    if (observer_) observer_->held_back(cycle(), f);
  }
  const auto slot = static_cast<unsigned>(filling_);
  buffers_[slot].push_back(f);
  if (f.tail()) {
    rank_.complete(slot);
    filling_ = no_slot;
  }
  wake_at(cycle() + 1);
}

void nifdy_pool::start() {
  if (last_) wake_at(cycle() + 1);  // then the table shows it
  previous_ = last_;
  last_.reset();
  const unsigned networks = config_.networks;
  for (unsigned i = 0; i < networks; ++i) {
    const unsigned network = (turn_ + i) % networks;
    if (ports_[network].under_way) continue;
    if ((network == config_.ack_network() && start_ack()) || start_again(network) || start_packet(network))
      wake_at(cycle() + 1);
  }
  sent.valid.write(last_.has_value());
  if (!last_) return;
  flit record = *last_;
  record.index = 0;
  record.length = 1;
  record.lane = 0;
  sent.data.write(record);
}

void nifdy_pool::begin(unsigned network, std::vector<flit> flits, int slot) {
  const std::uint8_t lane = lane_of(flits.front());
  for (flit& f : flits) f.lane = lane;
  transmission& port = ports_[network];
  port.flits = std::move(flits);
  port.next = 0;
  port.slot = slot;
  port.under_way = true;
}

std::uint8_t nifdy_pool::lane_of(const flit& head) const {
  return next_.lanes > 1 ? lane_ahead(*routes_, next_, head) : std::uint8_t{0};
}

bool nifdy_pool::start_ack() {
  // While no scalar packet can go to that node, none can take the acknowledgement along.
  const auto no_rider = [this](std::uint32_t node) {
    return tags.read().holds(node) || (dialog.read().open && dialog.read().peer == node);
  };
  auto due = std::find_if(acks_waiting_.begin(), acks_waiting_.end(),
                          [&](const ack& a) { return a.due <= cycle() || no_rider(a.head.destination); });
  // Those behind, which may be ones that do not wait, need a place.
  if (due == acks_waiting_.end() && acks_waiting_.size() == most_acks) due = acks_waiting_.begin();
  if (due == acks_waiting_.end()) return false;
  std::vector<flit> flits(config_.ack_length, due->head);
  for (std::size_t i = 0; i < flits.size(); ++i) {
    flits[i].packet = ack_number_;
    flits[i].index = static_cast<std::uint16_t>(i);
    flits[i].length = static_cast<std::uint16_t>(flits.size());
    flits[i].network = static_cast<std::uint8_t>(config_.ack_network());
    if (i) flits[i].interface_word = 0;
  }
  ++ack_number_;
  ++acks_sent_;
  acks_waiting_.erase(due);
  begin(config_.ack_network(), std::move(flits), no_slot);
  return true;
}

bool nifdy_pool::start_again(unsigned network) {
  for (copy& c : copies_) {
    if (c.acknowledged || c.due > cycle() || c.flits.front().network != network) continue;
    ++again_;
    begin(network, c.flits, no_slot);
    c.flits = ports_[network].flits;
    c.due = nifdy::never;
    c.again = true;
    return true;
  }
  return false;
}

std::vector<flit> nifdy_pool::with_header(unsigned slot, const flit& header) const {
  std::vector<flit> flits = buffers_[slot];
  // The header is a word of the head; what software has asked for in it goes no further.
  for (flit& f : flits) f.interface_word = f.head() ? header.interface_word : 0;
  return flits;
}

bool nifdy_pool::start_packet(unsigned network) {
  if (last_ || !(sent.ready.read() & 1)) return false;  // one note a cycle
  const std::optional<unsigned> slot = rank_.choose(network, view());
  if (slot) {
    flit header = rank_.header(*slot, view());
    if (nifdy::has(header, nifdy::bypass)) {
      ++bypassed_;
      begin(network, with_header(*slot, header), static_cast<int>(*slot));
      return true;
    }
    const bool scalar = !nifdy::has(header, nifdy::bulk);
    ++(scalar ? scalars_ : bulk_);
    if (scalar) piggyback(header);
    if (scalar && config_.lossy() && (toggles_[header.destination] = !toggles_[header.destination]))
      nifdy::set_flags(header, nifdy::toggle);
    commit(network, with_header(*slot, header), static_cast<int>(*slot));
    return true;
  }
  if (network != 0 || !rank_.can_leave(view())) return false;
  ++left_empty_;
  flit header = rank_.leave_header(view());
  header.packet = ack_number_++;
  commit(0, {header}, no_slot);
  return true;
}

/// Sends a packet of the protocol, which the table is told of and of which a copy may be kept.
void nifdy_pool::commit(unsigned network, std::vector<flit> flits, int slot) {
  last_ = flits.front();
  begin(network, std::move(flits), slot);
  if (!config_.lossy()) return;
  copies_.emplace_back();
  copies_.back().flits = ports_[network].flits;
  copies_.back().sent = cycle();
}

/// What speaks of a dialog goes by itself: no scalar packet back has room to name it, and a grant that waited
/// could be overtaken by what the reorder buffers say of its dialog.
bool nifdy_pool::may_piggyback(const flit& head) const {
  return config_.piggyback && !nifdy::has(head, nifdy::bulk) && !nifdy::has(head, nifdy::granted);
}

void nifdy_pool::piggyback(flit& head) {
  if (!config_.piggyback) return;
  const auto found = std::find_if(acks_waiting_.begin(), acks_waiting_.end(), [&](const ack& a) {
    return a.head.destination == head.destination && may_piggyback(a.head);
  });
  if (found == acks_waiting_.end()) return;
  nifdy::set_flags(head, nifdy::ack_rides);
  if (nifdy::has(found->head, nifdy::refused)) nifdy::set_flags(head, nifdy::refused);
  acks_waiting_.erase(found);
  ++piggybacked_;
}

void nifdy_pool::show() {
  for (unsigned n = 0; n < config_.networks; ++n) {
    const transmission& port = ports_[n];
    showing_[n] = port.under_way;
    out[n].valid.write(port.under_way);
    if (port.under_way) out[n].data.write(port.flits[port.next]);
  }
}

bool nifdy_pool::is_acknowledged(const copy& c) const {
  // The table shows it two edges after it was chosen.
  if (cycle() < c.sent + 2) return false;
  const flit& head = c.flits.front();
  if (!nifdy::has(head, nifdy::bulk)) return !tags.read().holds(head.destination);
  const nifdy::dialog& d = dialog.read();
  const nifdy::header h = nifdy::header_of(head);
  return !d.open || d.name != h.dialog || d.peer != head.destination ||
         nifdy::ahead(d.acknowledged, h.sequence) > 0;
}

/// Sequence numbers tell copies of bulk packets; the one bit of a scalar packet does not tell its copies from
/// the packet after the next.
void nifdy_pool::forget_acknowledged() {
  for (copy& c : copies_) c.acknowledged = c.acknowledged || is_acknowledged(c);
  const auto rests = [this](const copy& c) {
    return c.again && !nifdy::has(c.flits.front(), nifdy::bulk) && c.due > cycle();
  };
  const auto gone = [&](const copy& c) { return c.acknowledged && !rests(c); };
  const auto from = std::remove_if(copies_.begin(), copies_.end(), gone);
  if (from != copies_.end()) wake_at(cycle() + 1);
  copies_.erase(from, copies_.end());
  resting_.clear();
  for (const copy& c : copies_)
    if (c.acknowledged) resting_.push_back(c.flits.front().destination);
}

void nifdy_pool::set_alarm() {
  std::uint64_t next = nifdy::never;
  for (const copy& c : copies_) next = std::min(next, c.due);
  if (!ports_[config_.ack_network()].under_way)
    for (const ack& a : acks_waiting_) next = std::min(next, a.due);
  // A later one is asked for when the one before has come.
  if (next == nifdy::never || (next >= alarm_ && alarm_ > cycle())) return;
  wake_at(alarm_ = std::max(next, cycle() + 1));
}

void nifdy_pool::count(counters& all) const {
  const auto add = [&all](const char* name, std::uint64_t n) { all[name] += static_cast<double>(n); };
  add("nifdy.scalar_packets", scalars_);
  add("nifdy.bulk_packets", bulk_);
  add("nifdy.bypass_packets", bypassed_);
  add("nifdy.acks", acks_sent_);
  add("nifdy.acks_on_packets", piggybacked_);
  add("nifdy.retransmissions", again_);
  add("nifdy.dialogs_left_empty", left_empty_);
}

}  // namespace spillway
