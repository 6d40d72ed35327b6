#include <spillway/hw/adapters/clock_crossing.hpp>
#include <spillway/hw/kernel/single_threaded.hpp>
#include <spillway/hw/switching/next_output.hpp>
#include <stdexcept>

namespace spillway {

class clock_crossing::writer final : public single_threaded {
public:
  packet_in in{"in"};
  writer(const sc_core::sc_module_name& name, clock_crossing& link) : single_threaded(name), link_(link) {}

  std::uint64_t count() const { return count_; }

private:
  void reset() override {
    far_ = {};
    stop(false);
  }
  /// Empty, and waiting for the other side if that is in reset.
  void stop(bool running) {
    count_ = 0;
    ready_ = false;
    dropping_to_head_ = true;
    in.ready.write(0);
    link_.written_.count.write(0);
    link_.written_.running.write(running);
    link_.count_lost();
  }
  void tick() override {
    wake_at(cycle() + 1);
    far_.shift(link_.read_);
    // Also what crosses at the edge that brings the news of a reset: it is lost, and counts as such.
    if (ready_ && in.valid.read() && in.data.read().lane == 0) take(in.data.read());
    if (!far_.running[1]) {
      stop(true);
      return;
    }
    ready_ = count_ - far_.count[1] < link_.slots_.size();
    in.ready.write(ready_ ? 1 : 0);
    link_.written_.count.write(count_);
    link_.written_.running.write(true);
  }

  void take(const flit& f) {
    if (f.head()) dropping_to_head_ = false;
    ++link_.written_flits_;
    if (dropping_to_head_)
      ++link_.cut_;
    else
      link_.slots_[count_++ % link_.slots_.size()] = f;
  }

  clock_crossing& link_;
  synchroniser far_;
  std::uint64_t count_ = 0;
  bool ready_ = false;
  bool dropping_to_head_ = true;  // the flits up to the next head belong to a packet that a reset has cut
};

class clock_crossing::reader final : public single_threaded {
public:
  packet_out out{"out"};
  reader(const sc_core::sc_module_name& name, clock_crossing& link, std::shared_ptr<const routing> routes,
         link_end next)
      : single_threaded(name), link_(link), routes_(std::move(routes)), next_(next) {
    out.lanes().declare(next.lanes);
  }

  std::uint64_t count() const { return count_; }

private:
  void reset() override {
    far_ = {};
    stop(false);
  }
  void stop(bool running) {
    count_ = 0;
    valid_ = stopping_ = false;
    out.valid.write(false);
    link_.read_.count.write(0);
    link_.read_.running.write(running);
    link_.count_lost();
  }
  void tick() override {
    wake_at(cycle() + 1);
    far_.shift(link_.written_);
    if (valid_ && accepts(out.ready.read(), shown_)) {
      ++count_;
      ++link_.read_flits_;
      valid_ = false;
    }
    stopping_ |= !far_.running[1];
    if (stopping_) {
      // What is shown stays until it is taken, however soon the writer runs again: it waits for that.
      if (valid_)
        link_.read_.running.write(false);
      else
        stop(true);
      return;
    }
    valid_ = count_ < far_.count[1];
    out.valid.write(valid_);
    if (valid_) show(link_.slots_[count_ % link_.slots_.size()]);
    link_.read_.count.write(count_);
    link_.read_.running.write(true);
  }

  void show(const flit& f) {
    const std::uint8_t lane = f.head() ? lane_of(f) : static_cast<std::uint8_t>(shown_.lane);
    shown_ = f;
    shown_.lane = lane;
    out.data.write(shown_);
  }
  std::uint8_t lane_of(const flit& head) const {
    return next_.lanes > 1 ? lane_ahead(*routes_, next_, head) : std::uint8_t{0};
  }

  clock_crossing& link_;
  const std::shared_ptr<const routing> routes_;
  const link_end next_;
  synchroniser far_;
  std::uint64_t count_ = 0;
  bool valid_ = false;
  bool stopping_ = false;  // the writer was reset: it counts from 0 again, and so must this side
  flit shown_;
};

clock_crossing::clock_crossing(const sc_core::sc_module_name& name, unsigned depth,
                               std::shared_ptr<const routing> routes, link_end next)
    : sc_module(name), slots_(depth) {
  if (depth == 0) throw std::invalid_argument("a clock crossing needs a depth of 1 flit or more");
  writer_ = std::make_unique<writer>("writer", *this);
  reader_ = std::make_unique<reader>("reader", *this, std::move(routes), next);
  writer_->clk(in_clk), writer_->rst(in_rst), writer_->in.bind(in);
  reader_->clk(out_clk), reader_->rst(out_rst), reader_->out.bind(out);
}

clock_crossing::~clock_crossing() = default;

/// Once neither side counts anything, what was written and not read is gone.
void clock_crossing::count_lost() {
  if (writer_->count() == 0 && reader_->count() == 0) lost_ = written_flits_ - read_flits_ - cut_;
}

}  // namespace spillway
