#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <spillway/tb/goal/goal_program.hpp>
#include <spillway/tb/goal/path_of_time.hpp>
#include <unordered_map>
#include <vector>

namespace spillway {

/// A message between two ranks. A short one goes at once; a long one asks first (request), is let come
/// (grant) and comes (data). Contributions go to the rank itself: the network makes results of them.
struct goal_message {
  enum class what : std::uint8_t { eager, request, grant, data, contributions };
  what is = what::eager;
  std::uint32_t from = 0, to = 0;  ///< ranks
  std::uint32_t tag = 0;
  std::uint64_t bytes = 0;  ///< of the program's message, whatever this carries of it
  std::uint32_t send_op = 0, receive_op = 0;
  std::uint64_t handed = 0, left = 0;  ///< cycles: given to the network interface, last packet made
  std::uint64_t packets = 1, made = 0, came = 0;
  std::uint64_t order = 0;  ///< among those of the same two ranks that are to be matched
  path_of_time path;        ///< when it was handed over; once it has come, when it came
  std::uint64_t line = 0;   ///< of its send
  std::uint32_t column = 0;
  bool done = false;

  /// Whether a receive is to be found for it.
  bool matches() const { return is == what::eager || is == what::request; }
  /// Bytes that go through the network.
  std::uint64_t carried() const { return is == what::request || is == what::grant ? 0 : bytes; }
};

/// An operation of a rank that has been read and is not done.
struct open_op {
  struct follower {
    std::uint32_t op = 0;
    bool on_start = false;
  };
  goal_op op;
  std::uint32_t missing = 0;  ///< what it waits for still
  bool started = false;
  std::uint32_t receive_op = 0;  ///< of a long send that may come: the operation that it is for
  std::vector<follower> followers;
  path_of_time path;        ///< up to `since`
  std::uint64_t since = 0;  ///< cycle from which nothing of the program but itself holds it up
};

/// Messages that have come and that no receive has asked for, and receives that no message has come for, of
/// one rank. Each side is served in its order.
class message_matching {
public:
  /// The receive for the message, if one waits; it is taken out.
  std::optional<std::uint32_t> arrive(const goal_message& m);
  void keep(goal_message m);
  /// The message for the receive, if one has come; it is taken out.
  std::optional<goal_message> receive(const goal_op& op);
  void post(std::uint32_t number, const goal_op& op);
  /// Any message that no receive has asked for, or nullptr.
  const goal_message* unasked() const;

private:
  struct posted {
    std::uint32_t op = 0, peer = 0, tag = 0;
    std::uint64_t order = 0;
  };
  struct came {
    goal_message message;
    std::uint64_t order = 0;
  };
  static std::uint64_t key(std::uint32_t peer, std::uint32_t tag) { return std::uint64_t{peer} << 32 | tag; }

  std::unordered_map<std::uint64_t, std::deque<posted>> posted_;
  std::deque<posted> posted_any_;  // of any source or any tag
  std::map<std::uint64_t, std::deque<came>> came_;
  std::uint64_t order_ = 0;
};

/// Work of a processor of a rank.
struct host_job {
  enum class what : std::uint8_t { calc, send, receive };
  what is = what::calc;
  std::uint32_t op = 0;
  std::uint64_t cycles = 0, gap = 0;
  std::uint64_t order = 0;
  std::uint8_t nic = 0;
};

/// A processor of a rank: one thing at a time, in the order in which they become ready; a send waits for its
/// network interface, and others pass it.
struct host_cpu {
  bool busy = false;
  host_job running;
  std::deque<host_job> others;
  std::map<std::uint8_t, std::deque<host_job>> sends;  ///< by network interface
  std::uint64_t asked_for = ~std::uint64_t{0};         ///< cycle of a try that is coming
};

/// What a rank spent its cycles with, up to its end.
struct rank_times {
  std::uint64_t busy = 0;     ///< a processor of it at work
  std::uint64_t network = 0;  ///< none, until a message came that was under way
  std::uint64_t partner = 0;  ///< none, while its partner had not sent that message yet
  std::uint64_t own = 0;      ///< none, for its own network interface
};

/// A rank under way.
struct rank_state {
  std::unique_ptr<rank_program> program;
  bool ended = false;      ///< all of it has been read
  std::uint32_t read = 0;  ///< operations
  std::uint64_t done = 0;
  std::uint32_t step = 0;      ///< of the operation done last
  std::uint32_t window = 0;    ///< now
  std::uint64_t patience = 0;  ///< cycles after which it looks further
  bool looks = false;          ///< is to look further
  std::uint64_t looked_at_done = 0;
  std::unordered_map<std::uint32_t, open_op> open;
  std::unordered_map<std::uint32_t, std::vector<open_op::follower>>
      unread;  ///< followers of what is not read yet
  std::map<std::uint8_t, host_cpu> cpus;
  message_matching messages;
  unsigned busy = 0;  ///< processors
  std::uint64_t idle_since = 0, busy_since = 0;
  std::uint64_t finished = 0;
  path_of_time path;  ///< to its last operation
  rank_times times;

  bool over() const { return ended && open.empty(); }
};

}  // namespace spillway
