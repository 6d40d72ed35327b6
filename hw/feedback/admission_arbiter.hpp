#pragma once
#include <cstdint>
#include <spillway/hw/feedback/admission_link.hpp>
#include <spillway/hw/feedback/feedback_link.hpp>
#include <spillway/hw/kernel/clocked.hpp>
#include <vector>

namespace spillway {

/// What an admission arbiter lets into the network in a cycle. 0: any number.
struct admission_limits {
  unsigned total = 0;  ///< requests in all
  unsigned hot = 0;    ///< requests to each module that is hot
  unsigned cold = 0;   ///< requests to each of the others
};

/// Chooses which of the wishes of one cycle are granted: in each group round robin, the pointer one past the
/// last winner. A plain part.
class admission_choice {
public:
  /// A request that waits for a grant.
  struct wish {
    std::uint32_t client;  ///< processor that wishes
    std::uint32_t module;  ///< module that the request is for
  };
  /// `clients`, `modules`: numbers are below these. Throws std::invalid_argument for a limit in all beside
  /// one to each module.
  admission_choice(unsigned clients, unsigned modules, const admission_limits& limits);
  /// Turns that it keeps, of all clients or of each module.
  std::size_t turns() const { return limits_.hot || limits_.cold ? module_next_.size() : 1; }
  /// `wishes`: at most one a client, in the order of the clients. `hot(module)`: its temperature. Returns the
  /// clients that win, in ascending order.
  template <class Hot>
  const std::vector<std::uint32_t>& choose(const std::vector<wish>& wishes, Hot&& hot) {
    winners_.clear();
    if (!limits_.hot && !limits_.cold) {
      all_clients_.clear();
      for (const wish& w : wishes) all_clients_.push_back(w.client);
      pick(all_clients_, total_next_, limits_.total);
    } else {
      for (const wish& w : wishes) {
        if (by_module_[w.module].empty()) touched_.push_back(w.module);
        by_module_[w.module].push_back(w.client);
      }
      for (const std::uint32_t m : touched_) {
        pick(by_module_[m], module_next_[m], hot(m) ? limits_.hot : limits_.cold);
        by_module_[m].clear();
      }
      touched_.clear();
    }
    return sorted_winners();
  }
  void clear();  ///< reset: all pointers at 0

private:
  void pick(const std::vector<std::uint32_t>& clients, std::uint32_t& next, unsigned most);
  const std::vector<std::uint32_t>& sorted_winners();

  const admission_limits limits_;
  std::uint32_t total_next_ = 0;
  std::vector<std::uint32_t> module_next_;
  std::vector<std::vector<std::uint32_t>> by_module_;
  std::vector<std::uint32_t> touched_, all_clients_, winners_;
};

/// Admits requests of all processors to the network: the arbiter of round-robin bleeding (section 5.2, which
/// leaves open whether it counts requests in all or to each module), whose clients wish for blocked requests
/// only, or the global arbiter of limiting (section 2.3), whose clients wish for every request. The latter is
/// the reference that is too dear to build.
class admission_arbiter final : public clocked {
public:
  row<admission_server> clients;           ///< `clients<p>`: processor p
  row<input<feedback_lines::word>> lines;  ///< `lines<w>`: hot modules

  /// `terminals`: processors, and as many modules. Throws as admission_choice. A grant is shown a cycle after
  /// the wish that it answers; one for a module that does not exist is never granted.
  admission_arbiter(const sc_core::sc_module_name& name, unsigned terminals, const admission_limits& limits);

  /// Whose turn it is: in all, or for each module.
  hardware_size storage() const override { return {0, choice_.turns(), 0}; }
  std::uint64_t granted() const { return granted_; }  ///< requests so far

private:
  void reset() override;
  void tick() override;

  admission_choice choice_;
  std::vector<bool> grant_shown_;  // what the grant pins show
  std::vector<admission_choice::wish> wishes_;
  std::uint64_t granted_ = 0;
};

}  // namespace spillway
