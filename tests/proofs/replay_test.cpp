// Blocks do on their pins what the models in this folder, which Spin has proved, do in their cycles. A cycle
// of a model is several of the block: what the others do is put on its pins for one edge, and what it then
// answers is compared.
#include <hw/dampening/dampening_bench.hpp>
#include <spillway/hw/circuit/circuit_router.hpp>
#include <spillway/hw/feedback/admission_arbiter.hpp>
#include <spillway/hw/nifdy/nifdy_unit.hpp>

#include "walk.hpp"

using namespace spillway;
using namespace spillway::testing_support;

namespace {

constexpr int none = 7;  // in the models

class replay : public sc_test, public testing::WithParamInterface<kernel> {
protected:
  template <class Link, class... Args>
  Link& link(const std::string& name, Args... args) {
    return b.keep<Link>(link_place{name}, args...);
  }
  /// Lets the block work; `look` sees its pins after every edge.
  template <class Look>
  static void settle(Look&& look, unsigned cycles = 8) {
    for (unsigned c = 0; c < cycles; ++c) run(1), look();
  }
  static void settle() {
    settle([] {});
  }

  bench b{GetParam()};
};

/// An interface whose source has always messages for destinations 0 and 1, and whose link the test drives.
class interface_replay : public replay {
protected:
  void make(std::unique_ptr<assignment> pool) {
    const bool calculates = pool != nullptr;
    embargo_interface_config config;
    config.depth = 16;
    config.queue_a_destination = true;
    config.embargoes = 2;
    auto& unit = b.make<embargo_interface>("interface", config, std::move(pool), false);
    from_ = &b.make<sender>("from");
    auto& source = link<packet_link>("source");
    source.connect(from_->out), source.connect(unit.in);
    out_ = &link<embargo_link>("out", calculates);
    out_->connect(unit.out);
    b.reset();
    for (unsigned i = 0; i < 8; ++i) offer(i % 2);
    settle([] {}, 40);
  }
  void hear(const control_message& m) {
    out_->with([&m](auto& w) { w.control.write(m); });
    run(1);
    out_->with([](auto& w) { w.control.write({}); });
    settle();
  }
  void interdict(bool on) {
    out_->with([on](auto& w) { w.interdict.write(on); });
    settle();
  }
  /// The link takes one message, if the interface has one that may go.
  std::optional<flit> take_one() {
    out_->with([](auto& w) { w.ready.write(1); });
    run(1);
    out_->with([](auto& w) { w.ready.write(0); });
    settle();
    const auto shown = out_->with(
        [](auto& w) { return w.valid.read() ? std::optional<flit>(w.data.read()) : std::nullopt; });
    if (shown) offer(shown->destination);
    return shown;
  }
  unsigned place() {
    return out_->with([](auto& w) { return unsigned{w.place.read()}; });
  }

private:
  void offer(unsigned destination) { from_->add_packet(5, destination, packets_[destination]++ % 4); }
  sender* from_ = nullptr;
  embargo_link* out_ = nullptr;
  unsigned packets_[2] = {0, 0};
};

/// A switch with one input and two outputs, whose links the test drives: destination d is behind output d.
class pool_replay : public replay {
protected:
  void make(const dampening_switch_config& config, const buffer_sets& sets, unsigned buffers) {
    std::vector<link_end> next(2);
    next[0].terminal = next[1].terminal = true;
    const auto routes = std::make_shared<modulo_routing>(2);
    const auto plan = sets_everywhere(sets, buffers);
    dampening_switch* made = nullptr;
    if (config.flow == flow_control::receiver_calculates)
      made = &b.make<banked_switch>("switch", config, 0u, routes, next, plan);
    else
      made = &b.make<dampening_switch>("switch", config, 0u, routes, next, plan);
    in_ = &link<embargo_link>("in", config.flow == flow_control::sender_calculates);
    made->connect_input(0, *in_);
    for (unsigned o = 0; o < 2; ++o) {
      out_[o] = &link<embargo_link>("out" + std::to_string(o), false);
      made->connect_output(o, *out_[o]);
    }
    checkers_ = b.checkers_of(*made);
    b.reset();
    settle();
  }
  /// Destinations take a message, those for which the step says which.
  template <class Look>
  void leave(const walk::step& s, Look&& look) {
    const auto ready = [&](lane_mask on) {
      for (unsigned d = 0; d < 2; ++d)
        if (s("left", d) != none) out_[d]->with([on](auto& w) { w.ready.write(on); });
    };
    ready(1);
    run(1), look();
    ready(0);
    settle(look);
    for (unsigned d = 0; d < 2; ++d) {
      if (s("left", d) != none) left_[d] = s("left", d);
      out_[d]->with([&](auto& w) {
        ASSERT_EQ(w.valid.read(), left_[d] != none);
        if (left_[d] == none) return;
        ASSERT_EQ(w.data.read().destination, d);
        ASSERT_EQ(w.data.read().packet, static_cast<std::uint32_t>(left_[d]));
      });
    }
  }
  template <class Look>
  void come(const walk::step& s, Look&& look) {
    if (s("came") == none) return;
    in_->with([&](auto& w) {
      w.data.write(
          make_flit(5, static_cast<std::uint32_t>(s("came")), static_cast<std::uint32_t>(s("came", 1))));
      w.valid.write(true);
    });
    if (s.line().find(" at ") != std::string::npos)
      in_->with([&](auto& w) { w.place.write(static_cast<std::uint16_t>(s("came", 2))); });
    run(1), look();
    in_->with([](auto& w) { w.valid.write(false); });
    settle(look);
  }
  control_message control() {
    return in_->with([](auto& w) { return w.control.read(); });
  }
  bool interdicts() {
    return in_->with([](auto& w) { return w.interdict.read(); });
  }

private:
  embargo_link *in_ = nullptr, *out_[2] = {nullptr, nullptr};
  int left_[2] = {none, none};  // what an output shows
  std::vector<std::unique_ptr<clocked>> checkers_;
};

/// A NIFDY unit whose processor has always packets for terminal 1, which the test plays, and the networks,
/// too.
class nifdy_replay : public replay {
protected:
  static constexpr unsigned timeout = 1000;

