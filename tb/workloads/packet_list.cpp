#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <queue>
#include <spillway/tb/traffic/patterns/number_lines.hpp>
#include <spillway/tb/traffic/patterns/scratch_rows.hpp>
#include <spillway/tb/traffic/traffic.hpp>
#include <spillway/tb/workloads/packet_list.hpp>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

namespace spillway {

namespace {

constexpr std::uint64_t last_cycle = (std::uint64_t{1} << 53) - 1;  // as in the experiment's keys
constexpr std::size_t most_told = 20;                               // packets that wait

using packet_number = std::uint32_t;  // the row, from 1 on; 0: none

struct listed_packet {
  std::uint64_t cycle = 0;  // after the arrival of `after`, or else from the start
  std::uint64_t word = 0;
  std::uint32_t source = 0, destination = 0;
  packet_number after = 0;
  packet_number follower = 0;  // the last that comes after this one
  packet_number next = 0;      // of those that come after the same, or after none from this source
  std::uint32_t data = 0;      // where the numbers are not
  std::uint16_t length = 1;
  std::uint8_t traffic_class = 0;
  bool combinable = false;
};

/// The table. Its rows are not in memory, but for those out of the order of cycles.
class packet_list {
public:
  /// What a terminal sends.
  struct part {
    packet_number first = 0, last = 0;  // of those that come after none, in order
    std::uint64_t cycle = 0;            // of the last
    std::vector<packet_number> early;   // before one that the table has before them
    std::uint64_t waiting = 0;          // those that come after others
  };

  explicit packet_list(std::uint32_t terminals) : parts_(terminals) {}

  void add(const listed_packet& p) {
    rows_.add(p);
    const auto number = static_cast<packet_number>(size());
    part& own = parts_[p.source];
    longest_ = std::max<unsigned>(longest_, p.length);
    if (p.after) {
      listed_packet before = (*this)[p.after];
      listed_packet follower = p;
      follower.next = std::exchange(before.follower, number);
      set(p.after, before);
      set(number, follower);
      ++own.waiting;
      depends_ = true;
    } else if (p.cycle < own.cycle) {
      own.early.push_back(number);
    } else {
      if (own.last) {
        listed_packet before = (*this)[own.last];
        before.next = number;
        set(own.last, before);
      } else {
        own.first = number;
      }
      own.last = number;
      own.cycle = p.cycle;
    }
  }

  listed_packet operator[](packet_number number) const { return rows_.at(number - 1); }
  std::uint64_t size() const { return rows_.size(); }
  const part& of(std::uint32_t terminal) const { return parts_[terminal]; }
  bool depends() const { return depends_; }  // some packet comes after another
  unsigned longest() const { return longest_; }

private:
  void set(packet_number number, const listed_packet& p) { rows_.set(number - 1, p); }

  scratch_rows<listed_packet> rows_;
  std::vector<part> parts_;
  bool depends_ = false;
  unsigned longest_ = 0;
};

/// By packet of a run, whether it has come; kept of those that others come after.
class packets_that_came {
public:
  explicit packets_that_came(std::uint64_t packets) {
    for (std::uint64_t n = 0; n < packets; ++n) rows_.add(0);
  }
  bool has(packet_number number) const { return rows_.at(number - 1) != 0; }
  void add(packet_number number) { rows_.set(number - 1, 1); }

private:
  scratch_rows<std::uint8_t> rows_;
};

/// The packets of one terminal. Where some come after others each says its number, by which its receiver
/// knows what may follow it.
class listed_supply final : public timed_supply {
public:
  listed_supply(std::shared_ptr<const packet_list> list, std::uint32_t terminal,
                std::shared_ptr<packets_that_came> came = nullptr)
      : list_(std::move(list)),
        came_(std::move(came)),
        terminal_(terminal),
        waiting_(list_->of(terminal).waiting) {
    const packet_list::part& own = list_->of(terminal);
    if (own.first) add(own.first);
    for (const packet_number number : own.early) add(number);
  }

