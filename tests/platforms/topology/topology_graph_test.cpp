#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <boost/range/iterator_range.hpp>
#include <fstream>
#include <set>
#include <spillway/platforms/config/error.hpp>
#include <spillway/platforms/topology/analysis.hpp>
#include <spillway/platforms/topology/estimate.hpp>
#include <stdexcept>
#include <support/refusal.hpp>
#include <support/topologies.hpp>
#include <tuple>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

using nlohmann::json;

/// A file for the time of a test.
class graph_file : public testing::Test {
protected:
  graph_file()
      : path_(std::filesystem::temp_directory_path() / ("spillway_graph_" + std::to_string(getpid()))) {}
  ~graph_file() override { std::filesystem::remove(path_); }

  const std::filesystem::path& write(const std::string& text) {
    std::ofstream(path_) << text;
    return path_;
  }
  topology edge_list(const std::string& text) { return read_edge_list(write(text)); }
  template <class Reader>
  std::string complaint(Reader reader, const std::string& text) {
    try {
      reader(write(text));
    } catch (const config_error& e) {
      const std::string what = e.what();
      return what.rfind(path_.string(), 0) == 0 ? what.substr(path_.string().size()) : "no file: " + what;
    }
    return "nothing";
  }
  std::string complaint(const std::string& text) { return complaint(read_edge_list, text); }

  const std::filesystem::path path_;
};

using link = std::tuple<std::string, unsigned, std::string, unsigned>;

std::multiset<link> links_of(const topology& t) {
  std::multiset<link> links;
  for (const auto e : boost::make_iterator_range(edges(t.g)))
    links.emplace(t.name(boost::source(e, t.g)), t.g[e].from_port, t.name(target(e, t.g)), t.g[e].to_port);
  return links;
}

TEST_F(graph_file, forms_of_a_link_and_order_of_ports) {
  const topology t = edge_list(
      "# two switches\n"
      "t0 -> s0   # in\n"
      "s0:2 t0\r\n"
      "\n"
      "\tt1 -- s1:3\n"
      "s0 -- s1\n"
      "s1 s0\n");
  EXPECT_EQ(t.terminals.size(), 2u);
  EXPECT_EQ(t.switches.size(), 2u);
  EXPECT_EQ(links_of(t), (std::multiset<link>{{"terminal_0", 0, "switch_0", 0},
                                              {"switch_0", 2, "terminal_0", 0},
                                              {"terminal_1", 0, "switch_1", 3},
                                              {"switch_1", 3, "terminal_1", 0},
                                              {"switch_0", 0, "switch_1", 0},
                                              {"switch_1", 0, "switch_0", 1},
                                              {"switch_1", 1, "switch_0", 2}}));
  EXPECT_EQ(t.input_ports(t.switches[1]), 4u);
}

TEST_F(graph_file, faults_have_their_place) {
  EXPECT_EQ(complaint("t0 -- s0:1\nt1 --   s0:1\n"), ":2:9: input 1 of s0 is bound twice");
  EXPECT_EQ(complaint("t0 -- s0\nt1 -- s0\n  t0 -> s0\n"), ":3:3: output 0 of t0 is bound twice");
  EXPECT_EQ(complaint("t0 -- s0\nt1 -- x5\n"),
            ":2:7: expected t<number> or s<number>, such as t0 or s3:1, found 'x5'");
  EXPECT_EQ(complaint("t0 -- s0\n:3 -- s0\n"),
            ":2:1: expected t<number> or s<number>, such as t0 or s3:1, found ''");
  EXPECT_EQ(complaint("t0 -- s0:x\n"), ":1:7: expected a port number after the colon, found 's0:x'");
  EXPECT_EQ(complaint("t0 -- s0:64\nt1 -- s0\n"), ":1:7: expected input 0..63 of s0, found 64");
  EXPECT_EQ(complaint("t0 -- s0\n t1 => s0 # no\n"),
            ":2:2: expected 't0 -> s1', 't0 s1' or 't0 -- s1', found 't1 => s0'");
  EXPECT_EQ(complaint("t0 t1\n"), ":1:4: expected a switch, found t1: terminals join switches only");
  EXPECT_EQ(complaint("t0 -- s0\nt2 -- s0\n"),
            ":1:1: expected terminals numbered 0..1 without gaps, found 2 as the last of 2");
  EXPECT_EQ(complaint("t0 -- s0\n"), ":1:1: expected at least 2 terminals, found 1");
  EXPECT_EQ(complaint("# nothing\n"), ":1:1: the graph has no links");
  EXPECT_THROW(read_edge_list("/no/such/file"), config_error);
}

