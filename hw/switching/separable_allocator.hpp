#pragma once
#include <cstdint>
#include <spillway/hw/switching/arbiter.hpp>
#include <vector>

namespace spillway {

/// Separable allocator, input first (Dally and Towles, section 19.3): every requester picks one of the
/// resources that it could use, every resource picks one of those that picked it, both by round robin.
/// At most 64 requesters and 64 resources. A plain part, not a block.
class separable_allocator {
public:
  separable_allocator(unsigned requesters, unsigned resources)
      : picks_(requesters), gives_(resources), claims_(resources) {}

  /// `wanted`: resources that would do, not 0. Once a requester and allocation.
  void request(unsigned requester, std::uint64_t wanted) {
    const unsigned resource = picks_[requester].pick(wanted);
    claims_[resource] |= std::uint64_t{1} << requester;
    claimed_ |= std::uint64_t{1} << resource;
  }

  /// Calls `grant(requester, resource)` for every resource that was picked, and forgets the requests.
  /// Only winners move the pointers, so none is passed over for ever.
  template <class F>
  void allocate(F&& grant) {
    for (; claimed_; claimed_ &= claimed_ - 1) {
      const auto resource = static_cast<unsigned>(__builtin_ctzll(claimed_));
      const unsigned winner = gives_[resource].pick(claims_[resource]);
      claims_[resource] = 0;
      gives_[resource].granted(winner);
      picks_[winner].granted(resource);
      grant(winner, resource);
    }
  }

  /// What request() and allocate() come to when `requester` alone asks, and for one resource.
  void grant_alone(unsigned requester, unsigned resource) {
    gives_[resource].granted(requester);
    picks_[requester].granted(resource);
  }

  void clear() {
    for (round_robin_arbiter& a : picks_) a.clear();
    for (round_robin_arbiter& a : gives_) a.clear();
    for (std::uint64_t& c : claims_) c = 0;
    claimed_ = 0;
  }

private:
  std::vector<round_robin_arbiter> picks_, gives_;
  std::vector<std::uint64_t> claims_;  // by resource: who picked it
  std::uint64_t claimed_ = 0;
};

}  // namespace spillway
