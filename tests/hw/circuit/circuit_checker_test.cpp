// Each rule of the circuit link has a twin of the honest ends that breaks it, and it alone.
#include <gmock/gmock.h>

#include <support/circuit_bench.hpp>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

enum class fault {
  none,
  withdraws,         // CL1
  does_not_release,  // CL2
  answers_twice,     // CL3
  answers_nobody,    // CL3
  answers_both,      // CL3
  no_head,           // CL4
  skips,             // CL4
  renumbers,         // CL4
  other_source,      // CL4
  redirects,         // CL4
  lengthens,         // CL4
  pauses,            // CL4
  changes_tail,      // CL4
  too_soon,          // CL5
  just_in_time,      // none
  too_long,          // CL6
  loud_in_reset,     // CL7
  bad_fields,        // CL7
  bad_second,        // CL7
};

struct fault_case {
  fault what;
  const char* name;
  const char* rule;       // nullptr: none
  const char* says = "";  // how the message ends
};
void PrintTo(const fault_case& c, std::ostream* os) { *os << c.name; }

// Both ends of a link: messages of three flits, each requested at a multiple of 20 cycles and answered six
// cycles later. From cycle 100 on the fault is made, once.
class scripted_ends : public clocked {
public:
  circuit_out out{"out"};
  circuit_in in{"in"};
  scripted_ends(const sc_core::sc_module_name& name, fault what) : clocked(name), fault_(what) {}

private:
  void reset() override {
    ++resets_;
    out.request.write(fault_ == fault::loud_in_reset && resets_ == 1);
    in.acknowledge.write(false), in.collision.write(false);
  }
  bool now(fault f) const { return fault_ == f && cycle() / 20 == 5; }
  void tick() override {
    wake_at(cycle() + 1);
    resets_ = 0;
    if (cycle() < 20) {
      out.request.write(false);
      return;
    }
    const auto t = static_cast<unsigned>(cycle() % 20);
    const bool request = t < 7 || (t == 7 && now(fault::does_not_release)) ||
                         (t < 12 && (now(fault::too_long) || now(fault::just_in_time)));
    const unsigned answered = now(fault::too_long)       ? 11
                              : now(fault::just_in_time) ? 10
                              : now(fault::too_soon)     ? 2
                                                         : 6;
    out.request.write(request && (t <= answered || now(fault::does_not_release)) &&
                      !(t >= 4 && now(fault::withdraws)));
    out.data.write(shown(t));
    const bool withdrawn = now(fault::withdraws);
    const bool again = now(fault::answers_twice) && t == answered + 1;
    const bool nobody = now(fault::answers_nobody) && t == 15;
    const bool rejects = cycle() / 20 % 2 == 0;
    const bool answer = (t == answered && !withdrawn) || again || nobody;
    in.acknowledge.write(answer && (!rejects || now(fault::too_soon)));
    in.collision.write(answer &&
                       ((rejects && !now(fault::too_soon)) || (now(fault::answers_both) && t == answered)));
  }
  flit shown(unsigned t) const {
    unsigned index = std::min(t, 2u);
    if (now(fault::no_head)) index = 2;
    if (now(fault::skips) && t == 1) index = 2;
    if (now(fault::pauses) && t >= 1) index = std::min(t - 1, 2u);  // the head once more, then all the rest
    flit f = make_flit(1, 2, static_cast<std::uint32_t>(cycle() / 20), index, 3);
    if (now(fault::renumbers) && t == 1) ++f.packet;
    if (now(fault::other_source) && t == 1) ++f.source;
    if (now(fault::redirects) && t == 1) ++f.destination;
    if (now(fault::lengthens) && t == 1) ++f.length;  // not of the tail, which would be none
    if (now(fault::changes_tail) && t == 4) f.payload ^= 1;
    if (now(fault::bad_fields) || (now(fault::bad_second) && t == 1)) f.length = 0;
    return f;
  }

  const fault fault_;
  unsigned resets_ = 0;  // edges of this one
};

class circuit_checker_on : public sc_test,
                           public testing::WithParamInterface<std::tuple<kernel, fault_case>> {};

TEST_P(circuit_checker_on, tells_the_broken_rule_and_no_other) {
  const auto& [k, c] = GetParam();
  bench b(k);
  std::vector<std::unique_ptr<circuit_link>> links;
  circuit_checker_config rules;
  rules.patience = 10;
  circuit_link& l = circuit(b, links, "l", rules);
  auto& ends = b.make<scripted_ends>("ends", c.what);
  l.connect(ends.out), l.connect(ends.in);
  b.reset(4);
  run(400);
  if (!c.rule) {
    EXPECT_TRUE(b.violations.empty()) << b.first_violation();
    return;
  }
  ASSERT_EQ(b.violations.size(), 1u) << (b.violations.size() > 1 ? b.violations[1].message : "none");
  EXPECT_EQ(b.violations[0].rule, c.rule) << b.first_violation();
  EXPECT_EQ(b.violations[0].link, "bench_check_l");
  EXPECT_NE(b.violations[0].message.find(c.rule), std::string::npos);
  EXPECT_THAT(b.violations[0].message, testing::EndsWith(c.says));
}

