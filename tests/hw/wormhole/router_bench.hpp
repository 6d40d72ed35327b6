#pragma once
#include <algorithm>
#include <map>
#include <memory>
#include <spillway/hw/wormhole/wormhole_router.hpp>
#include <string>
#include <support/link_bench.hpp>
#include <vector>

namespace spillway::testing_support {

/// Output = destination; channels by a mask.
struct router_routing : routing {
  port_mask outputs(unsigned, unsigned, const flit& f) const override {
    return every_output ? every_output : port_mask{1} << f.destination;
  }
  channel_mask channels(unsigned, unsigned, unsigned, const flit&) const override { return allowed; }
  channel_mask escape() const override { return escapes; }
  bool in_order() const override { return ordered; }

  port_mask every_output = 0;  // instead of the destination's
  channel_mask allowed = ~channel_mask{0}, escapes = 0;
  bool ordered = false;
};

/// Sends packets of several lanes over one link; lanes take turns at random, also in mid-packet.
class lane_sender : public clocked {
public:
  packet_out out{"out"};
  std::map<unsigned, std::deque<flit>> todo;  // by lane
  std::vector<passage> sent;
  unsigned rate;

  explicit lane_sender(const sc_core::sc_module_name& name, unsigned percent = 100, std::uint32_t seed = 1)
      : clocked(name), rate(percent), dice_(seed) {}

  std::size_t waiting() const {
    std::size_t flits = 0;
    for (const auto& [lane, queue] : todo) flits += queue.size();
    return flits;
  }
  /// As if it had just been made, with nothing to send; to be called in a reset.
  void restart(std::uint32_t seed) { todo.clear(), dice_ = dice(seed); }

private:
  void reset() override {
    lane_ = none;
    owed_ = 0;
    out.valid.write(false);
  }
  void tick() override {
    wake_at(cycle() + 1);
    const lane_mask ready = out.ready.read();
    if (lane_ != none && (ready >> lane_ & 1)) {
      sent.push_back({cycle(), todo[lane_].front()});
      todo[lane_].pop_front();
      owed_ &= ~(lane_mask{1} << lane_);
      lane_ = none;
    }
    if (lane_ == none ? owed_ || dice_.percent(rate) : dice_.percent(30)) choose(ready);
    if (lane_ != none) owed_ |= lane_mask{1} << lane_;
    out.valid.write(lane_ != none);
    if (lane_ != none) out.data.write(todo[lane_].front());
  }
  // One whose lane seems to have room, if there is one; valid stays high while a flit is owed.
  void choose(lane_mask ready) {
    std::vector<unsigned> open, all;
    for (const auto& [lane, queue] : todo)
      if (!queue.empty()) (ready >> lane & 1 ? open : all).push_back(lane);
    if (!open.empty())
      lane_ = open[dice_.below(static_cast<unsigned>(open.size()))];
    else if (lane_ == none && !all.empty())
      lane_ = all[dice_.below(static_cast<unsigned>(all.size()))];
  }

  static constexpr unsigned none = ~0u;
  dice dice_;
  unsigned lane_ = none;
  lane_mask owed_ = 0;  // lanes with a flit that was shown and not accepted
};

/// Takes flits; every lane has its own mind. A ready bit stays until a flit comes, as a buffer's does.
class lane_receiver : public clocked {
public:
  packet_in in{"in"};
  std::vector<passage> got;
  unsigned rate;
  lane_mask stopped = 0;

  explicit lane_receiver(const sc_core::sc_module_name& name, unsigned lanes, unsigned percent = 100,
                         std::uint32_t seed = 2)
      : clocked(name), rate(percent), lanes_(lanes), dice_(seed) {}

  /// As if it had just been made; to be called in a reset.
  void restart(std::uint32_t seed) { got.clear(), dice_ = dice(seed); }

private:
  void reset() override {
    open_ = 0;
    in.ready.write(0);
  }
  void tick() override {
    wake_at(cycle() + 1);
    if (in.valid.read() && (open_ >> in.data.read().lane & 1)) {
      got.push_back({cycle(), in.data.read()});
      open_ &= ~(lane_mask{1} << in.data.read().lane);
    }
    for (unsigned lane = 0; lane < lanes_; ++lane)
      if (dice_.percent(rate)) open_ |= lane_mask{1} << lane;
    open_ &= ~stopped;
    in.ready.write(open_);
  }