  void make(nifdy_config config, std::vector<flit> packets) {
    config.networks = 2, config.arrivals = 1, config.timeout = timeout;
    unit_ = b.make_part<nifdy_unit>("unit", config);
    for (clocked* const block : unit_->blocks()) b.clock(*block);
    auto& software = b.make<sender>("software");
    const any_link in = b.link("in");
    software.out.bind(in), unit_->in.bind(in), unit_->out.bind(processor);
    unit_->to_network[0].bind(sent), unit_->to_network[1].bind(acks);
    unit_->from_network[0].bind(come), unit_->from_network[1].bind(acks_come);
    software.todo.assign(packets.begin(), packets.end());
    b.reset();
    settle();
  }
  static flit packet(std::uint32_t source, std::uint32_t number, std::uint8_t flags) {
    flit f = make_flit(source, 1 - source, number);
    nifdy::set_header(f, {flags});
    return f;
  }
  static bool shown(const any_link& l) { return l.valid.read(); }
  static void give(const any_link& l, const flit& f) {
    ASSERT_TRUE(l.ready.read() & 1);
    l.data.write(f), l.valid.write(true);
    run(1);
    l.valid.write(false);
    settle();
  }
  static flit take(const any_link& l) {
    EXPECT_TRUE(l.valid.read());
    const flit f = l.data.read();
    l.ready.write(1);
    run(1);
    l.ready.write(0);
    settle();
    return f;
  }
  /// A packet as the step says, whose first bit is another in the block.
  static void expect(const flit& f, const walk::step& s) {
    EXPECT_EQ(nifdy::has(f, nifdy::toggle), s("bit") == 0) << s.line();
    if (f.kind == flit_kind::data) {
      EXPECT_EQ(f.packet % 4, static_cast<unsigned>(s("number"))) << s.line();
    }
  }

