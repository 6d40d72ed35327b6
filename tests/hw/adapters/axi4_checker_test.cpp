// Each rule of AXI4 broken by hand, alone, and what is just allowed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <spillway/hw/adapters/axi4_checker.hpp>
#include <support/link_bench.hpp>

namespace spillway {
namespace {

using testing_support::bench;
using testing_support::run;

/// With every pin that there is.
struct checked_format : axi4_format<128> {
  using qos = std::uint32_t;
  using region = std::uint32_t;
  using awuser = std::uint32_t;
  using wuser = std::uint64_t;
  using buser = std::uint32_t;
  using aruser = std::uint32_t;
  using ruser = sc_dt::sc_bv<70>;
};

/// All pins by hand.
struct watched {
  bench b{testing_support::kernel::signals};
  axi4_signals<checked_format> s{"s"};
  axi4_checker<checked_format>& check;

  explicit watched(const axi4_rules& rules)
      : check(b.make<axi4_checker<checked_format>>("check", b.collect(), rules)) {
    check.bind(s);
    b.reset();
    run(1);
  }
  template <class Valid, class Ready>
  static void once(Valid& valid, Ready& ready) {
    valid.write(true), ready.write(true);
    run(1);
    valid.write(false), ready.write(false);
  }
  void aw(const axi4_address& a) { show_write_address(s, a), once(s.awvalid, s.awready); }
  void ar(const axi4_address& a) { show_read_address(s, a), once(s.arvalid, s.arready); }
  void address(bool writes, const axi4_address& a) { writes ? aw(a) : ar(a); }
  void w(unsigned strobes, bool last) {
    s.wstrb.write(strobes), s.wlast.write(last);
    once(s.wvalid, s.wready);
  }
  void answer(unsigned id = 0, axi4_resp resp = axi4_resp::okay) {
    s.bid.write(id), s.bresp.write(static_cast<unsigned>(resp));
    once(s.bvalid, s.bready);
  }
  void data(bool last, unsigned id = 0, axi4_resp resp = axi4_resp::okay) {
    s.rid.write(id), s.rresp.write(static_cast<unsigned>(resp)), s.rlast.write(last);
    once(s.rvalid, s.rready);
  }
  void whole_write(const axi4_address& a) {
    aw(a);
    for (unsigned n = 0; n < a.beats; ++n) w(0, n + 1 == a.beats);
  }
  std::vector<std::string> rules() {
    run(1);
    std::vector<std::string> all;
    for (const violation& v : b.violations) all.push_back(v.rule);
    return all;
  }
};

axi4_address at(std::uint64_t addr, unsigned beats = 1, unsigned bytes = 16,
                axi4_burst kind = axi4_burst::incr) {
  axi4_address a;
  a.addr = addr, a.beats = beats, a.bytes = bytes, a.burst = kind;
  return a;
}
axi4_address of_id(unsigned id, axi4_address a) {
  a.id = id;
  return a;
}
axi4_address cached(unsigned cache) {
  axi4_address a = at(0);
  a.cache = cache;
  return a;
}
axi4_address exclusive(axi4_address a) {
  a.exclusive = true;
  return a;
}

struct rule {
  std::string name;
  std::function<void(watched&)> breaks, keeps;
  axi4_rules rules{};
};
void PrintTo(const rule& r, std::ostream* os) { *os << r.name; }

/// Another value of a pin: its lowest bit.
template <class Pin>
void change(Pin& pin) {
  using type = std::decay_t<decltype(pin.read())>;
  type value = pin.read();
  pin_bits<type>::put(value, 0, 1, 1 - pin_bits<type>::get(value, 0, 1));
  pin.write(value);
}

/// What a channel shows may change when it has crossed, not before. `begin`: what must come before, and the
/// values to begin with.
template <class Channel>
void add_stable(std::vector<rule>& all, const std::vector<std::string>& names,
                const std::function<void(watched&, const std::string&)>& begin) {
  using pins = typename Channel::template pins<as_signals>;
  const auto show = [begin](watched& t, const std::string& name, bool ready) {
    begin(t, name);
    Channel::valid(t.s).write(true), Channel::ready(t.s).write(ready);
    run(1);
    if (name == "VALID") return;
    pins::each_value(
        [&name](const char* its, auto& pin) {
          if constexpr (!std::is_same_v<std::decay_t<decltype(pin)>, no_pin>)
            if (name == its) change(pin);
        },
        static_cast<pins&>(t.s));
  };
  for (const std::string& name : names)
    all.push_back({Channel::rule + name + "_STABLE",
                   [=](watched& t) {
                     show(t, name, false);
                     if (name == "VALID") Channel::valid(t.s).write(false);
                   },
                   [=](watched& t) {
                     show(t, name, true);
                     if (name == "VALID") Channel::valid(t.s).write(false);
                     run(1);
                     Channel::valid(t.s).write(false);
                   }});
}

void add_stable(std::vector<rule>& all) {
  const std::vector<std::string> address{"VALID", "ADDR",  "ID",   "LEN", "SIZE",   "BURST",
                                         "LOCK",  "CACHE", "PROT", "QOS", "REGION", "USER"};
  add_stable<axi4_aw<checked_format>>(
      all, address, [](watched& t, const std::string&) { show_write_address(t.s, at(0x100, 1, 4)); });
  add_stable<axi4_ar<checked_format>>(
      all, address, [](watched& t, const std::string&) { show_read_address(t.s, at(0x100, 1, 4)); });
  add_stable<axi4_w<checked_format>>(all, {"VALID", "DATA", "STRB", "LAST", "USER"},
                                     [](watched& t, const std::string&) { t.s.wstrb.write(1); });
  add_stable<axi4_b<checked_format>>(all, {"VALID", "ID", "RESP", "USER"},
                                     [](watched& t, const std::string&) {
                                       for (const unsigned id : {0u, 0u, 1u})
                                         t.whole_write(of_id(id, at(0x100)));
                                       t.s.bresp.write(2);
                                     });
  add_stable<axi4_r<checked_format>>(all, {"VALID", "DATA", "ID", "RESP", "LAST", "USER"},
                                     [](watched& t, const std::string& name) {
                                       for (const unsigned id : {0u, 1u})
                                         t.ar(of_id(id, at(0x100, name == "LAST" ? 2 : 4)));
                                       t.s.rresp.write(2);
                                     });
}

/// `valid` in a reset, and none.
template <class Channel>
void add_reset(std::vector<rule>& all) {
  all.push_back({std::string(Channel::rule) + "VALID_RESET",
                 [](watched& t) {
                   t.b.rst(true);
                   run(1);
                   Channel::valid(t.s).write(true);
                   run(1);
                   Channel::valid(t.s).write(false);
                   run(1);
                   t.b.rst(false);
                 },
                 [](watched& t) { t.b.reset(); }});
}

/// Of both address channels.
void add_addresses(std::vector<rule>& all) {
  for (const bool writes : {true, false}) {
    const auto add = [&](const std::string& name, const axi4_address& wrong, const axi4_address& right) {
      all.push_back(
          {std::string(writes ? axi4_aw<checked_format>::rule : axi4_ar<checked_format>::rule) + name,
           [=](watched& t) { t.address(writes, wrong); }, [=](watched& t) { t.address(writes, right); }});
    };
    add("ADDR_BOUNDARY", at(0xff8, 2), at(0xfe8, 2));
    add("ADDR_WRAP_ALIGN", at(0x108, 2, 16, axi4_burst::wrap), at(0x110, 2, 16, axi4_burst::wrap));
    add("BURST", at(0x100, 2, 16, axi4_burst::reserved), at(0x100, 2, 16, axi4_burst::wrap));
    add("LEN_WRAP", at(0x100, 3, 16, axi4_burst::wrap), at(0x100, 16, 16, axi4_burst::wrap));
    for (const unsigned beats : {1u, 6u, 12u, 17u})
      add("LEN_WRAP", at(0x100, beats, 16, axi4_burst::wrap), at(0x100, 4, 16, axi4_burst::wrap));
    add("LEN_FIXED", at(0x100, 17, 16, axi4_burst::fixed), at(0x100, 16, 16, axi4_burst::fixed));
    add("LEN_LOCK", exclusive(at(0x100, 32, 1)), exclusive(at(0x100, 16, 1)));
    add("SIZE", at(0x100, 1, 32), at(0x100, 1, 16));
    add("CACHE", cached(4), cached(6));
    add("CACHE", cached(8), cached(10));
    all.push_back({"AXI4_ERRM_EXCL_ALIGN", [=](watched& t) { t.address(writes, exclusive(at(0x110, 2))); },
                   [=](watched& t) { t.address(writes, exclusive(at(0x120, 2))); }});
    all.push_back({"AXI4_ERRM_EXCL_LEN", [=](watched& t) { t.address(writes, exclusive(at(0x90, 3))); },
                   [=](watched& t) { t.address(writes, exclusive(at(0x80, 4))); }});
    all.push_back({"AXI4_ERRM_EXCL_MAX", [=](watched& t) { t.address(writes, exclusive(at(0x100, 16))); },
                   [=](watched& t) { t.address(writes, exclusive(at(0x100, 8))); }});
  }
}

void add_data(std::vector<rule>& all) {
  all.push_back({"AXI4_ERRM_WDATA_NUM", [](watched& t) { t.aw(at(0, 2)), t.w(0, true); },
                 [](watched& t) { t.aw(at(0, 2)), t.w(0, false), t.w(0, true); }});
  all.push_back({"AXI4_ERRM_WDATA_NUM", [](watched& t) { t.w(0, false), t.aw(at(0)); },
                 [](watched& t) { t.w(0, false), t.aw(at(0, 2)), t.w(0, true); }});
  all.push_back({"AXI4_ERRM_WSTRB", [](watched& t) { t.aw(at(0x104, 1, 4)), t.w(0x10f, true); },
                 [](watched& t) { t.aw(at(0x104, 1, 4)), t.w(0xf0, true); }});
  all.push_back({"AXI4_ERRM_WSTRB",
                 [](watched& t) { t.aw(at(0x106, 2, 4)), t.w(0xf0, false), t.w(0xf00, true); },
                 [](watched& t) { t.aw(at(0x106, 2, 4)), t.w(0xc0, false), t.w(0xf00, true); }});
  all.push_back({"AXI4_ERRS_BRESP_WLAST", [](watched& t) { t.aw(at(0, 2)), t.w(0, false), t.answer(); },
                 [](watched& t) { t.whole_write(at(0, 2)), t.answer(); }});
  all.push_back({"AXI4_ERRS_BRESP_AW", [](watched& t) { t.w(0, true), t.answer(); },
                 [](watched& t) { t.w(0, true), t.aw(at(0)), t.answer(); }});
  all.push_back({"AXI4_ERRS_BRESP_AW", [](watched& t) { t.whole_write(of_id(1, at(0))), t.answer(2); },
                 [](watched& t) { t.whole_write(of_id(1, at(0))), t.answer(1); }});
  all.push_back({"AXI4_ERRS_BRESP_EXOKAY",
                 [](watched& t) { t.whole_write(at(0)), t.answer(0, axi4_resp::exokay); },
                 [](watched& t) { t.whole_write(exclusive(at(0))), t.answer(0, axi4_resp::exokay); }});
  all.push_back(
      {"AXI4_ERRS_RID", [](watched& t) { t.ar(of_id(1, at(0))), t.data(true, 2); },
       [](watched& t) { t.ar(of_id(1, at(0))), t.ar(of_id(2, at(0))), t.data(true, 2), t.data(true, 1); }});
  all.push_back({"AXI4_ERRS_RDATA_NUM", [](watched& t) { t.ar(at(0, 2)), t.data(true); },
                 [](watched& t) { t.ar(at(0, 2)), t.data(false), t.data(true); }});
  all.push_back({"AXI4_ERRS_RDATA_NUM", [](watched& t) { t.ar(at(0, 2)), t.data(false), t.data(false); },
                 [](watched& t) {  // the beats of two IDs mixed
                   t.ar(at(0, 2)), t.ar(of_id(1, at(0, 2)));
                   t.data(false), t.data(false, 1), t.data(true), t.data(true, 1);
                 }});
  all.push_back({"AXI4_ERRS_RRESP_EXOKAY",
                 [](watched& t) { t.ar(at(0)), t.data(true, 0, axi4_resp::exokay); },
                 [](watched& t) { t.ar(exclusive(at(0))), t.data(true, 0, axi4_resp::exokay); }});
}

/// The bursts of an ID are answered in their order, and none at the edge at which it is only asked for.
void add_answers(std::vector<rule>& all) {
  const auto written = [](watched& t, axi4_resp second) {
    t.whole_write(exclusive(at(0))), t.whole_write(at(0));
    t.answer(0, axi4_resp::exokay), t.answer(0, second);
  };
  all.push_back({"AXI4_ERRS_BRESP_EXOKAY", [=](watched& t) { written(t, axi4_resp::exokay); },
                 [=](watched& t) { written(t, axi4_resp::okay); }});
  const auto read = [](watched& t, axi4_resp second) {
    t.ar(exclusive(at(0))), t.ar(at(0));
    t.data(true, 0, axi4_resp::exokay), t.data(true, 0, second);
  };
  all.push_back({"AXI4_ERRS_RRESP_EXOKAY", [=](watched& t) { read(t, axi4_resp::exokay); },
                 [=](watched& t) { read(t, axi4_resp::okay); }});
  all.push_back({"AXI4_ERRS_BRESP_WLAST",
                 [](watched& t) {
                   t.aw(at(0)), t.s.wlast.write(true);
                   t.s.wvalid.write(true), t.s.wready.write(true);
                   t.answer();
                   t.s.wvalid.write(false);
                 },
                 [](watched& t) { t.aw(at(0)), t.w(0, true), t.answer(); }});
  all.push_back({"AXI4_ERRS_RID",
                 [](watched& t) {
                   show_read_address(t.s, at(0));
                   t.s.arvalid.write(true), t.s.arready.write(true);
                   t.data(true);
                   t.s.arvalid.write(false);
                 },
                 [](watched& t) { t.ar(at(0)), t.data(true); }});
  // Shown before its address has crossed, and taken after that.
  const auto early = [](watched& t, unsigned cycles) {
    t.s.rlast.write(true), t.s.rvalid.write(cycles != 0);
    run(cycles);
    t.ar(at(0)), t.data(true);
  };
  all.push_back({"AXI4_ERRS_RID", [=](watched& t) { early(t, 2); }, [=](watched& t) { early(t, 0); }});
  // Once, however long it waits.
  const auto waits = [](watched& t) {
    t.s.bvalid.write(true);
    run(3);
    t.answer();
  };
  all.push_back({"AXI4_ERRS_BRESP_AW", waits, [=](watched& t) { t.whole_write(at(0)), waits(t); }});
}

/// Lanes without a strobe, or outside of the beat, carry nothing.
void add_lanes(std::vector<rule>& all) {
  const auto written = [](watched& t, unsigned byte) {
    t.aw(at(0)), t.s.wstrb.write(0x8001), t.s.wlast.write(true), t.s.wvalid.write(true);
    run(1);
    t.s.wdata.write(sc_dt::sc_bv<128>(1) << static_cast<int>(8 * byte));
    t.w(0x8001, true);
  };
  for (const unsigned byte : {0u, 15u})
    all.push_back({"AXI4_ERRM_WDATA_STABLE", [=](watched& t) { written(t, byte); },
                   [=](watched& t) { written(t, byte ? 14 : 1); }});
  const auto read = [](watched& t, unsigned byte) {
    t.ar(at(0x108, 2, 4)), t.data(false);
    t.s.rlast.write(true), t.s.rvalid.write(true);
    run(1);
    t.s.rdata.write(sc_dt::sc_bv<128>(1) << static_cast<int>(8 * byte));
    t.data(true);
  };
  for (const unsigned byte : {12u, 15u})
    all.push_back({"AXI4_ERRS_RDATA_STABLE", [=](watched& t) { read(t, byte); },
                   [=](watched& t) { read(t, byte == 12 ? 11 : 8); }});
}

void add_recommended(std::vector<rule>& all) {
  axi4_rules recommended;
  recommended.recommended = true;
  const auto pair = [](watched& t) { t.ar(exclusive(at(0))), t.data(true), t.whole_write(exclusive(at(0))); };
  all.push_back(
      {"AXI4_RECM_EXCL_PAIR", [](watched& t) { t.whole_write(exclusive(at(0))); }, pair, recommended});
  all.push_back({"AXI4_RECM_EXCL_PAIR", [=](watched& t) { pair(t), t.whole_write(exclusive(at(0))); },
                 [=](watched& t) { pair(t), pair(t); }, recommended});
  all.push_back({"AXI4_RECM_EXCL_MATCH",
                 [](watched& t) { t.ar(exclusive(at(0))), t.data(true), t.whole_write(exclusive(at(16))); },
                 pair, recommended});
  all.push_back({"AXI4_RECM_EXCL_R_W",
                 [](watched& t) { t.ar(exclusive(at(0))), t.whole_write(exclusive(at(0))); }, pair,
                 recommended});
  // After one beat: of other bytes a beat, or of other beats.
  for (const axi4_address& other : {at(0, 1, 8), at(0, 2)})
    all.push_back({"AXI4_RECM_EXCL_MATCH",
                   [=](watched& t) { t.ar(exclusive(at(0))), t.data(true), t.whole_write(exclusive(other)); },
                   pair, recommended});
  // Of two reads of an ID the last counts.
  const auto two = [](watched& t, std::uint64_t written) {
    for (const std::uint64_t addr : {0, 16}) t.ar(exclusive(at(addr))), t.data(true);
    t.whole_write(exclusive(at(written)));
  };
  all.push_back(
      {"AXI4_RECM_EXCL_MATCH", [=](watched& t) { two(t, 0); }, [=](watched& t) { two(t, 16); }, recommended});
  // The data of another read of the ID are none of the exclusive one.
  const auto behind = [](watched& t, unsigned beats) {
    t.ar(at(0)), t.ar(exclusive(at(0)));
    while (beats--) t.data(true);
    t.whole_write(exclusive(at(0)));
  };
  all.push_back({"AXI4_RECM_EXCL_R_W", [=](watched& t) { behind(t, 1); }, [=](watched& t) { behind(t, 2); },
                 recommended});
}

template <class Channel>
void add_wait(std::vector<rule>& all, const std::function<void(watched&)>& begin) {
  axi4_rules rules;
  rules.max_wait = 5;
  const auto wait = [begin](watched& t, unsigned cycles) {
    begin(t);
    Channel::valid(t.s).write(true);
    run(cycles);
    watched::once(Channel::valid(t.s), Channel::ready(t.s));
  };
  all.push_back(
      {Channel::ready_rule, [=](watched& t) { wait(t, 6); }, [=](watched& t) { wait(t, 5); }, rules});
  // A long wait counts once, and each begins anew.
  all.push_back({Channel::ready_rule, [=](watched& t) { wait(t, 20); },
                 [=](watched& t) { wait(t, 5), wait(t, 5); }, rules});
}

std::vector<rule> all_rules() {
  std::vector<rule> all;
  add_stable(all);
  add_reset<axi4_aw<checked_format>>(all), add_reset<axi4_w<checked_format>>(all),
      add_reset<axi4_b<checked_format>>(all);
  add_reset<axi4_ar<checked_format>>(all), add_reset<axi4_r<checked_format>>(all);
  add_addresses(all), add_data(all), add_answers(all), add_lanes(all), add_recommended(all);
  add_wait<axi4_aw<checked_format>>(all, [](watched&) {});
  add_wait<axi4_w<checked_format>>(all, [](watched&) {});
  add_wait<axi4_b<checked_format>>(all, [](watched& t) { t.whole_write(at(0, 1, 1)); });
  add_wait<axi4_ar<checked_format>>(all, [](watched&) {});
  add_wait<axi4_r<checked_format>>(all, [](watched& t) { t.ar(at(0, 4)); });
  all.push_back({"AXI4_ERRS_BRESP_ALL_DONE_EOS",
                 [](watched& t) { t.whole_write(at(0)), t.check.check_all_done(); },
                 [](watched& t) { t.whole_write(at(0)), t.answer(), t.check.check_all_done(); }});
  all.push_back({"AXI4_ERRS_BRESP_ALL_DONE_EOS",
                 [](watched& t) { t.aw(at(0, 2)), t.w(0, false), t.check.check_all_done(); },
                 [](watched& t) { t.whole_write(at(0, 2)), t.answer(), t.check.check_all_done(); }});
  all.push_back({"AXI4_ERRS_RLAST_ALL_DONE_EOS", [](watched& t) { t.ar(at(0)), t.check.check_all_done(); },
                 [](watched& t) { t.ar(at(0)), t.data(true), t.check.check_all_done(); }});
  return all;
}

class axi4_rule : public testing_support::sc_test, public testing::WithParamInterface<rule> {};

TEST_P(axi4_rule, fires) {
  watched t(GetParam().rules);
  GetParam().breaks(t);
  EXPECT_EQ(t.rules(), std::vector<std::string>{GetParam().name}) << t.b.first_violation();
  EXPECT_EQ(t.check.violations(), 1u);
}
TEST_P(axi4_rule, is_silent) {
  watched t(GetParam().rules);
  GetParam().keeps(t);
  EXPECT_EQ(t.rules(), std::vector<std::string>{}) << t.b.first_violation();
}
INSTANTIATE_TEST_SUITE_P(all, axi4_rule, testing::ValuesIn(all_rules()),
                         [](const auto& one) { return one.param.name + "_" + std::to_string(one.index); });

class axi4_rules_say : public testing_support::sc_test {};

TEST_F(axi4_rules_say, the_burst_and_what_changed) {
  watched t({});
  t.aw(at(0xffc, 2, 8));
  EXPECT_THAT(t.b.first_violation(), testing::HasSubstr("address 0xffc, 2 beats of 8 bytes, burst 1, id 0"));
  t.b.violations.clear();
  sc_dt::sc_bv<128> wide;
  wide.range(127, 64) = 1;
  t.s.wdata.write(wide), t.s.wstrb.write(0xffff), t.s.wvalid.write(true);
  run(1);
  t.s.wdata.write(0);
  run(1);
  EXPECT_THAT(t.b.first_violation(),
              testing::HasSubstr("0x10000000000000000 became 0x0 before ready, beside DATA 0x"));
}

TEST_F(axi4_rules_say, nothing_of_recommendations_unless_asked) {
  watched t({});
  t.whole_write(exclusive(at(0)));
  t.s.arvalid.write(true);
  run(100);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

TEST_F(axi4_rules_say, nothing_of_waits_below_the_longest_that_can_be_given) {
  axi4_rules rules;
  rules.max_wait = std::numeric_limits<unsigned>::max();
  watched t(rules);
  t.whole_write(at(0));
  t.s.arvalid.write(true);
  run(10);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

TEST_F(axi4_rules_say, that_valid_is_high_at_the_first_edge_after_a_reset_and_nothing_at_the_second) {
  watched t({});
  t.b.reset();
  show_write_address(t.s, at(0)), show_read_address(t.s, at(0));
  t.s.awvalid.write(true), t.s.wvalid.write(true), t.s.arvalid.write(true);
  run(1);
  const std::vector<std::string> first{"AXI4_ERRM_AWVALID_RESET", "AXI4_ERRM_WVALID_RESET",
                                       "AXI4_ERRM_ARVALID_RESET"};
  EXPECT_EQ(t.rules(), first) << t.b.first_violation();
}

TEST_F(axi4_rules_say, nothing_of_what_was_before_a_reset) {
  axi4_rules recommended;
  recommended.recommended = true;
  watched t(recommended);
  const auto reset = [&t] {
    t.b.reset();
    run(1);
  };
  t.ar(exclusive(at(0))), t.whole_write(at(0)), t.aw(at(0, 2));
  reset();
  t.check.check_all_done();
  EXPECT_EQ(t.rules(), std::vector<std::string>{}) << "nobody waits for answers";
  t.w(0, false);  // before its address
  reset();
  t.whole_write(at(0));
  EXPECT_EQ(t.rules(), std::vector<std::string>{}) << "the beat belongs to no burst";
  t.whole_write(exclusive(at(0)));
  EXPECT_EQ(t.rules(), std::vector<std::string>{"AXI4_RECM_EXCL_PAIR"}) << "the read was before it";
}

/// At the end of the simulation, by itself.
TEST_F(axi4_rules_say, what_is_open_at_the_end) {
  axi4_rules rules;
  rules.all_done = true;
  watched t(rules);
  t.ar(at(0)), t.ar(of_id(3, at(0)));
  sc_core::sc_stop();
  EXPECT_EQ(t.check.violations(), 1u);
  EXPECT_THAT(t.b.first_violation(), testing::HasSubstr("2 reads have not all their data"));
}

TEST(axi4_address, may_be_exclusive_up_to_16_beats_and_128_bytes_where_both_fit) {
  EXPECT_TRUE(at(0x80, 16, 8).may_be_exclusive());
  EXPECT_FALSE(at(0, 32, 4).may_be_exclusive()) << "32 beats";
  EXPECT_FALSE(at(0, 16, 16).may_be_exclusive()) << "256 bytes";
  EXPECT_FALSE(at(0, 3, 8).may_be_exclusive()) << "no power of two";
  EXPECT_FALSE(at(0x40, 16, 8).may_be_exclusive()) << "not aligned";
}

}  // namespace
}  // namespace spillway
