// The record of transactions and of their packets, held to runs that were computed by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <spillway/hw/kernel/process.hpp>
#include <spillway/platforms/config/error.hpp>
#include <spillway/tb/experiment/transaction_trace.hpp>
#include <spillway/tlm/payload_codec.hpp>
#include <string>
#include <vector>

#include "support/process.hpp"
#include "support/refusal.hpp"

namespace spillway {
namespace {

using nlohmann::json;
using sc_core::SC_NS;
using sc_core::sc_time;
constexpr unsigned word_bytes = 4;

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

/// Writes or reads the words 0, 1, ... of a memory, one after the other.
class writer : public sc_core::sc_module {
public:
  tlm_utils::simple_initiator_socket<writer> socket{"socket"};
  writer(const sc_core::sc_module_name& name, unsigned count) : sc_module(name), count_(count) {
    SPILLWAY_HAS_PROCESS(writer);
    SC_THREAD(run);
  }
  tlm::tlm_command command = tlm::TLM_WRITE_COMMAND;
  bool done = false;

private:
  void run() {
    unsigned char data[word_bytes] = {1, 2, 3, 4};
    for (unsigned i = 0; i < count_; ++i) {
      tlm::tlm_generic_payload p;
      p.set_command(command);
      p.set_address(0x100 + word_bytes * i);
      p.set_data_ptr(data);
      p.set_data_length(word_bytes);
      p.set_streaming_width(word_bytes);
      sc_time delay;
      socket->b_transport(p, delay);
      EXPECT_TRUE(p.is_response_ok());
    }
    done = true;
  }
  const unsigned count_;
};

/// Flits of a message of these words: its number comes before them.
template <class Encode>
std::uint64_t flits_of(Encode encode) {
  unsigned char data[word_bytes] = {};
  tlm::tlm_generic_payload p;
  p.set_command(tlm::TLM_WRITE_COMMAND);
  p.set_data_ptr(data);
  p.set_data_length(word_bytes);
  p.set_streaming_width(word_bytes);
  message_words words;
  encode(p, words);
  return words.size() + 1;
}

/// Terminals 0 and 1 write to the memory at terminal 2.
struct bench {
  scratch_folder folder;
  std::unique_ptr<tlm_network> network;
  std::unique_ptr<writer> first, second;
  instant_memory memory{"memory"};

