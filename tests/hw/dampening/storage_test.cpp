#include <gtest/gtest.h>

#include <spillway/hw/dampening/pool_places.hpp>
#include <sstream>

#include "dampening_bench.hpp"

// That what stores, stores: a flit comes from where it was put and from nowhere else, and both kernels have
// the same at every place and on every pin in every cycle.

using namespace spillway;
using namespace spillway::testing_support;

namespace {

constexpr unsigned processors = 16;

std::shared_ptr<const assignment_plan> hashed() {
  return sets_everywhere(make_buffer_sets({set_family::unique, processors, 6, 3, 1}), 6);
}
std::shared_ptr<const assignment_plan> modified() {
  return std::make_shared<same_everywhere>(
      [] { return std::make_unique<modified_counting_assignment>(8, 4); });
}

flit with_payload(flit f, std::uint64_t payload) {
  f.payload = payload;
  return f;
}
/// What the foreign storage does to the data: none of the two is the inverse of the other.
flit rotated(const flit& f) { return with_payload(f, f.payload << 24 | f.payload >> 40); }
flit inverted(const flit& f) { return with_payload(f, ~f.payload); }

/// Memory that gives back the bits of the data in another order.
class rotating_memory final : public flit_memory {
public:
  explicit rotating_memory(unsigned places) : flits_(places) {}
  void write(unsigned place, const flit& f) override { flits_.at(place) = rotated(f); }
  const flit& read(unsigned place) const override { return flits_.at(place); }

private:
  std::vector<flit> flits_;
};

/// A bank that inverts the data, or one for each input of the switch; it counts what it is asked.
class inverting_bank final : public clocked {
public:
  row<spill_in> spill;
  row<refill_out> refill;
  unsigned most = 0;  // places that have been named

  inverting_bank(const sc_core::sc_module_name& name, const dampening_switch& pool, bool bank_an_input)
      : clocked(name),
        spill(pool.spill.size(), "spill"),
        refill(pool.refill.size(), "refill"),
        flits_(bank_an_input ? spill.size() : 1) {}

private:
  void reset() override {
    for (refill_out& port : refill) port.valid.write(false);
  }
  void tick() override {
    bool active = false;
    for (unsigned i = 0; i < spill.size(); ++i) {
      if (!spill[i].valid.read()) continue;
      active = true;
      of(i)[spill[i].slot.read()] = inverted(spill[i].data.read());
      most = std::max(most, spill[i].slot.read() + 1u);
    }
    for (unsigned i = 0; i < refill.size(); ++i) {
      refill_out& port = refill[i];
      port.valid.write(port.fetch.read());
      if (!port.fetch.read()) continue;
      active = true;
      port.slot.write(port.wanted.read());
      port.data.write(of(i).at(port.wanted.read()));
    }
    if (active) wake_at(cycle() + 1);
  }
  std::map<std::uint16_t, flit>& of(unsigned input) { return flits_[flits_.size() == 1 ? 0 : input]; }

  std::vector<std::map<std::uint16_t, flit>> flits_;
};

/// Joins a pool and the bank beside it; `watch(spill, refill)` is called with each pair of links.
template <class Bank, class Watch>
void join(bench& b, dampening_switch& pool, Bank& bank, const std::string& name, Watch&& watch) {
  for (unsigned i = 0; i < pool.spill.size(); ++i) {
    const std::string end = name + std::to_string(i);
    auto& spill = b.keep<spill_link>(link_place{"spill_" + end}, pool.slots(0));
    auto& refill = b.keep<refill_link>(link_place{"refill_" + end}, pool.slots(0));
    spill.connect(pool.spill[i]), spill.connect(bank.spill[i]);
    refill.connect(pool.refill[i]), refill.connect(bank.refill[i]);
    watch(spill, refill);
  }
}

dampening_switch_config config_of(flow_control flow, bool pool_per_input = false, unsigned size = 4) {
  dampening_switch_config c;
  c.inputs = c.outputs = size;
  c.flow = flow;
  c.pool_per_input = pool_per_input || flow == flow_control::sender_calculates;
  return c;
}

/// One switch with foreign storage, under traffic that needs it.
struct foreign_bench {
  std::vector<inverting_bank*> banks;
  dampening_bench t;

  foreign_bench(kernel k, const dampening_switch_config& c, std::shared_ptr<const assignment_plan> plan)
      : t(k, c, std::move(plan), 1, 100, 60, "b", 64, storage(c.pool_per_input)) {
    dice d(9);
    for (unsigned m = 0; m < 150; ++m)
      for (unsigned i = 0; i < c.inputs; ++i) t.send(i, d.below(processors));
    t.b.reset();
    run(3000);
    t.expect_no_violation();
    EXPECT_EQ(t.level(), 0u);
    compare();
  }

