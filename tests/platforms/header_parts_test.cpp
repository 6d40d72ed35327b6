// What terminals write into a packet's header arrives as it was, whatever lies between them.
#include <gtest/gtest.h>

#include <map>
#include <spillway/platforms/built_in/built_in.hpp>
#include <spillway/platforms/config/document.hpp>
#include <spillway/platforms/config/error.hpp>
#include <spillway/platforms/elaborate/platform.hpp>
#include <support/link_bench.hpp>
#include <tuple>

using namespace spillway;
using testing_support::dice;
using testing_support::sc_test;

namespace {

constexpr unsigned packets = 40;
constexpr std::uint64_t all_of_the_word = (std::uint64_t{1} << 40) - 1;

/// Packets to random terminals and to terminal 3, with random classes and, in the bits `word`, random words.
class random_headers : public packet_supply {
public:
  random_headers(unsigned terminal, unsigned terminals, bool combinable, std::uint64_t word)
      : dice_(terminal + 1), terminals_(terminals), combinable_(combinable), word_(word) {}
  std::uint64_t due(std::uint64_t now, std::size_t) override { return left_ ? now : never; }
  packet_order take(std::uint64_t) override {
    --left_;
    packet_order order;
    const bool hot = dice_.percent(40);
    order.destination = hot ? 3 : dice_.below(terminals_);
    if (hot && combinable_) order.kind = flit_kind::combinable;
    order.traffic_class = static_cast<std::uint8_t>(dice_.below(16));
    order.interface_word = (std::uint64_t{dice_.below(1u << 20)} << 20 | dice_.below(1u << 20)) & word_;
    return order;
  }

private:
  dice dice_;
  const unsigned terminals_;
  const bool combinable_;
  const std::uint64_t word_;
  unsigned left_ = packets;
};

/// Compares the parts of each flit that arrives with those that its packet was made with.
struct comparison : endpoint_observer {
  std::uint64_t word = all_of_the_word;  // bits of the interface word that are compared
  std::uint64_t compared = 0, merged = 0, classes = 0;

  using key = std::tuple<unsigned, bool, std::uint32_t, std::uint32_t, std::uint32_t>;
  std::map<key, flit> made;
  static key key_of(const flit& f) {
    return {f.network, f.kind == flit_kind::reply, f.source, f.destination, f.packet};
  }
  void created(std::uint64_t, const flit& head) override { made[key_of(head)] = head; }
  void split(std::uint64_t, const flit&, const flit& branch) override { made[key_of(branch)] = branch; }
  void combined(std::uint64_t, const flit&, const flit&) override { ++merged; }
  void injected(std::uint64_t, const flit&) override {}
  void delivered(std::uint64_t, unsigned, const flit& f) override {
    const auto found = made.find(key_of(f));
    ASSERT_NE(found, made.end()) << f;
    const flit& head = found->second;
    EXPECT_EQ(f.kind, head.kind) << f;
    EXPECT_EQ(f.traffic_class, head.traffic_class) << f;
    EXPECT_EQ(f.route, head.route) << f;
    EXPECT_EQ(f.marks, head.marks) << f;
    EXPECT_EQ(f.interface_word & word, head.interface_word & word) << f;
    ++compared;
    classes |= std::uint64_t{1} << f.traffic_class;
  }
};

struct between {
  const char *name, *keys;
  std::uint64_t word = all_of_the_word;  // bits of the interface word that no interface owns
  bool combines = false;
};
void PrintTo(const between& b, std::ostream* os) { *os << b.name; }

class header_parts : public sc_test, public testing::WithParamInterface<between> {};

}  // namespace

TEST_P(header_parts, arrive_as_they_were_sent) {
  const between& what = GetParam();
  const catalogue all = platform_catalogue();
  const document file =
      load_document_text(std::string("name: parts\ntraffic: [{pattern: uniform, messages: 1}]\n") + what.keys,
                         "parts.yaml", experiment_schema(all));
  const network_plan plan = read_network(file, all);
  const auto terminals = static_cast<unsigned>(plan.shape.terminals.size());
  comparison seen;
  seen.word = what.word;
  platform network("network", plan, all,
                   workload{[&](unsigned t) {
                              return std::make_unique<random_headers>(t, terminals, what.combines, what.word);
                            },
                            [](unsigned) { return sink_config{}; }, seen});
  network.drive_reset(true);
  network.run(2);
  network.drive_reset(false);
  network.run(20000);
  EXPECT_GE(seen.compared + seen.merged, terminals * packets);
  EXPECT_EQ(seen.merged > 0, what.combines);
  EXPECT_EQ(seen.classes, 0xffffu);
}

