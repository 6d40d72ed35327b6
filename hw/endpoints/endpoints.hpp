#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <spillway/hw/endpoints/arrival_link.hpp>
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/links/packet_link.hpp>
#include <spillway/hw/switching/routing.hpp>
#include <vector>

namespace spillway {

/// A packet that a source is to send.
struct packet_order {
  std::uint32_t destination = 0;     ///< terminal that it is for, below flit::most_terminals
  std::uint16_t length = 1;          ///< flits, 1 or more
  flit_kind kind = flit_kind::data;  ///< of all its flits
  std::uint8_t network = 0;          ///< logical network, one that its interface has
  std::uint8_t traffic_class = 0;    ///< what the traffic knows it by, 0 to 15
  std::uint32_t answers = 0;         ///< of a reply: number of the request, which becomes its own
  std::uint64_t interface_word = 0;  ///< what is asked of the network interface
  std::uint32_t data = 0;            ///< what the packet tells its receiver: the data of its payloads
};

/// Where a source gets its packets from. A plain part; one object a source.
class packet_supply {
public:
  static constexpr std::uint64_t never = ~std::uint64_t{0};  ///< later than every cycle
  virtual ~packet_supply() = default;
  /// With `backlog` packets waiting at the source: `now` if a packet comes into being in this cycle,
  /// else the cycle at which to ask again, or `never` if that takes a change of the backlog. It may not be
  /// asked sooner, unless the backlog changes or it is told something by the functions below.
  virtual std::uint64_t due(std::uint64_t now, std::size_t backlog) = 0;
  /// The packet; called when one is due. One that no flit can tell of is an error `spillway/packet`.
  virtual packet_order take(std::uint64_t now) = 0;
  /// Whether what due() said last may change with the backlog.
  virtual bool depends_on_backlog() const { return true; }
  /// A flit has come to the terminal at `now`; a source tells it one cycle later. What it gives rise to is
  /// due at `now` + 1 at the earliest.
  virtual void arrived(std::uint64_t /*now*/, const flit& /*f*/) {}
  /// Whether it will make no more packets, unless something arrives.
  virtual bool exhausted() const { return false; }
  /// Whether it wants to hear of arrivals.
  virtual bool listens() const { return false; }
  /// Whether it and those of other terminals share what they change, so that one thread must step them all.
  virtual bool shares() const { return false; }
  /// Barriers that it has come to, for processors; it makes no packets until all have come to the last.
  virtual std::uint32_t barriers() const { return 0; }
  /// All terminals have come to that many.
  virtual void passed(std::uint64_t /*now*/, std::uint32_t /*barriers*/) {}
  /// Reset of the terminal: drops what arrivals have given rise to, and says how many flits that was.
  virtual std::uint64_t forget() { return 0; }
};

/// Who watches the endpoints: the scoreboard and the measurement. Cycles are edges since the start.
class endpoint_observer {
public:
  virtual ~endpoint_observer() = default;
  virtual void created(std::uint64_t cycle, const flit& head) = 0;  ///< the packet has come into being
  /// The head has entered the network.
  virtual void injected(std::uint64_t cycle, const flit& head) = 0;
  /// A flit has come to `terminal`.
  virtual void delivered(std::uint64_t cycle, unsigned terminal, const flit& f) = 0;
  /// An interface that it has entered holds a packet back, and lets it go into the network itself.
  virtual void held_back(std::uint64_t /*cycle*/, const flit& /*head*/) {}
  virtual void let_go(std::uint64_t /*cycle*/, const flit& /*head*/) {}  ///< it goes into the network
  /// A switch has made `merged` part of `survivor`, with which it will arrive.
  virtual void combined(std::uint64_t /*cycle*/, const flit& /*survivor*/, const flit& /*merged*/) {}
  /// A switch has made the reply `branch` to a merged request from the reply to its survivor.
  virtual void split(std::uint64_t /*cycle*/, const flit& /*reply*/, const flit& /*branch*/) {}
};

/// The payload: the data of its low half as they are, and over them and what identifies the flit a check in
/// the high half, so that a corrupted flit is found.
std::uint64_t check_value(const flit& f);
/// Those data.
inline std::uint32_t data_of(const flit& f) { return static_cast<std::uint32_t>(f.payload); }

/// The packets of a terminal that wait to be sent, made when its supply says so. A plain part.
class packet_maker {
public:
  /// `limit`: packets that may wait, 0 for any number; while so many do nothing comes into being.
  packet_maker(unsigned terminal, std::unique_ptr<packet_supply> supply, endpoint_observer& observer,
               unsigned limit)
      : terminal_(terminal), supply_(std::move(supply)), observer_(observer), limit_(limit) {}

  /// What make() has come to.
  struct outcome {
    bool made;           ///< a packet or more
    std::uint64_t next;  ///< cycle at which to make again, `never` if that takes a change
  };
  /// `in_hand`: packets taken out of the queue that count as waiting; `unseen`: waiting packets that
  /// the supply is not told of.
  outcome make(std::uint64_t now, std::size_t in_hand = 0, std::size_t unseen = 0) {
    if (!limit_ && !depends_on_backlog_ && now < next_) return {false, next_};  // as in most cycles
    return make_due(now, in_hand, unseen);
  }

