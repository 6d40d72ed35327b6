// What the keys of an interface of kind nifdy make of its units.
#include <gtest/gtest.h>

#include <spillway/platforms/built_in/built_in.hpp>
#include <spillway/platforms/config/document.hpp>
#include <spillway/platforms/config/error.hpp>
#include <spillway/platforms/elaborate/interface_chain.hpp>
#include <spillway/platforms/elaborate/network_plan.hpp>
#include <spillway/platforms/nifdy/nifdy_stage.hpp>
#include <string>

using namespace spillway;

namespace {

nifdy_config unit_of(const std::string& keys) {
  const document read = load_document_text(
      "name: units\ntopology: {kind: crossbar, terminals: 4}\nswitch: {kind: packet}\n"
      "traffic: [{pattern: uniform}]\ninterface: {kind: nifdy" +
          keys + "}\n",
      "e.yaml", experiment_schema(platform_catalogue()));
  const nlohmann::json& section = read.root.at("interface");
  return nifdy_config_of(section, section.at("networks"), 3, 8);
}

}  // namespace

TEST(nifdy_section, has_the_papers_values_where_nothing_is_said) {
  const nifdy_config c = unit_of("");
  EXPECT_TRUE(c.protocol && c.bulk());
  EXPECT_EQ(c.networks, 2u);
  EXPECT_EQ(c.ack_network(), 1u);
  EXPECT_EQ(c.outstanding, 8u);
  EXPECT_EQ(c.pool, 8u);
  EXPECT_EQ(c.dialogs, 1u);
  EXPECT_EQ(c.window, 4u);
  EXPECT_EQ(c.arrivals, 2u);
  EXPECT_EQ(c.ack_when, nifdy_ack::accepted);
  EXPECT_EQ(c.ack_every(), 2u);
  EXPECT_EQ(2 * c.ack_processing, 4u);
  EXPECT_FALSE(c.lossy());
  EXPECT_EQ(c.terminal, 3u);
  EXPECT_EQ(c.packet_length, 8u);
}

TEST(nifdy_section, says_everything_about_the_unit) {
  const nifdy_config c = unit_of(
      ", networks: 1, outstanding: 3, pool: 5, dialogs: 2, window: 6, arrivals: 7, acknowledge: inserted, "
      "bulk_acknowledge: each, choice: round_robin, ack_length: 4, ack_processing: 9, piggyback: 11, "
      "patience: 12");
  EXPECT_EQ(c.networks, 1u);
  EXPECT_EQ(c.ack_network(), 0u);
  EXPECT_EQ(c.outstanding, 3u);
  EXPECT_EQ(c.pool, 5u);
  EXPECT_EQ(c.dialogs, 2u);
  EXPECT_EQ(c.window, 6u);
  EXPECT_EQ(c.arrivals, 7u);
  EXPECT_EQ(c.ack_when, nifdy_ack::inserted);
  EXPECT_EQ(c.ack_every(), 1u);
  EXPECT_EQ(c.choice, nifdy_choice::round_robin);
  EXPECT_EQ(c.ack_length, 4u);
  EXPECT_EQ(c.ack_processing, 9u);
  EXPECT_EQ(c.piggyback, 11u);
  EXPECT_EQ(c.patience, 12u);
  EXPECT_TRUE(unit_of(", timeout: 100").lossy());
}

TEST(nifdy_section, compares_with_as_many_buffers_and_with_a_plain_interface) {
  const nifdy_config buffers = unit_of(", protocol: buffers, pool: 5, dialogs: 2, window: 6");
  EXPECT_FALSE(buffers.protocol);
  EXPECT_EQ(buffers.pool + buffers.arrivals, 5u + 2 * 6 + 2);
  EXPECT_GE(buffers.arrivals, buffers.pool);
  const nifdy_config plain = unit_of(", protocol: none, pool: 5, dialogs: 2, window: 6, arrivals: 9");
  EXPECT_FALSE(plain.protocol || plain.bulk());
  EXPECT_EQ(plain.pool, 1u);
  EXPECT_EQ(plain.arrivals, 2u);
}

TEST(nifdy_section, a_unit_carries_one_network) {
  const catalogue all = platform_catalogue();
  const auto refusal = [&all](const std::string& sections) -> std::string {
    const document read = load_document_text(
        "name: r\ntopology: {kind: crossbar, terminals: 4}\ntraffic: [{pattern: uniform}]\n" + sections,
        "e.yaml", experiment_schema(all));
    try {
      check_network(read_network(read, all), all, read);
    } catch (const config_error& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_EQ(refusal("stages: [{kind: nifdy}]\n"), "");
  const char* const behind = "interface: {kind: memory}\nstages: [{kind: nifdy}]\n";
  EXPECT_NE(refusal(behind).find("a NIFDY unit carries one logical network, found 2"), std::string::npos)
      << refusal(behind);
}

TEST(packet_requests, are_those_of_the_interface_or_else_of_a_stage) {
  const catalogue all = platform_catalogue();
  const auto of = [&all](const std::string& sections) {
    const document read = load_document_text(
        "name: r\ntopology: {kind: crossbar, terminals: 4}\ntraffic: [{pattern: uniform}]\n" + sections,
        "e.yaml", experiment_schema(all));
    return requests_of(all, read_network(read, all).config);
  };
  const packet_requests none = of(""), unit = of("interface: {kind: nifdy}\n"),
                        lossy = of("interface: {kind: nifdy, loss: 0.1}\n"),
                        stage = of("stages: [{kind: nifdy}]\n");
  EXPECT_EQ(none.unordered | none.of_several | none.last_of_them, 0u);
  EXPECT_EQ(none.no_unordered, "these interfaces have no protocol to pass by");
  EXPECT_EQ(unit.unordered, nifdy::bypass);
  EXPECT_EQ(unit.of_several, nifdy::request);
  EXPECT_EQ(unit.last_of_them, nifdy::exit);
  EXPECT_EQ(lossy.unordered, 0u);
  EXPECT_NE(lossy.no_unordered.find("expected `loss: 0`"), std::string::npos);
  EXPECT_EQ(stage.of_several, nifdy::request);
}
