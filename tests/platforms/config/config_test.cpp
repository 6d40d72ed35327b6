// Experiments as they are read and written: errors, defaults, overrides, places and files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <spillway/platforms/config/document.hpp>
#include <spillway/platforms/config/error.hpp>
#include <sstream>
#include <string>
#include <support/experiment_schema.hpp>
#include <vector>

namespace {

using namespace spillway;
using namespace spillway::testing_support;
using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;
using pointer = json::json_pointer;

document load(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return load_document_text(text, "a.yaml", schema(), overrides);
}

/// The message of the error that the text must raise; empty when it raises none.
std::string error(const std::string& text, const std::vector<std::string>& overrides = {},
                  report errors = report::first) {
  try {
    load_document_text(text, "a.yaml", schema(), overrides, errors);
  } catch (const config_error& problem) {
    return problem.what();
  }
  return {};
}

// --- the schema's errors

TEST(experiment, empty_documents) {
  EXPECT_EQ(error("---\n"), error("--- \n"));
  EXPECT_THAT(error("---\n"), HasSubstr("expected keys and values, found nothing"));
}

TEST(experiment, unknown_keys_name_the_nearest) {
  EXPECT_EQ(error(minimal + "    raet: 0.3\n"),
            "a.yaml:5:5: traffic.0: unknown key 'raet' for pattern: uniform, did you mean 'rate'?");
  EXPECT_EQ(error(minimal + "sede: 4\n"), "a.yaml:5:1: unknown key 'sede', did you mean 'seed'?");
  EXPECT_EQ(error(minimal + "packet: {zzzzzzzz: 4}\n"),
            "a.yaml:5:10: packet: unknown key 'zzzzzzzz', expected one of length");
  EXPECT_THAT(error(minimal + "switch: {Arbiter: oldest_first}\n"), HasSubstr("did you mean 'arbiter'?"));
  EXPECT_THAT(error(minimal + "packet: {len: 4}\n"), HasSubstr("unknown key 'len', did you mean 'length'?"));
  EXPECT_THAT(error(minimal + "    offset: 3\n"), HasSubstr("unknown key 'offset' for pattern: uniform"));
}

TEST(experiment, wrong_types) {
  EXPECT_EQ(error(minimal + "packet:\n  length: \"four\"\n"),
            "a.yaml:6:11: packet.length: expected integer 1..65535, found \"four\"");
  EXPECT_THAT(error(minimal + "seed: 1.5\n"),
              HasSubstr("seed: expected integer 0..9007199254740991, found 1.5"));
  EXPECT_THAT(error(minimal + "checks: {links: yes}\n"), HasSubstr("expected true or false, found \"yes\""));
  EXPECT_THAT(error(minimal + "endpoint: {stopped: x}\n"), HasSubstr("stopped: expected list (integer"));
  EXPECT_THAT(error(minimal + "endpoint: [3]\n"),
              HasSubstr("endpoint: expected keys and values, found a list"));
  EXPECT_THAT(error(minimal + "endpoint:\n"), HasSubstr("endpoint: expected keys and values, found nothing"));
  EXPECT_THAT(error(minimal + "endpoint: {stopped: [1, x]}\n"),
              HasSubstr("endpoint.stopped.1: expected integer"));
  EXPECT_THAT(error("[]\n"), HasSubstr("a.yaml:1:1: expected keys and values, found a list"));
  EXPECT_THAT(error("name: 5\ntopology: {kind: omega, stages: 3}\ntraffic: [{pattern: uniform}]\n"),
              HasSubstr("a.yaml:1:7: name: expected string, found 5"));
}

TEST(experiment, ranges) {
  EXPECT_EQ(error(minimal + "    rate: 1.5\n"), "a.yaml:5:11: traffic.0.rate: expected 0..1, found 1.5");
  EXPECT_THAT(error(minimal + "    rate: .nan\n"), HasSubstr("expected 0..1, found .nan"));
  EXPECT_THAT(error(minimal + "    messages: 0\n"), HasSubstr("messages: expected at least 1, found 0"));
  EXPECT_THAT(error(minimal + "switch: {depth: 65537}\n"), HasSubstr("expected 1..65536, found 65537"));
  EXPECT_THAT(error(minimal + "switch: {kind: message_node, cluster_rate: 0}\n"),
              HasSubstr("cluster_rate: expected above 0, at most 1000000, found 0"));
  EXPECT_THAT(error("name: ''\n" + minimal.substr(12)), HasSubstr("name: expected a text that is not empty"));
  EXPECT_THAT(error("name: a\ntopology: {kind: mesh, dimensions: []}\n"),
              HasSubstr("dimensions: expected at least 1 in the list, found 0"));
}

TEST(experiment, large_sizes_are_accepted) {
  EXPECT_EQ(error(minimal, {"topology={kind: ring, terminals: 1099511627776}"}), "");
  EXPECT_EQ(error(minimal, {"topology={kind: omega, stages: 40}"}), "");
  EXPECT_EQ(error(minimal, {"topology={kind: mesh, dimensions: [1048576, 1048576]}"}), "");
  EXPECT_THAT(error(minimal, {"topology={kind: ring, terminals: 1099511627777}"}),
              HasSubstr("found 1099511627777"));
  EXPECT_EQ(error(minimal, {"seed=9007199254740991"}), "");
  EXPECT_THAT(error(minimal, {"seed=18446744073709551615"}), HasSubstr("found 18446744073709551615"));
}

TEST(experiment, choices_name_the_nearest) {
  EXPECT_THAT(error(minimal + "switch: {kind: pakcet, depth: 3}\n"),
              AllOf(HasSubstr("a.yaml:5:16: switch.kind: expected one of packet"),
                    HasSubstr("found \"pakcet\", did you mean 'packet'?")));
  EXPECT_EQ(error(minimal + "kernel: 3\n"),
            "a.yaml:5:9: kernel: expected one of fast, signals, doubting, found 3");
  EXPECT_THAT(
      error(minimal + "switch: {buffering: shard}\n"),
      HasSubstr("expected one of fifo, voq, damq, output, shared, found \"shard\", did you mean 'shared'?"));
}

TEST(experiment, missing_keys) {
  EXPECT_EQ(error("topology: {kind: omega, stages: 3}\ntraffic: [{pattern: uniform}]\n"),
            "a.yaml:1:1: missing key 'name', expected string");
  EXPECT_EQ(error(minimal, {"topology={kind: omega}"}),
            "--set topology={kind: omega}: topology: missing key 'stages', expected integer 1..40");
  EXPECT_THAT(error("name: a\ntopology: {stages: 3}\ntraffic: [{pattern: uniform}]\n"),
              HasSubstr("a.yaml:2:11: topology: missing key 'kind', expected one of butterfly, omega"));
  EXPECT_THAT(error(minimal + "  - pattern: hotspot\n"), HasSubstr("traffic.1: missing key 'fraction'"));
}

TEST(experiment, all_errors_in_the_order_of_the_file) {
  const auto all =
      error("name: 1\ntraffic: [{pattern: uniform, rate: 7}]\ntopology: {kind: omega, stages: 0}\n",
            {"seed=x"}, report::all);
  EXPECT_EQ(all,
            "a.yaml:1:7: name: expected string, found 1\n"
            "a.yaml:2:36: traffic.0.rate: expected 0..1, found 7\n"
            "a.yaml:3:33: topology.stages: expected 1..40, found 0\n"
            "--set seed=x: seed: expected integer 0..9007199254740991, found \"x\"");
}

TEST(experiment, errors_beyond_fifty_are_counted) {
  const auto lines = [](unsigned unknown, report errors) {
    std::string text = minimal;
    for (unsigned n = 0; n < unknown; ++n) text += "zzzzzz" + std::to_string(n) + ": 1\n";
    std::vector<std::string> all;
    std::istringstream in(error(text, {}, errors));
    for (std::string line; std::getline(in, line);) all.push_back(line);
    return all;
  };
  const auto some = lines(53, report::all);
  ASSERT_EQ(some.size(), 51u);
  EXPECT_THAT(some[49], HasSubstr("'zzzzzz49'"));
  EXPECT_EQ(some[50], "... and 3 more");
  const auto just = lines(50, report::all);
  ASSERT_EQ(just.size(), 50u);
  EXPECT_THAT(just[49], HasSubstr("'zzzzzz49'"));
  EXPECT_EQ(lines(53, report::first).size(), 1u);
}

TEST(experiment, long_texts_are_cut_between_characters) {
  const auto found = [](const std::string& text) {
    const std::string said = error(minimal + "packet: {length: " + text + "}\n");
    return said.substr(said.find("found ") + 6);
  };
  const std::string letters(48, 'a');
  EXPECT_EQ(found(letters + std::string(10, 'a')), '"' + letters + std::string(10, 'a') + '"');
  EXPECT_EQ(found(letters + std::string(11, 'a')), '"' + letters + "a...\"");
  std::string accents;
  for (int n = 0; n < 10; ++n) accents += "\u00e9";  // two bytes each
  EXPECT_EQ(found(letters + accents), '"' + letters + "...\"");
  EXPECT_EQ(found(letters.substr(1) + accents), '"' + letters.substr(1) + "\u00e9...\"");
}

TEST(experiment, an_unknown_key_is_told_of_beside_a_kind_that_is_no_word) {
  const auto all = error(minimal + "    injection: 3\n    raet: 1\n", {}, report::all);
  EXPECT_THAT(all, StartsWith("a.yaml:5:16: traffic.0.injection: expected one of "));
  EXPECT_THAT(all, HasSubstr(", found 3\na.yaml:6:5: traffic.0: unknown key 'raet' for pattern: uniform, did "
                             "you mean 'rate'?"));
}

// --- defaults

TEST(experiment, defaults_are_filled_in) {
  const auto got = load(minimal).root;
  const auto want = json::parse(R"({
    "name": "small", "seed": 1, "interface": {"kind": "plain"}, "kernel": "fast",
    "topology": {"kind": "omega", "radix": 2, "stages": 3},
    "routing": {"kind": "auto"},
    "switch": {"kind": "packet", "buffering": "fifo", "depth": 4, "assignment": "any",
               "switching": "cut_through", "arbiter": "round_robin"},
    "endpoint": {"queue": 0, "accept_interval": 1, "stopped": [], "pauses": []},
    "link": {"latency": 1, "cycles": 1}, "packet": {"length": 1}, "resets": [],
    "traffic": [{"pattern": "uniform", "include_self": false, "bypass": false, "spare_stopped": false, "injection": "bernoulli", "rate": 0.1,
                 "weights": [], "message": 1, "spare": [], "stream": 0, "start": 0}],
    "measure": {"warmup": 0, "drain": 100000, "interval": 50, "limit": 10000000},
    "checks": {"links": true, "deadlock": true, "watchdog": 10000},
    "trace": {"signals": ["*"], "from": 0, "limit": 1024}})");
  for (const auto& [section, value] : want.items()) {
    // What is wanted is there; a section may have more defaults than are listed here.
    json merged = got.at(section);
    merged.merge_patch(value);
    EXPECT_EQ(got.at(section), merged) << section;
  }
}

