#pragma once
#include <gtest/gtest.h>

#include <map>
#include <spillway/hw/nifdy/nifdy_checker.hpp>
#include <spillway/hw/nifdy/nifdy_unit.hpp>
#include <string>
#include <support/jumble_network.hpp>

namespace spillway::testing_support {

/// Terminals with a NIFDY unit each around networks that deliver in any order. Every link has a
/// checker, and so has every unit.
struct nifdy_bench {
  bench b;
  std::vector<jumble_network*> networks;
  std::vector<sender*> senders;
  std::vector<receiver*> receivers;
  std::vector<std::unique_ptr<nifdy_unit>> units;
  std::vector<std::unique_ptr<clocked>> checkers;
  std::vector<nifdy_checker*> protocol;
  std::uint32_t next_packet = 0;

  struct shape {
    unsigned terminals = 4, least = 10, most = 60, send_rate = 100, take_rate = 100;
    std::uint32_t seed = 11;
  };

  nifdy_bench(kernel k, nifdy_config config, const shape& s, const std::string& name = "b") : b(k, name) {
    for (unsigned n = 0; n < config.networks; ++n)
      networks.push_back(
          &b.make<jumble_network>("network" + std::to_string(n), s.terminals, s.least, s.most, s.seed + n));
    for (unsigned t = 0; t < s.terminals; ++t) {
      config.terminal = t;
      const std::string at = std::to_string(t);
      units.push_back(b.make_part<nifdy_unit>((name + "_unit" + at).c_str(), config));
      for (clocked* const block : units[t]->blocks()) b.clock(*block);
      for (network_link* const l : units[t]->links()) check(*l);
      senders.push_back(&b.make<sender>("from" + at, s.send_rate, s.seed + 100 + t));
      receivers.push_back(&b.make<receiver>("to" + at, s.take_rate, s.seed + 200 + t));
      const any_link in = b.link("in" + at), out = b.link("out" + at);
      senders[t]->out.bind(in), units[t]->in.bind(in);
      units[t]->out.bind(out), receivers[t]->in.bind(out);
      nifdy_checker* const rules = watch(config);
      if (rules) rules->to_processor.bind(out);
      for (unsigned n = 0; n < config.networks; ++n) {
        const any_link to = b.link("to" + at + "_" + std::to_string(n)),
                       from = b.link("from" + at + "_" + std::to_string(n));
        units[t]->to_network[n].bind(to), networks[n]->in[t].bind(to);
        networks[n]->out[t].bind(from), units[t]->from_network[n].bind(from);
        if (rules) rules->to_network[n].bind(to), rules->from_network[n].bind(from);
      }
    }
  }

  nifdy_checker* watch(const nifdy_config& config) {
    if (!config.protocol) return nullptr;
    nifdy_checker_config rules;
    rules.links = config.networks;
    rules.outstanding = config.outstanding;
    rules.dialogs = config.dialogs;
    rules.window = config.window;
    rules.lossy = config.lossy();
    rules.patience = config.lossy() ? 0 : 20000;
    const std::string name = "rules" + std::to_string(config.terminal);
    protocol.push_back(
        &b.make<nifdy_checker>(name, rules, [this](const violation& v) { b.violations.push_back(v); }));
    return protocol.back();
  }

  void check(network_link& l) {
    auto checker = l.make_checker(b.collect());
    if (!checker) return;
    b.clock(*checker);
    checkers.push_back(std::move(checker));
  }

  /// A message of so many packets; asks for a dialog from `threshold` packets on.
  void message(std::uint32_t from, std::uint32_t to, unsigned packets, unsigned length,
               unsigned threshold = 2, std::uint8_t network = 0) {
    for (unsigned p = 0; p < packets; ++p, ++next_packet)
      for (unsigned i = 0; i < length; ++i) {
        flit f = make_flit(from, to, next_packet, i, length);
        f.network = network;
        f.interface_word = packets < threshold ? 0 : p + 1 == packets ? nifdy::exit : nifdy::request;
        senders[from]->todo.push_back(f);
      }
  }

  /// Messages of random lengths to random terminals, from every terminal.
  void random_messages(unsigned messages, unsigned most_packets, unsigned length, std::uint32_t seed,
                       unsigned most_networks = 1) {
    dice d(seed);
    const auto terminals = static_cast<unsigned>(units.size());
    for (unsigned m = 0; m < messages; ++m)
      for (unsigned t = 0; t < terminals; ++t)
        message(t, (t + 1 + d.below(terminals - 1)) % terminals, 1 + d.below(most_packets), length, 2,
                static_cast<std::uint8_t>(d.below(most_networks)));
  }

  std::size_t to_come() const {
    std::size_t flits = 0;
    for (const sender* const s : senders) flits += s->todo.size();
    for (const sender* const s : senders) flits += s->sent.size();
    for (const receiver* const r : receivers) flits -= r->got.size();
    return flits;
  }
  /// Runs until all has arrived, and a while longer, so that acknowledgements and duplicates come as well.
  bool finish(unsigned cycles, unsigned after = 2000) {
    for (unsigned c = 0; c < cycles && to_come(); c += 100) run(100);
    const bool done = to_come() == 0;
    run(after);
    return done && to_come() == 0;
  }

  counters count() const {
    counters all;
    for (const auto& unit : units) unit->count(all);
    return all;
  }
  std::uint64_t held_flits() const {
    std::uint64_t flits = 0;
    for (const auto& unit : units) flits += unit->held_flits();
    return flits;
  }

  /// Every flit arrived once, unchanged but for the interface word, and, per source and destination, in
  /// order.
  void expect_all_in_order() const {
    using pair = std::pair<std::uint32_t, std::uint32_t>;
    std::map<pair, std::vector<flit>> sent, got;
    const auto plain = [](flit f) {
      f.interface_word = 0;
      return f;
    };
    for (const sender* const s : senders)
      for (const passage& p : s->sent) sent[{p.data.source, p.data.destination}].push_back(plain(p.data));
    for (std::uint32_t t = 0; t < receivers.size(); ++t)
      for (const passage& p : receivers[t]->got) {
        EXPECT_EQ(p.data.destination, t);
        got[{p.data.source, t}].push_back(plain(p.data));
      }
    EXPECT_EQ(sent, got);
    for (const nifdy_checker* const rules : protocol) EXPECT_EQ(rules->open_dialogs(), 0u);
    EXPECT_TRUE(b.violations.empty()) << b.first_violation();
  }
};

}  // namespace spillway::testing_support
