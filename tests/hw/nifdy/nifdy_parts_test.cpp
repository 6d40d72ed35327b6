// Parts of a NIFDY unit alone: who waits for the same has his turn, queues keep to their order and their
// bounds.
#include <spillway/hw/nifdy/nifdy_acks.hpp>
#include <spillway/hw/nifdy/nifdy_port.hpp>
#include <support/link_bench.hpp>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

flit packet(std::uint32_t source, std::uint32_t number, std::uint8_t flags = 0) {
  flit f = make_flit(source, 9, number);
  nifdy::set_header(f, {flags});
  return f;
}

/// The part that makes acknowledgements, with senders of what it is told and receivers of what it tells.
struct acks_bench {
  bench b{kernel::signals};
  sender& accepted = b.make<sender>("accepted");
  sender& progress = b.make<sender>("progress");
  receiver& out = b.make<receiver>("out", 0);
  receiver& opened = b.make<receiver>("opened", 0);

  acks_bench() {
    nifdy_config config;
    config.terminal = 9, config.dialogs = 4;
    auto& acks = b.make<nifdy_acks>("acks", config);
    join(accepted, acks.accepted, "accepted_link"), join(progress, acks.progress, "progress_link");
    join(out, acks.out, "out_link"), join(opened, acks.opened, "opened_link");
  }

private:
  void join(sender& from, packet_in& to, const char* name) {
    const any_link l = b.link(name);
    from.out.bind(l), to.bind(l);
  }
  void join(receiver& to, packet_out& from, const char* name) {
    const any_link l = b.link(name);
    from.bind(l), to.in.bind(l);
  }
};

}  // namespace

TEST(nifdy_port, networks_take_turns_at_an_exit) {
  bench b(kernel::signals);
  nifdy_config config;
  config.networks = 2;
  auto& port = b.make<nifdy_port>("port", config);
  sender* from[2] = {&b.make<sender>("from0"), &b.make<sender>("from1")};
  auto& to = b.make<receiver>("to");
  const any_link in[2] = {b.link("in0"), b.link("in1")}, scalar = b.link("scalar"),
                 acks = b.bare_link("acks"), bulk = b.bare_link("bulk");
  for (unsigned n = 0; n < 2; ++n) {
    from[n]->out.bind(in[n]), port.in[n].bind(in[n]);
    for (unsigned p = 0; p < 40; ++p) from[n]->todo.push_back(packet(n, p));
  }
  port.scalar.bind(scalar), to.in.bind(scalar);
  port.acks.bind(acks), port.bulk.bind(bulk);
  b.reset();
  run(100);
  ASSERT_EQ(to.got.size(), 80u);
  for (std::size_t i = 4; i + 2 < 70; ++i) EXPECT_NE(to.got[i].data.source, to.got[i + 1].data.source) << i;
}

TEST(nifdy_acks, dialogs_are_opened_in_the_order_of_their_grants) {
  acks_bench t;
  for (const std::uint32_t source : {5u, 3u, 7u})
    t.accepted.todo.push_back(packet(source, 0, nifdy::request));
  t.b.reset();
  run(20);
  t.opened.rate = t.out.rate = 100;
  run(20);
  ASSERT_EQ(t.opened.got.size(), 3u);
  ASSERT_EQ(t.out.got.size(), 3u);
  for (unsigned i = 0; i < 3; ++i) {
    EXPECT_EQ(t.opened.got[i].data.source, std::vector<unsigned>({5, 3, 7})[i]);
    EXPECT_EQ(t.out.got[i].data.destination, std::vector<unsigned>({5, 3, 7})[i]);
  }
}

// Four; as two may come at one edge, a fourth does not come where it would be alone.
TEST(nifdy_acks, take_no_more_than_they_have_room_for) {
  acks_bench t;
  const auto add = [](sender& to, std::uint8_t flags, flit_kind kind) {
    flit f = packet(5, 0, flags);
    f.kind = kind;
    to.todo.push_back(f);
  };
  for (unsigned p = 0; p < 3; ++p) add(t.accepted, 0, flit_kind::data);
  t.b.reset();
  run(20);
  EXPECT_EQ(t.accepted.sent.size(), 3u);
  add(t.accepted, 0, flit_kind::data), add(t.progress, nifdy::bulk, flit_kind::acknowledge);
  run(20);
  EXPECT_EQ(t.accepted.sent.size() + t.progress.sent.size(), 3u);
  t.out.rate = 100;
  run(40);
  EXPECT_EQ(t.out.got.size(), 5u);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}