TEST(experiment, defaults_of_every_kind) {
  EXPECT_EQ(load(minimal, {"traffic.0.injection=burst"}).root["traffic"][0]["burst"],
            json::parse(R"({"length": 16})"));
  EXPECT_FALSE(load(minimal).root["traffic"][0].contains("burst"));
  const auto traffic =
      load(minimal, {"traffic.1={pattern: hotspot, fraction: 0.2}", "traffic.2={pattern: shift}",
                     "traffic.3={pattern: cshift}", "traffic.4={pattern: trace, file: t.csv}"})
          .root["traffic"];
  EXPECT_EQ(traffic[1]["targets"], json::array({0}));
  EXPECT_EQ(traffic[2]["offset"], 1);
  EXPECT_EQ(traffic[3]["messages_per_phase"], 1);
  EXPECT_EQ(traffic[4]["injection"], "bernoulli");
  EXPECT_EQ(load(minimal, {"topology={kind: ring, terminals: 4}"}).root["topology"]["bidirectional"], true);
}

TEST(experiment, a_float_without_fraction_is_an_integer_where_one_is_wanted) {
  const auto root = load(minimal, {"measure.limit=1e6", "traffic.0.rate=1"}).root;
  EXPECT_TRUE(root["measure"]["limit"].is_number_integer());
  EXPECT_EQ(root["measure"]["limit"], 1000000);
  EXPECT_EQ(root["traffic"][0]["rate"].get<double>(), 1.0);
}

