#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <spillway/platforms/config/document.hpp>
#include <spillway/platforms/config/file.hpp>
#include <spillway/platforms/config/yaml_reader.hpp>
#include <string>
#include <vector>

namespace {

using namespace spillway;
using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;
using pointer = json::json_pointer;

std::string yaml_error(const std::string& text) {
  try {
    read_yaml(text, "a.yaml");
  } catch (const config_error& problem) {
    return problem.what();
  }
  return {};
}

TEST(yaml, types_of_plain_scalars) {
  EXPECT_EQ(plain_scalar("12"), json(12));
  EXPECT_EQ(plain_scalar("-12"), json(-12));
  EXPECT_EQ(plain_scalar("+7"), json(7));
  EXPECT_EQ(plain_scalar("0x1F"), json(31));
  EXPECT_EQ(plain_scalar("0o17"), json(15));
  EXPECT_EQ(plain_scalar("1099511627776"), json(std::int64_t{1} << 40));
  EXPECT_EQ(plain_scalar("0.25"), json(0.25));
  EXPECT_EQ(plain_scalar(".5"), json(0.5));
  EXPECT_EQ(plain_scalar("1."), json(1.0));
  EXPECT_EQ(plain_scalar("-1.5e-3"), json(-0.0015));
  EXPECT_EQ(plain_scalar("2.5E+4"), json(25000.0));
  EXPECT_TRUE(plain_scalar("1e3").is_number_float());
  EXPECT_TRUE(plain_scalar("99999999999999999999").is_number_float());
  EXPECT_EQ(plain_scalar("true"), json(true));
  EXPECT_EQ(plain_scalar("False"), json(false));
  EXPECT_TRUE(plain_scalar("~").is_null());
  for (const char* text : {"yes", "on", "1_000", "0x", "0xg", "1.2.3", "e5", ".", "-", "+", "1e", "-0x1"})
    EXPECT_EQ(plain_scalar(text), json(text)) << text;
}

TEST(yaml, integers_as_far_as_64_bits_reach) {
  EXPECT_EQ(plain_scalar("18446744073709551615"), json(~std::uint64_t{0}));
  EXPECT_EQ(plain_scalar("18446744073709551616"), json(18446744073709551616.0));
  EXPECT_EQ(plain_scalar("-9223372036854775808").dump(), "-9223372036854775808");
  EXPECT_TRUE(plain_scalar("-9223372036854775809").is_number_float());
  EXPECT_EQ(plain_scalar("0xFFFFFFFFFFFFFFFF"), json(~std::uint64_t{0}));
  EXPECT_EQ(plain_scalar("0xAb0000000000000000"), json(171 * std::pow(2, 64)));
  EXPECT_EQ(plain_scalar("-0").dump(), "0");
}

TEST(yaml, floats_as_far_as_they_reach) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const char* text : {".inf", "+.Inf", ".INF", "1e400", "+2.5e+999"})
    EXPECT_EQ(plain_scalar(text), json(infinity)) << text;
  for (const char* text : {"-.inf", "-.INF", "-1e400"})
    EXPECT_EQ(plain_scalar(text), json(-infinity)) << text;
  for (const char* text : {"1e-400", "-3.5e-999"}) EXPECT_EQ(plain_scalar(text), json(0.0)) << text;
  for (const char* text : {".nan", ".NaN", ".NAN"})
    EXPECT_TRUE(std::isnan(plain_scalar(text).get<double>())) << text;
  for (const char* text : {".iNf", "inf", "nan", "--1", "1e+", "1e5.5"})
    EXPECT_EQ(plain_scalar(text), json(text));
}

TEST(yaml, quoted_scalars_are_strings) {
  const auto root =
      read_yaml("{a: '1', b: \"true\", c: !!str 1, d: !!float 1, e: null, f: 'null'}", "a").root;
  EXPECT_EQ(root, json::parse(R"({"a":"1","b":"true","c":"1","d":1.0,"e":null,"f":"null"})"));
  EXPECT_TRUE(root["d"].is_number_float());
}

TEST(yaml, tags_of_what_a_value_is_may_be_written) {
  EXPECT_EQ(read_yaml("{a: !!int 3, b: !!bool true, c: !!null ~, d: !!seq [!!map {e: !!str f}]}", "a").root,
            json::parse(R"({"a": 3, "b": true, "c": null, "d": [{"e": "f"}]})"));
  for (const char* wrong : {"!!int 1.5", "!!int true", "!!bool 1", "!!null 0", "!!float x"})
    EXPECT_THAT(yaml_error("a: " + std::string(wrong) + "\n"), HasSubstr("which it does not fit")) << wrong;
  EXPECT_THAT(yaml_error("a: !!map [1]\n"), HasSubstr("found the tag tag:yaml.org,2002:map, expected none"));
  EXPECT_THAT(yaml_error("a: !!seq {b: 1}\n"),
              HasSubstr("found the tag tag:yaml.org,2002:seq, expected none"));
}