  const any_link processor = b.link("processor"), sent = b.link("sent"), acks = b.link("acks"),
                 come = b.link("come"), acks_come = b.link("acks_come");

private:
  std::unique_ptr<nifdy_unit> unit_;
};

/// The same with dialogs, each of a packet that asks for it and `length` more, of numbers of their own.
class dialog_replay : public nifdy_replay {
protected:
  static constexpr int length = 6;
  enum : int { begins, sends, sends_again, is_acknowledged, acknowledges, takes_in, hands_on };

  static walk walk_of(unsigned window) { return walk("nifdy_dialog_window_" + std::to_string(window)); }
  void make(unsigned window, std::vector<flit> packets = {}) {
    nifdy_config config;
    config.dialogs = 1, config.window = window;
    config.ack_when = nifdy_ack::inserted;  // so that the FIFO is full when a dialog begins
    nifdy_replay::make(config, std::move(packets));
  }
  static std::uint32_t number(int dialog, int sequence) {
    return static_cast<std::uint32_t>(dialog * (length + 1) + 1 + sequence);
  }
  static flit request(std::uint32_t source, int dialog) {
    return packet(source, number(dialog, -1), nifdy::request);
  }
  static bool is_last(int sequence) { return sequence == length - 1; }

  /// Packets that the unit sends again unasked, as the time for them has come, are lost; what it shows then
  /// is the next in turn.
  void lose_repeated(const walk::step& s) {
    while (shown(sent) && nifdy::has(sent.data.read(), nifdy::bulk)) {
      const nifdy::header h = nifdy::header_of(sent.data.read());
      if (h.dialog == name(s("sender")) && h.sequence >= s("sender", 1)) break;
      take(sent);
    }
  }
  static std::uint16_t name(int dialog) { return nifdy::dialog_name(0, static_cast<unsigned>(dialog) + 1); }
  /// Of the dialog that the step is about.
  static void expect_bulk(const flit& f, const walk::step& s) {
    const nifdy::header h = nifdy::header_of(f);
    EXPECT_TRUE(nifdy::has(f, nifdy::bulk)) << s.line();
    EXPECT_EQ(h.sequence, s("number")) << s.line();
    EXPECT_EQ(h.dialog, name(s("of"))) << s.line();
    EXPECT_EQ(f.packet, number(s("of"), s("number"))) << s.line();
    EXPECT_EQ(nifdy::has(f, nifdy::exit), is_last(s("number"))) << s.line();
  }
  void sends_as_the_model(unsigned window);
  void receives_as_the_model(unsigned window);
};

/// The test grants what is asked, and is the receiver.
void dialog_replay::sends_as_the_model(unsigned window) {
  std::vector<flit> packets;
  for (int dialog = 0; dialog < 60; ++dialog) {
    packets.push_back(request(0, dialog));
    for (int i = 0; i < length; ++i)
      packets.push_back(packet(0, number(dialog, i), is_last(i) ? nifdy::exit : std::uint8_t{0}));
  }
  make(window, std::move(packets));
  unsigned again = 0, dialogs = 0;
  for (const walk::step& s : walk_of(window)) {
    flit ack = packet(1, 0, 0);
    ack.kind = flit_kind::acknowledge;
    switch (s("does")) {
      case begins: {
        const flit asks = take(sent);
        ASSERT_EQ(asks.packet, number(s("of"), -1)) << s.line();
        ASSERT_TRUE(nifdy::has(asks, nifdy::request)) << s.line();
        std::uint8_t flags = nifdy::granted;
        if (nifdy::has(asks, nifdy::toggle)) flags |= nifdy::toggle;
        nifdy::set_header(ack, {flags, 0, name(s("of"))});
        give(acks_come, ack);
        ++dialogs;
        [[fallthrough]];
      }
      case sends:
        expect_bulk(take(sent), s);
        break;
      case sends_again: {
        const auto shows_it = [&] {
          return shown(sent) && nifdy::header_of(sent.data.read()).sequence == s("number");
        };
        for (unsigned c = 0; c < 2 * timeout && !shows_it(); ++c) {
          run(1);
          if (shown(sent) && !shows_it()) take(sent);  // of the others, which are lost
        }
        expect_bulk(take(sent), s);
        ++again;
        break;
      }
      case is_acknowledged:
        nifdy::set_header(ack, {nifdy::bulk, static_cast<std::uint16_t>(s("number")), name(s("of"))});
        give(acks_come, ack);
        break;
      default:  // the receiver's
        continue;
    }
    lose_repeated(s);
    const int begun = s("sender", 1), acknowledged = s("sender", 2);
    ASSERT_EQ(shown(sent), begun < length && begun < acknowledged + static_cast<int>(window)) << s.line();
    ASSERT_FALSE(HasFailure()) << s.line();
  }
  EXPECT_GT(again, 50u);
  EXPECT_GT(dialogs, 20u);
}

/// The FIFO holds what came before, so that a packet is handed on when the processor takes that.
void dialog_replay::receives_as_the_model(unsigned window) {
  make(window);
  std::map<int, std::uint16_t> names;
  std::optional<std::uint32_t> in_front;  // its number
  unsigned early = 0, repeated = 0;
  const auto accept = [&](std::uint32_t next) {
    if (in_front) {
      const flit f = take(processor);
      EXPECT_EQ(f.packet, *in_front);
      EXPECT_EQ(f.source, 1u);
    }
    in_front = next;
  };
  int next = 0;
  for (const walk::step& s : walk_of(window)) {
    const int dialog = s("of"), sequence = s("number");
    switch (s("does")) {
      case begins: {
        flit asks = request(1, dialog);
        if (dialog % 2 == 0) nifdy::set_flags(asks, nifdy::toggle);
        give(come, asks);
        accept(asks.packet);
        const flit ack = take(acks);
        ASSERT_TRUE(nifdy::has(ack, nifdy::granted)) << s.line();
        names[dialog] = nifdy::header_of(ack).dialog;
        next = 0;
        break;
      }
      case takes_in: {
        flit f = packet(1, number(dialog, sequence), 0);
        const std::uint8_t exit = is_last(sequence) ? nifdy::exit : 0;
        nifdy::set_header(f, {static_cast<std::uint8_t>(nifdy::bulk | exit),
                              static_cast<std::uint16_t>(sequence), names.at(dialog)});
        early += sequence > next, repeated += sequence < next;
        give(come, f);
        break;
      }
      case hands_on:
        next = sequence + 1;
        accept(number(dialog, sequence));
        break;
      case acknowledges: {
        const flit ack = take(acks);
        EXPECT_TRUE(nifdy::has(ack, nifdy::bulk)) << s.line();
        EXPECT_EQ(nifdy::header_of(ack).sequence, sequence) << s.line();
        EXPECT_EQ(nifdy::header_of(ack).dialog, names.at(dialog)) << s.line();
        break;
      }
      default:  // the sender's
        continue;
    }
    ASSERT_EQ(shown(acks), s("receiver", 1) == 1) << s.line();
    ASSERT_EQ(shown(processor), in_front.has_value()) << s.line();
    ASSERT_FALSE(HasFailure()) << s.line();
  }
  EXPECT_GT(early, 20u);
  EXPECT_GT(repeated, 20u);
}

buffer_sets places_of_the_model() { return {{0, 1}, {2, 1}}; }

}  // namespace