// --- overrides

TEST(overrides, change_add_and_append) {
  const auto root = load(minimal, {"traffic.0.rate=0.3", "measure.warmup=100", "traffic.1={pattern: tornado}",
                                   "name='7'", "endpoint.stopped=[1, 2]", "endpoint.stopped.0=5"})
                        .root;
  EXPECT_EQ(root["traffic"][0]["rate"], 0.3);
  EXPECT_EQ(root["measure"]["warmup"], 100);
  EXPECT_EQ(root["traffic"][1]["pattern"], "tornado");
  EXPECT_EQ(root["name"], "7");
  EXPECT_EQ(root["endpoint"]["stopped"], json({5, 2}));
}

TEST(overrides, errors_name_the_override) {
  EXPECT_EQ(error(minimal, {"traffic.0.rate=2"}),
            "--set traffic.0.rate=2: traffic.0.rate: expected 0..1, found 2");
  EXPECT_EQ(
      error(minimal, {"traffic.0.raet=0.3"}),
      "--set traffic.0.raet=0.3: traffic.0: unknown key 'raet' for pattern: uniform, did you mean 'rate'?");
  EXPECT_EQ(error(minimal, {"traffic.0.rate"}), "--set traffic.0.rate: expected key=value");
  EXPECT_EQ(error(minimal, {"traffic.2.rate=1"}),
            "--set traffic.2.rate=1: 'traffic' has 1 entries, expected an index 0..1, found 2");
  EXPECT_EQ(error(minimal, {"traffic.x.rate=1"}),
            "--set traffic.x.rate=1: 'traffic' is a list, expected an index, found 'x'");
  EXPECT_EQ(error(minimal, {"traffic.00.rate=1"}),
            "--set traffic.00.rate=1: 'traffic' is a list, expected an index, found '00'");
  EXPECT_EQ(error(minimal, {"name.x=1"}), "--set name.x=1: 'name' is a single value, it has no key 'x'");
  EXPECT_THAT(error(minimal, {"=1"}), StartsWith("--set =1: expected a path"));
  EXPECT_THAT(error(minimal, {"traffic..rate=1"}), StartsWith("--set traffic..rate=1: expected a path"));
  EXPECT_THAT(error(minimal, {"seed=[1"}), StartsWith("--set seed=[1: not valid YAML: "));
  EXPECT_EQ(error(minimal, {"seed="}), "--set seed=: expected a value, or ~ to leave the key out");
}

