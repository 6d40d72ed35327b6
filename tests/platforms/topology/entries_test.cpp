// Topologies and routings as entries of the catalogue: ours, and those of a user.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <spillway/platforms/config/document.hpp>
#include <spillway/platforms/elaborate/network_plan.hpp>
#include <spillway/platforms/tlm/message_paths.hpp>
#include <support/dice.hpp>
#include <support/own_network.hpp>
#include <support/refusal.hpp>
#include <support/topologies.hpp>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

void expect_same(const topology_size& said, const topology_size& made, const json& section) {
  EXPECT_EQ(said.terminals, made.terminals) << section;
  EXPECT_EQ(said.switches, made.switches) << section;
  EXPECT_EQ(said.links, made.links) << section;
  EXPECT_EQ(said.ports, made.ports) << section;
}

std::vector<unsigned> drawn(dice& d, unsigned count, unsigned low, unsigned high) {
  std::vector<unsigned> list(count);
  for (unsigned& one : list) one = d.between(low, high);
  return list;
}

json stages_drawn(dice& d) {
  json keys = {{"radix", d.between(2, 5)}, {"stages", d.between(1, 4)}};
  if (d.percent(50)) keys["terminals"] = d.between(1, keys["radix"].get<unsigned>());
  return keys;
}

/// Parameters at random, for every topology whose size is known before it is made.
const std::map<std::string, std::function<json(dice&)>>& draws() {
  static const std::map<std::string, std::function<json(dice&)>> all{
      {"butterfly", stages_drawn},
      {"omega", stages_drawn},
      {"crossbar",
       [](dice& d) {
         return json{{"terminals", d.between(1, 64)}};
       }},
      {"ring",
       [](dice& d) {
         return json{{"terminals", d.between(2, 40)}, {"bidirectional", d.percent(50)}};
       }},
      {"mesh",
       [](dice& d) {
         return json{{"dimensions", drawn(d, d.between(1, 5), 1, 4)}};
       }},
      {"torus",
       [](dice& d) {
         return json{{"dimensions", drawn(d, d.between(1, 5), 1, 4)}};
       }},
      {"fat_tree",
       [](dice& d) {
         return json{{"terminals", 1u << d.between(1, 9)}};
       }},
      {"multibutterfly",
       [](dice& d) {
         return json{{"radix", d.between(2, 4)}, {"stages", d.between(1, 4)}, {"dilation", d.between(1, 3)}};
       }},
      {"xgft",
       [](dice& d) {
         const unsigned levels = d.between(1, 4);
         json keys = {{"children", drawn(d, levels, 1, 5)}};
         if (d.percent(70)) keys["parents"] = drawn(d, levels - 1, 1, 4);
         return keys;
       }},
      {"hyperx",
       [](dice& d) {
         return json{{"sizes", drawn(d, d.between(1, 4), 1, 5)}, {"terminals", d.between(1, 4)}};
       }},
      {"dragonfly",
       [](dice& d) {
         const unsigned a = d.between(1, 5), h = d.between(1, 3);
         json keys = {{"switches", a}, {"terminals", d.between(1, 3)}, {"global_links", h}};
         if (d.percent(50)) keys["groups"] = d.between(1, a * h + 1);
         if (d.percent(50)) keys["wiring"] = "absolute";
         return keys;
       }},
      {"hypercube",
       [](dice& d) {
         const unsigned bits = d.between(1, 8);
         return json{{"dimension", bits}, {"cluster", d.between(0, bits)}};
       }},
      {"hierarchical_hypercube", [](dice& d) {
         const unsigned bits = d.between(2, 8), cluster = d.between(1, bits - 1);
         json keys = {{"dimension", bits}, {"cluster", cluster}, {"interface", d.below(1u << cluster)}};
         if (bits - cluster > 1 && d.percent(50)) keys["levels"] = {1, bits - cluster - 1};
         if (d.percent(30)) {
           keys["interface"] = 0;
           keys["sizes"] = json::array();
           for (unsigned c = 0; c < 1u << (bits - cluster); ++c)
             keys["sizes"].push_back(1u << d.between(0, cluster));
         }
         return keys;
       }}};
  return all;
}