  std::uint64_t due(std::uint64_t now, std::size_t) override {
    return timed_.empty() ? never : std::max(now, timed_.top().cycle);
  }
  packet_order take(std::uint64_t) override {
    const auto [cycle, number, p] = timed_.top();
    timed_.pop();
    if (p.next && !p.after) add(p.next);
    packet_order order;
    order.destination = p.destination;
    order.length = p.length;
    order.traffic_class = p.traffic_class;
    order.interface_word = p.word;
    if (p.combinable) order.kind = flit_kind::combinable;
    order.data = list_->depends() ? number : p.data;
    return order;
  }
  std::uint64_t scheduled() const override { return 0; }  // a table says when they go: before any reply
  bool depends_on_backlog() const override { return false; }
  void arrived(std::uint64_t now, const flit& f) override {
    if (waiting_ == 0 || !f.tail() || f.kind == flit_kind::reply) return;
    const packet_number number = data_of(f);
    if (number == 0 || number > list_->size()) return;
    const listed_packet before = (*list_)[number];
    if (before.destination != terminal_ || !before.follower || came_->has(number)) return;
    came_->add(number);
    for (packet_number n = before.follower; n; --waiting_) n = add(n, now);
  }
  bool listens() const override { return list_->of(terminal_).waiting != 0; }
  bool exhausted() const override { return timed_.empty() && waiting_ == 0; }
  bool stuck() const { return timed_.empty(); }

private:
  struct timed {
    std::uint64_t cycle;
    packet_number number;
    listed_packet packet;
    bool operator>(const timed& other) const {
      return std::tie(cycle, number) > std::tie(other.cycle, other.number);
    }
  };

  /// Its cycles count from `start`. Returns the next.
  packet_number add(packet_number number, std::uint64_t start = 0) {
    const listed_packet p = (*list_)[number];
    timed_.push({start + p.cycle, number, p});
    return p.next;
  }

