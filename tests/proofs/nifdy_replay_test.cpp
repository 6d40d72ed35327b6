// NIFDY's units do on their pins what the models nifdy.pml and nifdy_dialog.pml do.
#include <spillway/hw/nifdy/nifdy_unit.hpp>

#include "replay.hpp"

using namespace spillway;
using namespace spillway::testing_support;

namespace {

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
}  // namespace

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
        ++again;
        [[fallthrough]];
      case sends:
        // After a timeout, which it also waits before the packet after one that was sent again.
        for (unsigned c = 0; c < timeout && !shown(sent); ++c) run(1);
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
    ASSERT_EQ(shown(sent), !unacknowledged && !s("again")) << s.line();
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

INSTANTIATE_TEST_SUITE_P(kernels, nifdy_replay, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& p) { return name_of(p.param); });
INSTANTIATE_TEST_SUITE_P(kernels, dialog_replay, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& p) { return name_of(p.param); });