  /// To tell it something: after that it may make packets at other times.
  packet_supply& supply() {
    next_ = 0;
    return *supply_;
  }
  endpoint_observer& observer() { return observer_; }  ///< who is told of packets that come into being
  /// Heads.
  std::deque<flit>& waiting() { return waiting_; }
  const std::deque<flit>& waiting() const { return waiting_; }  ///< heads, the first to be sent in front
  std::uint64_t flits() const;                                  ///< of the packets that wait

private:
  outcome make_due(std::uint64_t now, std::size_t in_hand, std::size_t unseen);
  std::uint64_t due(std::uint64_t now, std::size_t backlog);
  /// Packets made so far in a logical network.
  std::uint32_t& packets(unsigned network);

  const unsigned terminal_;
  const std::unique_ptr<packet_supply> supply_;
  endpoint_observer& observer_;
  const unsigned limit_;
  std::uint64_t next_ = 0;          // when to ask the supply again, as long as
  std::size_t backlog_ = 0;         // so many packets wait, or
  bool depends_on_backlog_ = true;  // it does not mind
  std::uint32_t packets_ = 0;
  std::vector<std::uint32_t> packets_elsewhere_;  // in the logical networks from 1 on
  std::deque<flit> waiting_;
};

/// A source of packets: takes them from its supply into a queue and sends them flit by flit, in order.
/// A derived interface may choose another order, or hold packets back. With nothing in front of it a packet
/// that comes into being at edge t is at the link at t + 1, and then sends a flit a cycle.
class source : public clocked {
public:
  packet_out out{"out"};     ///< towards the network; in as many lanes as `next` says
  row<arrival_in> arrivals;  ///< arrivals0, if the supply listens

  /// `queue`: packets that may wait, 0 for any number; while it is full nothing comes into being.
  source(const sc_core::sc_module_name& name, unsigned terminal, std::unique_ptr<packet_supply> supply,
         endpoint_observer& observer, std::shared_ptr<const routing> routes, link_end next,
         unsigned queue = 0);

  /// Packets that wait here, the one that is being sent included.
  std::size_t backlog() const { return waiting_.size() + valid_; }
  /// Flits that wait here, and one that has come to the terminal and that the supply does not know of yet.
  virtual std::uint64_t backlog_flits() const;
  /// Of these, the one that the supply does not know of yet: 0 or 1.
  unsigned arriving() const { return arrivals.size() && arrivals[0].valid.read() ? 1 : 0; }
  std::uint64_t lost_in_reset() const { return lost_; }  ///< flits thrown away by resets so far

protected:
  void reset() override;
  void tick() override;
  /// Takes the head of the packet to send next out of `waiting_` into `chosen`, if one may go.
  virtual bool choose(flit& chosen);
  /// Packets that wait and that the supply is not told of.
  virtual std::size_t unseen_by_supply() const { return 0; }

  bool sending() const { return valid_; }          ///< `out` shows a flit
  unsigned terminal() const { return terminal_; }  ///< its number

private:
  packet_maker maker_;

protected:
  /// Heads of the packets that wait, in order; a derived interface takes from it.
  std::deque<flit>& waiting_ = maker_.waiting();  // heads

private:
  bool create();
  void listen();

  const unsigned terminal_;
  const std::shared_ptr<const routing> routes_;
  const link_end next_;
  flit showing_;
  bool valid_ = false;
  std::uint64_t alarm_ = 0;  // call asked for
  std::uint64_t lost_ = 0;
};

/// Cycles [from, until) in which a sink does not listen.
struct pause_interval {
  std::uint64_t from = 0;   ///< first cycle
  std::uint64_t until = 0;  ///< first cycle after it
};

/// When a sink accepts flits.
struct sink_config {
  unsigned interval = 1;               ///< accepts at most one flit every so many cycles
  std::vector<pause_interval> pauses;  ///< in order, not overlapping; `until` = never: stopped for good
};

/// Takes flits from the network at its own pace.
class sink : public clocked {
public:
  packet_in in{"in"};         ///< from the network, one lane
  row<arrival_out> arrivals;  ///< arrivals0, if it `tells`

  /// `tells`: a source of the same terminal wants to hear of arrivals.
  sink(const sc_core::sc_module_name& name, unsigned terminal, const sink_config& config,
       endpoint_observer& observer, bool tells = false);

private:
  void reset() override;
  void tick() override;
  /// First cycle from `cycle` on in which the sink listens.
  std::uint64_t listens(std::uint64_t cycle) const;

  const unsigned terminal_;
  const sink_config config_;
  endpoint_observer& observer_;
  std::uint64_t free_at_ = 0;  // first cycle in which the next flit may be accepted
  std::uint64_t alarm_ = 0;    // call asked for before the next pause
  bool ready_ = false;
};

}  // namespace spillway