TEST(overrides, leave_a_key_out) {
  EXPECT_EQ(load(minimal + "measure: {warmup: 9, interval: 7}\n", {"measure.warmup=~"}).root["measure"],
            load(minimal + "measure: {interval: 7}\n").root["measure"]);
  EXPECT_THAT(error(minimal, {"topology.stages=~"}), HasSubstr("stages"));
  EXPECT_THAT(error(minimal, {"traffic.0=~"}), HasSubstr("only a key can be left out"));
  EXPECT_EQ(error(minimal, {"traffic.0.raet=~"}),
            "--set traffic.0.raet=~: there is no 'traffic.0.raet' to leave out");
  EXPECT_EQ(load(minimal, {"traffic.0.pattern=~", "traffic.0.pattern=tornado"}).root["traffic"][0]["pattern"],
            "tornado");
}

// --- places and files

TEST(experiment, fail_names_place_and_path) {
  const auto read = load(minimal, {"measure.warmup=9"});
  const auto message = [&](const char* at) -> std::string {
    try {
      read.fail(pointer(at), "too much");
    } catch (const config_error& problem) {
      return problem.what();
    }
  };
  EXPECT_EQ(message("/topology/stages"), "a.yaml:2:33: topology.stages: too much");
  EXPECT_EQ(message("/traffic/0/rate"), "a.yaml:4:5: traffic.0.rate: too much");
  EXPECT_EQ(message("/measure/warmup"), "--set measure.warmup=9: measure.warmup: too much");
  EXPECT_EQ(message(""), "a.yaml:1:1: too much");
}

