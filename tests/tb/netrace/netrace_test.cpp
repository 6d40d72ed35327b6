// Traces of Netrace, which the test writes itself, as a user plays them; and what is said of broken ones.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/process.hpp"
#if SPILLWAY_READS_BZIP2
#include <bzlib.h>
#endif

using nlohmann::json;

namespace {

struct packet {
  std::uint64_t cycle;
  std::uint32_t id;
  std::uint8_t type, source, destination;
  std::vector<std::uint32_t> dependents = {};
};
constexpr std::uint8_t read_request = 1, read_answer = 2;

void put(std::string& to, std::uint64_t value, unsigned bytes) {
  for (; bytes; --bytes, value >>= 8) to += static_cast<char>(value & 255);
}
std::string bytes_of(const packet& p) {
  std::string all;
  put(all, p.cycle, 8), put(all, p.id, 4), put(all, 0x1000 + p.id, 4);
  put(all, p.type, 1), put(all, p.source, 1), put(all, p.destination, 1), put(all, 0x23, 1);
  put(all, p.dependents.size(), 1);
  for (const std::uint32_t d : p.dependents) put(all, d, 4);
  return all;
}

struct trace {
  std::vector<packet> packets;
  std::vector<std::size_t> regions = {0};  // first packets
  unsigned nodes = 8;
  std::uint64_t promised = 0;  // packets; 0: as many as there are
  std::string notes = "by hand";

  std::string text() const {
    std::vector<std::uint64_t> at;
    std::string body;
    for (const packet& p : packets) at.push_back(body.size()), body += bytes_of(p);
    at.push_back(body.size());
    const float version = 1;
    std::uint32_t bits = 0;
    std::memcpy(&bits, &version, 4);
    std::string head;
    put(head, 0x484a5455, 4), put(head, bits, 4);
    head += std::string("test").append(26, '\0');
    put(head, nodes, 1), put(head, 0xaa, 1);
    put(head, 1000, 8), put(head, promised ? promised : packets.size(), 8);
    put(head, notes.size() + 1, 4), put(head, regions.size(), 4), put(head, 0, 8);
    head += notes + '\0';
    for (const std::size_t r : regions) put(head, at[r], 8), put(head, 100, 8), put(head, 1, 8);
    return head + body;
  }
};

class netrace : public testing::Test {
protected:
  process_result spillway(const std::string& text, const std::string& keys = "",
                          const std::string& options = "") {
    std::ofstream(folder_ / "t.tra", std::ios::binary) << text;
    std::ofstream(folder_ / "e.yaml")
        << "name: e\ntopology: {kind: crossbar, terminals: 8}\nswitch: {kind: packet, depth: 16}\n"
           "workload: {kind: netrace, file: t.tra"
        << keys << "}\nmeasure: {interval: 10}\n";
    return run_process(SPILLWAY_COMMAND " run '" + (folder_ / "e.yaml").string() +
                       "' --no-report --deliveries --out '" + (folder_ / "out").string() + "' " + options);
  }
  json run(const std::string& text, const std::string& keys = "", const std::string& options = "") {
    const process_result r = spillway(text, keys, options);
    EXPECT_EQ(r.status, 0) << r.output;
    return json::parse(read_text(folder_ / "out" / "result.json"), nullptr, false);
  }
  struct row {
    std::uint64_t came, source, destination, packet, created;
  };
  /// What was delivered, in order.
  std::vector<row> rows() const {
    std::istringstream in(read_text(folder_ / "out" / "deliveries.csv"));
    std::vector<row> all;
    std::string line;
    std::getline(in, line);
    while (std::getline(in, line)) {
      row r{};
      char comma = 0;
      std::istringstream(line) >> r.came >> comma >> r.source >> comma >> r.destination >> comma >>
          r.packet >> comma >> r.created;
      all.push_back(r);
    }
    return all;
  }
  void refused(const std::string& why, const std::string& text, const std::string& keys = "") {
    const process_result r = spillway(text, keys);
    EXPECT_EQ(r.status, 2) << r.output;
    EXPECT_NE(r.output.find(why), std::string::npos) << r.output << "\nexpected: " << why;
    EXPECT_TRUE(r.output.find("t.tra: ") != std::string::npos ||
                r.output.find("e.yaml:4:") != std::string::npos)
        << r.output;
    EXPECT_EQ(std::count(r.output.begin(), r.output.end(), '\n'), 1) << r.output;
  }
  const scratch_folder folder_;
};

/// Node 0 reads at 3, which answers; 0 reads again then. Beside it 5 sends to 6 at its cycle.
trace small() {
  return {{{10, 1, read_request, 0, 3, {2}},
           {20, 2, read_answer, 3, 0, {4}},
           {25, 3, read_request, 5, 6},
           {30, 4, read_request, 0, 3}}};
}

}  // namespace