TEST_P(replay, the_arbiter_grants_as_its_model) {
  constexpr unsigned n = 3;
  auto& arbiter = b.make<admission_arbiter>("arbiter", n, admission_limits{1, 0, 0});
  link<feedback_lines>("lines", n).connect_words(arbiter.lines);
  std::vector<admission_link*> links;
  for (unsigned p = 0; p < n; ++p) {
    links.push_back(&link<admission_link>("client" + std::to_string(p)));
    links.back()->connect(arbiter.clients[p]);
  }
  b.reset();
  settle();
  for (const walk::step& s : walk("grants")) {
    const auto wish = [&](bool on) {
      for (unsigned p = 0; p < n; ++p)
        links[p]->with([&](auto& w) {
          w.wish.write(admission_wish{static_cast<std::uint8_t>(on && s("wish", p) ? 1 : 0), 0, 0});
        });
    };
    std::vector<unsigned> granted;
    const auto look = [&] {
      for (unsigned p = 0; p < n; ++p)
        if (links[p]->with([](auto& w) { return w.grant.read(); })) granted.push_back(p);
    };
    wish(true);
    run(1), look();
    wish(false);
    settle(look);
    std::vector<unsigned> expected;
    if (s("grant") < static_cast<int>(n)) expected.push_back(static_cast<unsigned>(s("grant")));
    ASSERT_EQ(granted, expected) << s.line();
  }
}

