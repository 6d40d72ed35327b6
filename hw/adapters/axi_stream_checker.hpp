#pragma once
#include <spillway/hw/adapters/axi_stream.hpp>
#include <spillway/hw/links/violation.hpp>

namespace spillway {

/// Watches an AXI4-Stream and drives none of its wires. `rst` is active high.
///
/// AX1  what is shown stays as it is, and tvalid high, until tready takes it
/// AX2  tvalid is low in reset, from the edge after its first on
/// AX3  tid and tdest stay the same from beat to beat of a frame
template <class Data, class Id = std::uint32_t, class User = sc_dt::sc_bv<96>>
class axi_stream_checker : public clocked {
public:
  input<bool> tvalid{"tvalid"}, tready{"tready"};
  input<Data> tdata{"tdata"};
  input<bool> tlast{"tlast"};
  input<Id> tdest{"tdest"}, tid{"tid"};
  input<User> tuser{"tuser"};

  explicit axi_stream_checker(const sc_core::sc_module_name& name, violation_handler handler = {})
      : clocked(name), handler_(std::move(handler)) {}

  template <class Bundle>
  void bind(Bundle& stream) {
    tvalid(stream.tvalid), tready(stream.tready), tdata(stream.tdata), tlast(stream.tlast);
    tdest(stream.tdest), tid(stream.tid), tuser(stream.tuser);
  }
  std::uint64_t violations() const { return violations_; }
  /// Beats that crossed.
  std::uint64_t transfers() const { return transfers_; }

private:
  struct beat {
    Data data{};
    bool last = false;
    Id dest{}, id{};
    User user{};
    bool operator==(const beat& b) const {
      return data == b.data && last == b.last && dest == b.dest && id == b.id && user == b.user;
    }
  };

  void reset() override {
    if (in_reset_ && tvalid.read()) fail("AX2", "tvalid is high in reset");
    in_reset_ = true;
    waiting_ = in_frame_ = false;
  }

  void tick() override {
    const bool shown = tvalid.read();
    const beat now{tdata.read(), tlast.read(), tdest.read(), tid.read(), tuser.read()};
    if (in_reset_ && shown) fail("AX2", "tvalid is high in reset");
    in_reset_ = false;
    if (waiting_ && !(shown && now == shown_)) fail("AX1", "a beat changed or went before it was taken");
    if (shown && in_frame_ && !(now.dest == dest_ && now.id == id_))
      fail("AX3", "tid or tdest changed within a frame");
    const bool taken = shown && tready.read();
    waiting_ = shown && !taken;
    shown_ = now;
    if (taken) {
      ++transfers_;
      in_frame_ = !now.last;
      dest_ = now.dest;
      id_ = now.id;
    }
    if (shown) wake_at(cycle() + 1);
  }

  void fail(const char* rule, const char* what) {
    ++violations_;
    report_violation(handler_, rule, name(), cycle(), what);
  }

  const violation_handler handler_;
  bool in_reset_ = false, waiting_ = false, in_frame_ = false;
  beat shown_;
  Id dest_{}, id_{};
  std::uint64_t violations_ = 0, transfers_ = 0;
};

}  // namespace spillway