TEST_F(netrace, sends_a_packet_at_its_cycle_or_when_what_it_waits_for_has_come) {
  const json r = run(small().text());
  ASSERT_EQ(r["delivered"], 4);
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<row>> by_pair;
  for (const row& one : rows()) by_pair[{one.source, one.destination}].push_back(one);
  const auto& asked = by_pair[{0, 3}];
  const auto& answer = by_pair[{3, 0}];
  ASSERT_EQ(asked.size(), 2u);
  ASSERT_EQ(answer.size(), 1u);
  EXPECT_EQ(asked[0].created, 10u);
  EXPECT_EQ(answer[0].created, 20u) << "it could go before";
  EXPECT_EQ(answer[0].came, 30u) << "nine flits";
  EXPECT_EQ(asked[1].created, answer[0].came + 1) << "later than its cycle";
  const auto alone = by_pair[{5, 6}];
  EXPECT_EQ(alone[0].created, 25u);
  EXPECT_EQ(r["counters"]["netrace.packets"], 4);
  EXPECT_EQ(r["counters"]["netrace.done"], 4);
  EXPECT_EQ(r["counters"]["netrace.late"], static_cast<double>(asked[1].created - 30) / 4);
}

TEST_F(netrace, counts_lateness_of_what_has_been_sent) {
  // The last packet, read with the others, waits when the run is cut.
  const process_result r = spillway(small().text(), ", latency: 30", "--set measure.limit=70");
  const json cut = json::parse(read_text(folder_ / "out" / "result.json"), nullptr, false);
  ASSERT_EQ(cut["injected"], 3) << r.output;
  std::uint64_t answered = 0;
  for (const row& one : rows())
    if (one.source == 3) answered = one.created;
  ASSERT_GT(answered, 20u);
  EXPECT_EQ(cut["counters"]["netrace.packets"], 4);
  EXPECT_EQ(cut["counters"]["netrace.late"], static_cast<double>(answered - 20) / 3);
}

TEST_F(netrace, waits_as_long_as_it_is_told_after_an_arrival_or_not_at_all) {
  run(small().text(), ", latency: 8");
  std::uint64_t came = 0;
  for (const row& one : rows()) {
    if (one.source == 3) came = one.came;
    if (one.source == 0 && one.packet == 1) {
      EXPECT_EQ(one.created, came + 8);
    }
  }
  EXPECT_GT(came, 0u);
  run(small().text(), ", dependencies: false");
  std::vector<std::uint64_t> cycles;
  for (const row& one : rows()) cycles.push_back(one.created);
  std::sort(cycles.begin(), cycles.end());
  EXPECT_EQ(cycles, (std::vector<std::uint64_t>{10, 20, 25, 30}));
}

TEST_F(netrace, waits_for_all_of_several) {
  const trace t{{{5, 1, read_request, 1, 0, {9}},
                 {6, 2, read_request, 2, 0, {9}},
                 {90, 3, read_answer, 3, 0, {9}},
                 {91, 9, read_request, 0, 7}}};
  run(t.text());
  std::uint64_t last = 0;
  for (const row& one : rows()) {
    if (one.destination == 0) last = std::max(last, one.came);
    if (one.destination == 7) {
      EXPECT_EQ(one.created, last + 1);
    }
  }
  EXPECT_GT(last, 95u);
}

TEST_F(netrace, lets_packets_within_a_terminal_have_come_when_they_are_sent) {
  const trace t{
      {{5, 1, read_request, 0, 1, {2}}, {6, 2, read_answer, 1, 4, {3}}, {6, 3, read_request, 4, 5}}};
  const json r = run(t.text(), ", nodes_per_terminal: 2");
  const std::vector<row> all = rows();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(r["counters"]["netrace.local"], 2) << "0 to 1, and 4 to 5";
  EXPECT_EQ(all[0].source, 0u);
  EXPECT_EQ(all[0].destination, 2u);
  EXPECT_EQ(all[0].created, 6u);
  EXPECT_EQ(r["counters"]["netrace.done"], 3);
  std::ofstream(folder_ / "where.txt") << "7\n6\n5\n4\n3\n2\n1\n0\n";
  run(t.text(), ", placement_file: where.txt");
  EXPECT_EQ(rows().front().source, 7u);
  EXPECT_EQ(rows().front().destination, 6u);
}

