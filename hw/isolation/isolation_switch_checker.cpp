#include <algorithm>
#include <spillway/hw/isolation/isolation_switch_checker.hpp>

namespace spillway {

namespace {

bool all_empty(const std::vector<heard_roots>& sets) {
  return std::all_of(sets.begin(), sets.end(), [](const heard_roots& r) { return r.empty(); });
}

}  // namespace

isolation_switch_checker::isolation_switch_checker(const sc_core::sc_module_name& name,
                                                   isolation_switch_checker_config config,
                                                   violation_handler handler)
    : clocked(name),
      in(config.inputs, "in"),
      in_tree(config.at_terminal ? 0 : config.inputs, "in"),
      out(config.neighbours.size(), "out"),
      out_tree(config.neighbours.size(), "out"),
      config_(std::move(config)),
      handler_(std::move(handler)),
      stopped_(out.size()),
      tokens_(out.size()),
      stops_(in_tree.size()),
      branches_(in_tree.size()),
      waits_(out.size()) {}

void isolation_switch_checker::reset() {
  flows_.clear();
  for (auto* const sets : {&stopped_, &tokens_, &stops_, &branches_})
    for (heard_roots& r : *sets) r.clear();
  waits_.assign(out.size(), false);
  held_ = 0;
  idle_ = reported_ = false;
}

void isolation_switch_checker::tick() {
  bool crossing = false;
  for (unsigned o = 0; o < out.size(); ++o) {
    look_at_output(o);
    crossing |= out[o].valid.read() && !waits_[o];
  }
  for (unsigned i = 0; i < in.size(); ++i)
    if (in[i].crosses()) {
      look_at_input(i);
      crossing = true;
    }
  for (unsigned i = 0; i < in_tree.size(); ++i) {
    stops_[i].hear(in_tree[i].stop.read());
    branches_[i].hear(in_tree[i].token.read());
  }
  for (unsigned o = 0; o < out.size(); ++o) {
    stopped_[o].hear(out_tree[o].stop.read());
    tokens_[o].hear(out_tree[o].token.read());
  }
  check_given_up();
  if (crossing) wake_at(cycle() + 1);  // the next flit may look the same
}

void isolation_switch_checker::look_at_output(unsigned o) {
  const bool shown = out[o].valid.read();
  const flit f = shown ? out[o].data.read() : flit{};
  if (shown && f.head() && !waits_[o] && !stopped_[o].empty())
    config_.map->each_ahead(config_.neighbours[o], f, [&](std::uint32_t number) {
      if (!stopped_[o].contains(number)) return false;
      fail("IS6", text(f) + " is sent by output " + std::to_string(o) + ", where root " +
                      std::to_string(number) + " is stopped");
      return true;
    });
  waits_[o] = shown && !out[o].crosses();
  if (!shown || waits_[o]) return;
  if (held_) --held_;
  if (!f.head()) return;
  auto& packets = flows_[flow_of(f)];
  const auto place = std::find(packets.begin(), packets.end(), f.packet);
  if (place != packets.begin() || packets.empty())
    fail("IS7", text(f) + " leaves by output " + std::to_string(o) +
                    (place == packets.end() ? " and has not come"
                                            : " before packet " + std::to_string(packets.front())));
  if (place != packets.end()) packets.erase(place);
  if (packets.empty()) flows_.erase(flow_of(f));
}

void isolation_switch_checker::look_at_input(unsigned i) {
  const flit& f = in[i].data.read();
  ++held_;
  if (f.head()) flows_[flow_of(f)].push_back(f.packet);
}

void isolation_switch_checker::check_given_up() {
  const bool idle = !held_ && all_empty(branches_) && !(all_empty(stops_) && all_empty(tokens_));
  if (idle && !idle_) {
    idle_since_ = cycle();
    wake_at(cycle() + config_.patience);
  }
  idle_ = idle;
  if (!idle) reported_ = false;
  if (!idle || reported_ || cycle() - idle_since_ < config_.patience) return;
  reported_ = true;
  fail("IS8", "it is empty for " + std::to_string(config_.patience) +
                  " cycles, nothing of it is set aside upstream, and a tree is still stopped or set aside");
}

void isolation_switch_checker::fail(const char* rule, const std::string& what) {
  report_violation(handler_, rule, config_.watched, cycle(), what);
}

}  // namespace spillway
