#pragma once
#include <cstdint>
#include <deque>
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/kernel/counters.hpp>
#include <spillway/hw/kernel/draw.hpp>
#include <spillway/hw/links/packet_link.hpp>

namespace spillway {

/// A packet link of one lane that loses whole packets, as networks of workstations do. One cycle from input
/// to output, at full rate.
class lossy_link : public clocked {
public:
  packet_in in{"in"};     ///< lane 0
  packet_out out{"out"};  ///< packets that are not lost, lane 0

  /// `probability` of a packet to be lost, 0 to 1; drawn from `seed` and `stream`, the packet's number on the
  /// link being the moment.
  lossy_link(const sc_core::sc_module_name& name, double probability, std::uint64_t seed,
             std::uint64_t stream)
      : clocked(name), probability_(probability), seed_(seed), stream_(stream) {}

  std::uint64_t held_flits() const { return flits_.size(); }  ///< in the register stage, 0 to 2
  std::uint64_t lost_in_reset() const { return lost_; }       ///< flits thrown away by resets so far
  std::uint64_t dropped() const { return dropped_; }          ///< packets so far
  /// `loss.packets_carried`, `loss.packets_dropped`.
  void count(counters& all) const {
    all["loss.packets_carried"] += static_cast<double>(packets_ - dropped_);
    all["loss.packets_dropped"] += static_cast<double>(dropped_);
  }

private:
  void reset() override {
    lost_ += flits_.size();
    flits_.clear();
    dropping_ = false;
    in.ready.write(0);
    out.valid.write(false);
  }

  void tick() override {
    const bool leaves = !flits_.empty() && (out.ready.read() & 1);
    const bool arrives = in.crosses();
    if (leaves) flits_.pop_front();
    if (arrives) take(in.data.read());
    in.ready.write(flits_.size() < 2 ? 1 : 0);
    out.valid.write(!flits_.empty());
    if (!flits_.empty()) out.data.write(flits_.front());
    if (leaves || arrives) wake_at(cycle() + 1);
  }

  void take(const flit& f) {
    if (f.head()) {
      constexpr double word = 18446744073709551616.0;  // 2^64
      dropping_ = static_cast<double>(draw(seed_, stream_, packets_++)) < probability_ * word;
      dropped_ += dropping_;
    }
    if (!dropping_) flits_.push_back(f);
  }

  const double probability_;
  const std::uint64_t seed_, stream_;
  std::deque<flit> flits_;
  bool dropping_ = false;
  std::uint64_t packets_ = 0, dropped_ = 0, lost_ = 0;
};

}  // namespace spillway
