// Certificates that a network is free of deadlock: the small verifier takes those of `check`, and nothing
// else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <vector>

#include "support/studies.hpp"

namespace {

using testing::HasSubstr;

class certificates : public studies {
protected:
  std::string experiment(const std::string& topology, const std::string& more) {
    write("x.yaml", "name: x\ntopology: {kind: " + topology +
                        "}\ntraffic: [{pattern: uniform, rate: 0.1, messages: 1}]\n" + more);
    return "x.yaml";
  }
  /// Has `check` write c, and the graph beside it.
  process_result certify(const std::string& file) {
    const process_result r = spillway("check " + file + " --certificate c");
    return r.status == 0 ? spillway("graph " + file + " -o g.txt") : r;
  }
  process_result verify(const std::string& arguments = "c g.txt") {
    return run_process("cd '" + folder.path().string() + "'; " + SPILLWAY_CERTIFY + " " + arguments);
  }
  void expect_refused(const std::string& place, const std::string& words) {
    const process_result r = verify();
    EXPECT_EQ(r.status, 1);
    EXPECT_THAT(r.output, HasSubstr(place));
    EXPECT_THAT(r.output, HasSubstr(words));
    EXPECT_EQ(std::count(r.output.begin(), r.output.end(), '\n'), 1) << "one message: " << r.output;
  }
  std::string text() { return read_text(folder / "c"); }
  /// The first match replaced, and the count of lines at the end put right.
  void forge(const std::string& pattern, const std::string& by) {
    const std::string old = text();
    std::string now =
        std::regex_replace(old, std::regex(pattern), by, std::regex_constants::format_first_only);
    ASSERT_NE(now, old) << "nothing was forged";
    now.erase(now.rfind("end "));
    now += "end " + std::to_string(std::count(now.begin(), now.end(), '\n') + 1) + "\n";
    write("c", now);
  }
};

constexpr const char* mesh = "mesh, dimensions: [3, 3]";
constexpr const char* stored = "switch: {kind: packet}\n";
constexpr const char* adaptive = "switch: {kind: wormhole, virtual_channels: 3}\nrouting: {kind: adaptive}\n";

struct network {
  const char* topology;
  const char* more;
  bool arrives;  ///< every way that packets may take is finite
};
class certified : public certificates, public testing::WithParamInterface<network> {};

TEST_P(certified, holds_and_is_of_its_graph) {
  const auto& [topology, more, arrives] = GetParam();
  const process_result written = certify(experiment(topology, more));
  ASSERT_EQ(written.status, 0) << written.output;
  const process_result r = verify();
  EXPECT_EQ(r.status, 0) << r.output;
  EXPECT_THAT(r.output, HasSubstr("no packets wait for each other in a cycle"));
  EXPECT_EQ(r.output.find("every packet arrives") != std::string::npos, arrives) << r.output;
}
INSTANTIATE_TEST_SUITE_P(
    networks, certified,
    testing::Values(
        network{"butterfly, radix: 2, stages: 3", stored, true}, network{mesh, stored, true},
        network{"butterfly, radix: 2, stages: 3", "switch: {kind: packet, buffering: shared}\n", true},
        network{mesh, "switch: {kind: wormhole, virtual_channels: 2}\n", true},
        network{mesh, adaptive, false}, network{"mesh, dimensions: [16, 16]", adaptive, false},
        network{"torus, dimensions: [4, 4]", "switch: {kind: wormhole, virtual_channels: 2}\n", true},
        network{"xgft, children: [2, 2, 2]", "switch: {kind: wormhole}\n", true},
        // More flows than are followed side by side, each a pair of terminals.
        network{"xgft, children: [3, 5]",
                "switch: {kind: wormhole}\nrouting: {kind: nearest_ancestor, up: hashed}\n", true},
        // Pairs that have several routes each.
        network{"dragonfly, switches: 2, terminals: 1, global_links: 1",
                "switch: {kind: wormhole, virtual_channels: 6}\nrouting: {kind: ugal}\n", true}));

// Of a large network the analysis follows a sample of the routes, the certificate all.
TEST_F(certificates, settle_whether_a_network_can_deadlock) {
  const std::string file = experiment(mesh, adaptive);
  EXPECT_THAT(spillway("check " + file).output, HasSubstr("deadlock: free, the channel dependency graph"));
  const process_result r = spillway("check " + file + " --certificate c");
  EXPECT_EQ(r.status, 0);
  EXPECT_THAT(r.output, HasSubstr("deadlock: free, the certificate has an order of all that packets hold"));
}

// What waits in a pool for all holds what any packet there may take.
TEST_F(certificates, have_one_place_a_switch_whose_pool_is_for_all) {
  ASSERT_EQ(
      certify(experiment("butterfly, radix: 2, stages: 2", "switch: {kind: packet, buffering: shared}\n"))
          .status,
      0);
  std::vector<std::string> leads_to;                    // by link
  std::map<std::string, std::set<std::string>> places;  // by switch
  std::istringstream lines(text());
  for (std::string line; std::getline(lines, line);) {
    std::smatch m;
    if (std::regex_match(line, m, std::regex("link \\S+ (\\w+):\\d+"))) leads_to.push_back(m[1]);
    if (std::regex_match(line, m, std::regex("channel \\d+ (\\d+) 0 (\\d+) \\d+")))
      places[leads_to.at(std::stoul(m[1]))].insert(m[2]);
  }
  EXPECT_EQ(places.size(), 4u) << text();
  std::set<std::string> all;
  for (const auto& [node, of_node] : places) {
    EXPECT_EQ(of_node.size(), 1u) << node;
    all.insert(of_node.begin(), of_node.end());
  }
  EXPECT_EQ(all.size(), 4u);
}

TEST_F(certificates, are_of_pairs_where_sources_matter) {
  ASSERT_EQ(certify(experiment("xgft, children: [2, 2, 2]",
                               "switch: {kind: wormhole}\nrouting: {kind: nearest_ancestor, up: hashed}\n"))
                .status,
            0);
  EXPECT_THAT(text(), HasSubstr("flows pairs 1\n"));
  EXPECT_EQ(verify().status, 0) << verify().output;
}

// What holds back the messages of a pool an input came by one link: links in order suffice on a mesh, not in
// a ring; where all inputs share a pool, they do not.
TEST_F(certificates, of_dampening_switches_are_of_their_pools) {
  const std::string by_input =
      "interface: {kind: embargo}\nswitch: {kind: dampening, assignment: counting, buffers: 8";
  ASSERT_EQ(certify(experiment(mesh, by_input + "}\n")).status, 0);
  EXPECT_EQ(verify().status, 0) << verify().output;
  EXPECT_THAT(certify(experiment(mesh, by_input + ", flow: receiver, pool: switch}\n")).output,
              HasSubstr("wait for each other in a cycle"));
  EXPECT_THAT(certify(experiment("ring, terminals: 6, bidirectional: false", by_input + "}\n")).output,
              HasSubstr("wait for each other in a cycle"));
}

TEST_F(certificates, are_of_a_list_with_words_of_its_own) {
  ASSERT_EQ(certify(experiment(mesh, stored)).status, 0);
  std::string graph = read_text(folder / "g.txt");
  write("g.txt", "# mine\n" + graph.insert(graph.find('\n'), "  # the first"));
  EXPECT_EQ(verify().status, 0) << verify().output;
}

TEST_F(certificates, are_not_written_of_what_deadlocks) {
  const std::string file = experiment("ring, terminals: 6, bidirectional: false", stored);
  const process_result r = spillway("check " + file + " --certificate c");
  EXPECT_EQ(r.status, 2) << r.output;
  EXPECT_THAT(r.output, HasSubstr("wait for each other in a cycle"));
  EXPECT_FALSE(std::filesystem::exists(folder / "c"));
}

TEST_F(certificates, with_an_edge_against_the_order_are_refused) {
  ASSERT_EQ(certify(experiment(mesh, stored)).status, 0);
  // Of the first channel that has order 2 the order becomes that of one before it.
  forge("(channel \\d+ \\d+ \\d+ \\d+) 2\n", "$1 1\n");
  expect_refused("c:", "wait for channel");
}

TEST_F(certificates, whose_labels_forget_an_escape_are_refused) {
  ASSERT_EQ(certify(experiment(mesh, adaptive)).status, 0);
  forge("(channel \\d+ \\d+ 1 \\d+ 0\nrule \\d+) [1-9]\\d*", "$1 0");
  expect_refused("c:", "forgets what flow");
}

TEST_F(certificates, that_call_no_channel_sure_are_refused) {
  ASSERT_EQ(certify(experiment(mesh, stored)).status, 0);
  forge("(rule \\d+ \\d+) (\\d+\n)", "$1 ?$2");
  expect_refused("c:", "nothing that they may wait for");
}

TEST_F(certificates, in_which_a_channel_is_missing_are_refused) {
  ASSERT_EQ(certify(experiment(mesh, stored)).status, 0);
  forge("sink \\d+ \\d+\n", "");
  expect_refused("c:", "is missing");
}

TEST_F(certificates, in_which_an_entry_is_missing_are_refused) {
  ASSERT_EQ(certify(experiment("butterfly, radix: 2, stages: 1", stored)).status, 0);
  forge("channel 0 0 0[^\n]*\n(rule[^\n]*\n)+", "");
  expect_refused("c:", "terminal 0 enters by 0 of 1 channels");
}

TEST_F(certificates, that_say_nothing_of_some_packets_are_refused) {
  ASSERT_EQ(certify(experiment(mesh, stored)).status, 0);
  forge("set (\\d+) 0\n", "set $1 1\n");
  expect_refused("c:", "");
  ASSERT_EQ(certify(experiment(mesh, stored)).status, 0);
  forge("rule \\d+ \\d+ \\d+\n", "");
  expect_refused("c:", "has no rule for flow");
}

// Two terminals at one switch, by hand, and single errors in it.
constexpr const char* by_hand =
    "spillway-certificate 1\nterminals 2\nswitches 1\nlinks 4\nchannels 1\nflows destinations\n"
    "link t0:0 s0:0\nlink t1:0 s0:1\nlink s0:0 t0:0\nlink s0:1 t1:0\nset 0 0\nset 1 1\n"
    "channel 0 0 0 0 0\nrule 0 0 2\nrule 1 0 3\nchannel 1 1 0 1 0\nrule 0 0 2\nrule 1 0 3\n"
    "sink 2 2\nsink 3 3\nend 21\n";
struct error {
  const char *from, *to, *words;
};
class by_hand_certified : public certificates, public testing::WithParamInterface<error> {};
TEST_P(by_hand_certified, is_refused_for_one_error) {
  const auto& [from, to, words] = GetParam();
  write("c", by_hand);
  ASSERT_EQ(verify("c").status, 0) << verify("c").output;
  write("c", with(by_hand, from, to));
  const process_result r = verify("c");
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.output, HasSubstr(words));
}
INSTANTIATE_TEST_SUITE_P(
    errors, by_hand_certified,
    testing::Values(error{"rule 0 0 2", "rule 0 0 1", "channel 1 does not begin where this one ends"},
                    error{"rule 0 0 2", "rule 0 0 3", "flow 0 ends at terminal 1"},
                    error{"rule 1 0 3", "rule 0 0 2", "two rules for flow 0"},
                    error{"channel 1 1 0 1 0", "channel 1 1 0 1 7", "the label is lower"},
                    error{"channel 1 1 0 1 0", "channel 1 1 0 0 7", "expected one order a place"},
                    error{"channel 1 1 0 1 0", "channel 1 0 0 1 0", "expected each channel of a link once"},
                    error{"sink 3 3", "sink 3 1", "expected a link into a terminal"},
                    error{"rule 1 0 3", "rule 1 0 ?3", "nothing that they may wait for"},
                    error{"set 1 1", "set 1 1-0", "expected flows in ascending order"},
                    error{"set 1 1", "set 1 2", "expected a flow below 2"},
                    error{"set 1 1", "set 0 1", "expected each set once"},
                    error{"link t1:0 s0:1", "link t1:0 s0:0", "expected one link an input"},
                    error{"link s0:1 t1:0", "link s0:0 t1:0", "expected one link an output"},
                    error{"sink 3 3\n", "", "expected the number of lines"},
                    error{"links 4", "links 5", "expected 5 links"},
                    error{"links 4", "links 3", "expected 3 links, found one more"},
                    error{"channel 0 0 0 0 0", "channel 0 2 0 0 0", "expected one into a switch"},
                    error{"rule 0 0 2", "rule 2 0 2", "expected a set from above"},
                    error{"link t1:0 s0:1", "link t1:1 s0:1", "expected a port below 1"},
                    error{"link t1:0 s0:1", "link t1:0 s0:64", "expected a port below 64"},
                    error{"end 21\n", "end 21\nset 2 1\n", "expected the end of the file"}));

