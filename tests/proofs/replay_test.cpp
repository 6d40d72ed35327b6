// The blocks of dampening, circuits and feedback do on their pins what their models do.
#include "replay.hpp"

#include <spillway/hw/circuit/circuit_router.hpp>
#include <spillway/hw/feedback/admission_arbiter.hpp>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

constexpr int none = 7;  // in the models

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

INSTANTIATE_TEST_SUITE_P(kernels, replay, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& p) { return name_of(p.param); });
INSTANTIATE_TEST_SUITE_P(kernels, interface_replay, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& p) { return name_of(p.param); });
INSTANTIATE_TEST_SUITE_P(kernels, pool_replay, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& p) { return name_of(p.param); });
