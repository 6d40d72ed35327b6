// One run of a butterfly of 64 terminals with a TLM initiator and a memory each, at one level and load.
// tlm_level FRACTION RATE CYCLES KEY=VALUE...: FRACTION of the accesses go to terminal 0, the others
// anywhere; RATE accesses a terminal and cycle, of 32 bytes each, half of them writes. Prints accesses
// completed a terminal and 1000 cycles, mean latency in cycles from creation, and seconds of processor time.
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <unistd.h>

#include <boost/random/geometric_distribution.hpp>
#include <boost/random/taus88.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <spillway/platforms/elaborate/tlm_network.hpp>

namespace {

using sc_core::sc_time;
constexpr unsigned terminals = 64;
const sc_time cycle(1, sc_core::SC_NS);

struct load {
  double fraction, rate;
  std::uint64_t warmup, cycles;
};

/// Starts accesses when they are due, whatever is outstanding; one that cannot start waits, and its time
/// counts.
class generator : public sc_core::sc_module, private tlm::tlm_mm_interface {
public:
  tlm_utils::simple_initiator_socket<generator> socket{"socket"};
  std::uint64_t completed = 0, measured = 0;
  double latency = 0;

  generator(const sc_core::sc_module_name& name, unsigned terminal, const load& l)
      : sc_module(name), load_(l), random_(terminal * 2654435761u + 1) {
    socket.register_nb_transport_bw(this, &generator::backward);
    SC_HAS_PROCESS(generator);
    SC_THREAD(run);
  }

private:
  struct access : tlm::tlm_generic_payload {
    using tlm_generic_payload::tlm_generic_payload;
    std::uint64_t created = 0;
    unsigned char data[32] = {};
  };

  std::uint64_t now() const { return sc_core::sc_time_stamp().value() / cycle.value(); }

  void run() {
    boost::random::geometric_distribution<std::uint64_t> gap(load_.rate);
    for (std::uint64_t due = gap(random_); due < load_.warmup + load_.cycles; due += 1 + gap(random_)) {
      if (due > now()) wait(static_cast<double>(due - now()) * cycle);
      access& t = take();
      t.created = due;
      requesting_ = true;
      tlm::tlm_phase phase = tlm::BEGIN_REQ;
      sc_time delay = sc_core::SC_ZERO_TIME;
      if (socket->nb_transport_fw(t, phase, delay) == tlm::TLM_UPDATED) backward(t, phase, delay);
      while (requesting_) wait(request_ended_);
    }
  }
  access& take() {
    if (idle_.empty()) {
      all_.push_back(std::make_unique<access>(static_cast<tlm::tlm_mm_interface*>(this)));
      idle_.push_back(all_.back().get());
    }
    access& t = *idle_.back();
    idle_.pop_back();
    t.acquire();
    boost::random::uniform_int_distribution<unsigned> any(0, terminals - 1), percent(0, 9999), side(0, 1);
    const bool hot = percent(random_) < load_.fraction * 10000;
    t.set_command(side(random_) ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    t.set_address(std::uint64_t{hot ? 0 : any(random_)} * 0x1000);
    t.set_data_ptr(t.data);
    t.set_data_length(sizeof t.data);
    t.set_streaming_width(sizeof t.data);
    t.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    return t;
  }
  tlm::tlm_sync_enum backward(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_time& delay) {
    if (phase == tlm::END_REQ) {
      requesting_ = false;
      request_ended_.notify(delay);
      return tlm::TLM_ACCEPTED;
    }
    const access& t = static_cast<access&>(p);
    const std::uint64_t end = load_.warmup + load_.cycles;
    if (now() >= load_.warmup && now() < end) ++completed;
    if (t.created >= load_.warmup && t.created < end) {
      ++measured;
      latency += static_cast<double>(now() - t.created);
    }
    p.release();
    phase = tlm::END_RESP;
    return tlm::TLM_UPDATED;
  }
  void free(tlm::tlm_generic_payload* p) override { idle_.push_back(static_cast<access*>(p)); }

  const load load_;
  boost::random::taus88 random_;
  std::vector<std::unique_ptr<access>> all_;
  std::vector<access*> idle_;
  bool requesting_ = false;
  sc_core::sc_event request_ended_;
};

/// Answers at once, so that it takes no time of the measured; the data do not matter here.
class responder : public sc_core::sc_module {
public:
  tlm_utils::simple_target_socket<responder> socket{"socket"};
  explicit responder(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_nb_transport_fw(this, &responder::serve);
  }

private:
  tlm::tlm_sync_enum serve(tlm::tlm_generic_payload& t, tlm::tlm_phase&, sc_time&) {
    t.set_response_status(tlm::TLM_OK_RESPONSE);
    return tlm::TLM_COMPLETED;
  }
};

std::filesystem::path write_platform() {
  const auto file =
      std::filesystem::temp_directory_path() / ("tlm_level_" + std::to_string(getpid()) + ".yaml");
  std::ofstream out(file);
  out << "name: levels\n"
         "topology: {kind: butterfly, radix: 2, stages: 6}\n"
         "switch: {kind: packet, buffering: voq, depth: 16}\n"
         "packet: {length: 8}\n"
         "interface:\n  kind: tlm\n  queue: 4\n  map:\n";
  for (unsigned t = 0; t < terminals; ++t)
    out << "    - {base: " << t * 0x1000 << ", size: 0x1000, terminal: " << t << "}\n";
  return file;
}

}  // namespace

int sc_main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: tlm_level FRACTION RATE CYCLES [KEY=VALUE]...\n");
    return 2;
  }
  const load l{std::stod(argv[1]), std::stod(argv[2]), std::stoull(argv[3]) / 4, std::stoull(argv[3])};
  const auto file = write_platform();
  spillway::tlm_network network("network", file, {argv + 4, argv + argc});
  std::filesystem::remove(file);
  std::vector<std::unique_ptr<generator>> generators;
  std::vector<std::unique_ptr<responder>> responders;
  for (unsigned t = 0; t < terminals; ++t) {
    generators.push_back(std::make_unique<generator>(("generator_" + std::to_string(t)).c_str(), t, l));
    responders.push_back(std::make_unique<responder>(("responder_" + std::to_string(t)).c_str()));
    generators.back()->socket.bind(network.target(t));
    network.initiator(t).bind(responders.back()->socket);
  }
  sc_core::sc_start(sc_core::SC_ZERO_TIME);  // elaboration is not what is measured
  const std::clock_t start = std::clock();
  sc_core::sc_start(static_cast<double>(l.warmup + l.cycles) * cycle);
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  double completed = 0, measured = 0, latency = 0;
  for (const auto& g : generators) {
    completed += static_cast<double>(g->completed);
    measured += static_cast<double>(g->measured);
    latency += g->latency;
  }
  std::printf("%.2f %.1f %.4f\n", 1000 * completed / static_cast<double>(l.cycles) / terminals,
              latency / measured, seconds);
  return 0;
}
