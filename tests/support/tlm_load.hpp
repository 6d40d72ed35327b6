#pragma once
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <boost/random/geometric_distribution.hpp>
#include <boost/random/taus88.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <spillway/hw/kernel/process.hpp>
#include <spillway/tlm/calendar.hpp>
#include <string>
#include <support/process.hpp>
#include <tlm>
#include <utility>
#include <vector>

namespace spillway::test {

/// What every terminal asks for: accesses of 32 bytes, half of them writes. Terminal t answers for the 4096
/// bytes from 4096 t on.
struct tlm_load {
  unsigned terminals = 0;
  double hot = 0;   ///< part of the accesses that go to terminal 0; the others go anywhere
  double rate = 0;  ///< accesses a terminal and cycle
  std::uint64_t warmup = 0, cycles = 0;
  sc_core::sc_time cycle{1, sc_core::SC_NS};
};

/// A butterfly of 2^`stages` terminals for it.
inline scratch_file load_platform(unsigned stages) {
  std::string text = "name: levels\ntopology: {kind: butterfly, radix: 2, stages: " + std::to_string(stages) +
                     "}\nswitch: {kind: packet, buffering: voq, depth: 16}\npacket: {length: 8}\n"
                     "interface:\n  kind: tlm\n  queue: 4\n  map:\n";
  for (unsigned t = 0; t < 1u << stages; ++t)
    text += "    - {base: " + std::to_string(t * 0x1000) + ", size: 0x1000, terminal: " + std::to_string(t) +
            "}\n";
  return scratch_file(text);
}

/// What the first bytes of a write say.
struct write_mark {
  std::uint32_t source, number;
};

/// Starts accesses when they are due, whatever is outstanding; one that cannot start waits, and its time
/// counts. It has no process: it is the network that is measured.
class load_generator : public sc_core::sc_module, private tlm::tlm_mm_interface {
public:
  static constexpr std::uint64_t never = ~std::uint64_t{0};

  tlm_utils::simple_initiator_socket<load_generator> socket{"socket"};
  std::uint64_t completed = 0;  ///< in the measured cycles
  std::uint64_t measured = 0;   ///< created in the measured cycles, and completed
  double latency = 0;           ///< sum over those, in cycles

  /// `may_go_on` is called when a request that others wait for has ended.
  load_generator(const sc_core::sc_module_name& name, unsigned terminal, const tlm_load& l,
                 std::function<void()> may_go_on)
      : sc_module(name),
        terminal_(terminal),
        load_(l),
        may_go_on_(std::move(may_go_on)),
        random_(terminal * 2654435761u + 1) {
    socket.register_nb_transport_bw(this, &load_generator::backward);
    due_ = gap_(random_);
  }

  /// Starts what is due, and says in which cycle the next access is: `never` if it must wait.
  std::uint64_t start_due(std::uint64_t cycle) {
    while (due_ <= cycle && due_ < load_.warmup + load_.cycles) {
      if (requesting_) {
        waiting_ = true;
        return never;
      }
      start();
      due_ += 1 + gap_(random_);
    }
    return due_ < load_.warmup + load_.cycles ? due_ : never;
  }

private:
  struct access : tlm::tlm_generic_payload {
    using tlm_generic_payload::tlm_generic_payload;
    std::uint64_t created = 0;
    unsigned char data[32] = {};
  };

  void start() {
    access& t = take();
    t.created = due_;
    requesting_ = true;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    if (socket->nb_transport_fw(t, phase, delay) == tlm::TLM_UPDATED) backward(t, phase, delay);
  }
  access& take() {
    if (idle_.empty()) {
      all_.push_back(std::make_unique<access>(static_cast<tlm::tlm_mm_interface*>(this)));
      idle_.push_back(all_.back().get());
    }
    access& t = *idle_.back();
    idle_.pop_back();
    t.acquire();
    boost::random::uniform_int_distribution<unsigned> any(0, load_.terminals - 1), percent(0, 9999),
        side(0, 1);
    const bool hot = percent(random_) < load_.hot * 10000;
    t.set_command(side(random_) ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    t.set_address(std::uint64_t{hot ? 0 : any(random_)} * 0x1000);
    const write_mark mark{terminal_, number_++};
    std::memcpy(t.data, &mark, sizeof mark);
    t.set_data_ptr(t.data);
    t.set_data_length(sizeof t.data);
    t.set_streaming_width(sizeof t.data);
    t.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    return t;
  }
  tlm::tlm_sync_enum backward(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_core::sc_time&) {
    if (phase == tlm::END_REQ) {
      requesting_ = false;
      if (std::exchange(waiting_, false)) may_go_on_();
      return tlm::TLM_ACCEPTED;
    }
    const access& t = static_cast<access&>(p);
    const std::uint64_t now = sc_core::sc_time_stamp().value() / load_.cycle.value();
    const std::uint64_t end = load_.warmup + load_.cycles;
    if (now >= load_.warmup && now < end) ++completed;
    if (t.created >= load_.warmup && t.created < end) {
      ++measured;
      latency += static_cast<double>(now - t.created);
    }
    p.release();
    phase = tlm::END_RESP;
    return tlm::TLM_UPDATED;
  }
  void free(tlm::tlm_generic_payload* p) override { idle_.push_back(static_cast<access*>(p)); }

  const unsigned terminal_;
  const tlm_load load_;
  const std::function<void()> may_go_on_;
  boost::random::taus88 random_;
  boost::random::geometric_distribution<std::uint64_t> gap_{load_.rate};
  std::uint64_t due_ = 0;
  std::uint32_t number_ = 0;
  std::vector<std::unique_ptr<access>> all_;
  std::vector<access*> idle_;
  bool requesting_ = false;  // BEGIN_REQ sent, END_REQ is still to come
  bool waiting_ = false;     // for that END_REQ
};

/// Answers at once, so that it takes no time of the measured. Notes writes of one source that came out of
/// order.
class load_responder : public sc_core::sc_module {
public:
  tlm_utils::simple_target_socket<load_responder> socket{"socket"};
  std::uint64_t writes = 0, misordered = 0;

