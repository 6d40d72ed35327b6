#include <fmt/format.h>

#include <algorithm>
#include <spillway/hw/kernel/single_threaded.hpp>
#include <spillway/platforms/config/error.hpp>
#include <spillway/tb/experiment/transaction_trace.hpp>

namespace spillway {

/// The transactions are all that there is to watch.
class transaction_trace::no_endpoints final : public endpoint_observer {
  void created(std::uint64_t, const flit&) override {}
  void injected(std::uint64_t, const flit&) override {}
  void delivered(std::uint64_t, unsigned, const flit&) override {}
};

/// Sees all edges of the network's clock, of which nothing else may be known.
class transaction_trace::edge_watch final : public single_threaded {
public:
  edge_watch() : single_threaded("transaction_edges") {}

  /// The edge that is now, or the next one.
  std::uint64_t now() const { return seen_ == 0 || sc_core::sc_time_stamp() != last_ ? seen_ : seen_ - 1; }

private:
  void reset() override { tick(); }
  void tick() override {
    ++seen_;
    last_ = sc_core::sc_time_stamp();
    wake_at(cycle() + 1);
  }
  std::uint64_t seen_ = 0;
  sc_core::sc_time last_;  // when
};

transaction_trace::transaction_trace(const packet_trace_config& config, tlm_network& network,
                                     const catalogue& all)
    : network_(network), endpoints_(std::make_unique<no_endpoints>()), packets_(config, *endpoints_) {
  if (network.port(0).functional())
    throw config_error(std::string(network.name()) + ": at `level: functional` there is nothing to record");
  if (network.port(0).observed())
    throw config_error(std::string(network.name()) + ": its transactions are recorded already");
  packets_.watch(network.network(), all);
  {
    const top_level_scope scope(network.network().domain());
    edges_ = std::make_unique<edge_watch>();
    network.network().attach(*edges_);
  }
  packets_.on_slice([this](const auto& packet, const auto& slice) { passes(packet, slice); });
  network.port(0).observe(this);
}

transaction_trace::~transaction_trace() {
  network_.port(0).observe(nullptr);
  packets_.detach();
}

std::uint64_t transaction_trace::now() const { return edges_->now(); }

void transaction_trace::begun(unsigned terminal, std::uint32_t id, unsigned destination,
                              const tlm::tlm_generic_payload& p) {
  write_ended(now());
  const char* const command = p.is_write() ? "write" : p.is_read() ? "read" : "ignore";
  transaction& t = open_[{terminal, id}];
  t = {};
  t.name = fmt::format("{} {:#x}", command, p.get_address());
  t.arguments =
      fmt::format(R"("what":"transaction","bytes":{},"target":{})", p.get_data_length(), destination);
  t.from = now();
  t.terminal = terminal;
  by_payload_[{terminal, &p}] = {terminal, id};
}

void transaction_trace::packet_sent(const tlm_message& m, std::uint32_t sent) {
  const bool reply = m.network == 1;
  const number n{reply ? m.destination : m.source, m.id};
  const auto found = open_.find(n);
  if (found == open_.end()) return;
  const flit_kind kind = reply ? flit_kind::reply : flit_kind::data;
  const packet_trace::packet_key packet{m.source, m.destination, sent, static_cast<std::uint8_t>(m.network),
                                        static_cast<std::uint8_t>(kind)};
  by_packet_[packet] = {n, found->second.packets.size()};
  found->second.packets.push_back({packet, reply, {}});
}

void transaction_trace::passes(const packet_trace::packet_key& packet, const chrome_trace::place& slice) {
  write_ended(now());
  const auto found = by_packet_.find(packet);
  if (found == by_packet_.end()) return;
  const auto t = open_.find(found->second.first);
  if (t != open_.end()) t->second.packets[found->second.second].way.push_back(slice);
}

void transaction_trace::arrived(unsigned, unsigned source, std::uint32_t id) {
  if (const auto found = open_.find({source, id}); found != open_.end()) found->second.arrived = now();
}

void transaction_trace::answered(unsigned terminal, unsigned source, std::uint32_t id) {
  const auto found = open_.find({source, id});
  if (found == open_.end()) return;
  transaction& t = found->second;
  t.answered = true;
  t.served = packets_.trace().slice(packets_.track_of(terminal), t.arrived, now(), t.name,
                                    fmt::format(R"("what":"target","initiator":{})", source));
}

void transaction_trace::ended(unsigned terminal, const tlm::tlm_generic_payload& p) {
  const auto found = by_payload_.find({terminal, &p});
  if (found == by_payload_.end()) return;
  transaction& t = open_.at(found->second);
  t.until = now();
  t.arguments += fmt::format(R"(,"response":"{}")", p.get_response_string());
  ended_.push_back(found->second);
  by_payload_.erase(found);
}

/// Those that ended before that cycle.
void transaction_trace::write_ended(std::uint64_t before) {
  const auto done = std::stable_partition(ended_.begin(), ended_.end(),
                                          [&](const number& n) { return open_.at(n).until >= before; });
  for (auto n = done; n != ended_.end(); ++n) {
    const transaction& t = open_.at(*n);
    write(t);
    for (const passage& p : t.packets) by_packet_.erase(p.packet);
    open_.erase(*n);
  }
  ended_.erase(done, ended_.end());
}

void transaction_trace::write(const transaction& t) {
  const chrome_trace::place whole =
      packets_.trace().slice(packets_.track_of(t.terminal), t.from, t.until, t.name, t.arguments);
  bool went = false, came = false;
  for (const passage& p : t.packets) {
    std::vector<chrome_trace::place> over = p.way;
    // A link comes before the switch that it leads to, whose hop begins with it; its track is further down.
    std::sort(over.begin(), over.end(), [](const auto& a, const auto& b) {
      return std::pair(a.from, b.track) < std::pair(b.from, a.track);
    });
    const bool goes = !p.reply, known = t.answered;
    if (goes) {
      over.insert(over.begin(), whole);
      if (known) over.push_back(t.served);
    } else {
      if (known) over.insert(over.begin(), t.served);
      over.push_back(whole);
    }
    (goes ? went : came) = true;
    packets_.trace().flow(over, t.name, p.reply && known, p.reply);
  }
  if (!t.answered) return;
  if (!went) packets_.trace().flow({whole, t.served}, t.name, false, false);
  if (!came) packets_.trace().flow({t.served, whole}, t.name, true, true);
}

void transaction_trace::finish() {
  network_.port(0).observe(nullptr);
  packets_.detach();
  write_ended(~std::uint64_t{0});
  packets_.trace().finish();
}

}  // namespace spillway
