// Without contention a transaction takes the same time at the transaction level as over pins, wherever that
// level is accepted; what would not is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <spillway/hw/kernel/process.hpp>
#include <spillway/platforms/built_in/tlm_network.hpp>
#include <support/link_bench.hpp>

namespace spillway {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

struct zero_load_setting {
  const char* name;
  const char* topology;
  const char* switches;
  unsigned length = 8;
  const char* more = "";
};
void PrintTo(const zero_load_setting& s, std::ostream* os) { *os << s.name; }

constexpr unsigned level_terminals = 8;

std::filesystem::path write_platform(const zero_load_setting& s) {
  const auto file = std::filesystem::temp_directory_path() /
                    (std::string("zero_load_") + s.name + "_" + std::to_string(::getpid()) + ".yaml");
  std::ofstream out(file);
  out << "name: zero_load\ntopology: " << s.topology << "\nswitch: " << s.switches
      << "\npacket: {length: " << s.length << "}\n"
      << s.more << "\ninterface:\n  kind: tlm\n  map:\n";
  for (unsigned t = 0; t < level_terminals; ++t)
    out << "    - {base: " << t * 4096 << ", size: 4096, terminal: " << t << "}\n";
  return file;
}

/// Answers at once.
class instant_memory : public sc_core::sc_module {
public:
  tlm_utils::simple_target_socket<instant_memory> socket{"socket"};
  explicit instant_memory(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_b_transport(this, &instant_memory::access);
  }

private:
  void access(tlm::tlm_generic_payload& p, sc_time&) { p.set_response_status(tlm::TLM_OK_RESPONSE); }
};

/// One access after the other, from every terminal to every other, and what each took.
class lone_traveller : public sc_core::sc_module {
public:
  std::vector<std::unique_ptr<tlm_utils::simple_initiator_socket<lone_traveller>>> sockets;
  std::vector<std::string> took;