TEST(entries, every_topology_has_what_it_says) {
  const catalogue all = platform_catalogue();
  dice d(11);
  for (const auto& one : all.of<topology_entry>().entries()) {
    const topology_entry& kind = all.of<topology_entry>().at(one->name());
    if (kind.name() == "file") continue;  // the file says it
    for (unsigned n = 0; n < 25; ++n) {
      json section = draws().at(kind.name())(d);
      section["kind"] = kind.name();
      fill_defaults(kind, section);
      const auto said = kind.size(section);
      ASSERT_TRUE(said) << section;
      const topology made = make_topology(all, section);
      EXPECT_EQ(made.kind, kind.name());
      expect_same(*said, size_of(made), section);
    }
  }
}

TEST(entries, routings_choose_themselves_in_the_order_of_the_list) {
  const catalogue all = platform_catalogue();
  const std::map<std::string, std::string> natural{{"butterfly", "digit"},
                                                   {"omega", "digit"},
                                                   {"crossbar", "digit"},
                                                   {"multibutterfly", "digit"},
                                                   {"ring", "dimension_order"},
                                                   {"mesh", "dimension_order"},
                                                   {"torus", "dimension_order"},
                                                   {"fat_tree", "up_down"},
                                                   {"xgft", "nearest_ancestor"},
                                                   {"dragonfly", "minimal"},
                                                   {"hyperx", "minimal"},
                                                   {"hypercube", "e_cube"},
                                                   {"hierarchical_hypercube", "e_cube"}};
  dice d(12);
  for (const auto& [kind, draw] : draws()) {
    json section = draw(d);
    section["kind"] = kind;
    const topology shape = make_topology(all, section);
    EXPECT_EQ(natural_routing(all, shape).name(), natural.at(kind));
  }
  topology other = make_mesh({2, 2});
  other.known = nullptr;
  EXPECT_EQ(natural_routing(all, other).name(), "table");
}

/// The message of what goes wrong with a network, or nothing.
std::string complaint(const std::function<void(catalogue&)>& add, const std::string& sections) {
  catalogue all = platform_catalogue();
  add(all);
  try {
    const document file = load_document_text("name: own\n" + sections + "traffic: [{pattern: uniform}]\n",
                                             "e.yaml", experiment_schema(all));
    check_network(read_network(file, all), all, file);
  } catch (const config_error& error) {
    return error.what();
  }
  return {};
}

void add_own(catalogue& all) {
  all.add<star>();
  all.add<spokes>();
}

TEST(entries, a_users_topology_and_routing_are_like_ours) {
  catalogue all = platform_catalogue();
  add_own(all);
  const document file = load_document_text(
      "name: own\ntopology: {kind: star, leaves: 7, spare: 2}\ntraffic: [{pattern: uniform}]\n", "e.yaml",
      experiment_schema(all));
  const network_plan plan = read_network(file, all);
  EXPECT_EQ(plan.shape.kind, "star");
  EXPECT_EQ(plan.shape.terminals.size(), 5u);
  EXPECT_EQ(natural_routing(all, plan.shape).name(), "spokes");
  const analysis found = analyse_network(plan, all);
  EXPECT_TRUE(found.sound());
  EXPECT_EQ(found.pairs, 25u);
  EXPECT_EQ(found.diameter, 3u);
  EXPECT_EQ(found.max_ports, 5u);
  EXPECT_EQ(estimate_network(file, plan, all).size.links, 20);
  EXPECT_EQ(complaint(add_own, "topology: {kind: star, leaves: 4}\nrouting: {kind: table}\n"), "");
}

TEST(entries, a_routing_wraps_one_of_ours_and_changes_one_answer) {
  catalogue all = platform_catalogue();
  all.add<hot_apart>(all);
  const auto plan = [&](const std::string& kind) {
    const document file =
        load_document_text("name: own\ntopology: {kind: mesh, dimensions: [4, 4]}\nrouting: {kind: " + kind +
                               "}\nswitch: {kind: wormhole, virtual_channels: 4}\n"
                               "traffic: [{pattern: uniform}]\n",
                           "e.yaml", experiment_schema(all));
    return read_network(file, all);
  };
  const network_plan own = plan("hot_apart, hot: 5"), theirs = plan("dimension_order");
  EXPECT_TRUE(analyse_network(own, all).sound());
  flit f;
  for (unsigned node = 0; node < 16; ++node)
    for (unsigned to = 0; to < 16; ++to) {
      f.destination = to;
      const port_mask way = own.routes->outputs(node, 0, f);
      EXPECT_EQ(way, theirs.routes->outputs(node, 0, f)) << node << " to " << to;
      const channel_mask channels = own.routes->channels(node, 0, masks::lowest(way), f);
      EXPECT_EQ(channels & 0xf, to == 5 ? 0xcu : 0x3u) << node << " to " << to;
    }
  EXPECT_EQ(own.routes->memoryless(), theirs.routes->memoryless());
  EXPECT_EQ(own.routes->in_order(), theirs.routes->in_order());
  EXPECT_THROW(wrapped_routing(nullptr), std::invalid_argument);
}