TEST_F(certificates, cut_off_anywhere_are_refused) {
  ASSERT_EQ(certify(experiment("butterfly, radix: 2, stages: 1", stored)).status, 0);
  const std::string good = text();
  for (std::size_t length = 0; length < good.size(); ++length) {
    write("c", good.substr(0, length));
    ASSERT_EQ(verify().status, 1) << length << ": " << verify().output;
  }
}

TEST_F(certificates, of_another_network_are_refused) {
  ASSERT_EQ(certify(experiment(mesh, stored)).status, 0);
  ASSERT_EQ(spillway("graph " + experiment("mesh, dimensions: [9]", stored) + " -o g.txt").status, 0);
  expect_refused("g.txt:", "is no link of the certificate");
  ASSERT_EQ(certify(experiment(mesh, stored)).status, 0);
  const std::string graph = read_text(folder / "g.txt");
  write("g.txt", graph.substr(graph.find('\n') + 1));
  expect_refused("g.txt:", "the graph has");
}

TEST_F(certificates, that_are_none_are_refused) {
  write("g.txt", "");
  for (const char* nonsense : {"", "\n", "name: x\n", "spillway-certificate 2\n"}) {
    write("c", nonsense);
    EXPECT_EQ(verify("c").status, 1) << nonsense;
  }
  EXPECT_EQ(verify("nothing").status, 1);
  EXPECT_EQ(verify("").status, 2);
}

TEST_F(certificates, of_transactions_are_not_written) {
  const process_result r = spillway("check " + experiment("butterfly, radix: 2, stages: 3", stored) +
                                    " --set level=transaction --set interface.kind=tlm --certificate c");
  EXPECT_EQ(r.status, 2) << r.output;
}

}  // namespace