  /// By the ways that a message can take through the switch.
  unsigned direct = 0, by_pool = 0, by_bank = 0, by_both = 0, wrong = 0;

private:
  foreign_storage storage(bool bank_an_input) {
    foreign_storage s;
    s.memory = [](unsigned places) { return std::make_unique<rotating_memory>(places); };
    s.bank = [this, bank_an_input](bench& b, dampening_switch& pool, const std::string& name) {
      banks.push_back(&b.make<inverting_bank>(name + "_bank", pool, bank_an_input));
      join(b, pool, *banks.back(), name, [](auto&, auto&) {});
    };
    return s;
  }
  void compare() {
    std::map<std::pair<unsigned, unsigned>, flit> sent;
    for (const auto* f : t.from)
      for (const passage& p : f->sent) sent[{p.data.source, p.data.packet}] = p.data;
    for (const auto* r : t.to)
      for (const passage& p : r->got) {
        const flit was = sent.at({p.data.source, p.data.packet});
        if (p.data == was)
          ++direct;
        else if (p.data == rotated(was))
          ++by_pool;
        else if (p.data == inverted(was))
          ++by_bank;
        else if (p.data == rotated(inverted(was)))
          ++by_both;
        else
          ++wrong;
      }
  }
};

class dampening_storage : public sc_test, public testing::WithParamInterface<kernel> {};

}  // namespace

TEST_P(dampening_storage, data_of_a_pool_whose_sender_calculates_comes_from_its_memory) {
  foreign_bench f(GetParam(), config_of(flow_control::sender_calculates), hashed());
  EXPECT_EQ(f.direct, f.t.counter("dampening.passed_through"));
  EXPECT_EQ(f.by_pool, f.t.counter("dampening.messages") - f.t.counter("dampening.passed_through"));
  EXPECT_GT(f.by_pool, 50u);
  EXPECT_EQ(f.by_bank + f.by_both + f.wrong, 0u);
}

TEST_P(dampening_storage,
       data_of_a_switch_with_a_bank_comes_from_the_bank_and_from_the_memory_of_its_places) {
  foreign_bench f(GetParam(), config_of(flow_control::receiver_calculates), hashed());
  const auto count = [&](const char* what) { return f.t.counter(std::string("dampening.") + what); };
  EXPECT_EQ(f.direct, count("passed_through"));
  EXPECT_EQ(f.by_pool, count("messages") - count("passed_through") - count("spilled"));
  EXPECT_EQ(f.by_bank, count("sent_from_bank"));
  EXPECT_EQ(f.by_both, count("moved"));
  EXPECT_EQ(f.wrong, 0u);
  for (const unsigned some : {f.direct, f.by_pool, f.by_bank, f.by_both}) EXPECT_GT(some, 5u);
  EXPECT_LE(f.banks[0]->most, f.t.config.slots(6)) << "of a bank as large as said";
}

TEST_P(dampening_storage, and_so_does_that_of_a_pool_an_input) {
  foreign_bench f(GetParam(), config_of(flow_control::receiver_calculates, true),
                  sets_everywhere(buffer_sets(processors, {0, 1}), 2));
  EXPECT_EQ(f.by_bank, f.t.counter("dampening.sent_from_bank"));
  EXPECT_EQ(f.by_both, f.t.counter("dampening.moved"));
  EXPECT_EQ(f.wrong, 0u);
  EXPECT_GT(f.by_bank + f.by_both, 50u);
}

INSTANTIATE_TEST_SUITE_P(kernels, dampening_storage, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& i) { return name_of(i.param); });

namespace {

/// Writes down what the pins of a bench's links show at every edge.
class recorder final : public clocked {
public:
  using watched_link = bundle<embargo_pins, as_watcher>;
  row<watched_link> links;
  row<spill_watch> spills;
  row<refill_watch> refills;
  std::vector<std::string> log;

  recorder(const sc_core::sc_module_name& name, std::size_t all, std::size_t of_banks)
      : clocked(name), links(all, "link"), spills(of_banks, "spill"), refills(of_banks, "refill") {}

private:
  void reset() override { tick(); }
  void tick() override {
    wake_at(cycle() + 1);
    std::ostringstream line;
    for (const watched_link& l : links) {
      line << l.ready.read() << ' ' << l.control.read() << ' ' << l.interdict.read() << ' ';
      if (l.valid.read()) line << l.data.read() << " to " << l.place.read();
      line << '|';
    }
    for (std::size_t i = 0; i < spills.size(); ++i) {
      const auto& [to, from] = std::tie(spills[i], refills[i]);
      if (to.valid.read()) line << to.data.read() << " spilled to " << to.slot.read();
      if (from.fetch.read()) line << " wants " << from.wanted.read();
      if (from.valid.read()) line << ' ' << from.data.read() << " from " << from.slot.read();
      line << '|';
    }
    log.push_back(line.str());
  }
};

/// Two switches in a row, with banks that stand beside them, and a recorder at all links.
struct recorded_bench {
  std::vector<std::pair<dampening_switch*, emergency_bank*>> banks;
  std::vector<std::pair<spill_link*, refill_link*>> bank_links;
  dampening_bench t;
  recorder* pins;