TEST(entries, a_link_takes_memory_for_its_stages_and_for_its_buffer) {
  const catalogue all = platform_catalogue();
  for (const char* const checks : {"true", "false"}) {
    const auto bytes = [&](const std::string& link) {
      const document file = load_document_text(
          "name: own\ntopology: {kind: mesh, dimensions: [3, 3]}\n"
          "traffic: [{pattern: uniform}]\nchecks: {links: " +
              std::string(checks) + "}\nlink: {" + link + "}\n",
          "e.yaml", experiment_schema(all));
      return estimate_network(file, read_network(file, all), all).bytes;
    };
    const double plain = bytes(""), more = bytes("latency: 2") - plain;
    EXPECT_GT(more, 0);
    EXPECT_DOUBLE_EQ(bytes("buffer: 4"), plain + more);
    EXPECT_DOUBLE_EQ(bytes("latency: 2, buffer: 4"), plain + 2 * more);
  }
}

TEST(entries, a_users_keys_have_located_errors) {
  EXPECT_THAT(complaint(add_own, "topology: {kind: star, leaves: 4, spar: 0}\n"),
              StartsWith("e.yaml:2:35: topology: unknown key 'spar' for kind: star, did you mean 'spare'?"));
  EXPECT_THAT(complaint(add_own, "topology: {kind: star}\n"),
              HasSubstr("e.yaml:2:11: topology: missing key 'leaves'"));
  EXPECT_THAT(complaint(add_own, "topology: {kind: stra, leaves: 4}\n"), HasSubstr("did you mean 'star'?"));
  EXPECT_EQ(complaint(add_own, "topology: {kind: star, leaves: 1}\n"),
            "e.yaml:2:11: topology: expected 2 or more leaves, found 1");
  EXPECT_EQ(complaint(add_own, "topology: {kind: mesh, dimensions: [2]}\nrouting: {kind: spokes}\n"),
            "e.yaml:3:10: routing: routing 'spokes' does not fit a topology of kind 'mesh': expected "
            "dimension_order, table, adaptive or auto");
}

TEST(entries, one_that_makes_nothing_is_named) {
  struct nothing final : routing_entry {
    nothing() : routing_entry("nothing") {}
    nlohmann::json schema() const override { return {{"description", "None."}}; }
    routing_fit fit(const topology&) const override { return routing_fit::general; }
    std::shared_ptr<const routing> make(const routing_context&) const override { return nullptr; }
  };
  EXPECT_EQ(complaint([](catalogue& all) { all.add<nothing>(); },
                      "topology: {kind: mesh, dimensions: [2]}\nrouting: {kind: nothing}\n"),
            "e.yaml:3:10: routing: 'nothing' makes nothing: expected an object");
}

// Without pins nothing else looks at it.
TEST(entries, a_way_without_pins_by_an_output_that_is_not_there_is_reported) {
  struct beyond final : routing {
    port_mask outputs(unsigned, unsigned, const flit&) const override { return port_mask{1} << 9; }
  };
  const catalogue all = platform_catalogue();
  const document file = load_document_text(
      "name: own\ntopology: {kind: mesh, dimensions: [3]}\ntraffic: [{pattern: uniform}]\n", "e.yaml",
      experiment_schema(all));
  network_plan plan = read_network(file, all);
  plan.routes = std::make_shared<beyond>();
  std::vector<message_hop> hops;
  EXPECT_THAT(testing_support::refusal([&] { find_message_paths(plan, false).find(0, 2, hops); }),
              HasSubstr("the routing allows output 9 of 2 there"));
}

