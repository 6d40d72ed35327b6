#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <queue>
#include <spillway/tb/traffic/patterns/number_lines.hpp>
#include <spillway/tb/traffic/traffic.hpp>
#include <spillway/tb/workloads/packet_list.hpp>
#include <stdexcept>
#include <unordered_map>
#include <vector>

namespace spillway {

namespace {

constexpr std::uint64_t last_cycle = (std::uint64_t{1} << 53) - 1;  // as in the experiment's keys
constexpr std::size_t most_told = 20;                               // packets that wait

struct listed_packet {
  std::uint64_t cycle = 0;  // after the arrival of `after`, or else from the start
  std::uint64_t word = 0;
  std::uint32_t source = 0, destination = 0;
  std::uint32_t after = 0;  // number of the packet from 1 on; 0: none
  std::uint32_t data = 0;   // where the numbers are not
  std::uint16_t length = 1;
  std::uint8_t traffic_class = 0;
  bool combinable = false;
};

struct packet_list {
  std::vector<listed_packet> packets;  // by number
  std::vector<std::vector<std::uint32_t>> by_source;
  bool depends = false;  // some packet comes after another
};

/// The packets of one terminal. Where some come after others each says its number, by which its receiver
/// knows what may follow it.
class listed_supply final : public timed_supply {
public:
  listed_supply(std::shared_ptr<const packet_list> list, std::uint32_t terminal) : list_(std::move(list)) {
    for (const std::uint32_t number : list_->by_source[terminal]) {
      const listed_packet& p = list_->packets[number - 1];
      if (p.after)
        waiting_[p.after].push_back(number);
      else
        timed_.push({p.cycle, number});
    }
    listens_ = !waiting_.empty();
  }

  std::uint64_t due(std::uint64_t now, std::size_t) override {
    return timed_.empty() ? never : std::max(now, timed_.top().first);
  }
  packet_order take(std::uint64_t) override {
    const std::uint32_t number = timed_.top().second;
    timed_.pop();
    const listed_packet& p = list_->packets[number - 1];
    packet_order order;
    order.destination = p.destination;
    order.length = p.length;
    order.traffic_class = p.traffic_class;
    order.interface_word = p.word;
    if (p.combinable) order.kind = flit_kind::combinable;
    order.data = list_->depends ? number : p.data;
    return order;
  }
  std::uint64_t scheduled() const override { return 0; }  // a table says when they go: before any reply
  bool depends_on_backlog() const override { return false; }
  void arrived(std::uint64_t now, const flit& f) override {
    if (!f.tail() || f.kind == flit_kind::reply) return;
    const auto found = waiting_.find(data_of(f));
    if (found == waiting_.end()) return;
    for (const std::uint32_t number : found->second)
      timed_.push({now + list_->packets[number - 1].cycle, number});
    waiting_.erase(found);
  }
  bool listens() const override { return listens_; }
  bool exhausted() const override { return timed_.empty() && waiting_.empty(); }
  bool stuck() const { return timed_.empty(); }
  /// Packets that wait, each with the one that it waits for.
  const std::unordered_map<std::uint32_t, std::vector<std::uint32_t>>& waiting() const { return waiting_; }

private:
  using moment = std::pair<std::uint64_t, std::uint32_t>;  // cycle, number

