#pragma once
#include <algorithm>
#include <deque>
#include <spillway/hw/adapters/axi_stream_checker.hpp>

namespace spillway {

/// Watches the two streams of a FIFO, or of whatever else brings beats through as they are, and drives none
/// of its wires. One reset for both sides, active high.
///
/// AX5  what leaves is what came, beat for beat and in order
template <class Format>
class axi_fifo_checker : public clocked {
public:
  axi_stream_watch<Format> in{"in"};    ///< the FIFO's `s_axis`
  axi_stream_watch<Format> out{"out"};  ///< its `m_axis`

  /// `handler`: see violation_handler.
  explicit axi_fifo_checker(const sc_core::sc_module_name& name, violation_handler handler = {})
      : clocked(name), handler_(std::move(handler)) {}

  std::uint64_t violations() const { return violations_; }  ///< reported so far
  /// Beats that have come and not left.
  std::size_t level() const { return inside_.size(); }

private:
  using beat = axi_beat<Format>;

  void reset() override { inside_.clear(); }

  void tick() override {
    const bool comes = in.tvalid.read() && in.tready.read(), leaves = out.tvalid.read() && out.tready.read();
    if (comes) inside_.push_back(beat::of(in));
    if (leaves) compare(beat::of(out));
    if (in.tvalid.read() || out.tvalid.read()) wake_at(cycle() + 1);
  }

  void compare(const beat& left) {
    std::ostringstream os;
    if (inside_.empty()) {
      os << "a beat left that had not come: " << left;
      return fail(os.str());
    }
    const beat expected = inside_.front();
    const auto found = std::find(inside_.begin(), inside_.end(), left);
    // One that differs stands for the one that was due, and one that is due later for a loss of those before.
    const auto lost = found == inside_.end() ? 0 : found - inside_.begin();
    inside_.erase(inside_.begin(), inside_.begin() + lost + 1);
    if (left == expected) return;
    os << "expected " << expected << ", found " << left;
    if (lost) os << ", before which " << lost << (lost == 1 ? " beat is" : " beats are") << " missing";
    fail(os.str());
  }

  void fail(const std::string& what) {
    ++violations_;
    report_violation(handler_, "AX5", name(), cycle(), what);
  }

  const violation_handler handler_;
  std::deque<beat> inside_;
  std::uint64_t violations_ = 0;
};

}  // namespace spillway
