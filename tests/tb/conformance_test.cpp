// A router of a user's own, right and with bugs planted: the kit passes the one and finds each of the others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <set>
#include <spillway/tb/conformance/conformance.hpp>

namespace spillway {
namespace {

enum class bug {
  none,
  drops_when_full,
  ready_when_full,
  duplicates_after_stall,
  changes_while_waiting,
  withdraws_when_stalled,
  misroutes_one_destination,
  corrupts_a_payload,
  cuts_a_length,
  swaps_packets,
  interleaves_packets,
  fixed_priority,
  keeps_its_queue_in_reset,
  sends_in_reset,
  stops_when_full,
  loses_on_simultaneous_access,
  forgets_the_last_flit,
  valid_waits_for_ready,
  ready_waits_for_valid,
  ready_in_lanes_it_has_not,
  sends_in_a_lane_it_has_not,
  is_wrong_once_in_64_packets,
};

/// Input-buffered k x k router, as a user would write it.
class sample_router : public switch_block {
public:
  sample_router(const sc_core::sc_module_name& name, unsigned ports, bug b)
      : switch_block(name, ports, ports),
        bug_(b),
        queues_(ports),
        owner_(ports, ports),
        next_(ports),
        shown_(ports),
        ready_(ports) {}
  unsigned level() const override {
    std::size_t flits = 0;
    for (const auto& q : queues_) flits += q.size();
    return static_cast<unsigned>(flits);
  }
  unsigned capacity() const override { return static_cast<unsigned>(depth * queues_.size()); }

private:
  static constexpr std::size_t depth = 4;
  unsigned ports() const { return static_cast<unsigned>(queues_.size()); }
  unsigned output_of(const flit& f) const {
    const unsigned o = f.destination % ports();
    return bug_ == bug::misroutes_one_destination && f.destination == 1 && f.source == 2 ? (o + 1) % ports()
                                                                                         : o;
  }

  void reset() override {
    if (bug_ != bug::keeps_its_queue_in_reset)
      for (auto& q : queues_) q.clear();
    for (unsigned p = 0; p < ports(); ++p) {
      owner_[p] = ports();
      shown_[p] = bug_ == bug::sends_in_reset;
      out[p].valid.write(shown_[p]);
      ready_[p] = false;
      in[p].ready.write(0);
    }
    jammed_ = false;
  }

  void tick() override {
    wake_at(cycle() + 1);
    ++age_;
    for (unsigned o = 0; o < ports(); ++o) send(o);
    for (unsigned i = 0; i < ports(); ++i) receive(i);
    for (unsigned o = 0; o < ports(); ++o) show(o);
    for (unsigned i = 0; i < ports(); ++i) {
      const std::size_t limit = bug_ == bug::ready_when_full ? depth + 2 : depth - 1;
      if (bug_ == bug::stops_when_full && queues_[i].size() >= depth) jammed_ = true;
      ready_[i] = queues_[i].size() < limit + (bug_ == bug::stops_when_full) && !jammed_;
      if (bug_ == bug::ready_waits_for_valid) ready_[i] = ready_[i] && in[i].valid.read();
      in[i].ready.write(!ready_[i] ? 0 : bug_ == bug::ready_in_lanes_it_has_not ? 3 : 1);
    }
  }

  void send(unsigned o) {
    if (!shown_[o] || !(out[o].ready.read() & 1)) {
      stalled_ = shown_[o];
      return;
    }
    auto& q = queues_[owner_[o]];
    const bool tail = q.front().tail();
    if (bug_ == bug::duplicates_after_stall && stalled_ && age_ % 16 == 0) return;
    q.pop_front();
    if (tail || (bug_ == bug::interleaves_packets && age_ % 8 == 0)) {
      next_[o] = (owner_[o] + 1) % ports();
      owner_[o] = ports();
    }
  }

  void receive(unsigned i) {
    if (!ready_[i] || !in[i].valid.read()) return;
    flit f = in[i].data.read();
    auto& q = queues_[i];
    if (bug_ == bug::ready_when_full && q.size() >= depth) return;
    if (bug_ == bug::drops_when_full && q.size() + 2 >= depth) return;
    if (bug_ == bug::loses_on_simultaneous_access && q.size() == 2 && shown_[output_of(f)] && age_ % 8 == 0)
      return;
    if (bug_ == bug::corrupts_a_payload && f.packet % 32 == 7) f.payload ^= 1;
    if (bug_ == bug::is_wrong_once_in_64_packets && f.head() && ++heads_ % 64 == 40) f.payload ^= 2;
    if (bug_ == bug::cuts_a_length && f.length == 4 && f.packet % 16 == 3) f.length = 3;
    if (bug_ == bug::forgets_the_last_flit && f.tail() && f.packet % 16 == 9) return;
    q.push_back(f);
    if (bug_ == bug::swaps_packets && q.size() >= 3 && q[1].length == 1 && q[2].length == 1)
      std::swap(q[1], q[2]);
  }