  lone_traveller(const sc_core::sc_module_name& name, tlm_network& network) : sc_module(name) {
    for (unsigned t = 0; t < level_terminals; ++t) {
      sockets.push_back(std::make_unique<tlm_utils::simple_initiator_socket<lone_traveller>>(
          ("socket" + std::to_string(t)).c_str()));
      sockets.back()->bind(network.target(t));
    }
    SPILLWAY_HAS_PROCESS(lone_traveller);
    SC_THREAD(run);
  }
  bool done = false;

private:
  void run() {
    for (unsigned s = 0; s < level_terminals; ++s)
      for (unsigned t = 0; t < level_terminals; ++t)
        for (const unsigned bytes : {1u, 24u, 100u})
          for (const tlm::tlm_command command : {tlm::TLM_READ_COMMAND, tlm::TLM_WRITE_COMMAND})
            if (s != t) access(s, t, bytes, command);
    done = true;
  }
  void access(unsigned s, unsigned t, unsigned bytes, tlm::tlm_command command) {
    unsigned char data[100] = {};
    tlm::tlm_generic_payload p;
    p.set_command(command);
    p.set_address(t * 4096);
    p.set_data_ptr(data);
    p.set_data_length(bytes);
    p.set_streaming_width(bytes);
    const sc_time before = sc_core::sc_time_stamp();
    sc_time delay;
    (*sockets[s])->b_transport(p, delay);
    took.push_back(std::to_string(s) + " to " + std::to_string(t) + ", " + std::to_string(bytes) +
                   " bytes, " + (command == tlm::TLM_READ_COMMAND ? "read" : "written") + ": " +
                   (sc_core::sc_time_stamp() - before).to_string());
    wait(1000, SC_NS);  // all is at rest again, at a time that is no edge
  }
};

struct level {
  tlm_network network;
  std::vector<std::unique_ptr<instant_memory>> memories;
  lone_traveller traveller;
  level(const std::string& name, const std::filesystem::path& file, const char* which)
      : network(name.c_str(), file, {std::string("level=") + which}),
        traveller((name + "_cpu").c_str(), network) {
    for (unsigned t = 0; t < level_terminals; ++t) {
      memories.push_back(std::make_unique<instant_memory>((name + "_memory" + std::to_string(t)).c_str()));
      network.initiator(t).bind(memories.back()->socket);
    }
  }
};

class zero_load_level : public testing::TestWithParam<zero_load_setting> {};
TEST_P(zero_load_level, takes_the_cycles_of_the_pins) {
  const auto file = write_platform(GetParam());
  level pins("pins", file, "pins"), transactions("transactions", file, "transaction");
  std::filesystem::remove(file);
  sc_core::sc_start(1, sc_core::SC_MS);
  ASSERT_TRUE(pins.traveller.done && transactions.traveller.done);
  ASSERT_EQ(pins.traveller.took.size(), transactions.traveller.took.size());
  for (std::size_t i = 0; i < pins.traveller.took.size(); ++i)
    EXPECT_EQ(pins.traveller.took[i], transactions.traveller.took[i]);
}

const char* const butterfly = "{kind: butterfly, radix: 2, stages: 3}";
const char* const voq = "{kind: packet, buffering: voq, depth: 16}";
const char* const fifo = "{kind: packet, buffering: fifo, depth: 16}";
const char* const loose = "checks: {deadlock: false}";

INSTANTIATE_TEST_SUITE_P(
    each, zero_load_level,
    testing::Values(
        zero_load_setting{"butterfly", butterfly, voq}, zero_load_setting{"fifos", butterfly, fifo},
        zero_load_setting{"short_packets", butterfly, "{kind: packet, depth: 2}", 1},
        zero_load_setting{"stored", butterfly, "{kind: packet, depth: 16, switching: store_and_forward}"},
        zero_load_setting{"stored_packets", butterfly,
                          "{kind: packet, depth: 64, switching: store_and_forward}", 4},
        zero_load_setting{"stored_voq", butterfly,
                          "{kind: packet, buffering: voq, depth: 64, switching: store_and_forward}", 32},
        zero_load_setting{"omega", "{kind: omega, radix: 2, stages: 3}", voq},
        zero_load_setting{"crossbar", "{kind: crossbar, terminals: 8}", voq},
        zero_load_setting{"mesh", "{kind: mesh, dimensions: [4, 2]}", fifo},
        zero_load_setting{"mesh_voq", "{kind: mesh, dimensions: [4, 2]}", voq},
        zero_load_setting{"torus", "{kind: torus, dimensions: [4, 2]}", fifo, 8, loose},
        zero_load_setting{"ring", "{kind: ring, terminals: 8}", fifo, 8, loose},
        zero_load_setting{"hypercube", "{kind: hypercube, dimension: 3}", fifo},
        zero_load_setting{"fat_tree", "{kind: fat_tree, terminals: 8}", fifo},
        zero_load_setting{"dampening", butterfly,
                          "{kind: dampening, assignment: tuples, buffers: 8, j: 2, flow: receiver}", 1}),
    [](const auto& instance) { return std::string(instance.param.name); });

struct refused_level {
  const char* name;
  zero_load_setting what;
  const char* said;
};
void PrintTo(const refused_level& r, std::ostream* os) { *os << r.name; }
class zero_load_refusal : public testing::TestWithParam<refused_level> {};
TEST_P(zero_load_refusal, says_why) {
  const auto file = write_platform(GetParam().what);
  std::string said;
  try {
    tlm_network("network", file, {"level=transaction"});
  } catch (const std::exception& error) {
    said = error.what();
  }
  std::filesystem::remove(file);
  EXPECT_THAT(said, testing::HasSubstr(GetParam().said));
}
INSTANTIATE_TEST_SUITE_P(
    each, zero_load_refusal,
    testing::Values(
        refused_level{"output",
                      {"o", butterfly, "{kind: packet, buffering: output, depth: 16}"},
                      "expected `fifo` or `voq`"},
        refused_level{"shared",
                      {"s", butterfly, "{kind: packet, buffering: shared, depth: 64}"},
                      "expected `fifo` or `voq`"},
        refused_level{"depth", {"d", butterfly, "{kind: packet, depth: 8}"}, "expected at least 16, found 8"},
        refused_level{"wormhole", {"w", butterfly, "{kind: wormhole}"}, "no transaction-level model"},
        refused_level{"latency", {"l", butterfly, voq, 8, "link: {latency: 3}"}, "links of one cycle"},
        refused_level{"stages",
                      {"g", butterfly, voq, 8, "stages: [{kind: nifdy}]"},
                      "without pins there are no stages"},
        refused_level{"marking",
                      {"k", butterfly, voq, 8, "marking: {kind: ecn}"},
                      "nothing can be marked: networks without pins do not show"},
        refused_level{"dropping",
                      {"p", butterfly, voq, 8, "dropping: {kind: srp}"},
                      "nothing can be dropped: networks without pins let packets wait"},
        refused_level{"message",
                      {"m", "{kind: hypercube, dimension: 3}", "{kind: message_node}", 1},
                      "no transaction-level model"},
        refused_level{
            "sender",
            {"f", butterfly, "{kind: dampening, assignment: tuples, buffers: 8, j: 2, flow: sender}", 1},
            "no transaction-level model"},
        refused_level{"long_dampening",
                      {"c", butterfly,
                       "{kind: dampening, assignment: counting, buffers: 8, flow: receiver, latency: 5}", 1},
                      "links of one cycle: expected 1, found 5"}),
    [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace spillway
