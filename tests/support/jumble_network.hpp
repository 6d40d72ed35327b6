#pragma once
#include <support/link_bench.hpp>

namespace spillway::testing_support {

/// A network of nothing but delay: it takes every flit at once and gives each packet to its destination
/// whole, `least` to `most` cycles after its tail, so that packets overtake each other. It can drop packets.
class jumble_network : public clocked {
public:
  row<packet_in> in;
  row<packet_out> out;
  unsigned drop_percent = 0;
  std::uint64_t dropped = 0, carried = 0;
  std::function<void(std::uint64_t cycle, const std::vector<flit>& packet)> watch;

  jumble_network(const sc_core::sc_module_name& name, unsigned terminals, unsigned least, unsigned most,
                 std::uint32_t seed = 5)
      : clocked(name),
        in(terminals, "in"),
        out(terminals, "out"),
        least_(least),
        most_(most),
        coming_(terminals),
        going_(terminals),
        dice_(seed) {}

  std::uint64_t held() const {
    std::uint64_t flits = 0;
    for (const auto& c : coming_) flits += c.size();
    for (const auto& g : going_) flits += g.now.size();
    for (const auto& p : waiting_) flits += p.flits.size();
    return flits;
  }

private:
  struct packet {
    std::vector<flit> flits;
    std::uint64_t due;
  };
  struct exit_state {
    std::deque<flit> now;
    bool showing = false;
  };

  void reset() override {
    for (auto& c : coming_) c.clear();
    for (auto& g : going_) g = exit_state{};
    waiting_.clear();
    for (auto& i : in) i.ready.write(0);
    for (auto& o : out) o.valid.write(false);
  }

  void tick() override {
    wake_at(cycle() + 1);
    for (unsigned t = 0; t < in.size(); ++t) {
      if (!(in[t].ready.read() & 1) || !in[t].valid.read()) continue;
      coming_[t].push_back(in[t].data.read());
      if (!coming_[t].back().tail()) continue;
      enter(std::move(coming_[t]));
      coming_[t].clear();
    }
    for (unsigned t = 0; t < out.size(); ++t) {
      exit_state& e = going_[t];
      if (e.showing && (out[t].ready.read() & 1)) e.now.pop_front();
      if (e.now.empty()) load(t);
      e.showing = !e.now.empty();
      out[t].valid.write(e.showing);
      if (e.showing) out[t].data.write(e.now.front());
      in[t].ready.write(1);
    }
  }

  void enter(std::vector<flit> flits) {
    if (watch) watch(cycle(), flits);
    if (dice_.percent(drop_percent)) {
      ++dropped;
      return;
    }
    ++carried;
    waiting_.push_back({std::move(flits), cycle() + least_ + dice_.below(most_ - least_ + 1)});
  }

  void load(unsigned terminal) {
    for (auto p = waiting_.begin(); p != waiting_.end(); ++p) {
      if (p->due > cycle() || p->flits.front().destination != terminal) continue;
      going_[terminal].now.assign(p->flits.begin(), p->flits.end());
      waiting_.erase(p);
      return;
    }
  }

  const unsigned least_, most_;
  std::vector<std::vector<flit>> coming_;
  std::vector<exit_state> going_;
  std::vector<packet> waiting_;
  dice dice_;
};

}  // namespace spillway::testing_support