// Which of two free ports upwards the model takes is not the router's choice: its ports c and d have the
// names that the router gives them when it has both free.
TEST_P(replay, the_circuit_router_decides_as_its_model) {
  constexpr int nothing = 4;
  const fat_tree tree{3};
  circuit_router_config config;
  config.node = tree.number({1, 0, 0});
  config.level = 1;
  config.winner = contention::fixed;
  auto& router = b.make<circuit_router>("router", config, std::make_shared<fat_tree_routing>(tree));
  std::vector<circuit_link*> in, out;
  for (unsigned p = 0; p < 4; ++p) {
    in.push_back(&link<circuit_link>("in" + std::to_string(p)));
    out.push_back(&link<circuit_link>("out" + std::to_string(p)));
    router.connect_input(p, *in[p]), router.connect_output(p, *out[p]);
  }
  b.reset();
  settle();
  int held[4] = {nothing, nothing, nothing,
                 nothing};      // the output of an input's circuit, as the router names it
  int names[4] = {0, 1, 2, 3};  // the router's name of an output of the model
  const auto request = [&](unsigned i, bool on) { in[i]->with([on](auto& w) { w.request.write(on); }); };
  for (const walk::step& s : walk("circuit")) {
    bool acknowledged[4] = {}, collided[4] = {};
    const auto look = [&] {
      for (unsigned i = 0; i < 4; ++i)
        in[i]->with([&](auto& w) {
          acknowledged[i] |= w.acknowledge.read(), collided[i] |= w.collision.read();
          if (w.acknowledge.read() || w.collision.read()) w.request.write(false);
        });
    };
    const auto end = [&](bool on) {
      for (unsigned i = 0; i < 4; ++i)
        if (s("end", i))
          out[static_cast<unsigned>(held[i])]->with([on](auto& w) { w.acknowledge.write(on); });
    };
    end(true);
    run(1), look();
    end(false);
    settle(look);
    for (unsigned i = 0; i < 4; ++i) {
      ASSERT_EQ(acknowledged[i], s("end", i) == 1) << s.line() << " input " << i;
      if (acknowledged[i]) held[i] = nothing;
    }
    bool both_free = true;
    for (const int o : held) both_free &= o < 2 || o == nothing;
    for (unsigned i = 0; i < 4; ++i) {
      if (s("wish", i) == nothing) continue;
      const std::uint32_t behind[] = {0, 2, 6};
      in[i]->with([&](auto& w) { w.data.write(make_flit(i, behind[s("wish", i)], 0)); });
      request(i, true);
    }
    settle(look);
    for (unsigned i = 0; i < 4; ++i) {
      if (s("wish", i) == nothing) continue;
      const int got = s("got", i);
      ASSERT_EQ(collided[i], got == nothing) << s.line() << " input " << i;
      if (got == nothing) continue;
      for (unsigned o = 0; o < 4; ++o)
        if (out[o]->with([&](auto& w) { return w.request.read() && w.data.read().source == i; }))
          held[i] = static_cast<int>(o);
      if (got >= 2 && both_free && names[got] != held[i]) std::swap(names[2], names[3]);
      if (got >= 2) both_free = false;
    }
    for (unsigned i = 0; i < 4; ++i)
      ASSERT_EQ(held[i], s("got", i) == nothing ? nothing : names[s("got", i)]) << s.line() << " input " << i;
    for (unsigned o = 0; o < 4; ++o)
      ASSERT_EQ(out[o]->with([](auto& w) { return w.request.read(); }),
                std::count(held, held + 4, static_cast<int>(o)) == 1)
          << s.line() << " output " << o;
  }
}