  load_responder(const sc_core::sc_module_name& name, unsigned terminals)
      : sc_module(name), last_(terminals) {
    socket.register_nb_transport_fw(this, &load_responder::serve);
  }

private:
  tlm::tlm_sync_enum serve(tlm::tlm_generic_payload& t, tlm::tlm_phase&, sc_core::sc_time&) {
    if (t.is_write()) {
      write_mark mark{};
      std::memcpy(&mark, t.get_data_ptr(), sizeof mark);
      misordered += writes && mark.number + 1 <= last_.at(mark.source);
      last_[mark.source] = mark.number + 1;
      ++writes;
    }
    t.set_response_status(tlm::TLM_OK_RESPONSE);
    return tlm::TLM_COMPLETED;
  }

  std::vector<std::uint32_t> last_;  // by source; the number of the last write and 1
};

/// A generator and a responder at every terminal of a network, and what they measure. One process serves all
/// generators.
class loaded_network : public sc_core::sc_module {
public:
  template <class Network>
  loaded_network(const sc_core::sc_module_name& name, Network& network, const tlm_load& l)
      : sc_module(name), load_(l) {
    for (unsigned t = 0; t < l.terminals; ++t) {
      const std::string at = std::to_string(t);
      generators.push_back(std::make_unique<load_generator>(("generator_" + at).c_str(), t, l, [this, t] {
        going_on_.push_back(t);
        wake_.notify(sc_core::SC_ZERO_TIME);
      }));
      responders.push_back(std::make_unique<load_responder>(("responder_" + at).c_str(), l.terminals));
      generators.back()->socket.bind(network.target(t));
      network.initiator(t).bind(responders.back()->socket);
      going_on_.push_back(t);
    }
    SPILLWAY_HAS_PROCESS(loaded_network);
    SC_METHOD(run);
    sensitive << wake_;
  }

  /// Accesses a terminal and 1000 cycles.
  double completed() const {
    double sum = 0;
    for (const auto& g : generators) sum += static_cast<double>(g->completed);
    return 1000 * sum / static_cast<double>(load_.cycles) / load_.terminals;
  }
  /// Cycles, the mean from creation on.
  double latency() const {
    double sum = 0, accesses = 0;
    for (const auto& g : generators) {
      sum += g->latency;
      accesses += static_cast<double>(g->measured);
    }
    return sum / accesses;
  }

  std::vector<std::unique_ptr<load_generator>> generators;
  std::vector<std::unique_ptr<load_responder>> responders;

private:
  void run() {
    const std::uint64_t now = sc_core::sc_time_stamp().value() / load_.cycle.value();
    for (const unsigned t : going_on_) start_due(t, now);
    going_on_.clear();
    if (due_.next() == now)
      for (const std::uint32_t t : due_.take(now)) start_due(t, now);
    if (const std::uint64_t next = due_.next(); next != load_generator::never)
      wake_.notify(static_cast<double>(next) * load_.cycle - sc_core::sc_time_stamp());
  }
  void start_due(unsigned t, std::uint64_t now) {
    const std::uint64_t next = generators[t]->start_due(now);
    if (next != load_generator::never) due_.add(next, t);
  }

  const tlm_load load_;
  basic_calendar<64> due_;          // generators, by the cycle of their next access
  std::vector<unsigned> going_on_;  // generators whose request has ended
  sc_core::sc_event wake_{"wake"};
};

}  // namespace spillway::test