TEST_F(netrace, begins_with_a_region) {
  trace t = small();
  t.regions = {0, 2};
  t.packets[2].cycle = 125, t.packets[3].cycle = 130;
  run(t.text(), ", region: 1");
  const std::vector<row> all = rows();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].created, 25u) << "the first region has 100 cycles";
  EXPECT_EQ(all[1].created, 30u) << "what came before the region is not waited for";
  refused("region: expected one of the trace's 2, from 0 on, found 2", t.text(), ", region: 2");
}

TEST_F(netrace, may_have_as_many_notes_and_regions_as_the_format_has) {
  trace t = small();
  t.notes = std::string(8190, 'n');  // and its zero
  t.regions.assign(100, 0);
  run(t.text(), ", region: 99");
  EXPECT_EQ(rows().size(), 4u);
}

// More than is read at once, and packets before the begin of the region by the cycles of those before it.
TEST_F(netrace, begins_with_a_region_far_into_the_file) {
  trace t;
  for (std::uint32_t id = 1; id <= 7000; ++id) t.packets.push_back({id / 100, id, read_request, 0, 1});
  t.packets.push_back({70, 7001, read_request, 2, 3});
  t.packets.push_back({107, 7002, read_request, 2, 4});
  t.regions = {0, 7000};
  run(t.text(), ", region: 1");
  const std::vector<row> all = rows();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].created, 0u);
  EXPECT_EQ(all[1].created, 7u);
}

TEST_F(netrace, a_long_trace_is_the_same_on_all_kernels) {
  trace t;
  std::uint32_t state = 1;
  const auto draw = [&state](std::uint32_t below) {
    return (state = state * 1664525 + 1013904223) / 65536 % below;
  };
  std::uint64_t cycle = 0;
  for (std::uint32_t id = 1; id <= 6000; id += 2) {
    const auto from = static_cast<std::uint8_t>(draw(8)), to = static_cast<std::uint8_t>(draw(8));
    cycle += draw(9);
    t.packets.push_back({cycle, id, read_request, from, to, {id + 1}});
    t.packets.push_back({cycle, id + 1, read_answer, to, from});
  }
  json first;
  std::string deliveries;
  for (const char* const kernel :
       {"fast", "signals", "doubting", "fast --threads 2 --set blocks_a_thread=2"}) {
    json r = run(t.text(), "", std::string("--kernel ") + kernel);
    r.erase("kernel");
    if (first.is_null()) first = r, deliveries = read_text(folder_ / "out" / "deliveries.csv");
    EXPECT_EQ(r, first) << kernel;
    EXPECT_EQ(read_text(folder_ / "out" / "deliveries.csv"), deliveries) << kernel;
  }
  EXPECT_EQ(first["counters"]["netrace.done"], 6000);
}

// A reset takes packet 1, for which an answer waits, and for that another read.
// The file is read in pieces: who has no packet in the first looks again when the next is read.
TEST_F(netrace, a_node_whose_first_packet_is_far_into_the_file_sends_it_at_its_cycle) {
  trace t;
  std::uint32_t id = 0;
  for (std::uint64_t cycle = 10; id < 5000; cycle += 2)
    t.packets.push_back({cycle, ++id, read_request, 0, 1});
  t.packets.push_back({20000, ++id, read_request, 5, 6});
  run(t.text());
  const std::vector<row> all = rows();
  ASSERT_EQ(all.size(), 5001u);
  EXPECT_EQ(all.back().source, 5u);
  EXPECT_EQ(all.back().created, 20000u);
}

TEST_F(netrace, that_comes_to_no_end_says_who_waits_and_for_what) {
  const process_result r = spillway(small().text(), "", "--set 'resets=[{cycle: 11, length: 2}]'");
  EXPECT_EQ(r.status, 1) << r.output;
  for (const char* const words : {"node 3 waits with packet 2 for packet 1 of node 0\n",
                                  "node 0 waits with packet 4 for packet 2 of node 3\n"})
    EXPECT_NE(r.output.find(words), std::string::npos) << r.output;
  EXPECT_NE(r.output.find(": stuck"), std::string::npos) << r.output;
}

// Packet 9 waits for 1 and 2, of which a reset takes both.
TEST_F(netrace, says_of_several_that_are_waited_for_the_first) {
  const trace t{
      {{10, 1, read_request, 1, 0, {9}}, {10, 2, read_request, 2, 0, {9}}, {11, 9, read_request, 0, 7}}};
  const process_result r = spillway(t.text(), "", "--set 'resets=[{cycle: 11, length: 2}]'");
  EXPECT_EQ(r.status, 1) << r.output;
  EXPECT_NE(r.output.find("node 0 waits with packet 9 for packet 1 of node 1\n"), std::string::npos)
      << r.output;
}

