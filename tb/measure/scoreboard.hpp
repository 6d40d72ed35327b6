#pragma once
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <spillway/hw/endpoints/endpoints.hpp>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace spillway {

/// A packet that has arrived.
struct delivery {
  std::uint64_t cycle = 0, created = 0, injected = 0;  ///< edges since the start
  std::uint32_t source = 0, destination = 0, packet = 0;
  std::uint16_t length = 1;
  flit_kind kind = flit_kind::data;
  std::uint8_t traffic_class = 0;
  std::uint8_t network = 0;  ///< logical network
};

/// What a scoreboard has seen; faults are counted by flit, misordered ones by packet too.
struct scoreboard_counts {
  std::uint64_t created = 0, injected = 0, delivered = 0;  ///< packets
  std::uint64_t duplicated = 0, misordered = 0, corrupted = 0, misrouted = 0;
  std::uint64_t overtaken = 0;            ///< packets that came after a later one, if that is looked at
  std::uint64_t reset_dropped = 0;        ///< packets written off by a reset
  std::uint64_t reset_dropped_flits = 0;  ///< those of their flits that had not arrived
  std::uint64_t flits = 0;                ///< delivered
};

/// What is made of packets of one source and destination that do not arrive in the order of their making.
enum class overtaking { ignored, counted, fault };

/// Proves packet by packet that nothing is lost, duplicated, corrupted, misrouted or, where the network
/// promises order between two terminals, misordered.
class scoreboard final : public endpoint_observer {
public:
  scoreboard(unsigned terminals, overtaking order);

  void created(std::uint64_t cycle, const flit& head) override;
  void injected(std::uint64_t cycle, const flit& head) override;
  void delivered(std::uint64_t cycle, unsigned terminal, const flit& f) override;
  void held_back(std::uint64_t cycle, const flit& head) override;
  void let_go(std::uint64_t cycle, const flit& head) override;
  /// The merged packet arrives when its survivor does.
  void combined(std::uint64_t cycle, const flit& survivor, const flit& merged) override;
  /// The branch counts as made and injected when the reply was from which it is split.
  void split(std::uint64_t cycle, const flit& reply, const flit& branch) override;

  /// Called for every whole packet.
  std::function<void(const delivery&)> on_delivery;
  /// Called for every packet that comes into being, with its cycle.
  std::function<void(std::uint64_t, const flit&)> on_creation;
  /// Called for every head that enters the network.
  std::function<void(std::uint64_t, const flit&)> on_injection;
  /// Called for every packet that an interface begins or ceases to hold back.
  std::function<void(const flit&, bool)> on_holding;

  const scoreboard_counts& counts() const { return counts_; }
  /// Packets made and neither delivered nor written off.
  std::uint64_t outstanding() const { return counts_.created - counts_.delivered - counts_.reset_dropped; }
  /// Packets in the network: injected, not delivered.
  std::uint64_t in_flight() const { return in_flight_; }
  /// Flits made and neither delivered nor written off.
  std::uint64_t outstanding_flits() const { return outstanding_flits_; }
  /// Everything outstanding is gone: the network has been reset.
  void write_off();
  /// The first faults, in words.
  const std::vector<std::string>& faults() const { return faults_; }

private:
  struct record {
    std::uint64_t created, injected;
    std::uint32_t destination;      // where it is to go; once it has arrived, where that was
    std::uint16_t length, arrived;  // flits
    bool complete() const { return length && arrived == length; }
  };
  struct history {
    std::uint32_t first = 0;     // packet number of records.front()
    std::uint32_t newest = 0;    // number behind the last that has arrived
    std::deque<record> records;  // without length: not made yet, though a later one is
    record* find(std::uint32_t packet);
    record& make(std::uint32_t packet);
    void forget_arrived();
  };
  void fault(std::uint64_t& counter, std::uint64_t cycle, const char* what, unsigned terminal, const flit& f);
  void check_order(std::uint64_t cycle, unsigned terminal, const flit& f, history& from);
  static bool is_overtaken(unsigned terminal, const flit& f, history& from);
  bool is_overtaken_reply(unsigned terminal, const flit& f);
  history& history_of(const flit& f);
  void add(const flit& head, std::uint64_t created, std::uint64_t injected);
  void arrive(std::uint64_t cycle, unsigned terminal, const flit& f, history& from, record& r);
  void take_along(std::uint64_t cycle, unsigned terminal, const flit& survivor);
  /// Packets are numbered by terminal and logical network: their source; replies apart, by what they are for.
  std::size_t numbering_of(const flit& f) const {
    const bool reply = f.kind == flit_kind::reply;
    return (2 * std::size_t{f.network} + reply) * terminals_ + (reply ? f.destination : f.source);
  }

  const std::size_t terminals_;
  const overtaking order_;
  std::vector<history> sources_;                                              // by numbering
  std::vector<std::unordered_map<std::size_t, std::uint32_t>> last_replies_;  // per sink: by who replies
  scoreboard_counts counts_;
  std::uint64_t in_flight_ = 0, outstanding_flits_ = 0;
  std::vector<std::string> faults_;
  std::map<std::pair<std::size_t, std::uint32_t>, std::vector<flit>> merged_;  // numbering, packet: heads
};

}  // namespace spillway