TEST_F(graph_file, names_and_ports_up_to_their_limits) {
  const topology t = edge_list("t00 -- s0000000:63\nt0000001 -- s0:0\n");
  EXPECT_EQ(links_of(t), (std::multiset<link>{{"terminal_0", 0, "switch_0", 63},
                                              {"switch_0", 63, "terminal_0", 0},
                                              {"terminal_1", 0, "switch_0", 0},
                                              {"switch_0", 0, "terminal_1", 0}}));
  EXPECT_EQ(complaint("t0 -- s0:1\nt1 -- s00:1\n"), ":2:7: input 1 of s0 is bound twice");
  EXPECT_EQ(complaint("t0 -- s0\nt1:1 -- s0\n"), ":2:1: expected output 0..0 of t1, found 1");
  EXPECT_EQ(complaint("t0 -- s00000000\n").substr(0, 15), ":1:7: expected ");
  EXPECT_EQ(complaint("t0 -- s0:00001\n"), ":1:7: expected a port number after the colon, found 's0:00001'");
}

TEST_F(graph_file, numbers_alone_are_switches_with_a_terminal_each) {
  // As NetworkX writes it, both ways or one; the numbers may have gaps.
  const topology t = edge_list("1 7 {'weight': 3}\n7 1\n7 9 {}\n");
  EXPECT_EQ(t.terminals.size(), 3u);
  EXPECT_EQ(links_of(t), (std::multiset<link>{{"terminal_0", 0, "switch_0", 0},
                                              {"switch_0", 0, "terminal_0", 0},
                                              {"terminal_1", 0, "switch_1", 0},
                                              {"switch_1", 0, "terminal_1", 0},
                                              {"terminal_2", 0, "switch_2", 0},
                                              {"switch_2", 0, "terminal_2", 0},
                                              {"switch_0", 1, "switch_1", 1},
                                              {"switch_1", 1, "switch_0", 1},
                                              {"switch_1", 2, "switch_2", 1},
                                              {"switch_2", 1, "switch_1", 2}}));
  EXPECT_EQ(
      complaint("0 1\nt0 s1\n"),
      ":2:1: expected two numbers and no more: a list has either pairs of numbers, or links such as t0 s1");
  EXPECT_EQ(
      complaint("5 7 3.0\n"),
      ":1:1: expected two numbers and no more: a list has either pairs of numbers, or links such as t0 s1");
  EXPECT_EQ(complaint("0 1\n2 2\n"), ":2:1: found a link from 2 to itself");
  EXPECT_EQ(complaint("t0 s0\n0 1\n"),
            ":2:1: expected t<number> or s<number>, such as t0 or s3:1, found '0'");
}

TEST_F(graph_file, graphml_comes_back_as_it_was_written) {
  for (const topology& t : {make_mesh({3, 2}), make_butterfly({2, 3, 8}), make_ring(5, false)})
    EXPECT_EQ(links_of(read_graphml(write(graph_text(t, "x.graphml")))), links_of(t)) << t.switches.size();
}

const std::string graphml_head =
    "<?xml version=\"1.0\"?><graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">"
    "<key id=\"r\" for=\"node\" attr.name=\"role\" attr.type=\"string\"/>"
    "<key id=\"c\" for=\"node\" attr.name=\"colour\" attr.type=\"string\"/>"
    "<key id=\"f\" for=\"edge\" attr.name=\"from_port\" attr.type=\"long\"/>"
    "<graph edgedefault=\"directed\">";
