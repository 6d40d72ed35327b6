#pragma once
#include <algorithm>
#include <spillway/hw/kernel/state_memory.hpp>
#include <spillway/hw/switching/arbiter.hpp>

namespace spillway {

/// Separable allocator, input first (Dally and Towles, section 19.3): every requester picks one of the
/// resources that it could use, every resource picks one of those that picked it, both by round robin.
/// At most as many requesters and resources as a `Set` can hold. A plain part, not a block.
template <class Set>
class separable_allocator {
public:
  /// Numbers of requesters and resources are below these. `memory`: of the block that it is a part of.
  separable_allocator(unsigned requesters, unsigned resources, state_memory& memory)
      : requester_arbiters_(memory.array<arbiter>(requesters)),
        resource_arbiters_(memory.array<arbiter>(resources)),
        best_(memory.array<index>(resources)) {}

  /// `wanted`: resources that would do, not empty. Once a requester and allocation.
  void request(unsigned requester, const Set& wanted) {
    const unsigned resource = requester_arbiters_[requester].pick(wanted);
    if (claimed_.contains(resource) && !resource_arbiters_[resource].prefers(requester, best_[resource]))
      return;
    claimed_.insert(resource);
    best_[resource] = static_cast<index>(requester);
  }

  /// Calls `grant(requester, resource)` for every resource that was picked, and forgets the requests.
  /// Only winners move the pointers, so none is passed over for ever.
  template <class F>
  void allocate(F&& grant) {
    claimed_.each([&](unsigned resource) {
      const unsigned winner = best_[resource];
      grant_alone(winner, resource);
      grant(winner, resource);
    });
    claimed_.clear();
  }

  /// What request() and allocate() come to when `requester` alone asks, and for one resource.
  void grant_alone(unsigned requester, unsigned resource) {
    resource_arbiters_[resource].granted(requester);
    requester_arbiters_[requester].granted(resource);
  }

  /// Reset: no requests, all pointers at 0.
  void clear() {
    std::fill(requester_arbiters_.begin(), requester_arbiters_.end(), arbiter{});
    std::fill(resource_arbiters_.begin(), resource_arbiters_.end(), arbiter{});
    claimed_.clear();
  }

private:
  using arbiter = basic_round_robin_arbiter<Set>;
  using index = typename Set::index;

  state_array<arbiter> requester_arbiters_, resource_arbiters_;
  state_array<index> best_;  // by resource: who would get it of those that picked it so far
  Set claimed_;              // resources that were picked
};

}  // namespace spillway
