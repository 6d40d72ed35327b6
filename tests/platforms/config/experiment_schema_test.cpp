// The schema of experiments: kinds that are added to it, and what is listed of those that are there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <spillway/platforms/config/document.hpp>
#include <spillway/platforms/config/error.hpp>
#include <spillway/platforms/config/schema.hpp>
#include <stdexcept>
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

TEST(schema, a_new_kind_is_like_ours) {
  auto mine = schema();
  add_kind(mine, "switch", "leaky", json::parse(R"({
    "description": "Loses flits.", "required": ["leak"],
    "properties": {"leak": {"type": "number", "minimum": 0, "maximum": 1, "description": "Share lost."},
                   "tries": {"type": "integer", "default": 3}}})"));
  add_kind(mine, "traffic", "weird", json::object(), "pattern");
  const auto with = [&](const std::vector<std::string>& sets) -> std::string {
    try {
      return load_document_text(minimal, "a.yaml", mine, sets).root["switch"].dump();
    } catch (const config_error& problem) {
      return problem.what();
    }
  };
  EXPECT_EQ(with({"switch={kind: leaky, leak: 0.5}"}), R"({"kind":"leaky","leak":0.5,"tries":3})");
  EXPECT_THAT(with({"switch={kind: leaky}"}), HasSubstr("missing key 'leak', expected number 0..1"));
  EXPECT_THAT(with({"switch={kind: leaky, leak: 2}"}), HasSubstr("switch.leak: expected 0..1, found 2"));
  EXPECT_THAT(with({"switch={kind: leaky, leak: 0, depth: 2}"}),
              HasSubstr("unknown key 'depth' for kind: leaky"));
  EXPECT_THAT(with({"switch={kind: leeky}"}),
              AllOf(HasSubstr("expected one of packet,"), HasSubstr("leaky, found")));
  EXPECT_THAT(with({"traffic.0={pattern: weird, rate: 0.3}"}), HasSubstr("\"packet\""));
  EXPECT_THAT(with({"traffic.0={pattern: weird, rate: 3}"}), HasSubstr("expected 0..1"));
  EXPECT_THAT(with({}), HasSubstr("\"packet\""));
  EXPECT_THROW(add_kind(mine, "switch", "leaky", json::object()), std::invalid_argument);
  EXPECT_THROW(add_kind(mine, "packet", "odd", json::object()), std::invalid_argument);
}

const char* const two_choices = R"({
  "type": "object", "properties": {"part": {"$ref": "#/definitions/part"}},
  "definitions": {"part": {"type": "object", "required": ["shape"], "allOf": [], "properties": {
    "shape": {"enum": [], "description": "Shape."},
    "colour": {"enum": [], "default": "plain", "description": "Colour."},
    "size": {"type": "integer", "default": 1, "description": "Size."}}}}})";

/// Two keys of one section choose, each among kinds with keys of their own.
TEST(schema, two_keys_choose_in_one_section) {
  auto mine = parse_schema(two_choices);
  const auto keys = [](const char* name, const char* rest) {
    return parse_schema(std::string(R"({"description": "D.", "properties": {")") + name + "\": " + rest +
                        "}}");
  };
  add_kind(mine, "part", "round", keys("radius", R"({"type": "integer", "default": 3})"), "shape");
  add_kind(mine, "part", "plain", json::object(), "colour");
  add_kind(mine, "part", "striped", keys("stripes", R"({"type": "integer", "minimum": 2, "default": 7})"),
           "colour");
  add_kind(mine, "part", "square", keys("side", R"({"type": "integer", "default": 4})"), "shape");
  const auto with = [&](const std::string& text) -> std::string {
    try {
      const auto read = load_document_text("part: {" + text + "}\n", "a.yaml", mine);
      EXPECT_EQ(load_document_text(read.to_yaml(), "b.yaml", mine).root, read.root);
      return read.root["part"].dump();
    } catch (const config_error& problem) {
      return problem.what();
    }
  };
  EXPECT_EQ(with("shape: round"), R"({"colour":"plain","radius":3,"shape":"round","size":1})");
  EXPECT_EQ(with("shape: square, colour: striped, stripes: 2"),
            R"({"colour":"striped","shape":"square","side":4,"size":1,"stripes":2})");
  EXPECT_EQ(with("shape: round, stripes: 2"),
            "a.yaml:1:22: part: unknown key 'stripes' for shape: round, "
            "expected one of shape, radius, colour, size");
  EXPECT_EQ(
      with("shape: square, colour: striped, strips: 2"),
      "a.yaml:1:40: part: unknown key 'strips' for shape: square, colour: striped, did you mean 'stripes'?");
  EXPECT_THAT(with("shape: square, radius: 2"), HasSubstr("unknown key 'radius'"));
  EXPECT_THAT(with("shape: round, colour: strippd"), HasSubstr("expected one of plain, striped"));
  EXPECT_THAT(with("shape: round, colour: striped, stripes: 1"), HasSubstr("stripes: expected at least 2"));
  EXPECT_THAT(with("colour: striped"), HasSubstr("missing key 'shape'"));
  EXPECT_THROW(add_kind(mine, "part", "red", json::object()), std::invalid_argument) << "no key `kind`";

  std::vector<std::string> found;
  for (const auto& kind : kinds(mine, "part")) {
    found.push_back(kind.key + ' ' + kind.name);
    for (const auto& one : kind.parameters) found.back() += ' ' + one.name;
  }
  EXPECT_THAT(found, testing::ElementsAre("shape round radius colour size", "shape square side colour size",
                                          "colour plain", "colour striped stripes"));
  EXPECT_THAT(schema_reference(mine), HasSubstr("### part `colour: striped`\n\nD.\n\n| key"));
}

