// A CPU (loosely timed, with a quantum) and a DMA engine (approximately timed, four phases, eight
// transactions at a time) use four memories through a network; half of all accesses go to the first. Every
// byte is compared with a reference. plug_in_cpu PLATFORM.yaml [TRANSACTIONS [KEY=VALUE]...], such as
// level=transaction or kernel=signals
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <tlm_utils/tlm_quantumkeeper.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <spillway/hw/kernel/process.hpp>
#include <spillway/platforms/built_in/tlm_network.hpp>
#include <spillway/tlm/protocol_monitor.hpp>

namespace {

using sc_core::sc_time;
constexpr unsigned memories = 4, memory_size = 0x1000, line_size = 32;
const sc_time ns(1, sc_core::SC_NS);

/// A transaction for one line of a memory, with its data.
struct line_access : tlm::tlm_generic_payload {
  using tlm_generic_payload::tlm_generic_payload;
  std::array<unsigned char, line_size> data = {};
};

/// Which lines an initiator reads and writes, and what it must find there: half of the lines are its own.
class access_list {
public:
  access_list(unsigned initiator, unsigned count)
      : initiator_(initiator), left_(count), state_(initiator + 1) {}

  bool over() const { return left_ == 0; }
  void next(line_access& t) {
    --left_;
    unsigned line = 0;
    do {
      const unsigned memory = random(2) ? 0 : random(memories);
      line = memory * (memory_size / line_size) + 2 * random(memory_size / line_size / 2) + initiator_;
    } while (busy_[line]);
    busy_[line] = true;
    const bool write = random(2) != 0;
    for (unsigned char& byte : t.data) byte = static_cast<unsigned char>(random(256));
    if (write) reference_[line] = t.data;
    t.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    t.set_address(std::uint64_t{line} * line_size);
    t.set_data_ptr(t.data.data());
    t.set_data_length(line_size);
    t.set_streaming_width(line_size);
    t.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  }
  void done(const line_access& t) {
    const std::uint64_t line = t.get_address() / line_size;
    busy_[line] = false;
    ++finished;
    if (!t.is_response_ok() || t.data != reference_[line]) ++wrong;
  }
  unsigned random(unsigned below) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<unsigned>((state_ >> 32) * below >> 32);
  }

  unsigned finished = 0, wrong = 0;

private:
  const unsigned initiator_;
  unsigned left_;
  std::uint64_t state_;
  static constexpr unsigned lines = memories * memory_size / line_size;
  std::array<std::array<unsigned char, line_size>, lines> reference_ = {};
  std::array<bool, lines> busy_ = {};
};

class cpu : public sc_core::sc_module {
public:
  tlm_utils::simple_initiator_socket<cpu> socket{"socket"};
  access_list list;

  cpu(const sc_core::sc_module_name& name, unsigned count) : sc_module(name), list(0, count) {
    SPILLWAY_HAS_PROCESS(cpu);
    SC_THREAD(run);
  }

private:
  void run() {
    tlm_utils::tlm_quantumkeeper time;
    time.reset();
    while (!list.over()) {
      list.next(access_);
      sc_time delay = time.get_local_time();
      socket->b_transport(access_, delay);
      time.set(delay);
      list.done(access_);
      time.inc(5 * ns);  // what it computes in between
      if (time.need_sync()) time.sync();
    }
  }
  line_access access_;
};

class dma : public sc_core::sc_module, private tlm::tlm_mm_interface {
public:
  tlm_utils::simple_initiator_socket<dma> socket{"socket"};
  access_list list;