  const unsigned lanes_;
  dice dice_;
  lane_mask open_ = 0;
};

inline router_config router_of(unsigned ports, unsigned channels, unsigned depth, unsigned networks = 1) {
  router_config c;
  c.inputs.resize(ports);
  c.outputs.resize(ports);
  c.virtual_channels = channels;
  c.depth = depth;
  c.networks = networks;
  return c;
}

/// A router with a sender at every input, a receiver at every output and a checker on every link.
template <class Router>
struct basic_router_bench {
  bench b;
  router_config config;
  std::shared_ptr<const router_routing> routes;
  Router* router = nullptr;
  std::vector<lane_sender*> from;
  std::vector<lane_receiver*> to;
  std::vector<any_link> in, out;
  std::uint32_t packets = 0;

  basic_router_bench(kernel k, const router_config& c, const std::string& name = "b",
                     unsigned send_rate = 100, unsigned take_rate = 100, const router_routing& with = {})
      : basic_router_bench(k, c, name, send_rate, take_rate, std::make_shared<const router_routing>(with)) {}
  basic_router_bench(kernel k, const router_config& c, const std::string& name, unsigned send_rate,
                     unsigned take_rate, std::shared_ptr<const router_routing> with)
      : b(k, name), config(c), routes(std::move(with)) {
    router = &b.make<Router>("router", config, 0u, routes);
    for (unsigned i = 0; i < config.inputs.size(); ++i) {
      in.push_back(b.link("in" + std::to_string(i), lanes_of(config.inputs[i])));
      from.push_back(&b.make<lane_sender>("from" + std::to_string(i), send_rate, 10 + i));
      from[i]->out.bind(in[i]), router->in[i].bind(in[i]);
    }
    for (unsigned o = 0; o < config.outputs.size(); ++o) {
      const packet_checker_config rules = lanes_of(config.outputs[o]);
      out.push_back(b.link("out" + std::to_string(o), rules));
      to.push_back(&b.make<lane_receiver>("to" + std::to_string(o), rules.lanes, take_rate, 50 + o));
      router->out[o].bind(out[o]), to[o]->in.bind(out[o]);
    }
  }

  /// Every packet has a number of its own.
  void send(unsigned i, unsigned o, unsigned length = 1, unsigned lane = 0) {
    for (unsigned n = 0; n < length; ++n)
      from[i]->todo[lane].push_back(make_flit(i, o, packets, n, length, lane));
    ++packets;
  }
  std::size_t arrived() const {
    std::size_t flits = 0;
    for (const lane_receiver* r : to) flits += r->got.size();
    return flits;
  }

  /// Everything came, once, whole, at its output and in its network.
  void expect_all_delivered() const {
    EXPECT_TRUE(b.violations.empty()) << b.first_violation();
    std::vector<flit> sent, got;
    for (std::size_t i = 0; i < from.size(); ++i) {
      EXPECT_EQ(from[i]->waiting(), 0u) << "flits stuck at input " << i;
      for (const passage& p : from[i]->sent) sent.push_back(at_network(p.data, config.inputs[i]));
    }
    for (std::size_t o = 0; o < to.size(); ++o)
      for (const passage& p : to[o]->got) {
        if (!routes->every_output) {
          EXPECT_EQ(p.data.destination, o);
        }
        got.push_back(at_network(p.data, config.outputs[o]));
      }
    const auto by_packet = [](const flit& a, const flit& c) {
      return std::pair(a.packet, a.index) < std::pair(c.packet, c.index);
    };
    std::sort(sent.begin(), sent.end(), by_packet);
    std::sort(got.begin(), got.end(), by_packet);
    EXPECT_TRUE(sent == got) << sent.size() << " flits sent, " << got.size() << " arrived";
    EXPECT_EQ(router->level(), 0u);
  }

private:
  packet_checker_config lanes_of(const router_port& port) const {
    packet_checker_config rules;
    rules.lanes = port.terminal ? config.end_of(port) - port.network : config.lanes();
    return rules;
  }
  /// The flit with its logical network as lane.
  flit at_network(flit f, const router_port& port) const {
    f.lane =
        static_cast<std::uint8_t>(port.terminal ? f.lane + port.network : f.lane / config.virtual_channels);
    return f;
  }
};

using router_bench = basic_router_bench<wormhole_router>;

}  // namespace spillway::testing_support
