#pragma once
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <boost/random/geometric_distribution.hpp>
#include <boost/random/taus88.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cstdint>
#include <cstring>
#include <memory>
#include <tlm>
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

/// What the first bytes of a write say.
struct write_mark {
  std::uint32_t source, number;
};

/// Starts accesses when they are due, whatever is outstanding; one that cannot start waits, and its time
/// counts.
class load_generator : public sc_core::sc_module, private tlm::tlm_mm_interface {
public:
  tlm_utils::simple_initiator_socket<load_generator> socket{"socket"};
  std::uint64_t completed = 0;  ///< in the measured cycles
  std::uint64_t measured = 0;   ///< created in the measured cycles, and completed
  double latency = 0;           ///< sum over those, in cycles

  load_generator(const sc_core::sc_module_name& name, unsigned terminal, const tlm_load& l)
      : sc_module(name), terminal_(terminal), load_(l), random_(terminal * 2654435761u + 1) {
    socket.register_nb_transport_bw(this, &load_generator::backward);
    due_ = gap_(random_);
    SC_HAS_PROCESS(load_generator);
    SC_METHOD(run);  // cheaper than a thread: it is the network that is measured
  }

private:
  struct access : tlm::tlm_generic_payload {
    using tlm_generic_payload::tlm_generic_payload;
    std::uint64_t created = 0;
    unsigned char data[32] = {};
  };

  std::uint64_t now() const { return sc_core::sc_time_stamp().value() / load_.cycle.value(); }

  void run() {
    while (due_ < load_.warmup + load_.cycles) {
      if (due_ > now())
        return next_trigger(sc_core::sc_time::from_value((due_ - now()) * load_.cycle.value()));
      if (requesting_) {
        waiting_ = true;
        return next_trigger(request_ended_);
      }
      start();
      due_ += 1 + gap_(random_);
    }
  }
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
  tlm::tlm_sync_enum backward(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase == tlm::END_REQ) {
      requesting_ = false;
      if (waiting_) request_ended_.notify(delay);
      waiting_ = false;
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

  const unsigned terminal_;
  const tlm_load load_;
  boost::random::taus88 random_;
  boost::random::geometric_distribution<std::uint64_t> gap_{load_.rate};
  std::uint64_t due_ = 0;
  std::uint32_t number_ = 0;
  std::vector<std::unique_ptr<access>> all_;
  std::vector<access*> idle_;
  bool requesting_ = false;  // BEGIN_REQ sent, END_REQ is still to come
  bool waiting_ = false;     // for that END_REQ
  sc_core::sc_event request_ended_;
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

/// A generator and a responder at every terminal of a network, and what they measure.
class loaded_network {
public:
  template <class Network>
  loaded_network(const std::string& name, Network& network, const tlm_load& l) : load_(l) {
    for (unsigned t = 0; t < l.terminals; ++t) {
      const std::string at = name + "_" + std::to_string(t);
      generators.push_back(std::make_unique<load_generator>(("generator_" + at).c_str(), t, l));
      responders.push_back(std::make_unique<load_responder>(("responder_" + at).c_str(), l.terminals));
      generators.back()->socket.bind(network.target(t));
      network.initiator(t).bind(responders.back()->socket);
    }
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
  const tlm_load load_;
};

}  // namespace spillway::test