  const std::shared_ptr<const packet_list> list_;
  std::priority_queue<moment, std::vector<moment>, std::greater<>> timed_;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> waiting_;  // by what they wait for
  bool listens_ = false;
};

class packet_list_run final : public workload_run {
public:
  packet_list_run(std::shared_ptr<const packet_list> list, std::uint32_t terminals)
      : list_(std::move(list)), supplies_(terminals) {}
  std::unique_ptr<packet_supply> supply(std::uint32_t terminal) override {
    auto made = std::make_unique<listed_supply>(list_, terminal);
    supplies_[terminal] = made.get();
    return made;
  }
  bool stuck() const override {
    const auto holds = [this](bool (listed_supply::*what)() const) {
      return std::all_of(supplies_.begin(), supplies_.end(),
                         [=](const listed_supply* s) { return (s->*what)(); });
    };
    return holds(&listed_supply::stuck) && !holds(&listed_supply::exhausted);
  }
  std::vector<std::string> waits() const override {
    std::map<std::uint32_t, std::uint32_t> waiting;  // packet, and the one that it waits for
    for (const listed_supply* s : supplies_)
      for (const auto& [first, followers] : s->waiting())
        for (const std::uint32_t follower : followers) waiting.emplace(follower, first);
    std::vector<std::string> all;
    for (const auto& [packet, first] : waiting) {
      if (all.size() == most_told) break;
      all.push_back(fmt::format("terminal {} waits with packet {} for packet {} of terminal {}",
                                list_->packets[packet - 1].source, packet, first,
                                list_->packets[first - 1].source));
    }
    return all;
  }

private:
  const std::shared_ptr<const packet_list> list_;
  std::vector<const listed_supply*> supplies_;  // owned by the terminals
};

void check_after(const number_lines& in, const packet_list& list, const listed_packet& p,
                 std::uint64_t after) {
  const std::size_t number = list.packets.size() + 1;
  if (after >= number)
    in.fail(fmt::format("packet {} can follow the packets 1..{} or 0, none, found {}", number, number - 1,
                        after));
  if (after == 0) return;
  const listed_packet& before = list.packets[after - 1];
  if (before.destination != p.source)
    in.fail(fmt::format("packet {} follows packet {} at terminal {}, but that goes to {}", number, after,
                        p.source, before.destination));
  if (p.cycle == 0)
    in.fail(fmt::format("packet {} comes a cycle or more after packet {}, found 0", number, after));
}

/// The rounds of a network that reduces: each terminal contributes to every one, in the order of the table.
class reduction_rounds {
public:
  explicit reduction_rounds(const workload_context& c) : known_(c.requests.reductions), next_(c.terminals) {}