  dma(const sc_core::sc_module_name& name, unsigned count) : sc_module(name), list(1, count) {
    socket.register_nb_transport_bw(this, &dma::backward);
    for (unsigned i = 0; i < 8; ++i) {
      all_.push_back(std::make_unique<line_access>(static_cast<tlm::tlm_mm_interface*>(this)));
      idle_.push_back(all_.back().get());
    }
    SPILLWAY_HAS_PROCESS(dma);
    SC_THREAD(run);
  }

private:
  void run() {
    while (!list.over()) {
      while (idle_.empty()) wait(freed_);
      line_access& t = *idle_.back();
      idle_.pop_back();
      t.acquire();
      list.next(t);
      requesting_ = true;
      tlm::tlm_phase phase = tlm::BEGIN_REQ;
      sc_time delay = sc_core::SC_ZERO_TIME;
      switch (socket->nb_transport_fw(t, phase, delay)) {
        case tlm::TLM_ACCEPTED:
          break;
        case tlm::TLM_UPDATED:
          backward(t, phase, delay);
          break;
        case tlm::TLM_COMPLETED:
          requesting_ = false;
          finish(t);
      }
      while (requesting_) wait(request_ended_);
      wait(ns);
    }
  }
  tlm::tlm_sync_enum backward(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_time& delay) {
    if (phase == tlm::END_REQ) {
      requesting_ = false;
      request_ended_.notify(delay);
      return tlm::TLM_ACCEPTED;
    }
    finish(static_cast<line_access&>(p));  // BEGIN_RESP
    phase = tlm::END_RESP;
    return tlm::TLM_UPDATED;
  }
  void finish(line_access& t) {
    list.done(t);
    t.release();
  }
  void free(tlm::tlm_generic_payload* p) override {
    idle_.push_back(static_cast<line_access*>(p));
    freed_.notify(sc_core::SC_ZERO_TIME);
  }

  std::vector<std::unique_ptr<line_access>> all_;
  std::vector<line_access*> idle_;
  bool requesting_ = false;
  sc_core::sc_event request_ended_, freed_;
};

class memory : public sc_core::sc_module {
public:
  tlm_utils::simple_target_socket<memory> socket{"socket"};
  explicit memory(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_b_transport(this, &memory::serve);
  }

private:
  void serve(tlm::tlm_generic_payload& t, sc_time& delay) {
    unsigned char* const place = bytes_.data() + t.get_address();
    if (t.is_write())
      std::copy_n(t.get_data_ptr(), t.get_data_length(), place);
    else
      std::copy_n(place, t.get_data_length(), t.get_data_ptr());
    t.set_response_status(tlm::TLM_OK_RESPONSE);
    delay += 10 * ns;
  }
  std::array<unsigned char, memory_size> bytes_ = {};
};

}  // namespace

int sc_main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: plug_in_cpu PLATFORM.yaml [TRANSACTIONS [KEY=VALUE]...]\n");
    return 2;
  }
  const auto count = argc > 2 ? static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10)) : 2000u;
  const std::vector<std::string> settings(argv + std::min(argc, 3), argv + argc);
  tlm_utils::tlm_quantumkeeper::set_global_quantum(100 * ns);

  spillway::tlm_network network("network", argv[1], settings);
  cpu processor("processor", count / 2);
  dma engine("engine", count - count / 2);
  // Every socket behind a monitor of the base protocol; what it finds is an error.
  std::vector<std::unique_ptr<spillway::protocol_monitor>> monitors;
  const auto join = [&monitors](auto& from, auto& to) {
    const std::string name = "monitor_" + std::to_string(monitors.size());
    monitors.push_back(std::make_unique<spillway::protocol_monitor>(name.c_str()));
    from.bind(monitors.back()->target);
    monitors.back()->initiator.bind(to);
  };
  join(processor.socket, network.target(0));
  join(engine.socket, network.target(1));
  std::vector<std::unique_ptr<memory>> modules;
  for (unsigned m = 0; m < memories; ++m) {
    modules.push_back(std::make_unique<memory>(("memory_" + std::to_string(m)).c_str()));
    join(network.initiator(4 + m), modules.back()->socket);
  }

  const auto start = std::chrono::steady_clock::now();
  unsigned done = 0;
  for (unsigned before = ~0u; done < count && done != before;) {
    before = done;
    sc_core::sc_start(100, sc_core::SC_US);
    done = processor.list.finished + engine.list.finished;
  }
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  const unsigned wrong = processor.list.wrong + engine.list.wrong;
  std::printf("%u of %u transactions, %u with wrong data\n", done, count, wrong);
  std::fprintf(stderr, "%.0f transactions a second\n", done / wall.count());
  return done == count && wrong == 0 ? 0 : 1;
}