  explicit bench(const std::string& level, unsigned count, unsigned more = 0, unsigned longest = 8,
                 const platform_clock* clock = nullptr) {
    std::ofstream(folder / "p.yaml")
        << "name: p\ntopology: {kind: crossbar, terminals: 4}\n"
           "switch: {kind: packet, buffering: voq, depth: 16}\n"
           "packet: {length: "
        << longest << "}\nlevel: " << level
        << "\ninterface: {kind: tlm, map: [{base: 0x100, size: 0x1000, terminal: 2}]}\n";
    network = clock ? std::make_unique<tlm_network>("network", folder / "p.yaml", *clock)
                    : std::make_unique<tlm_network>("network", folder / "p.yaml");
    network->initiator(2).bind(memory.socket);
    first = std::make_unique<writer>("first", count);
    first->socket.bind(network->target(0));
    if (!more) return;
    second = std::make_unique<writer>("second", more);
    second->socket.bind(network->target(1));
  }
  json run(std::uint64_t from = 0, std::uint64_t until = 0, std::uint64_t limit = 0) {
    transaction_trace trace({folder / "t.json", from, until, limit}, *network);
    sc_core::sc_start(2, sc_core::SC_US);
    trace.finish();
    cut_at = trace.cut_at();
    EXPECT_TRUE(first->done);
    return json::parse(read_text(folder / "t.json")).at("traceEvents");
  }
  std::uint64_t cut_at = 0;
};

std::map<unsigned, std::string> track_names(const json& events) {
  std::map<unsigned, std::string> names;
  for (const json& e : events)
    if (e.at("name") == "process_name") names[e.at("pid")] = e.at("args").at("name");
  return names;
}

/// `track [from, until) name` of each slice, in cycles of so many nanoseconds, sorted.
std::vector<std::string> slices_of(const json& events, double period = 1) {
  const auto names = track_names(events);
  std::vector<std::string> all;
  for (const json& e : events) {
    if (e.at("ph") != "X") continue;
    const auto from = std::llround(e.at("ts").get<double>() * 1000 / period),
               until = from + std::llround(e.at("dur").get<double>() * 1000 / period);
    all.push_back(names.at(e.at("pid")) + " [" + std::to_string(from) + ", " + std::to_string(until) + ") " +
                  e.at("name").get<std::string>());
  }
  std::sort(all.begin(), all.end());
  return all;
}

struct arrow_end {
  double at;
  std::string phase, track;
};

/// Every end of an arrow lies within a slice of its row, and every arrow has a beginning, an end, and no time
/// that falls; by number.
std::map<unsigned, std::vector<arrow_end>> flows_of(const json& events) {
  const auto names = track_names(events);
  std::map<unsigned, std::vector<arrow_end>> flows;
  for (const json& e : events) {
    const std::string phase = e.at("ph");
    if (phase != "s" && phase != "t" && phase != "f") continue;
    const double at = e.at("ts");
    bool bound = false;
    for (const json& x : events)
      bound = bound || (x.at("ph") == "X" && x.at("pid") == e.at("pid") && x.at("tid") == e.at("tid") &&
                        x.at("ts") <= at && at < x.at("ts").get<double>() + x.at("dur").get<double>());
    EXPECT_TRUE(bound) << e;
    flows[e.at("id")].push_back({at, phase, names.at(e.at("pid"))});
  }
  for (const auto& [id, ends] : flows) {
    EXPECT_GE(ends.size(), 2u);
    EXPECT_EQ(ends.front().phase, "s");
    EXPECT_EQ(ends.back().phase, "f");
    for (std::size_t i = 1; i < ends.size(); ++i) {
      EXPECT_LE(ends[i - 1].at, ends[i].at) << id;
      if (i + 1 < ends.size()) {
        EXPECT_EQ(ends[i].phase, "t");
      }
    }
  }
  return flows;
}

std::vector<std::string> tracks_of(const std::vector<arrow_end>& ends) {
  std::vector<std::string> tracks;
  for (const arrow_end& e : ends) tracks.push_back(e.track);
  return tracks;
}

std::string slice(const std::string& track, std::uint64_t from, std::uint64_t until,
                  const std::string& name) {
  return track + " [" + std::to_string(from) + ", " + std::to_string(until) + ") " + name;
}

// One write at time 0. The request's n flits are shown from edge 0 on, so they cross the first link from edge
// 1 and, a switch later, the second from edge 2: all has come at edge n + 1. The memory answers at once. What
// is sent at an edge is shown at the next, so the m flits of the reply cross from edges n + 3 and n + 4 on:
// the last at n + m + 3.
void expect_one_write(const json& events, double period = 1) {
  const std::uint64_t n = flits_of([](auto&p, auto&w) { encode_request(p, 0, w); }),
                      m = flits_of([](auto&p, auto&w) { encode_reply(p, w); });
  const std::string there = "0>2 #0", back = "2>0 #0", what = "write 0x100";
  std::vector<std::string> expected = {slice("terminal 0", 0, n + m + 3, what),
                                       slice("terminal 2", n + 1, n + 2, what),
                                       slice("link_terminal_0_0", 1, n + 1, there),
                                       slice("switch_0", 1, 2, there),
                                       slice("link_switch_0_2", 2, n + 2, there),
                                       slice("network_1_link_terminal_2_0", n + 3, n + 3 + m, back),
                                       slice("network_1_switch_0", n + 3, n + 4, back),
                                       slice("network_1_link_switch_0_0", n + 4, n + 4 + m, back)};
  std::sort(expected.begin(), expected.end());
  EXPECT_THAT(slices_of(events, period), testing::ElementsAreArray(expected));
  const auto flows = flows_of(events);
  ASSERT_EQ(flows.size(), 2u);
  EXPECT_EQ(tracks_of(flows.at(1)), (std::vector<std::string>{"terminal 0", "link_terminal_0_0", "switch_0",
                                                              "link_switch_0_2", "terminal 2"}));
  EXPECT_EQ(tracks_of(flows.at(2)),
            (std::vector<std::string>{"terminal 2", "network_1_link_terminal_2_0", "network_1_switch_0",
                                      "network_1_link_switch_0_0", "terminal 0"}));
}

TEST(transaction_trace, of_one_write_is_as_computed_by_hand) {
  bench b("pins", 1);
  expect_one_write(b.run());
}

// The file says 1 ns.
void expect_cycles_of_the_users_clock(const std::string& kernel) {
  sc_core::sc_clock clock("clock", 3, SC_NS, 0.5, 1.5, SC_NS);
  sc_core::sc_signal<bool> rst("rst");
  const platform_clock outside{clock, rst};
  bench b("pins\nkernel: " + kernel, 1, 0, 8, &outside);
  expect_one_write(b.run(), 3);
}
TEST(transaction_trace, has_the_cycles_of_a_clock_of_the_users) { expect_cycles_of_the_users_clock("fast"); }
TEST(transaction_trace, has_the_cycles_of_a_clock_of_the_users_on_signals) {
  expect_cycles_of_the_users_clock("signals");
}

// Terminal 0 writes and terminal 1 reads.
TEST(transaction_trace, says_of_each_transaction_what_it_is_and_whose) {
  bench b("transaction", 1, 1);
  b.second->command = tlm::TLM_READ_COMMAND;
  const json events = b.run();
  const auto names = track_names(events);
  std::vector<std::string> found;
  for (const json& e : events) {
    if (e.at("ph") != "X") continue;
    const json& said = e.at("args");
    found.push_back(names.at(e.at("pid")) + ": " + e.at("name").get<std::string>());
    if (said.at("what") == "transaction")
      found.back() += ", " + said.at("bytes").dump() + " bytes to " + said.at("target").dump() + ", " +
                      said.at("response").get<std::string>();
    else
      found.back() += " of " + said.at("initiator").dump();
  }
  EXPECT_THAT(found,
              testing::UnorderedElementsAre("terminal 0: write 0x100, 4 bytes to 2, TLM_OK_RESPONSE",
                                            "terminal 1: read 0x100, 4 bytes to 2, TLM_OK_RESPONSE",
                                            "terminal 2: write 0x100 of 0", "terminal 2: read 0x100 of 1"));
}

TEST(transaction_trace, without_pins_has_arrows_from_initiator_to_target_and_back) {
  bench b("transaction", 3);
  const json events = b.run();
  EXPECT_EQ(slices_of(events).size(), 6u);
  const auto flows = flows_of(events);
  ASSERT_EQ(flows.size(), 6u);
  for (const auto& [id, ends] : flows)
    EXPECT_THAT(tracks_of(ends), testing::AnyOf(testing::ElementsAre("terminal 0", "terminal 2"),
                                                testing::ElementsAre("terminal 2", "terminal 0")));
}

TEST(transaction_trace, of_many_has_each_with_its_packets) {
  constexpr unsigned count = 20;
  bench b("pins", count, count);
  const json events = b.run();
  ASSERT_TRUE(b.second->done);
  std::map<std::string, unsigned> what;
  unsigned waits = 0;
  for (const json& e : events) {
    if (e.at("ph") != "X") continue;
    const json& arguments = e.at("args");
    if (arguments.contains("what")) ++what[arguments.at("what")];
    if (arguments.contains("behind") && !arguments.at("behind").empty()) ++waits;
  }
  EXPECT_EQ(what["transaction"], 2 * count);
  EXPECT_EQ(what["target"], 2 * count);
  EXPECT_GT(waits, 0u) << "requests that wait for one memory";
  EXPECT_EQ(flows_of(events).size(), 2u * 2 * count) << "one packet each way";
}

// The last packet crosses its last link at the edge at which the transaction ends: no arrow goes back from
// there.
TEST(transaction_trace, of_packets_of_one_flit_has_arrows_that_go_forward) {
  constexpr unsigned count = 5;
  bench b("pins", count, 0, 1);
  const std::uint64_t n = flits_of([](auto&p, auto&w) { encode_request(p, 0, w); }),
                      m = flits_of([](auto&p, auto&w) { encode_reply(p, w); });
  const auto flows = flows_of(b.run());
  ASSERT_EQ(flows.size(), count * (n + m));
  unsigned cut = 0;
  for (const auto& [id, ends] : flows) {
    EXPECT_GE(ends.size(), 4u);
    cut += ends.size() == 4;
  }
  EXPECT_EQ(cut, count) << "the last packets of replies";
}

TEST(transaction_trace, keeps_to_its_window_and_limit) {
  bench b("pins", 20);
  const json events = b.run(100, 120);
  unsigned slices = 0;
  for (const json& e : events) {
    if (e.at("ph") != "X") continue;
    ++slices;
    EXPECT_LT(e.at("ts").get<double>(), 0.120);
    EXPECT_GT(e.at("ts").get<double>() + e.at("dur").get<double>(), 0.100);
  }
  EXPECT_GT(slices, 4u);
  EXPECT_LT(slices, 30u);
  flows_of(events);
  EXPECT_EQ(b.cut_at, 0u);
}

TEST(transaction_trace, ends_at_its_limit) {
  bench b("pins", 50);
  constexpr std::uint64_t limit = 8000;
  const json events = b.run(0, 0, limit);
  EXPECT_GT(b.cut_at, 0u);
  const auto size = read_text(b.folder / "t.json").size();
  EXPECT_GE(size, limit);
  EXPECT_LT(size, limit + 1000);
  flows_of(events);
}

TEST(transaction_trace, is_the_only_one_of_its_network) {
  bench b("pins", 3);
  transaction_trace trace({b.folder / "t.json"}, *b.network);
  const std::string said = testing_support::refusal<config_error>(
      [&] { transaction_trace({b.folder / "other.json"}, *b.network); });
  EXPECT_EQ(said, "network: its transactions are recorded already");
  sc_core::sc_start(1, sc_core::SC_US);
  trace.finish();
  const json events = json::parse(read_text(b.folder / "t.json")).at("traceEvents");
  EXPECT_EQ(flows_of(events).size(), 6u) << "the first has all";
  EXPECT_FALSE(std::filesystem::exists(b.folder / "other.json"));
}

TEST(transaction_trace, is_refused_where_nothing_takes_time) {
  bench b("functional", 1);
  EXPECT_THROW(b.run(), config_error);
}

}  // namespace
}  // namespace spillway
