#include <sysc/kernel/sc_spawn.h>  // which <systemc> leaves out, unless a macro is defined before it

#include <memory>
#include <spillway/hw/links/flit.hpp>
#include <sstream>

namespace spillway {

flit_words to_bits(const flit& f) {
  const auto at = [](std::uint64_t v, unsigned shift) { return v << shift; };
  return {at(f.source, 0) | at(static_cast<std::uint8_t>(f.kind), 28) | at(f.destination, 32) |
              at(f.traffic_class, 60),
          at(f.packet, 0) | at(f.index, 32) | at(f.length, 48),
          at(f.lane, 0) | at(f.network, 6) | at(f.route, 8) | at(f.marks, 20) | at(f.interface_word, 24),
          f.payload};
}

flit from_bits(const flit_words& bits) {
  const auto part = [&bits](unsigned word, unsigned low, unsigned width) {
    return bits[word] >> low & ((std::uint64_t{1} << width) - 1);
  };
  flit f;
  f.source = static_cast<std::uint32_t>(part(0, 0, 28));
  f.kind = static_cast<flit_kind>(part(0, 28, 4));
  f.destination = static_cast<std::uint32_t>(part(0, 32, 28));
  f.traffic_class = static_cast<std::uint32_t>(part(0, 60, 4));
  f.packet = static_cast<std::uint32_t>(part(1, 0, 32));
  f.index = static_cast<std::uint16_t>(part(1, 32, 16));
  f.length = static_cast<std::uint16_t>(part(1, 48, 16));
  f.lane = static_cast<std::uint8_t>(part(2, 0, 6));
  f.network = static_cast<std::uint8_t>(part(2, 6, 2));
  f.route = static_cast<std::uint32_t>(part(2, 8, 12));
  f.marks = static_cast<std::uint32_t>(part(2, 20, 4));
  f.interface_word = part(2, 24, 40);
  f.payload = bits[3];
  return f;
}

std::string text(const flit& f) {
  std::ostringstream os;
  os << f;
  return os.str();
}

std::ostream& operator<<(std::ostream& os, const flit& f) {
  return os << f.source << '>' << f.destination << " #" << f.packet << ' ' << f.index << '/' << f.length;
}

namespace {

/// The parts of a flit with an address each, which a trace file needs.
struct traced_parts {
  std::uint32_t source, destination, traffic_class, packet, route, marks;
  std::uint16_t index, length;
  std::uint8_t kind, lane, network;
  std::uint64_t interface_word, payload;

  void show(const flit& f) {
    source = f.source, destination = f.destination, packet = f.packet, index = f.index, length = f.length;
    kind = static_cast<std::uint8_t>(f.kind), traffic_class = f.traffic_class;
    lane = f.lane, network = f.network, route = f.route, marks = f.marks;
    interface_word = f.interface_word, payload = f.payload;
  }
  void trace(sc_core::sc_trace_file* tf, const std::string& name) const {
    using sc_core::sc_trace;
    sc_trace(tf, source, name + ".source", 28);
    sc_trace(tf, destination, name + ".destination", 28);
    sc_trace(tf, packet, name + ".packet");
    sc_trace(tf, index, name + ".index");
    sc_trace(tf, length, name + ".length");
    sc_trace(tf, kind, name + ".kind", 4);
    sc_trace(tf, traffic_class, name + ".traffic_class", 4);
    sc_trace(tf, lane, name + ".lane", 6);
    sc_trace(tf, network, name + ".network", 2);
    sc_trace(tf, route, name + ".route", 12);
    sc_trace(tf, marks, name + ".marks", 4);
    sc_trace(tf, interface_word, name + ".interface_word", 40);
    sc_trace(tf, payload, name + ".payload");
  }
};

}  // namespace

void sc_trace(sc_core::sc_trace_file* tf, const sc_core::sc_signal_in_if<flit>& signal,
              const std::string& name) {
  const auto parts = std::make_shared<traced_parts>();
  parts->show(signal.read());
  parts->trace(tf, name);
  // The process keeps the parts; it runs a delta cycle after a change, still before time goes on.
  sc_core::sc_spawn_options on_change;
  on_change.spawn_method();
  on_change.set_sensitivity(&signal.value_changed_event());
  sc_core::sc_spawn([parts, &signal] { parts->show(signal.read()); },
                    sc_core::sc_gen_unique_name("traced_flit"), &on_change);
}

void sc_trace(sc_core::sc_trace_file* tf, const flit& f, const std::string& name) {
  const auto* const words = reinterpret_cast<const std::uint64_t*>(&f);
  for (unsigned w = 0; w < std::tuple_size_v<flit_words>; ++w)
    sc_core::sc_trace(tf, words[w], name + ".word" + std::to_string(w));
}

}  // namespace spillway