const std::string graphml_tail = "</graph></graphml>";

std::string node(const std::string& id, const std::string& role) {
  return "<node id=\"" + id + "\"><data key=\"r\">" + role + "</data><data key=\"c\">red</data></node>";
}
std::string arc(const std::string& from, const std::string& to, const std::string& more = "") {
  return "<edge source=\"" + from + "\" target=\"" + to + "\">" + more + "</edge>";
}

TEST_F(graph_file, graphml_of_other_programs) {
  const std::string body = node("hub", "switch") + node("a", "terminal") + node("b", "terminal") +
                           arc("a", "hub") + arc("b", "hub") + arc("hub", "a", "<data key=\"f\">5</data>") +
                           arc("hub", "b");
  const topology t = read_graphml(write(graphml_head + body + graphml_tail));
  EXPECT_EQ(links_of(t), (std::multiset<link>{{"terminal_0", 0, "switch_0", 0},
                                              {"terminal_1", 0, "switch_0", 1},
                                              {"switch_0", 5, "terminal_0", 0},
                                              {"switch_0", 0, "terminal_1", 0}}));
}

TEST_F(graph_file, graphml_without_roles_names_no_ports) {
  const std::string nodes = "<node id=\"a\"/><node id=\"b\"/>";
  EXPECT_EQ(read_graphml(write(graphml_head + nodes + arc("a", "b") + graphml_tail)).switches.size(), 2u);
  const std::string found = refusal([&] {
    read_graphml(write(graphml_head + nodes + arc("a", "b", "<data key=\"f\">7</data>") + graphml_tail));
  });
  EXPECT_NE(found.find("found a from_port of 7, expected none: without roles"), std::string::npos) << found;
}

TEST_F(graph_file, undirected_graphml_has_links_both_ways) {
  std::string head = graphml_head;
  head.replace(head.find("\"directed\""), 10, "\"undirected\"");
  const std::string body = node("hub", "switch") + node("a", "terminal") + node("b", "terminal") +
                           arc("a", "hub") + arc("hub", "b", "<data key=\"f\">5</data>");
  std::string in_single_quotes = head;
  in_single_quotes.replace(head.find("\"undirected\""), 12, "'undirected'");
  for (const std::string& either : {head, in_single_quotes})
    EXPECT_EQ(links_of(read_graphml(write(either + body + graphml_tail))),
              (std::multiset<link>{{"terminal_0", 0, "switch_0", 0},
                                   {"switch_0", 0, "terminal_0", 0},
                                   {"switch_0", 5, "terminal_1", 0},
                                   {"terminal_1", 0, "switch_0", 5}}))
        << either;
  const auto bare = [](const std::string& id) { return "<node id=\"" + id + "\"/>"; };
  const topology plain = read_graphml(write(head + bare("x") + bare("y") + arc("x", "y") + graphml_tail));
  EXPECT_EQ(plain.terminals.size(), 2u);
  EXPECT_EQ(num_edges(plain.g), 6u);
}

