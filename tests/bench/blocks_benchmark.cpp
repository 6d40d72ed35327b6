// Time of one cycle of single blocks on the fast kernel, every input busy and every output free. Whole
// networks, and both kernels, are measured by `spillway bench`.
#include <benchmark/benchmark.h>

#include <functional>
#include <memory>
#include <spillway/hw/packet/buffer_pool.hpp>
#include <spillway/hw/packet/fifo_queue.hpp>
#include <string>
#include <vector>

using namespace spillway;

namespace {

struct straight_routing : routing {
  port_mask outputs(unsigned, unsigned, const flit& f) const override {
    return port_mask{1} << f.destination;
  }
};

/// A block with wires of its own in a clock domain of its own, stepped by hand.
class block_bench {
public:
  explicit block_bench(const std::string& name)
      : domain_((name + "_clock").c_str(), sc_core::sc_time(1, sc_core::SC_SEC)), rst_(domain_) {}

  void clock(clocked& block) { block.clk(domain_), block.rst(rst_); }
  void input(packet_in& pins, bool lanes) {
    inputs_.push_back({wires(), {}});
    inputs_.back().next.source = static_cast<std::uint32_t>(inputs_.size() - 1);
    lanes_ = lanes;
    pins.bind(*inputs_.back().link);
  }
  void output(packet_out& pins) {
    outputs_.push_back(wires());
    pins.bind(*outputs_.back());
  }
  void keep(std::shared_ptr<void> part) { parts_.push_back(std::move(part)); }

  /// Every input shows a one-flit packet, the destinations in turn.
  void step() {
    for (end& i : inputs_) {
      if (i.link->ready.read() >> i.next.lane & 1) {
        ++i.next.packet;
        i.next.destination = (i.next.source + i.next.packet) % static_cast<std::uint32_t>(outputs_.size());
        i.next.lane = static_cast<std::uint8_t>(lanes_ ? i.next.destination : 0);
      }
      i.link->valid.write(true);
      i.link->data.write(i.next);
    }
    for (const auto& o : outputs_) o->ready.write(1);
    domain_.step();
    for (const auto& o : outputs_) moved_ += o->valid.read();
  }
  std::uint64_t moved() const { return moved_; }

private:
  struct end {
    std::shared_ptr<packet_wires> link;
    flit next;
  };
  std::shared_ptr<packet_wires> wires() { return std::make_shared<packet_wires>(domain_); }

  clock_domain domain_;
  wire<bool> rst_;
  std::vector<end> inputs_;
  std::vector<std::shared_ptr<packet_wires>> outputs_;
  std::vector<std::shared_ptr<void>> parts_;
  bool lanes_ = false;
  std::uint64_t moved_ = 0;
};

void measure(benchmark::State& state, block_bench& bench) {
  const std::uint64_t before = bench.moved();
  for (auto iteration : state) {
    (void)iteration;
    bench.step();
  }
  state.counters["flits_per_cycle"] =
      benchmark::Counter(static_cast<double>(bench.moved() - before), benchmark::Counter::kAvgIterations);
}

std::unique_ptr<block_bench> make_queue(const std::string& name) {
  auto bench = std::make_unique<block_bench>(name);
  auto queue = std::make_shared<fifo_queue>(name.c_str(), 4);
  bench->clock(*queue);
  bench->input(queue->in, false);
  bench->output(queue->out);
  bench->keep(queue);
  return bench;
}

std::unique_ptr<block_bench> make_pool(const std::string& name, buffering organisation, unsigned ports) {
  auto bench = std::make_unique<block_bench>(name);
  buffer_pool_config config;
  config.inputs = config.outputs = ports;
  config.organisation = organisation;
  config.depth = organisation == buffering::fifo ? 4 : 4 * ports;
  auto pool = std::make_shared<buffer_pool>(name.c_str(), config, 0, std::make_shared<straight_routing>(),
                                            std::vector<link_end>(ports));
  bench->clock(*pool);
  for (packet_in& i : pool->in) bench->input(i, config.lanes());
  for (packet_out& o : pool->out) bench->output(o);
  bench->keep(pool);
  return bench;
}

}  // namespace

int sc_main(int argc, char** argv) {
  std::vector<std::unique_ptr<block_bench>> benches;
  const auto add = [&](const std::string& name, std::unique_ptr<block_bench> bench) {
    benches.push_back(std::move(bench));
    benchmark::RegisterBenchmark(name.c_str(),
                                 [b = benches.back().get()](benchmark::State& state) { measure(state, *b); });
  };
  add("fifo_queue", make_queue("queue"));
  const std::pair<const char*, buffering> organisations[] = {{"fifo", buffering::fifo},
                                                             {"voq", buffering::voq},
                                                             {"output", buffering::output},
                                                             {"shared", buffering::shared}};
  for (const auto& [name, organisation] : organisations)
    for (const unsigned ports : {2u, 4u, 8u}) {
      const std::string size = std::to_string(ports);
      add(std::string("buffer_pool/") + name + "/" + size + "x" + size,
          make_pool(std::string(name) + "_" + size, organisation, ports));
    }
  sc_core::sc_start(sc_core::SC_ZERO_TIME);  // ends the elaboration
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
