#pragma once
#include <deque>
#include <queue>
#include <spillway/platforms/elaborate/packet_requests.hpp>
#include <spillway/tb/goal/host_settings.hpp>
#include <spillway/tb/goal/placement.hpp>
#include <spillway/tb/goal/rank_state.hpp>
#include <spillway/tb/goal/reduction_values.hpp>
#include <spillway/tb/workloads/workload.hpp>

namespace spillway {

/// What it takes to run a program of ranks.
struct goal_plan {
  std::shared_ptr<const goal_program> program;
  placement where;  ///< terminal of each rank
  std::uint32_t terminals = 0;
  host_settings host;
  packet_requests requests;
  std::optional<goal_reduction> reduces;  ///< then all its packets are contributions
};

/// Ranks in one run: the hosts of all terminals. Terminals hear of each other by packets only; what a message
/// is is looked up here by the handle that its packets carry.
///
/// Hosts are modelled as in LogGOPSim: a processor of a rank is busy for o + (s-1)O with a message of s bytes
/// that it sends or has received, an interface starts messages g + (s-1)G apart. Then the packets of a
/// message go into the network as the terminal takes them. A message of more than S bytes asks its receiver
/// first, by a packet without data, and is sent when one comes back. Messages of two ranks are matched in the
/// order of their sending.
class goal_run final : public workload_run {
public:
  explicit goal_run(goal_plan plan);
  ~goal_run() override;

  std::unique_ptr<packet_supply> supply(std::uint32_t terminal) override;
  std::vector<std::unique_ptr<measurement>> measures() override;
  bool stuck() const override;

  const goal_plan& plan() const { return plan_; }
  const std::vector<rank_state>& ranks() const { return ranks_; }
  std::uint64_t start() const { return start_; }
  bool over() const;
  /// Whether it has a rank; what others send is none of the program's.
  bool takes_part(std::uint32_t terminal) const { return !terminals_[terminal].ranks.empty(); }
  /// Cycles from the first operation to the end of the last so far.
  std::uint64_t completion() const { return end_ > start_ ? end_ - start_ : 0; }
  const path_of_time& critical_path() const { return critical_; }
  /// By step: the cycle in which its last operation ended.
  const std::vector<std::uint64_t>& step_ends() const { return step_ends_; }
  std::uint64_t messages() const { return messages_; }
  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t local_messages() const { return local_; }
  /// Operations that have been read and are not done, at most.
  std::uint64_t most_open() const { return most_open_; }
  /// Packets that terminals were told of, and those that do not bear the data that their source gave them.
  std::uint64_t heard() const { return heard_; }
  std::uint64_t strays() const { return strays_; }
  /// Whether its network reduces.
  bool reduces() const { return reductions_.has_value(); }
  /// What is wrong with the program, as far as it has come: who waits and for what.
  std::vector<std::string> complaints() const;

private:
  friend class goal_terminal;
  static constexpr std::size_t most_faults = 20;  // that are told
  struct event {
    enum class what : std::uint8_t { job_done, try_cpu, came, look_further };
    std::uint64_t at = 0, order = 0;
    what is = what::job_done;
    std::uint32_t rank = 0;    // or terminal that the message is from
    std::uint32_t number = 0;  // processor, or message
    bool operator<(const event& other) const {
      return at != other.at ? at > other.at : order > other.order;  // the earliest is on top
    }
  };
  struct terminal_state {
    bool started = false;
    std::vector<std::uint32_t> ranks;
    std::priority_queue<event> events;
    std::uint64_t order = 0;
    std::deque<std::uint32_t> outgoing;               // messages
    std::deque<goal_message> under_way;               // sent from here
    std::uint32_t first = 0;                          // number of the first of them
    std::map<std::uint8_t, std::uint64_t> gap_until;  // by network interface
    std::uint64_t contributed = 0, results = 0;       // to the network's reductions, and of them
  };
  /// Messages of two ranks come to be matched in the order in which they were sent.
  struct pair_order {
    std::uint64_t sent = 0, matched = 0;
    std::map<std::uint64_t, goal_message> early;
  };

  void advance(std::uint32_t terminal, std::uint64_t now);
  std::uint64_t due(std::uint32_t terminal, std::uint64_t now, std::size_t backlog);
  packet_order take(std::uint32_t terminal, std::uint64_t now);
  void packet_came(std::uint32_t terminal, std::uint64_t now, const flit& f);
  void result_came(std::uint32_t terminal, std::uint64_t now, const flit& f);
  bool exhausted(std::uint32_t terminal) const;

  void schedule(std::uint32_t terminal, std::uint64_t at, event::what is, std::uint32_t rank,
                std::uint32_t number);
  void handle(const event& e);
  void read_on(std::uint32_t rank, std::uint64_t now);
  void add(std::uint32_t rank, goal_op op, std::uint64_t now);
  void ready(std::uint32_t rank, std::uint32_t number, std::uint64_t now);
  void started(std::uint32_t rank, open_op& op, std::uint64_t now);
  void let_go(std::uint32_t rank, std::uint32_t number, const path_of_time& path, std::uint64_t now);
  void complete(std::uint32_t rank, std::uint32_t number, std::uint64_t now);
  void enqueue(std::uint32_t rank, std::uint8_t cpu, host_job job, std::uint64_t now);
  void dispatch(std::uint32_t rank, std::uint8_t cpu, std::uint64_t now);
  void job_done(std::uint32_t rank, std::uint8_t cpu, std::uint64_t now);
  void send_data(std::uint32_t rank, std::uint32_t number, std::uint64_t now);
  void hand_over(goal_message m, std::uint64_t now);
  /// Whether they have one terminal, and so use no network.
  bool is_local(std::uint32_t from, std::uint32_t to) const {
    return !reductions_ && plan_.where[from] == plan_.where[to];
  }
  /// A send that leaves the terminal.
  bool uses_interface(std::uint32_t rank, const host_job& job) const {
    return job.is == host_job::what::send && !is_local(rank, ranks_[rank].open.at(job.op).op.peer);
  }
  void message_came(std::uint32_t from_terminal, std::uint32_t number, std::uint64_t now);
  void reduced(const goal_message& m, std::uint64_t now);
  void offer(goal_message m, std::uint64_t now);
  void matched(std::uint32_t rank, std::uint32_t number, const goal_message& m, bool waited,
               std::uint64_t now);
  void end_idle(rank_state& rank, std::uint64_t now, const goal_message* reason);
  goal_message* find(std::uint32_t terminal, std::uint32_t number);
  const goal_message* on_its_way_to(std::uint32_t rank) const;
  std::string wait_of(std::uint32_t rank) const;

  const goal_plan plan_;
  std::optional<reduction_values> reductions_;
  std::vector<rank_state> ranks_;
  std::vector<terminal_state> terminals_;
  std::unordered_map<std::uint64_t, pair_order> pairs_;
  std::uint64_t start_ = ~std::uint64_t{0}, end_ = 0;
  path_of_time critical_;
  std::vector<std::uint64_t> step_ends_;
  std::uint64_t messages_ = 0, bytes_ = 0, local_ = 0, most_open_ = 0, heard_ = 0, strays_ = 0;
  std::vector<std::string> faults_;
};

}  // namespace spillway
