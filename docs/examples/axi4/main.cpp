// Two copy engines with AXI4 pins of 64 bits move a memory's bytes to another, both with AXI4 pins of 32
// bits, through a network. Engines and memories are a user's: plain modules, which know nothing of the
// network. What has arrived is compared, and a checker watches all pins. axi4 PLATFORM.yaml [KEY=VALUE]...
#include <array>
#include <cstdio>
#include <spillway/hw/adapters/axi4_checker.hpp>
#include <spillway/hw/kernel/process.hpp>
#include <spillway/platforms/built_in/tlm_network.hpp>
#include <spillway/tlm/axi4/axi4_to_tlm.hpp>
#include <spillway/tlm/axi4/tlm_to_axi4.hpp>
#include <string>
#include <vector>

namespace {

using namespace spillway;
using engine_format = axi4_format<64>;
using memory_format = axi4_format<32>;
constexpr unsigned memory_size = 0x1000;

/// A job of an engine: bytes, in whole bursts.
struct copy_job {
  std::uint64_t from, to;
  unsigned size;
};

class copy_engine : public sc_core::sc_module {
public:
  sc_core::sc_in<bool> clk{"clk"}, rst{"rst"};
  axi4_manager_pins<engine_format> m{"m_axi"};

  copy_engine(const sc_core::sc_module_name& name, const copy_job& job) : sc_module(name), job_(job) {
    SPILLWAY_HAS_PROCESS(copy_engine);
    SC_CTHREAD(run, clk.pos());
    reset_signal_is(rst, true);
  }
  bool over() const { return over_; }
  unsigned errors() const { return errors_; }

private:
  static constexpr unsigned beats = 16, burst_bytes = beats * 8;

  void run() {
    over_ = false, errors_ = 0;
    m.arvalid.write(false), m.rready.write(false);
    m.awvalid.write(false), m.wvalid.write(false), m.bready.write(false);
    wait();
    for (unsigned done = 0; done < job_.size; done += burst_bytes) {
      read(job_.from + done);
      write(job_.to + done);
    }
    over_ = true;
  }
  static axi4_address burst_at(std::uint64_t address) {
    axi4_address burst;
    burst.addr = address, burst.beats = beats, burst.bytes = 8;
    return burst;
  }
  void read(std::uint64_t address) {
    show_read_address(m, burst_at(address));
    m.arvalid.write(true);
    do wait();
    while (!m.arready.read());
    m.arvalid.write(false), m.rready.write(true);
    for (std::uint64_t& word : words_) {
      do wait();
      while (!m.rvalid.read());
      word = m.rdata.read();
      errors_ += m.rresp.read() != 0;
    }
    m.rready.write(false);
  }
  void write(std::uint64_t address) {
    show_write_address(m, burst_at(address));
    m.awvalid.write(true);
    do wait();
    while (!m.awready.read());
    m.awvalid.write(false);
    m.wvalid.write(true), m.wstrb.write(0xff);
    for (unsigned beat = 0; beat < beats; ++beat) {
      m.wdata.write(words_.at(beat)), m.wlast.write(beat + 1 == beats);
      do wait();
      while (!m.wready.read());
    }
    m.wvalid.write(false), m.bready.write(true);
    do wait();
    while (!m.bvalid.read());
    errors_ += m.bresp.read() != 0;
    m.bready.write(false);
  }

  const copy_job job_;
  std::array<std::uint64_t, beats> words_ = {};
  bool over_ = false;
  unsigned errors_ = 0;
};

class memory : public sc_core::sc_module {
public:
  sc_core::sc_in<bool> clk{"clk"}, rst{"rst"};
  axi4_subordinate_pins<memory_format> s{"s_axi"};
  std::vector<std::uint32_t> words = std::vector<std::uint32_t>(memory_size / 4);