TEST_F(graph_file, graphml_faults_are_told_with_their_places) {
  const std::string keys =
      "<graphml>\n<key id=\"r\" for=\"node\" attr.name=\"role\"/>\n"
      "<key id=\"f\" for=\"edge\" attr.name=\"from_port\"/>\n";
  const auto of = [&](const std::string& text) { return complaint(read_graphml, text); };
  const auto graph = [&](const std::string& body) {
    return complaint(read_graphml,
                     keys + "<graph edgedefault=\"directed\">\n" + body + "\n</graph></graphml>");
  };
  const auto role = [](const std::string& id, const std::string& what) {
    return "<node id=\"" + id + "\"><data key=\"r\">" + what + "</data></node>\n";
  };
  const std::string pair = role("a", "terminal") + role("b", "terminal") + role("s", "switch");
  EXPECT_EQ(graph(role("a", "router")),
            ":5:14: node a: expected the role terminal or switch, found 'router'");
  EXPECT_EQ(graph(pair + "<node id=\"c\"/>"), ":8:1: node c: expected the role terminal or switch, found ''");
  EXPECT_EQ(graph(pair + " <node id=\"b\"/>"), ":8:2: found the node 'b' twice");
  EXPECT_EQ(graph(pair + "<edge source=\"a\" target=\"z\"/>"),
            ":8:1: expected an edge between nodes, found no node 'z'");
  EXPECT_EQ(graph(pair + arc("s", "a") + '\n' + arc("a", "b")),
            ":9:1: expected a switch, found t1: terminals join switches only");
  for (const char* port : {"-1", "1.5", "", "s", "99999999999"})
    EXPECT_EQ(graph(pair + arc("s", "a", "<data key=\"f\">" + std::string(port) + "</data>")),
              ":8:29: from_port: expected the number of a port, found '" + std::string(port) + "'");
  EXPECT_EQ(graph(pair + arc("s", "a", "<data key=\"f\">64</data>") + arc("b", "s")),
            ":8:1: expected output 0..63 of s0, found 64");
  EXPECT_EQ(graph(pair + arc("s", "a", "<data key=\"f\">1</data><data key=\"f\">2</data>")),
            ":8:66: found 'from_port' twice");
  EXPECT_EQ(graph("<data key=\"none\"/>"),
            ":5:1: expected data of a key of this file, found none with the id 'none'");
  EXPECT_EQ(graph("<edge source=\"a\"/>"), ":5:1: expected the attribute 'target'");
  EXPECT_EQ(graph("<node/>"), ":5:1: expected the attribute 'id'");
  EXPECT_EQ(graph("<edge source=\"a\" target=\"b\" directed=\"no\"/>"),
            ":5:1: directed: expected true or false, found 'no'");
  EXPECT_EQ(graph("<hyperedge/>"),
            ":5:1: found the element 'hyperedge' in a graph, expected node, edge or data");
  EXPECT_EQ(graph("<node id=\"a\"><graph/></node>"),
            ":5:14: found the element 'graph' in a node, expected data or port");
  EXPECT_EQ(of(keys + "<graph edgedefault=\"both\"/></graphml>"),
            ":4:1: edgedefault: expected directed or undirected, found 'both'");
  EXPECT_EQ(of(keys + "<graph/>\n<graph/></graphml>"),
            ":5:1: found the element 'graph' in graphml, expected key, graph (one) or data");
  EXPECT_EQ(of(keys + "<key id=\"r\"/></graphml>"), ":4:1: found the key 'r' twice");
  EXPECT_EQ(of(keys + "</graphml>"), ":1:1: expected a graph, found none");
  EXPECT_EQ(of(keys + "<graph/></graphml>"), ":1:1: the graph has no links");
  EXPECT_EQ(of("<svg/>"), ":1:1: found the element 'svg' at the top, expected graphml");
  EXPECT_EQ(of("t0 -- s0\n"), ":1:1: expected GraphML: syntax error");
  EXPECT_EQ(of("<graphml>\n</graph>"), ":2:3: expected GraphML: mismatched tag");
  EXPECT_EQ(of(""), ":1:1: expected GraphML: no element found");
}

TEST_F(graph_file, graphml_may_have_defaults_edges_first_and_edges_of_both_kinds) {
  const topology t = read_graphml(write(
      "<graphml xmlns:y='any'><key id='r' attr.name='role'><default>terminal</default></key>"
      "<key id='f' for='edge' attr.name='to_port'><default>7</default></key><key id='y' for='node'/>"
      "<graph edgedefault='undirected'><desc>two <b>of</b> them</desc>"
      "<edge source='a' target='s'/><edge source='s' target='b' directed='true'><data key='f'>0</data></edge>"
      "<node id='b'><port name='p'/><data key='y'><y:shape><data key='r'>x</data></y:shape></data></node>"
      "<node id='a'/><node id='s'><data key='r'>switch</data></node></graph></graphml>"));
  EXPECT_EQ(links_of(t), (std::multiset<link>{{"terminal_1", 0, "switch_0", 7},
                                              {"switch_0", 0, "terminal_0", 0},
                                              {"switch_0", 7, "terminal_1", 0}}));
}