TEST_P(interface_replay, stops_and_sends_as_the_model_of_embargoes) {
  make(nullptr);
  for (const walk::step& s : walk("embargo_latency_1")) {
    if (const int said = s("said")) {
      control_message m;
      m.terminal = static_cast<std::uint32_t>(said - 1) % 2;
      (said <= 2 ? m.embargo : m.release) = true;
      hear(m);
    }
    interdict(s("said", 1) == 1);
    const auto sent = take_one();
    ASSERT_EQ(sent ? static_cast<int>(sent->destination) : none, s("sent")) << s.line();
    ASSERT_EQ(sent ? static_cast<int>(sent->packet) : s("sent", 1), s("sent", 1)) << s.line();
  }
}

TEST_P(interface_replay, keeps_its_image_of_the_pool_as_the_model) {
  make(sets_everywhere(places_of_the_model(), 3)->make(0, 0));
  unsigned owner[3] = {};
  for (const walk::step& s : walk("sender_calculates_latency_2")) {
    if (const int said = s("said"); said != none) {
      control_message m;
      m.report = true;
      m.place = static_cast<std::uint16_t>(said);
      m.terminal = owner[said];
      hear(m);
    }
    const auto sent = take_one();
    ASSERT_EQ(sent ? static_cast<int>(sent->destination) : none, s("sent")) << s.line();
    if (!sent) continue;
    ASSERT_EQ(static_cast<int>(sent->packet), s("sent", 1)) << s.line();
    ASSERT_EQ(static_cast<int>(place()), s("sent", 2)) << s.line();
    owner[place()] = sent->destination;
  }
}

TEST_P(pool_replay, embargoes_and_interdicts_as_the_model) {
  const unsigned latency = 2;
  dampening_switch_config config;
  config.flow = flow_control::receiver_calculates;
  config.inputs = 1, config.outputs = 2;
  config.link_latency = latency;
  config.emergency = 1, config.extra = 2 * latency;
  make(config, {{0}, {1}}, 2);
  bool embargoed[2] = {false, false};
  const auto look = [&] {
    const control_message m = control();
    if (m.any()) embargoed[m.terminal] = m.embargo;
  };
  unsigned stopped = 0;
  for (const walk::step& s : walk("embargo_latency_2")) {
    leave(s, look);
    come(s, look);
    for (unsigned d = 0; d < 2; ++d) ASSERT_EQ(embargoed[d], s("banked", d) == 1) << s.line();
    ASSERT_EQ(interdicts(), s("stop") == 1) << s.line();
    ASSERT_FALSE(HasFailure()) << s.line();
    stopped += interdicts();
  }
  EXPECT_GT(stopped, 10u);
  EXPECT_TRUE(b.violations.empty()) << b.first_violation();
}

TEST_P(pool_replay, reports_as_the_model) {
  dampening_switch_config config;
  config.flow = flow_control::sender_calculates;
  config.inputs = 1, config.outputs = 2;
  make(config, places_of_the_model(), 3);
  std::vector<std::pair<int, int>> reported;  // of which the model, one a cycle, has told `told`
  std::size_t told = 0, left = 0;
  for (const walk::step& s : walk("sender_calculates_latency_1")) {
    const auto look = [&] {
      if (const control_message m = control(); m.report) reported.emplace_back(m.terminal, m.place);
    };
    leave(s, look);
    come(s, look);
    for (unsigned d = 0; d < 2; ++d)
      if (s("left", d) != none) {
        ASSERT_LT(left, reported.size()) << s.line();
        ASSERT_EQ(reported[left++], std::make_pair(static_cast<int>(d), s("at", d))) << s.line();
      }
    ASSERT_EQ(left, reported.size()) << s.line();
    if (s("told") != none) {
      ASSERT_LT(told, reported.size()) << s.line();
      ASSERT_EQ(reported[told++].second, s("told")) << s.line();
    }
    ASSERT_FALSE(HasFailure()) << s.line();
  }
  EXPECT_TRUE(b.violations.empty()) << b.first_violation();
}