  void add(const number_lines& in, const listed_packet& p) {
    if (known_.empty()) return;
    if (!p.combinable || p.length != 1 || p.destination != p.source || p.after)
      in.fail(
          "a network that reduces takes contributions alone: expected a combinable packet of size 1 from a "
          "terminal to itself, after none");
    const auto has_word = [&p](const auto& named) { return named.second == p.word; };
    const auto asked = std::find_if(known_.begin(), known_.end(), has_word);
    if (asked == known_.end()) in.fail(fmt::format("expected the word of a reduction, found {}", p.word));
    terminal& t = next_[p.source];
    if (p.cycle < t.cycle)
      in.fail(fmt::format("terminal {} contributes in the order of cycles: expected {} or later, found {}",
                          p.source, t.cycle, p.cycle));
    if (t.round == words_.size()) words_.push_back(p.word);
    if (words_[t.round] != p.word)
      in.fail(
          fmt::format("contribution {} of each terminal is to one reduction: expected the word {}, found {}",
                      t.round + 1, words_[t.round], p.word));
    t.cycle = p.cycle;
    ++t.round;
  }
  /// After all of them.
  void check(const number_lines& in) const {
    for (std::size_t t = 0; t < next_.size() && !known_.empty(); ++t)
      if (next_[t].round != words_.size())
        in.fail(
            fmt::format("each terminal contributes to every round: expected {} contributions of terminal "
                        "{}, found {}",
                        words_.size(), t, next_[t].round));
  }

private:
  struct terminal {
    std::uint64_t cycle = 0;
    std::size_t round = 0;
  };
  const std::map<std::string, std::uint64_t>& known_;
  std::vector<terminal> next_;
  std::vector<std::uint64_t> words_;  // by round
};

constexpr const char* columns = "cycle,source,destination,size,after,class,word,combinable,data";

packet_list read_list(const workload_context& c) {
  static const std::vector<std::uint32_t> none;
  const traffic_context context{*c.file, c.at, c.terminals, c.seed, none};
  packet_list list;
  list.by_source.resize(c.terminals);
  bool has_data = false;
  reduction_rounds rounds(c);
  number_lines in(context, "file", "cycle");
  while (in.next()) {
    const std::string expected = fmt::format("{} as whole numbers", columns);
    listed_packet p;
    p.cycle = in.read<std::uint64_t>(expected);
    if (p.cycle > last_cycle)
      in.fail_at_last(fmt::format("expected a cycle 0..{}, found {}", last_cycle, p.cycle));
    for (std::uint32_t* const end : {&p.source, &p.destination}) {
      *end = in.read<std::uint32_t>(expected);
      if (*end >= c.terminals)
        in.fail_at_last(fmt::format("expected a terminal 0..{}, found {}", c.terminals - 1, *end));
    }
    const auto at_most = [&](std::uint64_t least, std::uint64_t most, const char* what) {
      const auto value = in.more() ? in.read<std::uint64_t>(expected) : least;
      if (value < least || value > most)
        in.fail_at_last(fmt::format("expected {} {}..{}, found {}", what, least, most, value));
      return value;
    };
    p.length = static_cast<std::uint16_t>(at_most(1, 65535, "a size of"));
    const std::uint64_t after = in.more() ? in.read<std::uint64_t>(expected) : 0;
    check_after(in, list, p, after);
    p.after = static_cast<std::uint32_t>(after);
    p.traffic_class = static_cast<std::uint8_t>(at_most(0, 15, "a class"));
    p.word = at_most(0, (std::uint64_t{1} << 40) - 1, "a word");
    p.combinable = at_most(0, 1, "combinable") != 0;
    p.data = static_cast<std::uint32_t>(at_most(0, ~std::uint32_t{0}, "data"));
    has_data |= p.data != 0;
    list.depends |= p.after != 0;
    if (has_data && list.depends)
      in.fail(
          "where packets come after others their data are their numbers: expected data or after, not both");
    if (in.more()) in.fail(fmt::format("expected no more than {}", columns));
    if (list.packets.size() == ~std::uint32_t{0}) in.fail("expected fewer than 2^32 packets");
    rounds.add(in, p);
    list.packets.push_back(p);
    list.by_source[p.source].push_back(static_cast<std::uint32_t>(list.packets.size()));
  }
  if (list.packets.empty()) in.fail("expected a packet, the table has none");
  rounds.check(in);
  return list;
}

}  // namespace

nlohmann::json packets_workload::schema() const {
  return parse_schema(R"({
    "description": "Packets from a table with dependencies: each at its cycle, or so many cycles after another one has come to its source. The measure `record` writes such tables.",
    "required": ["file"],
    "properties": {
      "file": {
        "type": "string", "minLength": 1, "x-path": true,
        "description": "CSV file with the columns cycle, source, destination, and if need be size, after, class, word, combinable, data, relative to the experiment's file. `after`: line of a packet to this source, from 1 on, from whose arrival the cycles count; 0: from the start. `data`: what the packet tells its receiver, such as an access of a memory module; without `after` only."
      }
    }
  })");
}

workload_plan packets_workload::plan(const workload_context& c) const {
  const auto list = std::make_shared<const packet_list>(read_list(c));
  if (list->depends) c.expect_to_hear();
  workload_plan plan;
  for (const listed_packet& p : list->packets)
    plan.longest_packet = std::max<unsigned>(plan.longest_packet, p.length);
  if (list->depends) {
    plan.begin = [list, terminals = c.terminals] {
      return std::make_unique<packet_list_run>(list, terminals);
    };
  } else {
    const auto make = [list](std::uint32_t terminal) {
      return std::make_unique<listed_supply>(list, terminal);
    };
    plan.make = make;
    if (c.requests.reductions.empty()) plan.requests = make;  // results have no answer
  }
  return plan;
}

}  // namespace spillway
