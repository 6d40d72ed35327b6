// Inputs of one lane: a flit that is shown in another lane, whose bit of `ready` is low, does not cross.
#include <gtest/gtest.h>

#include <functional>
#include <hw/dampening/dampening_bench.hpp>
#include <memory>
#include <ostream>
#include <spillway/hw/endpoints/processor.hpp>
#include <spillway/hw/isolation/destination_gate.hpp>
#include <spillway/hw/nifdy/nifdy_acks.hpp>
#include <spillway/hw/nifdy/nifdy_arrivals.hpp>
#include <spillway/hw/nifdy/nifdy_reorder.hpp>
#include <spillway/hw/nifdy/nifdy_table.hpp>
#include <spillway/hw/nifdy/nifdy_unit.hpp>
#include <string>
#include <support/feedback_bench.hpp>
#include <support/link_bench.hpp>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

namespace one_lane {

/// How many flits a block has taken.
using taken = std::function<std::size_t()>;

void show_to(bench& b, sender& from, packet_in& to) {
  const any_link in = b.bare_link("in");
  from.out.bind(in), to.bind(in);
}
/// Nobody listens there.
void leave_open(bench& b, packet_out& out, const std::string& name) {
  any_link to = b.bare_link(name);
  out.bind(to);
}
/// Nobody sends there.
void leave_open(bench& b, packet_in& in, const std::string& name) {
  any_link from = b.bare_link(name);
  in.bind(from);
}

double counted(const std::function<void(counters&)>& count, const char* name) {
  counters all;
  count(all);
  return all[name];
}

taken gate(bench& b, sender& from) {
  auto& block = b.make<destination_gate>("gate", destination_gate_config{4, 6, false});
  show_to(b, from, block.in), leave_open(b, block.out, "out");
  return [&] { return block.level(); };
}

taken interface_to_embargo_link(bench& b, sender& from) {
  embargo_interface_config config;
  config.depth = 6;
  auto& block = b.make<embargo_interface>("interface", config, nullptr, false);
  show_to(b, from, block.in), b.keep<embargo_link>(link_place{"out"}, false).connect(block.out);
  return [&] { return block.level(); };
}

taken pool(bench& b, sender& from) {
  dampening_switch_config config;
  config.inputs = config.outputs = 1;
  link_end terminal;
  terminal.terminal = true;
  auto& block =
      b.make<dampening_switch>("switch", config, 0u, std::make_shared<modulo_routing>(1),
                               std::vector<link_end>{terminal}, sets_everywhere(buffer_sets(8, {0, 1}), 2));
  auto &in = b.keep<embargo_link>(link_place{"in"}, true),
       &out = b.keep<embargo_link>(link_place{"out"}, false);
  in.connect(from.out), in.connect(block.in[0]), out.connect(block.out[0]);
  return [&] { return block.level(); };
}

taken processor_of(bench& b, sender& from) {
  auto& log = b.keep<event_log>();
  auto& block = b.make<processor>("cpu", 3u, processor_config{},
                                  std::make_unique<listed_supply>(std::vector<listed_supply::item>{}), log);
  show_to(b, from, block.in), leave_open(b, block.out, "out");
  any_wire<std::uint32_t>(b, "reached").connect(block.reached);
  any_wire<std::uint32_t>(b, "passed").connect(block.passed);
  return [&] { return log.arrived.size(); };
}

/// With senders at what `to` says, and nobody anywhere else.
taken unit(bench& b, sender& from, bool network) {
  auto& block = b.keep<nifdy_unit>("unit", nifdy_config{});
  for (clocked* const part : block.blocks()) b.clock(*part);
  show_to(b, from, network ? block.from_network[0] : block.in);
  leave_open(b, network ? block.in : block.from_network[0], "other_in");
  leave_open(b, block.out, "out"), leave_open(b, block.to_network[0], "to_network");
  return [&] { return block.held_flits(); };
}

taken arrivals(bench& b, sender& from, bool bulk) {
  auto& block = b.make<nifdy_arrivals>("arrivals", nifdy_config{});
  show_to(b, from, bulk ? block.bulk : block.scalar),
      leave_open(b, bulk ? block.scalar : block.bulk, "other");
  leave_open(b, block.out, "out"), leave_open(b, block.accepted, "accepted");
  return [&] { return block.held_flits(); };
}

/// It counts what is of no dialog.
taken reorder(bench& b, sender& from) {
  auto& block = b.make<nifdy_reorder>("reorder", nifdy_config{});
  show_to(b, from, block.in), leave_open(b, block.opened, "opened");
  leave_open(b, block.out, "out"), leave_open(b, block.progress, "progress");
  return [&] {
    return static_cast<std::size_t>(counted([&](counters& all) { block.count(all); }, "nifdy.bulk_strays"));
  };
}

/// A packet that is sent is outstanding; an acknowledgement of none is stale.
taken table(bench& b, sender& from, bool acks) {
  auto& block = b.make<nifdy_table>("table", nifdy_config{});
  show_to(b, from, acks ? block.acks : block.sent), leave_open(b, acks ? block.sent : block.acks, "other");
  any_wire<nifdy::tags>(b, "tags").connect(block.tags);
  any_wire<nifdy::dialog>(b, "dialog").connect(block.dialog);
  const char* const name = acks ? "nifdy.stale_acks" : "nifdy.most_outstanding";
  return
      [&, name] { return static_cast<std::size_t>(counted([&](counters& all) { block.count(all); }, name)); };
}

taken acks(bench& b, sender& from, bool progress) {
  auto& block = b.make<nifdy_acks>("acks", nifdy_config{});
  show_to(b, from, progress ? block.progress : block.accepted);
  leave_open(b, progress ? block.accepted : block.progress, "other"), leave_open(b, block.opened, "opened");
  auto& to = b.make<receiver>("to");
  const any_link out = b.bare_link("out");
  block.out.bind(out), to.in.bind(out);
  return [&] { return to.got.size(); };
}

struct input_of {
  const char* name;
  std::function<taken(bench&, sender&)> make;
};
void PrintTo(const input_of& i, std::ostream* os) { *os << i.name; }

const input_of inputs[] = {
    {"gate", gate},
    {"embargo_interface", interface_to_embargo_link},
    {"dampening_switch", pool},
    {"processor", processor_of},
    {"nifdy_from_processor", [](bench& b, sender& from) { return unit(b, from, false); }},
    {"nifdy_from_network", [](bench& b, sender& from) { return unit(b, from, true); }},
    {"nifdy_scalar_arrivals", [](bench& b, sender& from) { return arrivals(b, from, false); }},
    {"nifdy_bulk_arrivals", [](bench& b, sender& from) { return arrivals(b, from, true); }},
    {"nifdy_reorder", reorder},
    {"nifdy_table_of_sent", [](bench& b, sender& from) { return table(b, from, false); }},
    {"nifdy_table_of_acks", [](bench& b, sender& from) { return table(b, from, true); }},
    {"nifdy_acks_of_scalars", [](bench& b, sender& from) { return acks(b, from, false); }},
    {"nifdy_acks_of_progress", [](bench& b, sender& from) { return acks(b, from, true); }},
};

class one_lane_input : public sc_test, public testing::WithParamInterface<std::tuple<kernel, input_of>> {};

TEST_P(one_lane_input, takes_no_flit_of_another_lane) {
  bench b(std::get<kernel>(GetParam()));
  auto& from = b.make<sender>("from");
  const taken count = std::get<input_of>(GetParam()).make(b, from);
  flit f = make_flit(1, 2, 0);
  nifdy::set_header(f, {});
  f.lane = 3;
  from.todo.push_back(f);
  b.reset();
  run(40);
  EXPECT_EQ(count(), 0u);
  EXPECT_TRUE(from.sent.empty());
  from.todo.front().lane = 0;
  b.reset();  // or the sender would take the flit that is shown for this one
  run(40);
  EXPECT_EQ(count(), 1u);
  EXPECT_EQ(from.sent.size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(blocks, one_lane_input,
                         testing::Combine(testing::Values(kernel::signals, kernel::fast),
                                          testing::ValuesIn(inputs)),
                         [](const auto& p) {
                           return name_of(std::get<kernel>(p.param)) + '_' + std::get<input_of>(p.param).name;
                         });

}  // namespace one_lane

}  // namespace