TEST(yaml, aliases_are_expanded) {
  EXPECT_EQ(read_yaml("a: &x [1, 2]\nb: *x\n", "a").root, json::parse(R"({"a":[1,2],"b":[1,2]})"));
}

TEST(yaml, places_count_from_one) {
  const auto read = read_yaml("a: 1\nb:\n  - c: 2\n", "f.yaml");
  EXPECT_EQ(read.places.value(pointer("/b/0/c")).text(), "f.yaml:3:8");
  EXPECT_EQ(read.places.key(pointer("/b/0/c")).text(), "f.yaml:3:5");
  EXPECT_EQ(read.places.value(pointer("/b/0/nothing")).text(), "f.yaml:3:5");
}

TEST(yaml, errors_have_their_place) {
  EXPECT_EQ(yaml_error("a: 1\nb: 2\na: 3\n"),
            "a.yaml:3:1: found the key 'a' a second time, first at a.yaml:1:1");
  EXPECT_THAT(yaml_error("a: &x {b: 1}\nc:\n  <<: *x\n"), StartsWith("a.yaml:3:3: found a merge key <<"));
  EXPECT_THAT(yaml_error("a: 1\n? [x, y]\n: 2\n"), StartsWith("a.yaml:2:3: found a key that is not a name"));
  EXPECT_THAT(yaml_error("a: &x\n  - *x\n"),
              StartsWith("a.yaml:2:5: found an alias to a value that it is part"));
  EXPECT_THAT(yaml_error("a: 1\nb: [1, 2\n"), StartsWith("a.yaml:3:1: not valid YAML: "));
  EXPECT_THAT(yaml_error("a: 1\n\tb: 2\n"), StartsWith("a.yaml:2:"));
  EXPECT_THAT(yaml_error("a: *nowhere\n"), StartsWith("a.yaml:1:4: not valid YAML: "));
  EXPECT_EQ(yaml_error("a: 1\n---\nb: 2\n"), "a.yaml:2:1: found a second document, expected one");
  EXPECT_THAT(yaml_error("a: !mine 1\n"), StartsWith("a.yaml:1:4: found the tag !mine"));
  EXPECT_THAT(yaml_error("a: !!int x\n"), StartsWith("a.yaml:1:4: found \"x\" with the tag !!int"));
  // No byte of UTF-8, one that continues nothing, too long, a surrogate, past U+10FFFF, cut off, zero.
  const std::vector<std::pair<std::string, std::string>> broken{{"\xff", "ff"},
                                                                {"\x80", "80"},
                                                                {"\xc0\x80", "c0"},
                                                                {"\xed\xa0\x80", "ed"},
                                                                {"\xf4\x90\x80\x80", "f4"},
                                                                {"\xe2\x82", "e2"},
                                                                {{'\0'}, "00"}};
  for (const auto& [bytes, first] : broken)
    EXPECT_EQ(yaml_error("a: \xc3\xa9\nb: \xc3\xa9 " + bytes),
              "a.yaml:2:6: found the byte 0x" + first + ", expected UTF-8 text");
}

// yaml-cpp would have it end with the file.
TEST(yaml, a_text_that_never_ends_is_told_where_it_begins) {
  const std::string never = ": found a text that never ends, expected its closing quote";
  EXPECT_EQ(yaml_error("name: \"abc\nseed: 3\nkernel: signals\n"), "a.yaml:1:7" + never);
  EXPECT_EQ(yaml_error("a: 1\nname: 'abc\nseed: 3\n"), "a.yaml:2:7" + never);
  EXPECT_EQ(yaml_error("a: &x \"abc\nb: 1\n"), "a.yaml:1:4" + never);
  EXPECT_EQ(yaml_error("a: !!str 'abc\nb: 1\n"), "a.yaml:1:4" + never);
  EXPECT_EQ(yaml_error("a: \"b\\\"\n"), "a.yaml:1:4" + never) << "an escaped quote is part of the text";
  EXPECT_EQ(yaml_error("a: 'b''\n"), "a.yaml:1:4" + never) << "two quotes are one of the text";
  const std::string order_mark = "\xef\xbb\xbf";
  EXPECT_THAT(yaml_error(order_mark + "a: 'b\nc: 1\n"), HasSubstr(never));
  const std::vector<std::string> whole{"a: \"b\\\"c\"\n",
                                       "a: 'b''c'\n",
                                       "a: 'b'''\n",
                                       "a: \"b\\\\\"\n",
                                       "a: ''\n",
                                       "a: b'\n",
                                       "a: |\n  'b\n",
                                       "a: &x 'b'\n",
                                       "a: &x # it's\n  'b'\n",
                                       "'a':\n",
                                       "a: [\"b\"]\n",
                                       "a: 'b\n  c'  # that's all\n",
                                       order_mark + "a: 'b'\n"};
  for (const std::string& text : whole) EXPECT_EQ(yaml_error(text), "") << text;
}