// The model's terminal 0. A packet that comes once more the block acknowledges at once, the model when it has
// passed the FIFO.
TEST_P(nifdy_replay, sends_accepts_and_acknowledges_as_the_model) {
  enum : int { sends, sends_again, takes_in, takes_out, acknowledges, is_acknowledged };
  nifdy_config config;
  config.dialogs = 0;
  std::vector<flit> packets;
  for (std::uint32_t p = 0; p < 200; ++p) packets.push_back(packet(0, p, 0));
  make(config, std::move(packets));
  int accepted = 0;                               // modulo 4
  bool fresh = true;                              // what lies in the FIFO
  unsigned since = 0, again = 0, duplicates = 0;  // steps since a packet was sent
  for (const walk::step& s : walk("nifdy_lossy")) {
    const std::uint8_t bit = s("bit") == 0 ? nifdy::toggle : 0;
    const bool unacknowledged = s("holds", 0), waiting = s("holds", 1), owes = s("holds", 2);
    ++since;
    switch (s("does")) {
      case sends_again:
        for (unsigned c = 0; c < timeout && !shown(sent); ++c) run(1);
        ++again;
        [[fallthrough]];
      case sends:
        expect(take(sent), s);
        since = 0;
        break;
      case takes_in:
        fresh = s("number") == accepted;
        duplicates += !fresh;
        give(come, packet(1, static_cast<std::uint32_t>(s("number")), bit));
        break;
      case takes_out:
        ASSERT_EQ(fresh, s("holds", 3) != accepted) << s.line();
        accepted = s("holds", 3);
        if (fresh) expect(take(processor), s);
        break;
      case acknowledges:
        expect(take(acks), s);
        break;
      case is_acknowledged: {
        flit ack = packet(1, 0, bit);
        ack.kind = flit_kind::acknowledge;
        give(acks_come, ack);
        break;
      }
    }
    ASSERT_LT(since, timeout / 9) << "the block sends again on its own";
    ASSERT_EQ(shown(sent), !unacknowledged) << s.line();
    ASSERT_EQ(shown(processor), waiting && fresh) << s.line();
    ASSERT_EQ(shown(acks), owes || (waiting && !fresh)) << s.line();
    ASSERT_FALSE(HasFailure()) << s.line();
  }
  EXPECT_GT(again, 50u);
  EXPECT_GT(duplicates, 50u);
  EXPECT_TRUE(b.violations.empty()) << b.first_violation();
}

TEST_P(dialog_replay, sends_dialogs_as_the_model) { sends_as_the_model(2); }
TEST_P(dialog_replay, sends_dialogs_of_a_wider_window_as_the_model) { sends_as_the_model(4); }
TEST_P(dialog_replay, receives_dialogs_as_the_model) { receives_as_the_model(2); }
TEST_P(dialog_replay, receives_dialogs_of_a_wider_window_as_the_model) { receives_as_the_model(4); }

INSTANTIATE_TEST_SUITE_P(kernels, replay, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& p) { return name_of(p.param); });
INSTANTIATE_TEST_SUITE_P(kernels, interface_replay, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& p) { return name_of(p.param); });
INSTANTIATE_TEST_SUITE_P(kernels, pool_replay, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& p) { return name_of(p.param); });
INSTANTIATE_TEST_SUITE_P(kernels, nifdy_replay, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& p) { return name_of(p.param); });
INSTANTIATE_TEST_SUITE_P(kernels, dialog_replay, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& p) { return name_of(p.param); });