  recorded_bench(kernel k, const dampening_switch_config& c, std::shared_ptr<const assignment_plan> plan)
      : t(k, c, std::move(plan), 2, 80, 50, name_of(k), 64, storage()) {
    pins = &t.b.make<recorder>("recorder", t.links.size(), bank_links.size());
    for (std::size_t l = 0; l < t.links.size(); ++l) t.links[l]->connect(pins->links[l]);
    for (std::size_t i = 0; i < bank_links.size(); ++i) {
      bank_links[i].first->connect(pins->spills[i]);
      bank_links[i].second->connect(pins->refills[i]);
    }
    dice d(11);
    for (unsigned m = 0; m < 120; ++m)
      for (unsigned i = 0; i < c.inputs; ++i) t.send(i, d.below(processors));
    t.b.rst(true);
  }
  /// What lies at every place of the pools and banks.
  std::string places() const {
    std::ostringstream os;
    for (const dampening_switch* s : t.switches)
      for (unsigned p = 0; p < t.config.pools(); ++p)
        for (unsigned place = 0; place < s->places().size(p); ++place) {
          if (s->places().occupied(p, place)) os << s->places().read(p, place);
          os << ',';
        }
    for (const auto& [pool, bank] : banks)
      for (unsigned slot = 0; slot < bank->slots(); ++slot) os << bank->at(slot) << ',';
    return os.str();
  }

private:
  foreign_storage storage() {
    foreign_storage s;
    s.bank = [this](bench& b, dampening_switch& pool, const std::string& name) {
      auto& bank =
          b.make<emergency_bank>(name + "_bank", static_cast<unsigned>(pool.spill.size()), pool.slots(0));
      banks.emplace_back(&pool, &bank);
      join(b, pool, bank, name,
           [this](spill_link& spill, refill_link& refill) { bank_links.emplace_back(&spill, &refill); });
    };
    return s;
  }
};

struct variant {
  std::string name;
  flow_control flow;
  std::shared_ptr<const assignment_plan> (*plan)();
};
void PrintTo(const variant& v, std::ostream* os) { *os << v.name; }

class dampening_kernels : public sc_test, public testing::WithParamInterface<variant> {};

}  // namespace

TEST_P(dampening_kernels, agree_on_every_place_and_pin_in_every_cycle) {
  const dampening_switch_config c = config_of(GetParam().flow, false, 3);
  recorded_bench signals(kernel::signals, c, GetParam().plan()), fast(kernel::fast, c, GetParam().plan());
  unsigned different = 0;
  std::string before;
  for (unsigned edge = 0; edge < 600; ++edge) {
    if (edge == 2 || edge == 202) signals.t.b.rst(false), fast.t.b.rst(false);
    if (edge == 200) signals.t.b.rst(true), fast.t.b.rst(true);
    run(1);
    const std::string places = signals.places();
    ASSERT_EQ(places, fast.places()) << "after edge " << edge;
    different += places != before;
    before = places;
  }
  EXPECT_GT(different, 100u);
  ASSERT_EQ(signals.pins->log.size(), 600u);
  ASSERT_EQ(fast.pins->log.size(), 600u);
  for (unsigned edge = 0; edge < 600; ++edge)
    ASSERT_EQ(signals.pins->log[edge], fast.pins->log[edge]) << "at edge " << edge;
  EXPECT_GT(signals.t.arrived(), 200u);
}

INSTANTIATE_TEST_SUITE_P(
    variants, dampening_kernels,
    testing::Values(variant{"hashed_sender", flow_control::sender_calculates, hashed},
                    variant{"hashed_receiver", flow_control::receiver_calculates, hashed},
                    variant{"modified_sender", flow_control::sender_calculates, modified},
                    variant{"modified_receiver", flow_control::receiver_calculates, modified}),
    [](const auto& i) { return i.param.name; });