TEST_F(graph_file, unreachable_pairs_are_counted_and_one_is_named) {
  const topology t = edge_list("t0 -- s0\nt1 -- s0\nt2 -- s1\ns1 -> s0\n");
  const analysis a = analyse(t, *make_routing(t, "auto"));
  EXPECT_EQ(a.pairs, 9u);
  EXPECT_EQ(a.unreachable, 2u);
  EXPECT_FALSE(a.sound());
  EXPECT_DOUBLE_EQ(a.mean_hops, 9 / 7.0) << "of those that have a route";
  EXPECT_EQ(a.example, "terminal 0 cannot reach terminal 2: switch_0 has no way on");
  EXPECT_TRUE(a.feed_forward);
}

constexpr unsigned far = 1000;

/// Switches between all terminals, by Floyd and Warshall; switches are the vertices, not terminals.
std::vector<std::vector<unsigned>> switch_distances(const topology& t) {
  const std::size_t n = t.switches.size();
  std::vector<std::vector<unsigned>> d(n, std::vector<unsigned>(n, far));
  for (std::size_t i = 0; i < n; ++i) d[i][i] = 0;
  for (const auto e : boost::make_iterator_range(edges(t.g))) {
    const vertex &a = t.g[boost::source(e, t.g)], &b = t.g[target(e, t.g)];
    if (a.role == vertex::switch_ && b.role == vertex::switch_ && a.index != b.index) d[a.index][b.index] = 1;
  }
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) d[i][j] = std::min(d[i][j], d[i][k] + d[k][j]);
  return d;
}

std::string random_graph(unsigned seed, unsigned switches, unsigned terminals, unsigned extra) {
  boost::random::mt19937 engine(seed);
  const auto any = [&](unsigned n) {
    return boost::random::uniform_int_distribution<unsigned>(0, n - 1)(engine);
  };
  std::string text;
  for (unsigned s = 0; s < switches; ++s)
    text += "s" + std::to_string(s) + " s" + std::to_string(any(switches)) + "\n";
  for (unsigned i = 0; i < extra; ++i)
    text += "s" + std::to_string(any(switches)) + " -> s" + std::to_string(any(switches)) + "\n";
  for (unsigned t = 0; t < terminals; ++t) {
    text += "t" + std::to_string(t) + " s" + std::to_string(any(switches)) + "\n";
    text += "s" + std::to_string(any(switches)) + " t" + std::to_string(t) + "\n";
  }
  return text;
}

TEST_F(graph_file, a_terminal_that_is_not_there_has_no_place_in_a_table) {
  const topology t = edge_list("s0 s1\nt0 s0\nt1 s1\n");
  const auto r = make_routing(t, "auto");
  flit f;
  f.source = 1;
  f.destination = 2;
  try {
    r->outputs(1, 0, f);
    FAIL();
  } catch (const std::out_of_range& e) {
    EXPECT_STREQ(e.what(), "found a packet of terminal 1 to terminal 2, expected one below 2");
  }
}

TEST_F(graph_file, tables_hold_the_lowest_port_of_a_shortest_path) {
  unsigned reached = 0, cut_off = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const topology t = edge_list(random_graph(seed, 12, 8, seed));
    const auto r = make_routing(t, "auto");
    const auto distance = switch_distances(t);
    for (unsigned to = 0; to < t.terminals.size(); ++to) {
      const auto last = t.g[boost::source(*in_edges(t.terminals[to], t.g).first, t.g)].index;
      flit f;
      f.destination = to;
      for (const auto v : t.switches) {
        const unsigned here = t.g[v].index;
        unsigned lowest = 64;
        for (const auto e : boost::make_iterator_range(out_edges(v, t.g))) {
          const vertex& next = t.g[target(e, t.g)];
          const bool nearer = next.role == vertex::switch_
                                  ? here != last && distance[next.index][last] + 1 == distance[here][last]
                                  : next.index == to;
          if (nearer) lowest = std::min<unsigned>(lowest, t.g[e].from_port);
        }
        if (distance[here][last] >= far) lowest = 64;
        ++(lowest == 64 ? cut_off : reached);
        ASSERT_EQ(r->outputs(here, 0, f), lowest == 64 ? 0 : port_mask{1} << lowest) << "seed " << seed;
      }
    }
  }
  EXPECT_GT(reached, 500u);  // both cases were met
  EXPECT_GT(cut_off, 50u);
}

