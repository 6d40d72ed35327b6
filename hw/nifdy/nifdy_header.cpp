#include <algorithm>
#include <ostream>
#include <spillway/hw/nifdy/nifdy_config.hpp>
#include <spillway/hw/nifdy/nifdy_header.hpp>
#include <stdexcept>

namespace spillway {

namespace nifdy {

bool operator==(const tags& a, const tags& b) {
  return a.count == b.count && a.toggles == b.toggles &&
         std::equal(a.nodes.begin(), a.nodes.begin() + a.count, b.nodes.begin());
}

std::ostream& operator<<(std::ostream& os, const tags& t) {
  os << '{';
  for (unsigned i = 0; i < t.count; ++i) os << (i ? " " : "") << t.nodes[i];
  return os << '}';
}

void sc_trace(sc_core::sc_trace_file* tf, const tags& t, const std::string& name) {
  using sc_core::sc_trace;
  sc_trace(tf, t.count, name + ".count");
  sc_trace(tf, t.toggles, name + ".toggles");
  for (unsigned i = 0; i < max_outstanding; ++i) sc_trace(tf, t.nodes[i], name + ".node" + std::to_string(i));
}

bool operator==(const dialog& a, const dialog& b) {
  return a.open == b.open && a.leaving == b.leaving && a.ending == b.ending && a.requested == b.requested &&
         a.peer == b.peer && a.name == b.name && a.next == b.next && a.acknowledged == b.acknowledged;
}

std::ostream& operator<<(std::ostream& os, const dialog& d) {
  if (!d.open) return os << (d.requested ? "requested" : "closed");
  return os << "to " << d.peer << " next " << d.next << " acknowledged " << d.acknowledged
            << (d.leaving ? " leaving" : "") << (d.ending ? " ending" : "");
}

void sc_trace(sc_core::sc_trace_file* tf, const dialog& d, const std::string& name) {
  using sc_core::sc_trace;
  sc_trace(tf, d.open, name + ".open");
  sc_trace(tf, d.leaving, name + ".leaving");
  sc_trace(tf, d.ending, name + ".ending");
  sc_trace(tf, d.requested, name + ".requested");
  sc_trace(tf, d.peer, name + ".peer");
  sc_trace(tf, d.name, name + ".name");
  sc_trace(tf, d.next, name + ".next");
  sc_trace(tf, d.acknowledged, name + ".acknowledged");
}

}  // namespace nifdy

nifdy_config nifdy_config::without_protocol() const {
  const unsigned total = pool + dialogs * window + arrivals;
  nifdy_config plain = *this;
  plain.protocol = false;
  plain.pool = std::min(total / 2, most_pool);
  plain.arrivals = total - plain.pool;
  plain.dialogs = plain.window = 0;
  return plain;
}

void nifdy_config::check() const {
  const auto need = [](bool ok, const std::string& what, unsigned long long found) {
    if (!ok) throw std::invalid_argument(what + ", found " + std::to_string(found));
  };
  need(networks == 1 || networks == 2, "a NIFDY unit has 1 or 2 networks", networks);
  need(terminal < flit::most_terminals, "terminals have numbers below 2^28", terminal);
  need(packet_length >= 1 && packet_length <= 65535, "packets have 1 to 65535 flits", packet_length);
  need(outstanding >= 1 && outstanding <= nifdy::max_outstanding, "1 to 32 scalar packets may be outstanding",
       outstanding);
  need(pool >= 1 && pool <= most_pool, "the outgoing pool holds 1 to 64 packets", pool);
  need(dialogs <= 64, "a unit receives in at most 64 dialogs", dialogs);
  need(window <= 1024, "a window has at most 1024 packets", window);
  need(arrivals >= 1, "the arrivals FIFO holds at least 1 packet", arrivals);
  need(ack_length >= 1 && ack_length <= 65535, "an acknowledgement has 1 to 65535 flits", ack_length);
  need(ack_processing >= 2, "an acknowledgement takes at least 2 cycles at each end", ack_processing);
  need(!piggyback || !timeout,
       "acknowledgements ride on packets only where none are lost: expected no timeout", timeout);
}

}  // namespace spillway