TEST(schema, its_text_says_the_same) {
  const auto text = schema_text(schema());
  EXPECT_EQ(parse_schema(text), schema());
  EXPECT_EQ(text.find("x-order"), std::string::npos);
}

TEST(schema, a_new_section_is_optional) {
  auto mine = schema();
  add_kind(mine, "gadget", "one",
           json::parse(R"({"properties": {"size": {"type": "integer", "default": 2}}})"));
  add_kind(mine, "gadget", "two", json::object());
  EXPECT_FALSE(load_document_text(minimal, "a", mine).root.contains("gadget"));
  const auto read = load_document_text(minimal, "a", mine, {"gadget.kind=one"});
  EXPECT_EQ(read.root["gadget"], json::parse(R"({"kind": "one", "size": 2})"));
  EXPECT_THAT(read.to_yaml(), HasSubstr("gadget:\n  kind: one\n  size: 2\n"));
  EXPECT_EQ(kinds(mine, "gadget").size(), 2u);
}

TEST(schema, keywords_only_the_validator_knows_still_count) {
  auto mine = schema();
  mine["properties"]["name"]["pattern"] = "^[a-z]+$";
  try {
    load_document_text(minimal, "a.yaml", mine, {"name=A1"});
    ADD_FAILURE() << "accepted";
  } catch (const config_error& problem) {
    EXPECT_THAT(problem.what(), StartsWith("--set name=A1: name: "));
  }
  mine["properties"]["name"]["minLength"] = "x";
  EXPECT_ANY_THROW(load_document_text(minimal, "a.yaml", mine));
}

TEST(schema, defaults_reach_entries_with_names_of_the_users_own) {
  const auto wanted = json::parse(R"({"type": "object", "additionalProperties": {"type": "object",
    "additionalProperties": false, "properties": {"seeds": {"type": "integer", "default": 5}}}})");
  EXPECT_EQ(load_document_text("a: {}\nb: {seeds: 2}\n", "a.yaml", wanted).root,
            json::parse(R"({"a": {"seeds": 5}, "b": {"seeds": 2}})"));
  EXPECT_THROW(load_document_text("a: {seds: 2}\n", "a.yaml", wanted), config_error);
}

TEST(schema, kinds_are_listed) {
  EXPECT_EQ(sections_with_kinds(schema()),
            (std::vector<std::string>{"topology", "routing", "switch", "link", "marking", "dropping",
                                      "interface", "stages", "traffic", "workload", "software", "measures"}));
  const auto found = kinds(schema(), "topology");
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].name, "butterfly");
  ASSERT_EQ(found[0].parameters.size(), 3u);
  EXPECT_EQ(found[0].parameters[0].name, "radix");
  EXPECT_EQ(found[0].parameters[0].type, "integer 2..64");
  EXPECT_EQ(found[0].parameters[0].fallback, "2");
  EXPECT_FALSE(found[0].parameters[0].required);
  EXPECT_TRUE(found[0].parameters[1].required);
  EXPECT_GE(kinds(schema(), "traffic").size(), 10u);
  EXPECT_TRUE(kinds(schema(), "packet").empty());
  EXPECT_THROW(kinds(schema(), "nothing"), std::invalid_argument);
}

/// Every kind is described, and every key of every section has a description and a type.
TEST(schema, everything_is_described) {
  for (const auto& section : sections_with_kinds(schema()))
    for (const auto& kind : kinds(schema(), section)) {
      EXPECT_FALSE(kind.description.empty()) << section << '.' << kind.name;
      for (const auto& one : kind.parameters) {
        EXPECT_FALSE(one.description.empty()) << section << '.' << kind.name << '.' << one.name;
        EXPECT_NE(one.type, "any value") << section << '.' << kind.name << '.' << one.name;
      }
    }
}

TEST(schema, reference) {
  const auto text = schema_reference(schema());
  EXPECT_THAT(text, HasSubstr("| `name` | string | required | "));
  EXPECT_THAT(text, HasSubstr("### topology `kind: ring`"));
  EXPECT_THAT(text, HasSubstr("| `depth` | integer 1..65536 | `4` | "));
  EXPECT_THAT(text, HasSubstr("| `burst.length` | integer 1..4294967295 | `16` | "));
  EXPECT_THAT(text, HasSubstr("| `pauses[].from` | integer at least 0 | required | "));
  EXPECT_THAT(text, HasSubstr("| `fraction` | number 0..1 | required | "));
}

}  // namespace