TEST(choice_of_routing, must_fit) {
  EXPECT_THROW(make_routing(make_mesh({2, 2}), "digit"), std::invalid_argument);
  EXPECT_THROW(make_routing(make_omega({2, 2, 4}), "dimension_order"), std::invalid_argument);
  EXPECT_THROW(make_routing(make_omega({2, 2, 4}), "nearest"), std::invalid_argument);
  try {
    topology mesh = make_mesh({2, 2});
    mesh.kind = "mesh";
    make_routing(mesh, "digit");
  } catch (const std::invalid_argument& e) {
    EXPECT_STREQ(e.what(),
                 "routing 'digit' does not fit a topology of kind 'mesh': expected dimension_order, "
                 "table, adaptive or auto");
  }
}

TEST(generators, refuse_what_cannot_be) {
  EXPECT_THROW(make_butterfly({1, 3, 1}), std::invalid_argument);
  EXPECT_THROW(make_butterfly({2, 0, 1}), std::invalid_argument);
  EXPECT_THROW(make_butterfly({2, 3, 9}), std::invalid_argument);
  EXPECT_THROW(make_omega({2, 40, 2}), std::invalid_argument);
  EXPECT_THROW(make_omega({65, 1, 2}), std::invalid_argument);
  EXPECT_THROW(make_crossbar(65), std::invalid_argument);
  EXPECT_THROW(make_crossbar(0), std::invalid_argument);
  EXPECT_THROW(make_mesh({}), std::invalid_argument);
  EXPECT_THROW(make_torus({4, 0}), std::invalid_argument);
  EXPECT_THROW(make_torus({65536, 65536, 65536, 65536}), std::invalid_argument);
  EXPECT_EQ(out_degree(make_crossbar(64).switches[0], make_crossbar(64).g), 64u);
  EXPECT_EQ(size_of(make_multibutterfly(4, 2, 16, 1)).ports, 64);
  EXPECT_EQ(refusal([] { make_multibutterfly(4, 2, 17, 1); }), "expected a dilation of 1..16, found 17");
}

/// The least number of links between two halves of the switches, by trying all halves.
unsigned least_cut(const topology& t) {
  const auto n = static_cast<unsigned>(t.switches.size());
  unsigned least = far;
  for (unsigned half = 0; half < 1u << n; ++half) {
    if (2 * static_cast<unsigned>(__builtin_popcount(half)) != n) continue;
    unsigned cut = 0;
    for (const auto e : boost::make_iterator_range(edges(t.g)))
      cut += (half >> t.g[boost::source(e, t.g)].index & 1) != (half >> t.g[target(e, t.g)].index & 1);
    least = std::min(least, cut);
  }
  return least;
}

TEST(bisection, is_the_least_cut) {
  for (const topology& t : {make_mesh({4, 4}), make_mesh({4, 3}), make_mesh({2, 2, 2}), make_mesh({6}),
                            make_torus({4, 2}), make_torus({4, 3}), make_torus({2, 2}), make_torus({4, 4}),
                            make_ring(6, true), make_ring(6, false)}) {
    const analysis a = analyse(t, *make_routing(t, "auto"));
    EXPECT_EQ(a.bisection, least_cut(t)) << t.facts<grid_shape>()->dimensions[0];
    EXPECT_NE(describe(a).find("bisection"), std::string::npos);
  }
  const topology odd = make_mesh({3, 2});
  EXPECT_EQ(analyse(odd, *make_routing(odd, "auto")).bisection, 0u);
}

