#pragma once
#include <memory>
#include <spillway/hw/endpoints/endpoints.hpp>
#include <spillway/hw/endpoints/memory_front.hpp>

namespace spillway {

/// What a memory module answers, and when.
struct memory_config {
  unsigned latency = 1;            ///< cycles from a request's last flit to its reply, at least 1
  unsigned reply_length = 1;       ///< flits, 1 to 65,535
  std::uint8_t reply_network = 1;  ///< logical network of the replies
  bool replies = true;             ///< false: requests are consumed and that is all

  /// Throws std::invalid_argument that names the rule and the value.
  void check() const;
};

/// A memory module: it takes at most one flit of a request a cycle, and sends the reply `latency` cycles
/// later through a network of its own. Two blocks: the end of the request network and the start of the reply
/// network, joined by an arrival link; any number of requests may be under way between them.
class memory_module {
public:
  /// `name`_requests and `name`_replies are the names of the blocks. `routes`, `next`: of the reply network.
  /// `tells`: without replies, a source of the same terminal wants to hear of arrivals. Throws as
  /// memory_config::check().
  memory_module(const std::string& name, unsigned terminal, const memory_config& config,
                const sink_config& service, endpoint_observer& observer,
                const std::shared_ptr<const routing>& routes, link_end next, bool tells = false);

  /// The same with a part of its own that takes and serves requests; it answers all of them. Throws
  /// std::invalid_argument if `config` has no replies.
  memory_module(const std::string& name, unsigned terminal, const memory_config& config,
                std::unique_ptr<memory_front> front, endpoint_observer& observer,
                const std::shared_ptr<const routing>& routes, link_end next);

  ~memory_module();

  packet_in& in() { return front_ ? front_->in : requests_->in; }  ///< requests, one lane
  /// What it tells of arrivals, if it does.
  arrival_out& arrival() { return requests_->arrivals[0]; }
  /// Only with replies.
  packet_out& out() { return replies_->out; }
  std::vector<clocked*> blocks();  ///< the two, or the one that takes requests where there are no replies
  /// From the requests to the replies.
  std::vector<network_link*> links();
  /// Flits of replies that wait here, those of requests under way included.
  std::uint64_t held_flits() const;
  /// Of these, those of requests under way, which come by themselves.
  std::uint64_t resting_flits() const;
  /// Flits of replies that resets have thrown away so far.
  std::uint64_t lost_in_reset() const;
  /// Adds what its front counts, if it has one.
  void count(counters& all) const {
    if (front_) front_->count(all);
  }

private:
  class reply_supply;
  void make_replies(const std::string& name, unsigned terminal, const memory_config& config,
                    endpoint_observer& observer, const std::shared_ptr<const routing>& routes, link_end next);

  const unsigned reply_length_;
  reply_supply* pipeline_ = nullptr;  // owned by replies_
  std::unique_ptr<source> replies_;
  std::unique_ptr<sink> requests_;
  std::unique_ptr<memory_front> front_;  // in place of requests_
  std::unique_ptr<arrival_link> taken_;  // only with replies
};

}  // namespace spillway