  explicit memory(const sc_core::sc_module_name& name) : sc_module(name) {
    SPILLWAY_HAS_PROCESS(memory);
    SC_CTHREAD(reads, clk.pos());
    reset_signal_is(rst, true);
    SC_CTHREAD(writes, clk.pos());
    reset_signal_is(rst, true);
  }

private:
  void reads() {
    s.arready.write(false), s.rvalid.write(false);
    wait();
    for (;;) {
      s.arready.write(true);
      do wait();
      while (!s.arvalid.read());
      s.arready.write(false);
      const axi4_address burst = read_address<memory_format>(s);
      s.rvalid.write(true), s.rid.write(burst.id), s.rresp.write(0);
      for (unsigned beat = 0; beat < burst.beats; ++beat) {
        s.rdata.write(word(burst, beat)), s.rlast.write(beat + 1 == burst.beats);
        do wait();
        while (!s.rready.read());
      }
      s.rvalid.write(false);
    }
  }
  void writes() {
    s.awready.write(false), s.wready.write(false), s.bvalid.write(false);
    wait();
    for (;;) {
      s.awready.write(true);
      do wait();
      while (!s.awvalid.read());
      s.awready.write(false), s.wready.write(true);
      const axi4_address burst = write_address<memory_format>(s);
      for (unsigned beat = 0; beat < burst.beats; ++beat) {
        do wait();
        while (!s.wvalid.read());
        std::uint32_t& place = word(burst, beat);
        const std::uint32_t mask = bits_of(s.wstrb.read());
        place = (place & ~mask) | (s.wdata.read() & mask);
      }
      s.wready.write(false);
      s.bvalid.write(true), s.bid.write(burst.id), s.bresp.write(0);
      do wait();
      while (!s.bready.read());
      s.bvalid.write(false);
    }
  }
  std::uint32_t& word(const axi4_address& burst, unsigned beat) { return words.at(burst.beat(beat) / 4); }
  static std::uint32_t bits_of(std::uint32_t strobes) {
    std::uint32_t mask = 0;
    for (unsigned byte = 0; byte < 4; ++byte)
      if (strobes >> byte & 1) mask |= 0xffu << 8 * byte;
    return mask;
  }
};

/// Clock, reset, and what the checkers find.
struct surroundings {
  sc_core::sc_clock clk{"clk", 2, sc_core::SC_NS};
  sc_core::sc_signal<bool> rst{"rst"};
  unsigned violations = 0;
  violation_handler count = [this](const violation& v) {
    ++violations;
    std::fprintf(stderr, "%s\n", v.message.c_str());
  };

  template <class Block>
  void drive(Block& block) {
    block.clk(clk), block.rst(rst);
  }
};

/// An engine at a terminal: its pins, watched, and the bridge from them to the network.
struct engine_at {
  copy_engine engine;
  axi4_signals<engine_format> wires;
  axi4_to_tlm<engine_format> bridge;
  axi4_checker<engine_format> checker;

  engine_at(const std::string& name, surroundings& all, tlm_network& network, unsigned terminal,
            const copy_job& job)
      : engine(name.c_str(), job),
        wires(name + "_wires"),
        bridge((name + "_bridge").c_str()),
        checker((name + "_checker").c_str(), all.count) {
    all.drive(engine), all.drive(bridge), all.drive(checker);
    engine.m.bind(wires), bridge.s.bind(wires), checker.bind(wires);
    bridge.m.bind(network.target(terminal));
  }
};

/// A memory at a terminal: the bridge from the network to its pins, which are watched.
struct memory_at {
  memory ram;
  axi4_signals<memory_format> wires;
  tlm_to_axi4<memory_format> bridge;
  axi4_checker<memory_format> checker;

  memory_at(const std::string& name, surroundings& all, tlm_network& network, unsigned terminal)
      : ram(name.c_str()),
        wires(name + "_wires"),
        bridge((name + "_bridge").c_str()),
        checker((name + "_checker").c_str(), all.count) {
    all.drive(ram), all.drive(bridge), all.drive(checker);
    ram.s.bind(wires), bridge.m.bind(wires), checker.bind(wires);
    network.initiator(terminal).bind(bridge.s);
  }
};

}  // namespace

int sc_main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: axi4 PLATFORM.yaml [KEY=VALUE]...\n");
    return 2;
  }
  surroundings all;
  tlm_network network("network", argv[1], platform_clock{all.clk, all.rst},
                      std::vector<std::string>(argv + 2, argv + argc));
  engine_at low("low", all, network, 0, {0x0000, 0x1000, memory_size / 2});
  engine_at high("high", all, network, 1, {0x0800, 0x1800, memory_size / 2});
  memory_at source("source", all, network, 4), copy("copy", all, network, 5);
  for (std::uint32_t i = 0; i < source.ram.words.size(); ++i) source.ram.words[i] = i * 2654435761u;

  all.rst.write(true);
  sc_core::sc_start(10, sc_core::SC_NS);
  all.rst.write(false);
  for (unsigned i = 0; i < 1000 && !(low.engine.over() && high.engine.over()); ++i)
    sc_core::sc_start(100, sc_core::SC_NS);

  unsigned wrong = low.engine.errors() + high.engine.errors();
  for (std::size_t i = 0; i < copy.ram.words.size(); ++i) wrong += copy.ram.words[i] != source.ram.words[i];
  const bool over = low.engine.over() && high.engine.over();
  const unsigned long long sent =
      low.checker.reads() + low.checker.writes() + high.checker.reads() + high.checker.writes();
  const unsigned long long served = source.checker.reads() + copy.checker.writes();
  std::printf("%s at %s: %llu bursts of engines, %llu at memories, %u wrong, %u violations\n",
              over ? "done" : "not done", sc_core::sc_time_stamp().to_string().c_str(), sent, served, wrong,
              all.violations);
  return over && wrong == 0 && all.violations == 0 ? 0 : 1;
}