TEST(sample, is_said_and_proves_only_what_it_can) {
  const topology grid = make_mesh({8, 8}), stages = make_omega({2, 6, 64});
  const analysis part = analyse(grid, *make_routing(grid, "auto"), {false, 1, 64});
  EXPECT_TRUE(part.sampled);
  EXPECT_GT(part.pairs, 0u);
  EXPECT_EQ(part.pairs % 64, 0u) << "from all sources";
  EXPECT_LT(part.pairs, 64u * 64);
  EXPECT_FALSE(part.feed_forward);
  EXPECT_NE(describe(part).find("pairs of a sample of the destinations"), std::string::npos);
  EXPECT_NE(describe(part).find("only a sample"), std::string::npos);
  EXPECT_EQ(describe(part).find("deadlock: free"), std::string::npos);
  const analysis ahead = analyse(stages, *make_routing(stages, "auto"), {false, 1, 64});
  EXPECT_TRUE(ahead.sampled && ahead.feed_forward);
  EXPECT_NE(describe(ahead).find("deadlock: free"), std::string::npos);
}

TEST(estimate, two_to_the_forty_terminals_do_not_fit) {
  const catalogue all = platform_catalogue();
  const json section = {{"kind", "omega"}, {"radix", 2}, {"stages", 40}};
  const topology_size size = all.of<topology_entry>().chosen(section).size(section).value();
  EXPECT_EQ(size.terminals, 1099511627776.0);
  EXPECT_EQ(size.switches, 40 * 549755813888.0);
  const size_estimate estimate = estimate_pins(size, {}, false);
  EXPECT_GT(estimate.bytes, 1e15);
  try {
    check_size(estimate);
    FAIL() << "expected std::length_error";
  } catch (const std::length_error& e) {
    EXPECT_NE(std::string(e.what()).find("1.1e+12 terminals"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("this machine has"), std::string::npos) << e.what();
  }
}

TEST(pictures, dot_has_a_rank_a_stage) {
  const std::string dot = graph_text(make_butterfly({2, 2, 4}), "x.dot");
  EXPECT_NE(dot.find("{ rank=same; switch_0; switch_1; }"), std::string::npos) << dot;
  EXPECT_NE(dot.find("{ rank=same; switch_2; switch_3; }"), std::string::npos) << dot;
  EXPECT_NE(dot.find("source_3 -> switch_1"), std::string::npos) << dot;
  EXPECT_THROW(graph_text(make_crossbar(2), "x.png"), std::invalid_argument);
}

TEST(pictures, dot_of_a_mesh_is_a_grid) {
  const std::string dot = graph_text(make_mesh({4, 2}), "x.dot");
  EXPECT_NE(dot.find("switch_3 [label=3, pos=\"162,0!\"]"), std::string::npos) << dot;
  EXPECT_NE(dot.find("switch_4 [label=4, pos=\"0,54!\"]"), std::string::npos) << dot;
  EXPECT_NE(dot.find("switch_0 -> switch_4 [dir=none]"), std::string::npos) << dot;
  EXPECT_EQ(dot.find("switch_4 -> switch_0"), std::string::npos) << dot;
  EXPECT_NE(dot.find("splines=true"), std::string::npos) << dot;
}

TEST(pictures, dot_of_a_large_mesh_leads_no_link_round_switches) {
  EXPECT_NE(graph_text(make_mesh({8, 8}), "x.dot").find("splines=true"), std::string::npos);
  EXPECT_NE(graph_text(make_mesh({13, 5}), "x.dot").find("splines=line"), std::string::npos);
}

TEST(pictures, dot_has_an_arrow_where_links_go_one_way) {
  const std::string dot = graph_text(make_ring(4, false), "x.dot");
  for (const char* arrow :
       {"switch_0 -> switch_1;", "switch_1 -> switch_2;", "switch_2 -> switch_3;", "switch_3 -> switch_0;"})
    EXPECT_NE(dot.find(arrow), std::string::npos) << dot;
  EXPECT_EQ(dot.find("dir=none"), std::string::npos) << dot;
}

}  // namespace
