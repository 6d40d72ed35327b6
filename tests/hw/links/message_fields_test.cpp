// Every field of what links and units show beside packets: that it makes a difference, its bits, and its name
// in a waveform.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <functional>
#include <map>
#include <spillway/hw/dampening/embargo_link.hpp>
#include <spillway/hw/feedback/admission_link.hpp>
#include <spillway/hw/feedback/feedback_link.hpp>
#include <spillway/hw/isolation/isolation_link.hpp>
#include <spillway/hw/links/bit_pins.hpp>
#include <spillway/hw/nifdy/nifdy_header.hpp>
#include <sstream>
#include <support/link_bench.hpp>
#include <utility>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

/// One of each, and how to change their fields one by one.
struct shown_messages {
  tree_message tree;
  announcement said;
  admission_wish wish;
  nifdy::dialog dialog;
  nifdy::tags tags;

  struct field {
    const char* name;  // in a waveform
    std::function<void(shown_messages&)> set;
  };
  static std::vector<field> fields() {
    return {{"tree.root", [](auto& m) { m.tree.root = 5; }},
            {"tree.set", [](auto& m) { m.tree.set = true; }},
            {"tree.clear", [](auto& m) { m.tree.clear = true; }},
            {"said.valid", [](auto& m) { m.said.valid = true; }},
            {"said.hot", [](auto& m) { m.said.hot = true; }},
            {"said.module", [](auto& m) { m.said.module = 5; }},
            {"wish.count", [](auto& m) { m.wish.count = 1; }},
            {"wish.first", [](auto& m) { m.wish.first = 5; }},
            {"wish.second", [](auto& m) { m.wish.second = 5; }},
            {"dialog.open", [](auto& m) { m.dialog.open = true; }},
            {"dialog.leaving", [](auto& m) { m.dialog.leaving = true; }},
            {"dialog.ending", [](auto& m) { m.dialog.ending = true; }},
            {"dialog.requested", [](auto& m) { m.dialog.requested = true; }},
            {"dialog.peer", [](auto& m) { m.dialog.peer = 5; }},
            {"dialog.name", [](auto& m) { m.dialog.name = 5; }},
            {"dialog.next", [](auto& m) { m.dialog.next = 5; }},
            {"dialog.acknowledged", [](auto& m) { m.dialog.acknowledged = 5; }},
            {"tags.count", [](auto& m) { m.tags.count = 2; }},
            {"tags.toggles", [](auto& m) { m.tags.toggles = 5; }},
            {"tags.node1", [](auto& m) { m.tags.nodes[1] = 5; }}};
  }
  bool same(const shown_messages& m) const {
    return tree == m.tree && said == m.said && wish == m.wish && dialog == m.dialog && tags == m.tags;
  }
  void trace(sc_core::sc_trace_file* file) const {
    sc_trace(file, tree, "tree"), sc_trace(file, said, "said"), sc_trace(file, wish, "wish");
    sc_trace(file, dialog, "dialog"), sc_trace(file, tags, "tags");
  }
};

/// The names of the values that change after those at the beginning: by times, all of one together.
std::vector<std::string> changes_in(const std::string& vcd) {
  std::ifstream in(vcd);
  std::map<std::string, std::string> names;  // by code
  std::vector<std::string> changed;
  std::string scope;
  bool beginning = false, later = true;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string first, second, width, code, name;
    words >> first >> second >> width >> code >> name;
    if (first == "$scope") scope = width;
    if (first == "$var") names[code] = scope + "." + name;
    if (first == "$dumpvars") beginning = true;
    if (first == "$end") beginning = false;
    if (beginning || first.empty() || first[0] == '$') continue;
    later |= first[0] == '#';
    const auto of = names.find(first[0] == 'b' ? second : first.substr(1));
    if (of == names.end()) continue;
    if (std::exchange(later, false)) changed.emplace_back();
    changed.back() += (changed.back().empty() ? "" : " ") + of->second;
  }
  return changed;
}

/// A number with those bits.
std::uint64_t ones(unsigned from, unsigned to) {
  return (std::uint64_t{2} << to) - (std::uint64_t{1} << from);
}

}  // namespace

// A wire on which something else is the same as before wakes nobody.
TEST(message_fields, make_each_a_difference) {
  shown_messages one;
  one.tags.count = 1;  // the second entry is not in use
  for (const auto& f : shown_messages::fields()) {
    shown_messages other = one;
    f.set(other);
    EXPECT_EQ(other.same(one), f.name == std::string("tags.node1")) << f.name;
  }
}

TEST(message_fields, have_each_its_name_in_a_waveform) {
  const std::string file = testing::TempDir() + "message_fields_" + std::to_string(::getpid());
  shown_messages m;
  const sc_core::sc_clock steps("steps", period());
  sc_core::sc_trace_file* const waves = sc_core::sc_create_vcd_trace_file(file.c_str());
  m.trace(waves);
  run(2);
  std::vector<std::string> expected;
  for (const auto& f : shown_messages::fields()) {
    f.set(m), run(2);
    expected.emplace_back(f.name);
  }
  sc_core::sc_close_vcd_trace_file(waves);
  EXPECT_EQ(changes_in(file + ".vcd"), expected);
  std::remove((file + ".vcd").c_str());
}

TEST(message_fields, have_the_bits_that_the_headers_say) {
  const auto tree = [](const tree_message& m) { return bit_form<tree_message>::get(m)[0]; };
  tree_message t;
  t.root = static_cast<std::uint32_t>(ones(0, 27));
  EXPECT_EQ(tree(t), ones(0, 27));
  t = {}, t.set = true;
  EXPECT_EQ(tree(t), ones(28, 28));
  t = {}, t.clear = true;
  EXPECT_EQ(tree(t), ones(29, 29));
  const auto control = [](const control_message& m) { return bit_form<control_message>::get(m)[0]; };
  control_message c;
  c.terminal = static_cast<std::uint32_t>(ones(0, 27));
  EXPECT_EQ(control(c), ones(0, 27));
  unsigned bit = 28;
  for (bool control_message::*flag : {&control_message::by_source, &control_message::embargo,
                                      &control_message::release, &control_message::report}) {
    c = {}, c.*flag = true;
    EXPECT_EQ(control(c), ones(bit, bit));
    ++bit;
  }
  c = {}, c.place = 0xffff;
  EXPECT_EQ(control(c), ones(32, 47));
}