TEST_P(circuit_checker_on, is_silent_when_the_rule_is_switched_off) {
  const auto& [k, c] = GetParam();
  bench b(k);
  std::vector<std::unique_ptr<circuit_link>> links;
  circuit_checker_config rules;
  const std::string rule = c.rule ? c.rule : "";
  rules.stays = rule != "CL1", rules.releases = rule != "CL2", rules.answers = rule != "CL3";
  rules.contiguous = rule != "CL4", rules.complete = rule != "CL5", rules.known = rule != "CL7";
  circuit_link& l = circuit(b, links, "l", rules);
  auto& ends = b.make<scripted_ends>("ends", c.what);
  l.connect(ends.out), l.connect(ends.in);
  b.reset(4);
  run(400);
  EXPECT_TRUE(b.violations.empty()) << b.first_violation();
}

class circuit_resets_on : public sc_test, public testing::WithParamInterface<kernel> {};

TEST_P(circuit_resets_on, cl7_fires_in_each) {
  bench b(GetParam());
  std::vector<std::unique_ptr<circuit_link>> links;
  circuit_link& l = circuit(b, links, "l");
  auto& ends = b.make<scripted_ends>("ends", fault::loud_in_reset);
  l.connect(ends.out), l.connect(ends.in);
  b.reset(4);
  run(50);
  EXPECT_EQ(b.broken(), "CL7 ");
  b.reset(4);
  run(50);
  EXPECT_EQ(b.broken(), "CL7 CL7 ");
}

TEST_P(circuit_resets_on, cl6_has_patience_without_end) {
  bench b(GetParam());
  std::vector<std::unique_ptr<circuit_link>> links;
  circuit_checker_config rules;
  rules.patience = ~std::uint64_t{0};
  circuit_link& l = circuit(b, links, "l", rules);
  auto& ends = b.make<scripted_ends>("ends", fault::too_long);
  l.connect(ends.out), l.connect(ends.in);
  b.reset(4);
  run(400);
  EXPECT_TRUE(b.violations.empty()) << b.first_violation();
}

INSTANTIATE_TEST_SUITE_P(kernels, circuit_resets_on, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& p) { return name_of(p.param); });

const fault_case faults[] = {
    {fault::none, "none", nullptr},
    {fault::withdraws, "withdraws", "CL1", "1>2 #5 2/3 was withdrawn before its answer"},
    {fault::does_not_release, "does_not_release", "CL2", "the request of 1>2 #5 2/3 stays after its answer"},
    {fault::answers_twice, "answers_twice", "CL3", "an answer to no request"},
    {fault::answers_nobody, "answers_nobody", "CL3", "an answer to no request"},
    {fault::answers_both, "answers_both", "CL3", "acknowledge and collision at once"},
    {fault::no_head, "no_head", "CL4", "1>2 #5 2/3 is requested, where a head is due"},
    {fault::skips, "skips", "CL4", "1>2 #5 2/3 is shown after 1>2 #5 0/3"},
    {fault::renumbers, "renumbers", "CL4", "1>2 #6 1/3 is shown after 1>2 #5 0/3"},
    {fault::other_source, "other_source", "CL4", "2>2 #5 1/3 is shown after 1>2 #5 0/3"},
    {fault::redirects, "redirects", "CL4", "1>3 #5 1/3 is shown after 1>2 #5 0/3"},
    {fault::lengthens, "lengthens", "CL4", "1>2 #5 1/4 is shown after 1>2 #5 0/3"},
    {fault::pauses, "pauses", "CL4", "1>2 #5 0/3 is shown after 1>2 #5 0/3"},
    {fault::changes_tail, "changes_tail", "CL4", "1>2 #5 2/3 is shown after 1>2 #5 2/3, which is to stay"},
    {fault::too_soon, "too_soon", "CL5", "1>2 #5 2/3 is acknowledged before its tail has been seen"},
    {fault::just_in_time, "just_in_time", nullptr},
    {fault::too_long, "too_long", "CL6", "1>2 #5 2/3 has held the link for 10 cycles"},
    {fault::loud_in_reset, "loud_in_reset", "CL7", "request is high during reset"},
    {fault::bad_fields, "bad_fields", "CL7", "1>2 #5 0/0: the index is not below the length"},
    {fault::bad_second, "bad_second", "CL7", "1>2 #5 1/0: the index is not below the length"},
};

INSTANTIATE_TEST_SUITE_P(rules, circuit_checker_on,
                         testing::Combine(testing::Values(kernel::signals, kernel::fast),
                                          testing::ValuesIn(faults)),
                         [](const auto& test) {
                           return name_of(std::get<0>(test.param)) + "_" + std::get<1>(test.param).name;
                         });

}  // namespace