TEST(experiment, files_are_relative_to_the_document) {
  const auto read = load_document_text(minimal, "some/where/a.yaml", schema(),
                                       {"topology={kind: file, path: ../graph.txt}"});
  EXPECT_EQ(read.resolve("../graph.txt"), "some/where/../graph.txt");
  EXPECT_EQ(read.resolve("/graph.txt"), "/graph.txt");
  EXPECT_THAT(read.to_yaml(), HasSubstr("path: \"../graph.txt\""));
  EXPECT_THAT(read.to_yaml("some/out"), HasSubstr("path: \"../graph.txt\""));
  EXPECT_THAT(read.to_yaml("out"), HasSubstr("path: \"../some/graph.txt\""));
}

TEST(experiment, the_schema_for_editors_stays_within_reach) {
  const auto relocated = [](const std::string& modeline, const std::string& folder) {
    const auto read = load_document_text(modeline + minimal, "some/where/a.yaml", schema());
    const auto text = read.to_yaml(folder);
    return text.substr(0, text.find("name: "));
  };
  const std::string mark = "# yaml-language-server: $schema=";
  EXPECT_EQ(relocated("# A comment.\n" + mark + "../x.json\n", "some/out"), mark + "../x.json\n");
  EXPECT_EQ(relocated(mark + "../x.json\n", "out"), mark + "../some/x.json\n");
  EXPECT_EQ(relocated(mark + "../x.json\r\n", "out"), mark + "../some/x.json\n") << "as lines end on Windows";
  EXPECT_EQ(relocated(mark + "https://a.b/x.json\n", "out"), mark + "https://a.b/x.json\n");
  EXPECT_EQ(relocated("# nothing\nseed: 1\n" + mark + "x.json\n", "out"), "")
      << "only comments at the head count";
  EXPECT_EQ(relocated("", "out"), "");
}

// --- writing

TEST(experiment, yaml_is_readable_and_loads_again) {
  const auto read =
      load(minimal, {"endpoint.pauses=[{terminals: [1, 2], from: 5, until: 9}]", "name='true: \"#1\"'",
                     "traffic.1={pattern: hotspot, fraction: 1e-7, rate: 1}", "trace.vcd='a b.vcd'"});
  const auto text = read.to_yaml();
  EXPECT_THAT(text, StartsWith("name: "));
  EXPECT_THAT(text, HasSubstr("topology:\n  kind: omega\n  radix: 2\n  stages: 3\nrouting:\n"));
  EXPECT_THAT(
      text,
      HasSubstr("traffic:\n  - pattern: uniform\n    include_self: false\n    spare: []\n    spare_stopped: "
                "false\n    injection: bernoulli\n"));
  const auto again = load(text);
  EXPECT_EQ(again.root, read.root) << text;
  EXPECT_EQ(again.to_yaml(), text);
}

TEST(experiment, words_of_yaml_stay_texts) {
  for (const char* word : {"true", "False", "null", "~", "1e3", "No"}) {
    const auto read = load(minimal, {"name='" + std::string(word) + "'"});
    EXPECT_EQ(read.root["name"], word);
    EXPECT_EQ(load(read.to_yaml()).root, read.root) << word;
  }
}

TEST(experiment, every_experiment_of_the_project_loads) {
  const std::filesystem::path folder = std::filesystem::path(SPILLWAY_YAML_DIR) / "experiments";
  ASSERT_TRUE(std::filesystem::exists(folder / "hotspot-butterfly.yaml"));
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".yaml") {
      SCOPED_TRACE(entry.path());
      const auto read = load_document(entry.path(), schema());
      EXPECT_EQ(load(read.to_yaml()).root, read.root);
    }
}

}  // namespace