TEST(entries, names_and_schemas_are_what_a_file_can_say) {
  struct odd final : routing_entry {
    odd(const std::string& name, nlohmann::json schema) : routing_entry(name), schema_(std::move(schema)) {}
    nlohmann::json schema() const override { return schema_; }
    routing_fit fit(const topology&) const override { return routing_fit::none; }
    std::shared_ptr<const routing> make(const routing_context&) const override { return nullptr; }

  private:
    const nlohmann::json schema_;
  };
  const auto refused = [](const std::string& name, const nlohmann::json& schema) -> std::string {
    catalogue all = platform_catalogue();
    all.add<odd>(name, schema);
    try {
      experiment_schema(all);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return {};
  };
  const nlohmann::json fine{{"description", "One."}, {"properties", {{"type", {{"type", "integer"}}}}}};
  EXPECT_EQ(refused("fine_1", fine), "");
  for (const char* const name : {"", "Mine Own!", "a-b", "A"})
    EXPECT_EQ(refused(name, fine), "the routing '" + std::string(name) +
                                       "': expected a name of small letters, digits and underscores");
  nlohmann::json other = fine;
  other["properties"]["type"]["type"] = "nonsense";
  EXPECT_EQ(refused("mine", other),
            "the routing 'mine': its schema has the type \"nonsense\", expected one of JSON Schema's");
  EXPECT_THAT(refused("mine", 5), HasSubstr("expected a schema that is an object"));
  EXPECT_THAT(refused("mine", {{"properties", 5}}), HasSubstr("expected a schema that is an object"));
}

TEST(entries, a_size_that_is_not_that_of_the_graph_is_refused) {
  const auto refused = [](const topology_size& too_many, const std::string& said) {
    EXPECT_EQ(
        complaint([&](catalogue& all) { all.add<star>(too_many); }, "topology: {kind: star, leaves: 2}\n"),
        "e.yaml:2:11: topology: the topology 'star' says that it has " + said +
            " links, and has 2 terminals, 3 switches of up to 2 ports and 8 links");
  };
  refused({1, 0, 0, 0}, "3 terminals, 3 switches of up to 2 ports and 8");
  refused({0, 1, 0, 0}, "2 terminals, 4 switches of up to 2 ports and 8");
  refused({0, 0, 1, 0}, "2 terminals, 3 switches of up to 2 ports and 9");
  refused({0, 0, 0, 1}, "2 terminals, 3 switches of up to 3 ports and 8");
}

TEST(entries, a_size_beyond_memory_is_refused_before_it_is_made) {
  EXPECT_THAT(complaint(add_own, "topology: {kind: star, leaves: 2000000000}\n"),
              HasSubstr("GiB of memory, this "));
}

/// A graph of a test's own.
class given final : public topology_entry {
public:
  explicit given(std::function<topology()> make) : topology_entry("given"), make_(std::move(make)) {}
  json schema() const override { return {{"description", "As the test says."}}; }
  topology make(const topology_context&) const override { return make_(); }

private:
  const std::function<topology()> make_;
};

std::string complaint(const std::function<topology()>& make) {
  return complaint([&](catalogue& all) { all.add<given>(make); }, "topology: {kind: given}\n");
}

TEST(entries, a_port_with_two_links_is_refused) {
  EXPECT_EQ(complaint([] {
              topology t = make_crossbar(2);
              t.add_link(t.switches[0], 1, t.switches[0], 2);
              return t;
            }),
            "e.yaml:2:11: topology: switch_0 has two links at its output 1");
}

TEST(entries, a_terminal_has_the_ports_0_and_no_others) {
  const auto with_a_terminal = [](unsigned output, unsigned input) {
    return complaint([=] {
      topology t;
      const auto hub = t.add_switch(0), odd = t.add_terminal();
      t.join(t.add_terminal(), 0, hub, 1);
      t.add_link(odd, output, hub, 0);
      t.add_link(hub, 0, odd, input);
      return t;
    });
  };
  EXPECT_EQ(with_a_terminal(0, 0), "");
  EXPECT_EQ(with_a_terminal(0, 1),
            "e.yaml:2:11: topology: terminal_0 has an input 1, expected numbers up to 0");
  EXPECT_EQ(with_a_terminal(1, 0),
            "e.yaml:2:11: topology: terminal_0 has an output 1, expected numbers up to 0");
}

TEST(entries, a_name_is_given_once) {
  catalogue all = platform_catalogue();
  add_own(all);
  EXPECT_THROW(all.add<spokes>(), std::invalid_argument);
}

}  // namespace
