#pragma once
#include <cstdint>
#include <deque>
#include <systemc>
#include <tlm>
#include <utility>

namespace spillway {

/// The requests of one terminal that have not been answered, by number. Numbers rise, and are used again
/// after 2^32 requests: so many may be outstanding at most, counted from the oldest.
class outstanding_requests {
public:
  /// A transaction, and who waits for its end.
  struct request {
    tlm::tlm_generic_payload* transaction = nullptr;  ///< none once it is answered or abandoned
    sc_core::sc_event* done = nullptr;                ///< of a blocking call
    bool abandoned = false;                           ///< its answer is for nobody
  };

  /// Says its number.
  std::uint32_t add(const request& r) {
    requests_.push_back(r);
    ++count_;
    return first_ + static_cast<std::uint32_t>(requests_.size() - 1);
  }

  /// None, that is without a transaction and not abandoned, if there is no request of this number.
  request find(std::uint32_t number) const {
    const std::uint32_t at = number - first_;
    return at < requests_.size() ? requests_[at] : request{};
  }

  /// Who made the request of this number is gone: it stays outstanding, so that its answer is known.
  void abandon(std::uint32_t number) { requests_[number - first_] = {nullptr, nullptr, true}; }

  /// The request of this number, which is outstanding, is answered.
  void remove(std::uint32_t number) {
    requests_[number - first_] = {};
    --count_;
    while (!requests_.empty() && !requests_.front().transaction && !requests_.front().abandoned) {
      requests_.pop_front();
      ++first_;
    }
  }

  /// Takes all out, oldest first; those that `take` adds stay. Of those abandoned it hears nothing.
  template <class Take>
  void take_all(Take take) {
    const std::deque<request> all = std::exchange(requests_, {});
    first_ += static_cast<std::uint32_t>(all.size());
    count_ = 0;
    for (const request& r : all)
      if (r.transaction) take(r);
  }

  std::size_t count() const { return count_; }  ///< requests that are outstanding

private:
  std::deque<request> requests_;
  std::uint32_t first_ = 0;  // number of the front
  std::size_t count_ = 0;
};

}  // namespace spillway