  void show(unsigned o) {
    if (owner_[o] == ports()) {
      for (unsigned turn = 0; turn < ports(); ++turn) {
        const unsigned i = bug_ == bug::fixed_priority ? turn : (next_[o] + turn) % ports();
        const auto& q = queues_[i];
        const bool starts = !q.empty() && (q.front().head() || bug_ == bug::interleaves_packets);
        if (!starts || output_of(q.front()) != o || taken(i)) continue;
        owner_[o] = i;
        break;
      }
    }
    const bool has = owner_[o] != ports() && !queues_[owner_[o]].empty();
    if (bug_ == bug::valid_waits_for_ready && !shown_[o] && !(out[o].ready.read() & 1)) return;
    const bool hides = bug_ == bug::withdraws_when_stalled && shown_[o] && age_ % 8 == 0;
    shown_[o] = has && !hides;
    out[o].valid.write(shown_[o]);
    if (!has) return;
    flit f = queues_[owner_[o]].front();
    if (bug_ == bug::changes_while_waiting) f.interface_word = age_ % 32 / 31;
    if (bug_ == bug::sends_in_a_lane_it_has_not) f.lane = f.packet % 2;
    out[o].data.write(f);
  }
  bool taken(unsigned i) const {
    for (const unsigned owner : owner_)
      if (owner == i) return true;
    return false;
  }

  const bug bug_;
  std::vector<std::deque<flit>> queues_;
  std::vector<unsigned> owner_;  // by output: input whose packet it sends
  std::vector<unsigned> next_;   // by output: input whose turn it is
  std::vector<bool> shown_, ready_;
  bool stalled_ = false, jammed_ = false;
  std::uint64_t age_ = 0, heads_ = 0;
};

tb::conformance_report examine(bug b, tb::conformance_options options = {}) {
  sample_router router("router", 3, b);
  if (!options.routes)
    options.routes = [](unsigned, const flit& head) { return port_mask{1} << head.destination % 3; };
  return tb::conformance(tb::device(router), options);
}

TEST(conformance, passes_the_right_router) {
  const tb::conformance_report report = examine(bug::none);
  EXPECT_THAT(report.findings, testing::IsEmpty());
  EXPECT_GT(report.packets, 7 * 7 * 64u);
}

struct planted {
  bug what;
  const char* name;
  const char* found_as;  // rules, any of which names it
};

class planted_bug : public testing::TestWithParam<planted> {};

TEST_P(planted_bug, is_found) {
  const tb::conformance_report report = examine(GetParam().what);
  ASSERT_FALSE(report.passed());
  EXPECT_THAT(report.findings.front(), testing::MatchesRegex(GetParam().found_as));
}

INSTANTIATE_TEST_SUITE_P(
    each, planted_bug,
    testing::Values(
        planted{bug::drops_when_full, "drops_when_full", "(CF4|PL3|CF7).*"},
        planted{bug::ready_when_full, "ready_when_full", "(CF4|PL3|CF7).*"},
        planted{bug::duplicates_after_stall, "duplicates_after_stall", "(CF5|PL2|PL3).*"},
        planted{bug::changes_while_waiting, "changes_while_waiting", "(PL1|CF7).*"},
        planted{bug::withdraws_when_stalled, "withdraws_when_stalled", "PL1.*"},
        planted{bug::misroutes_one_destination, "misroutes_one_destination", "CF8.*"},
        planted{bug::corrupts_a_payload, "corrupts_a_payload", "CF7.*"},
        planted{bug::cuts_a_length, "cuts_a_length", "(PL3|PL5|CF7).*"},
        planted{bug::swaps_packets, "swaps_packets", "CF9.*"},
        planted{bug::interleaves_packets, "interleaves_packets", "PL3.*"},
        planted{bug::fixed_priority, "fixed_priority", "CF10.*"},
        planted{bug::keeps_its_queue_in_reset, "keeps_its_queue_in_reset", "(CF6|PL3).*"},
        planted{bug::sends_in_reset, "sends_in_reset", "PL5.*"},
        planted{bug::stops_when_full, "stops_when_full", "(CF11|CF10).*"},
        planted{bug::loses_on_simultaneous_access, "loses_on_simultaneous_access", "(CF4|PL3|CF7).*"},
        planted{bug::valid_waits_for_ready, "valid_waits_for_ready", "CF1: output 0 shows nothing.*"},
        planted{bug::ready_waits_for_valid, "ready_waits_for_valid", "CF2: input 0 has not shown.*"},
        planted{bug::ready_in_lanes_it_has_not, "ready_in_lanes_it_has_not",
                "CF3: input 0 shows ready 0x3, its link has 1 lanes.*"},
        planted{bug::sends_in_a_lane_it_has_not, "sends_in_a_lane_it_has_not",
                "PL5.*lane 1 is shown, the link has 1 lane.*"},
        planted{bug::is_wrong_once_in_64_packets, "is_wrong_once_in_64_packets", "CF7.*"},
        planted{bug::forgets_the_last_flit, "forgets_the_last_flit", "(CF4|PL3|CF11).*"}),
    [](const auto& instance) { return std::string(instance.param.name); });

TEST(conformance, draws_destinations_and_lengths_as_it_is_told) {
  tb::conformance_options options;
  options.destinations = 5;
  options.packet_length = 2;
  std::set<std::uint32_t> destinations, lengths;
  options.routes = [&](unsigned, const flit& head) {
    destinations.insert(head.destination);
    lengths.insert(head.length);
    return port_mask{1} << head.destination % 3;
  };
  EXPECT_THAT(examine(bug::none, options).findings, testing::IsEmpty());
  EXPECT_THAT(destinations, testing::ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(lengths, testing::ElementsAre(1, 2));
}

TEST(conformance, a_device_may_be_allowed_to_grant_on_request) {
  tb::conformance_options options;
  options.ready_first = false;
  EXPECT_THAT(examine(bug::ready_waits_for_valid, options).findings, testing::IsEmpty());
}

TEST(conformance, a_device_may_be_allowed_to_swap_packets) {
  tb::conformance_options options;
  options.ordered = false;
  EXPECT_THAT(examine(bug::swaps_packets, options).findings, testing::IsEmpty());
}

}  // namespace
}  // namespace spillway