INSTANTIATE_TEST_SUITE_P(
    of, header_parts,
    testing::Values(
        between{"packet", "topology: {kind: butterfly, radix: 2, stages: 3}\nswitch: {kind: packet}\n"},
        between{"signals",
                "topology: {kind: omega, radix: 2, stages: 3}\nkernel: signals\n"
                "switch: {kind: packet, buffering: voq}\n"},
        between{"dampening",
                "topology: {kind: butterfly, radix: 2, stages: 3}\nswitch: {kind: dampening, assignment: "
                "subsets, buffers: 8, j: 3}\n"},
        between{"wormhole", "topology: {kind: mesh, dimensions: [3, 3]}\nswitch: {kind: wormhole}\n"},
        between{"nifdy",
                "topology: {kind: butterfly, radix: 2, stages: 3}\nswitch: {kind: packet}\n"
                "interface: {kind: nifdy}\n",
                0},
        between{"combining_switch",
                "topology: {kind: omega, radix: 2, stages: 3}\nswitch: {kind: combining, degree: 2, "
                "wait_buffer: 8}\ninterface: {kind: memory}\n",
                all_of_the_word, true},
        between{"feedback",
                "topology: {kind: omega, radix: 2, stages: 3}\nswitch: {kind: packet, buffering: output, "
                "depth: 4, "
                "memory_depth: 16}\ninterface: {kind: feedback, threshold: 3}\n"},
        between{"message_node",
                "topology: {kind: hypercube, dimension: 3, cluster: 3}\nrouting: {kind: shortest_paths}\n"
                "switch: {kind: message_node, cluster_rate: 3, other_rate: 3}\n"},
        between{"combining_node",
                "topology: {kind: hypercube, dimension: 3, cluster: 3}\nrouting: {kind: shortest_paths}\n"
                "switch: {kind: message_node, cluster_rate: 3, other_rate: 3, combining: {wait_buffer: 8}}\n",
                0, true},
        between{"circuit",
                "topology: {kind: fat_tree, terminals: 8}\nswitch: {kind: circuit}\n"
                "interface: {kind: circuit, retry: immediate}\n"},
        between{"circuit_transactions",
                "topology: {kind: fat_tree, terminals: 8}\nswitch: {kind: circuit}\nlevel: transaction\n"
                "interface: {kind: circuit, retry: immediate}\n"}),
    [](const auto& test) { return std::string(test.param.name); });

namespace {

class many_networks final : public interface_entry {
public:
  explicit many_networks(unsigned networks) : interface_entry("many"), networks_(networks) {}
  nlohmann::json schema() const override { return nlohmann::json::object(); }
  network_uses networks(const nlohmann::json&) const override {
    return network_uses(networks_, network_use::packets);
  }
  std::unique_ptr<terminal_unit> make(terminal_context) const override { return nullptr; }

private:
  const unsigned networks_;
};

}  // namespace

TEST(header_limits, more_logical_networks_than_a_flit_numbers_are_refused_with_their_place) {
  for (const unsigned networks : {flit::most_networks, flit::most_networks + 1}) {
    catalogue all = platform_catalogue();
    all.add<many_networks>(networks);
    const document file = load_document_text(
        "name: many\ntopology: {kind: crossbar, terminals: 4}\nswitch: {kind: packet}\n"
        "traffic: [{pattern: uniform, messages: 1}]\ninterface: {kind: many}\n",
        "many.yaml", experiment_schema(all));
    const network_plan plan = read_network(file, all);
    try {
      check_blocks(plan, all, file);
      EXPECT_EQ(networks, flit::most_networks);
    } catch (const config_error& error) {
      EXPECT_EQ(networks, flit::most_networks + 1);
      EXPECT_EQ(std::string(error.what()).rfind("many.yaml:5:", 0), 0u) << error.what();
    }
  }
}