  const std::shared_ptr<const packet_list> list_;
  const std::shared_ptr<packets_that_came> came_;
  const std::uint32_t terminal_;
  // The next of those that come after none, those out of order, and those that need not wait any more.
  std::priority_queue<timed, std::vector<timed>, std::greater<>> timed_;
  std::uint64_t waiting_;
};

class packet_list_run final : public workload_run {
public:
  packet_list_run(std::shared_ptr<const packet_list> list, std::uint32_t terminals)
      : list_(std::move(list)),
        came_(std::make_shared<packets_that_came>(list_->size())),
        supplies_(terminals) {}
  std::unique_ptr<packet_supply> supply(std::uint32_t terminal) override {
    auto made = std::make_unique<listed_supply>(list_, terminal, came_);
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
    std::vector<std::string> all;
    for (std::uint64_t n = 1; n <= list_->size() && all.size() < most_told; ++n) {
      const listed_packet p = (*list_)[static_cast<packet_number>(n)];
      if (p.after && !came_->has(p.after))
        all.push_back(fmt::format("terminal {} waits with packet {} for packet {} of terminal {}", p.source,
                                  n, p.after, (*list_)[p.after].source));
    }
    return all;
  }

private:
  const std::shared_ptr<const packet_list> list_;
  const std::shared_ptr<packets_that_came> came_;
  std::vector<const listed_supply*> supplies_;  // owned by the terminals
};

void check_after(const number_lines& in, const packet_list& list, const listed_packet& p,
                 std::uint64_t after) {
  const std::uint64_t number = list.size() + 1;
  if (after >= number)
    in.fail(fmt::format("packet {} can follow the packets 1..{} or 0, none, found {}", number, number - 1,
                        after));
  if (after == 0) return;
  const listed_packet before = list[static_cast<packet_number>(after)];
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
    if (t.round == over_ + open_.size()) open_.push_back({p.word, 0});
    round& now = open_[t.round - over_];
    if (now.word != p.word)
      in.fail(
          fmt::format("contribution {} of each terminal is to one reduction: expected the word {}, found {}",
                      t.round + 1, now.word, p.word));
    t.cycle = p.cycle;
    ++t.round;
    ++now.contributions;
    // All have contributed to those before, too.
    if (now.contributions == next_.size()) {
      open_.pop_front();
      ++over_;
    }
  }
  /// After all of them.
  void check(const number_lines& in) const {
    const std::size_t rounds = over_ + open_.size();
    for (std::size_t t = 0; t < next_.size() && !known_.empty(); ++t)
      if (next_[t].round != rounds)
        in.fail(
            fmt::format("each terminal contributes to every round: expected {} contributions of terminal "
                        "{}, found {}",
                        rounds, t, next_[t].round));
  }

private:
  struct terminal {
    std::uint64_t cycle = 0;
    std::size_t round = 0;
  };
  const std::map<std::string, std::uint64_t>& known_;
  struct round {
    std::uint64_t word;
    std::size_t contributions;
  };
  std::vector<terminal> next_;
  std::size_t over_ = 0;    // rounds that all have contributed to
  std::deque<round> open_;  // those after them
};

constexpr const char* columns = "cycle,source,destination,size,after,class,word,combinable,data";

std::shared_ptr<const packet_list> read_list(const workload_context& c) {
  static const std::vector<std::uint32_t> none;
  const traffic_context context{*c.file, c.at, c.terminals, c.seed, none};
  const auto made = std::make_shared<packet_list>(c.terminals);
  packet_list& list = *made;
  bool has_data = false;
  reduction_rounds rounds(c);
  number_lines in(context, "file", columns);
  while (in.next()) {
    const auto expected = [](const char* column) {
      return fmt::format("a whole number as {} of {}", column, columns);
    };
    listed_packet p;
    p.cycle = in.read<std::uint64_t>(expected("cycle"));
    if (p.cycle > last_cycle)
      in.fail_at_last(fmt::format("expected a cycle 0..{}, found {}", last_cycle, p.cycle));
    for (const auto& [end, column] : {std::pair{&p.source, "source"}, {&p.destination, "destination"}}) {
      *end = in.read<std::uint32_t>(expected(column));
      if (*end >= c.terminals)
        in.fail_at_last(fmt::format("expected a terminal 0..{}, found {}", c.terminals - 1, *end));
    }
    const auto at_most = [&](std::uint64_t least, std::uint64_t most, const char* what, const char* column) {
      const auto value = in.read_or<std::uint64_t>(least, expected(column));
      if (value < least || value > most)
        in.fail_at_last(fmt::format("expected {} {}..{}, found {}", what, least, most, value));
      return value;
    };
    p.length = static_cast<std::uint16_t>(at_most(1, 65535, "a size of", "size"));
    const auto after = in.read_or<std::uint64_t>(0, expected("after"));
    check_after(in, list, p, after);
    p.after = static_cast<packet_number>(after);
    p.traffic_class = static_cast<std::uint8_t>(at_most(0, 15, "a class", "class"));
    p.word = at_most(0, (std::uint64_t{1} << 40) - 1, "a word", "word");
    p.combinable = at_most(0, 1, "combinable", "combinable") != 0;
    p.data = static_cast<std::uint32_t>(at_most(0, ~std::uint32_t{0}, "data", "data"));
    has_data |= p.data != 0;
    if (has_data && (p.after || list.depends()))
      in.fail(
          "where packets come after others their data are their numbers: expected data or after, not both");
    if (in.more()) in.fail(fmt::format("expected no more than {}", columns));
    if (list.size() == ~packet_number{0}) in.fail("expected fewer than 2^32 packets");
    rounds.add(in, p);
    list.add(p);
  }
  if (list.size() == 0) in.fail("expected a packet, the table has none");
  rounds.check(in);
  return made;
}

}  // namespace

nlohmann::json packets_workload::schema() const {
  return parse_schema(R"({
    "description": "Packets from a table with dependencies: each at its cycle, or so many cycles after another one has come to its source. The measure `record` writes such tables.",
    "required": ["file"],
    "properties": {
      "file": {
        "type": "string", "minLength": 1, "x-path": true,
        "description": "CSV file with the columns cycle, source, destination, and if need be size, after, class, word, combinable, data, relative to the experiment's file; an empty cell is as one that is left out. `after`: line of a packet to this source, from 1 on, from whose arrival the cycles count; 0: from the start. `data`: what the packet tells its receiver, such as an access of a memory module; without `after` only."
      }
    }
  })");
}

workload_plan packets_workload::plan(const workload_context& c) const {
  const auto list = read_list(c);
  if (list->depends()) {
    c.expect_to_hear();
    c.expect_data();
  }
  workload_plan plan;
  plan.longest_packet = list->longest();
  if (list->depends()) {
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