TEST_F(netrace, says_what_is_broken) {
  const std::string good = small().text();
  const std::size_t body = good.size() - (bytes_of(small().packets[0]).size() * 2 + 2 * 21);
  std::string text = good;
  text[0] = 'x';
  refused("byte 4: expected a trace of Netrace, which begins with 0x484a5455, found 0x484a5478", text);
  text = good;
  text[7] = 'x';
  refused("expected version 1.0", text);
  refused("byte 0: the file ends within the head", "UT");
  refused("byte 4: the file ends within the head", good.substr(0, 60));
  refused("byte 72: the file ends within the notes", good.substr(0, 75));
  refused("byte 80: the file ends within the regions", good.substr(0, body - 3));
  refused("byte " + std::to_string(good.size() - 21) + ": the file ends within the packet",
          good.substr(0, good.size() - 1));
  trace t = small();
  t.promised = 5;
  refused("the head promises 5 packets, found 4", t.text());
  t = small();
  t.promised = 3;
  refused("the head promises 3 packets, found 4", t.text());
  t = small(), t.packets[1].dependents = {5};
  refused("packet 5 waits for packet 2, but is not in the trace", t.text());
  t = small(), t.packets[3].id = 7, t.packets[1].dependents = {4};
  refused("packet 4 waits for packet 2, but is not in the trace", t.text());
  t = small(), t.packets[1].dependents = {2};
  refused("packet 2 waits for packet 2, which comes later or is the same", t.text());
  t = small(), t.packets[3].source = 8;
  refused("packet 4 goes from node 8 to 3: expected 0..7", t.text());
  t = small(), t.packets[3].source = 1;
  refused("packet 4 of node 1 waits for packet 2, which comes to node 0", t.text());
  t = small(), t.packets[2].type = 7;
  refused("packet 3 is of type 7, which there is not", t.text());
  t = small(), t.packets[3].cycle = 24;
  refused("packet 4 of cycle 24 comes after packet 3 of cycle 25: expected them in order", t.text());
  t = small(), t.nodes = 9;
  refused("the trace has 9 nodes, 8 terminals have room for 8", t.text());
  t = small(), t.nodes = 0;
  refused("expected 1 node or more, found 0", t.text());
  t = small(), t.notes = std::string(8191, 'n');
  refused("expected notes of at most 8191 bytes", t.text());
  t = small(), t.regions.assign(101, 0);
  refused("at most 100 regions, found 8 and 101", t.text());
  std::filesystem::create_directory(folder_ / "d");
  const process_result folder = spillway(good, "", "--set workload.file=d");
  EXPECT_EQ(folder.status, 2);
  EXPECT_NE(folder.output.find("workload.file: "), std::string::npos) << folder.output;
  EXPECT_NE(folder.output.find("found a folder, expected a file"), std::string::npos) << folder.output;
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  const process_result pipe = spillway(good, "", "--set workload.file=pipe");  // which nobody will write to
  EXPECT_EQ(pipe.status, 2);
  EXPECT_NE(pipe.output.find("found a pipe, expected a file"), std::string::npos) << pipe.output;
}

#if SPILLWAY_READS_BZIP2
namespace {

std::string compressed(std::string text) {
  std::string to(text.size() + text.size() / 100 + 700, '\0');
  auto size = static_cast<unsigned>(to.size());
  EXPECT_EQ(
      BZ2_bzBuffToBuffCompress(to.data(), &size, text.data(), static_cast<unsigned>(text.size()), 1, 0, 0),
      BZ_OK);
  to.resize(size);
  return to;
}

}  // namespace

TEST_F(netrace, reads_bzip2_in_one_stream_or_several) {
  const std::string text = small().text();
  run(text);
  const std::string plain = read_text(folder_ / "out" / "deliveries.csv");
  run(compressed(text));
  EXPECT_EQ(read_text(folder_ / "out" / "deliveries.csv"), plain);
  run(compressed(text.substr(0, 90)) + compressed(text.substr(90)));
  EXPECT_EQ(read_text(folder_ / "out" / "deliveries.csv"), plain);
}
TEST_F(netrace, says_what_is_broken_in_bzip2) {
  std::string text = compressed(small().text());
  refused("ends within a bzip2 stream", text.substr(0, text.size() - 10));
  text[text.size() / 2] ^= 0x55;
  refused("is no proper bzip2 file", text);
  refused("expected a trace of Netrace", compressed(std::string(100, 'a')));
}
#else
TEST_F(netrace, says_that_it_reads_no_bzip2) {
  refused("this build reads nothing compressed by bzip2", "BZh91AY");
}
#endif