namespace {

class places_of_a_pool : public sc_test {
protected:
  void expect_report(const std::function<void()>& what, const std::string& text) {
    try {
      what();
      ADD_FAILURE() << "no report, expected: " << text;
    } catch (const sc_core::sc_report& report) {
      EXPECT_EQ(std::string(report.get_msg()), text);
    }
  }
  sc_core::sc_signal<bool> pool{"pool"};  // any object with a name
  state_memory memory;
  pool_places places{pool, {2, 3}, memory, nullptr};
};

}  // namespace

TEST_F(places_of_a_pool, hold_one_flit_each) {
  for (unsigned p = 0; p < 2; ++p)
    for (unsigned i = 0; i < places.size(p); ++i) places.write(p, i, make_flit(p, i, 7));
  EXPECT_EQ(places.used(), 5u);
  for (unsigned p = 0; p < 2; ++p)
    for (unsigned i = 0; i < places.size(p); ++i) EXPECT_EQ(places.read(p, i), make_flit(p, i, 7));
  expect_report([&] { places.write(1, 2, {}); },
                "pool: place 2 of partition 1, which has 3, is written while it is occupied");
  EXPECT_EQ(places.read(1, 2), make_flit(1, 2, 7));
}
TEST_F(places_of_a_pool, are_as_many_as_said) {
  expect_report([&] { places.write(0, 2, {}); }, "pool: place 2 of partition 0, which has 2, does not exist");
  expect_report([&] { places.read(1, 3); }, "pool: place 3 of partition 1, which has 3, does not exist");
  EXPECT_EQ(places.used(), 0u);
}
TEST_F(places_of_a_pool, are_freed_once_and_empty_then) {
  places.write(1, 1, {});
  places.free(1, 1);
  EXPECT_FALSE(places.occupied(1, 1));
  expect_report([&] { places.free(1, 1); },
                "pool: place 1 of partition 1, which has 3, is freed while it is empty");
  expect_report([&] { places.read(1, 1); },
                "pool: place 1 of partition 1, which has 3, is read while it is empty");
}

namespace {

/// Sends messages to a switch and names their places as it is told.
class wrong_sender final : public clocked {
public:
  embargo_out out{"out"};
  std::map<std::uint64_t, std::uint16_t> places;  // by edge
  explicit wrong_sender(const sc_core::sc_module_name& name) : clocked(name) {}

private:
  void reset() override { out.valid.write(false); }
  void tick() override {
    wake_at(cycle() + 1);
    const auto now = places.find(cycle());
    out.valid.write(now != places.end());
    if (now == places.end()) return;
    out.data.write(make_flit(1, 0, static_cast<std::uint32_t>(cycle())));
    out.place.write(now->second);
  }
};

class pool_with_a_wrong_sender : public sc_test, public testing::WithParamInterface<kernel> {
protected:
  pool_with_a_wrong_sender() : b(GetParam()) {
    dampening_switch_config c;
    c.inputs = c.outputs = 1;
    std::vector<link_end> next(1);
    next[0].terminal = true;
    pool = &b.make<dampening_switch>("switch", c, 0u, std::make_shared<modulo_routing>(1), next, hashed());
    from = &b.make<wrong_sender>("from");
    to = &b.make<receiver>("to", 0);
    auto& in = b.keep<embargo_link>(link_place{"in"}, true);
    auto& out = b.keep<embargo_link>(link_place{"out"}, false);
    in.connect(from->out), in.connect(pool->in[0]);
    out.connect(pool->out[0]), out.connect(to->in);
  }
  bench b;
  dampening_switch* pool;
  wrong_sender* from;
  receiver* to;
};

}  // namespace

TEST_P(pool_with_a_wrong_sender, takes_as_many_messages_as_it_has_places) {
  for (std::uint16_t place = 0; place < 6; ++place) from->places[10 + place] = place;
  b.reset();
  run(30);
  EXPECT_EQ(pool->level(), 6u);
  EXPECT_EQ(pool->places().used(), 6u);
}
TEST_P(pool_with_a_wrong_sender, reports_an_occupied_place_that_is_written) {
  from->places = {{10, 3}, {12, 3}};
  b.reset();
  EXPECT_THROW(run(30), sc_core::sc_report);
}
TEST_P(pool_with_a_wrong_sender, reports_a_place_that_does_not_exist) {
  from->places = {{10, 6}};
  b.reset();
  EXPECT_THROW(run(30), sc_core::sc_report);
}

TEST_P(pool_with_a_wrong_sender, reports_a_place_that_does_not_exist_of_what_passes_straight_through) {
  to->rate = 100;
  from->places = {{10, 5}, {12, 6}};
  b.reset();
  EXPECT_THROW(run(30), sc_core::sc_report);
  EXPECT_EQ(pool->places().used(), 0u);
  EXPECT_EQ(to->got.size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(kernels, pool_with_a_wrong_sender, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& i) { return name_of(i.param); });
