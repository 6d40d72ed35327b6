#pragma once
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <spillway/hw/endpoints/endpoints.hpp>
#include <spillway/hw/links/link_watch.hpp>
#include <spillway/platforms/elaborate/platform.hpp>
#include <spillway/tb/report/chrome_trace.hpp>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace spillway {

/// The ways of packets through a platform as a Chrome trace: a track for each terminal, switch and link. A
/// terminal's has the time in its source queue and the arrivals; a switch's has the hops, from the crossing
/// of one link to that of the next, with the queue, the wait, who went before and who lay ahead; a link's has
/// what crosses, and what its other pins say, such as embargoes.
///
/// It watches the links of the platform and stands before its observer, and changes nothing.
class packet_trace final : public endpoint_observer, private link_listener {
public:
  /// Source, destination, number, logical network and kind of a packet: a source numbers its packets, but a
  /// reply has the number of what it answers.
  using packet_key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint8_t, std::uint8_t>;

  /// `next` hears of everything, too. Throws io_error if the file cannot be written.
  packet_trace(const packet_trace_config& config, endpoint_observer& next);
  ~packet_trace() override;

  /// Watches the platform's links; once, outside of all modules. Links are known by the entries of their
  /// kinds; those of other kinds have tracks if they are packet links with more pins.
  void watch(platform& network, const catalogue& all);
  /// A reset: all packets under way are gone.
  void write_off();
  /// Looks no more, and writes what still lasts; before the platform goes.
  void detach();
  /// Writes the rest; nothing is left of a file without it. Throws io_error.
  void finish();
  /// The cycle at which the limit has ended it; 0 if it has not.
  std::uint64_t cut_at() const { return trace_.cut_at(); }

  /// For slices of somebody else's on the same tracks.
  chrome_trace& trace() { return trace_; }
  unsigned track_of(unsigned terminal) const { return terminals_.at(terminal); }
  /// Has `to` hear of the slices of a packet's way, on links and switches, in their order.
  void on_slice(std::function<void(const packet_key&, const chrome_trace::place&)> to) {
    told_ = std::move(to);
  }

  void created(std::uint64_t cycle, const flit& head) override;
  void injected(std::uint64_t cycle, const flit& head) override;
  void delivered(std::uint64_t cycle, unsigned terminal, const flit& f) override;
  void held_back(std::uint64_t cycle, const flit& head) override { next_.held_back(cycle, head); }
  void let_go(std::uint64_t cycle, const flit& head) override { next_.let_go(cycle, head); }
  void combined(std::uint64_t cycle, const flit& survivor, const flit& merged) override;
  void split(std::uint64_t cycle, const flit& reply, const flit& branch) override;

private:
  struct link_log;
  /// Where a packet is.
  struct journey {
    std::uint64_t created = 0, arrived = 0;  // at its source, at its destination
    int switch_ = -1;                        // that its head has entered
    unsigned input = 0, lane = 0;            // the queue in it
    link_log* link = nullptr;                // by which it has entered
    std::uint64_t entered = 0;
  };
  /// What has crossed a link of late.
  struct crossing {
    std::uint64_t from, until;
    std::string name;
  };
  struct link_log {
    const network_link* link;
    unsigned track;
    std::map<packet_key, std::uint64_t> under_way;  // cycle of the head
    std::deque<crossing> last;
    /// Packets in the queues behind it, by the lane that they came in, whose heads have not gone on.
    std::map<packet_key, unsigned> behind;
    std::map<packet_key, std::vector<std::string>> ahead;  // of whom was refused: who was in that queue
  };

  static packet_key key_of(const flit& f);
  void crosses(unsigned link, std::uint64_t cycle, std::uint64_t shown, const flit& f) override;
  void refused(unsigned link, std::uint64_t cycle, const flit& f) override;
  void begins(unsigned link, std::uint64_t cycle, const flit& head) override;
  void held(unsigned link, std::uint64_t from, std::uint64_t until, const flit& head) override;
  void says(unsigned link, std::uint64_t from, std::uint64_t until, const std::string& pin,
            const std::string& value) override;
  void head_crosses(link_log& log, std::uint64_t cycle, std::uint64_t shown, const flit& head);
  void leaves_switch(link_log& log, std::uint64_t cycle, std::uint64_t shown, const flit& head, journey& j);
  void tell(const packet_key& packet, const chrome_trace::place& slice) const;

  chrome_trace trace_;
  endpoint_observer& next_;
  std::vector<unsigned> terminals_, switches_;  // their tracks
  std::deque<link_log> logs_;
  std::vector<std::unique_ptr<clocked>> watchers_;
  std::map<packet_key, journey> journeys_;
  std::function<void(const packet_key&, const chrome_trace::place&)> told_;
  std::size_t switches_a_network_ = 1;
};

}  // namespace spillway