TEST(yaml, empty_documents) {
  for (const char* text : {"", "\n\n", "# only a comment\n"})
    EXPECT_EQ(yaml_error(text), "a.yaml: found an empty document, expected keys and values") << text;
}

TEST(yaml, bombs_are_refused) {
  std::string laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 9; ++i) {
    const auto alias = "*a" + std::to_string(i - 1);
    laughs += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int k = 0; k < 10; ++k) laughs += (k ? ", " : "") + alias;
    laughs += "]\n";
  }
  EXPECT_THAT(yaml_error(laughs), HasSubstr("aliases that expand to more than 1000000 values"));

  std::string wide = "a: &a " + std::string(1 << 20, 'x') + "\nb: [";
  for (int i = 0; i < 1000; ++i) wide += "*a, ";
  EXPECT_THAT(yaml_error(wide + "]\n"), HasSubstr("aliases that expand"));

  EXPECT_THAT(yaml_error(std::string(65, '[') + std::string(65, ']')), HasSubstr("more than 64 levels"));
  EXPECT_THAT(yaml_error(std::string(100000, '[')), HasSubstr("more than 64 levels"));
  std::string deep = "a0: &a0 [1]\n";
  for (int i = 1; i < 70; ++i)
    deep += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [*a" + std::to_string(i - 1) + "]\n";
  EXPECT_THAT(yaml_error(deep), HasSubstr("more than 64 levels"));
  EXPECT_EQ(yaml_error(std::string(64, '[') + std::string(64, ']')), "");
}

TEST(yaml, files) {
  const auto message = [](const std::filesystem::path& file) -> std::string {
    try {
      load_document(file, experiment_base());
    } catch (const config_error& problem) {
      return problem.what();
    }
    return {};
  };
  const auto folder = std::filesystem::path(testing::TempDir());
  EXPECT_THAT(message(folder / "no such.yaml"), HasSubstr("no such.yaml: cannot be read: No such file"));
  EXPECT_THAT(message(folder), HasSubstr("found a folder, expected a file"));
  const auto big = folder / "spillway_config_big.yaml";
  std::ofstream(big) << "name: x\n#" << std::string(max_yaml_bytes, 'x') << '\n';
  EXPECT_THAT(message(big), HasSubstr("found more than 16 MiB"));
  std::filesystem::remove(big);
}

TEST(line_reader, gives_each_line_whole) {
  const auto file = std::filesystem::path(testing::TempDir()) / "spillway_lines.txt";
  const auto lines = [&](const std::string& text) {
    std::ofstream(file, std::ios::binary) << text;
    line_reader in(file);
    std::vector<std::string> all;
    while (const auto line = in.next()) all.emplace_back(*line);
    EXPECT_FALSE(in.next()) << "again at the end";
    return all;
  };
  using these = std::vector<std::string>;
  EXPECT_EQ(lines(""), these{});
  EXPECT_EQ(lines("\n"), these{""});
  EXPECT_EQ(lines("a\n\nb"), (these{"a", "", "b"}));
  EXPECT_EQ(lines("a\r\nb\n"), (these{"a\r", "b"}));
  // It reads 2^16 bytes at once: an end of a line before, at and after that.
  for (const std::size_t length : {65534u, 65535u, 65536u, 65537u, 200000u}) {
    const std::string line(length, 'x');
    EXPECT_TRUE(lines(line + "\nb\n" + line) == (these{line, "b", line})) << length;
  }
  std::ofstream(file) << std::string(line_reader::longest + (1u << 17), ' ') << '\n';
  line_reader in(file);
  try {
    in.next();
    ADD_FAILURE() << "a line of more than 16 MiB";
  } catch (const config_error& problem) {
    EXPECT_THAT(problem.what(), HasSubstr("spillway_lines.txt: found a line of more than 16 MiB"));
  }
  std::filesystem::remove(file);
}

}  // namespace
