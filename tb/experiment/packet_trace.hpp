#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <spillway/hw/endpoints/endpoints.hpp>
#include <spillway/platforms/elaborate/platform.hpp>
#include <spillway/tb/report/atomic_file.hpp>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace spillway {

/// Which part of a run is recorded, and where.
struct packet_trace_config {
  std::string file;
  std::uint64_t from = 0, until = 0;  ///< cycles [from, until); until = 0: to the end
  std::uint64_t limit = 0;            ///< bytes at which it ends; 0: none
};

/// The ways of packets through a platform as a Chrome trace in JSON, which Perfetto opens: a track for each
/// terminal, switch and packet link. A terminal's has the time in its source queue and the arrivals; a
/// switch's has the hops, from the crossing of one link to that of the next, with the wait and who went
/// before; a link's has what crosses. What overlaps on a track lies in several rows.
///
/// It watches the links of the platform and stands before its observer, and changes nothing.
class packet_trace : public endpoint_observer {
public:
  /// `next` hears of everything, too. Throws io_error if the file cannot be written.
  packet_trace(const packet_trace_config& config, endpoint_observer& next);
  ~packet_trace() override;

  /// Watches the platform's links; once, outside of all modules. Throws config_error if none is a packet
  /// link.
  void watch(platform& network);
  /// Looks no more; before the platform goes.
  void detach();
  /// Writes the rest; nothing is left of a file without it. Throws io_error.
  void finish();
  /// The cycle at which the limit has ended it; 0 if it has not.
  std::uint64_t cut_at() const { return cut_at_; }

  void created(std::uint64_t cycle, const flit& head) override;
  void injected(std::uint64_t cycle, const flit& head) override;
  void delivered(std::uint64_t cycle, unsigned terminal, const flit& f) override;
  void combined(std::uint64_t cycle, const flit& survivor, const flit& merged) override;
  void split(std::uint64_t cycle, const flit& reply, const flit& branch) override;

private:
  class watcher;
  using packet_key = std::tuple<std::uint32_t, std::uint32_t, std::uint8_t, std::uint8_t>;

  /// Where a packet is.
  struct journey {
    std::uint64_t created = 0, arrived = 0;  // at its source, at its destination
    int switch_ = -1;                        // that its head has entered
    unsigned input = 0;
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
  };
  struct track {
    std::vector<std::uint64_t> rows;  // by row: cycle up to which it is taken
  };

  static packet_key key_of(const flit& f);
  unsigned new_track(const std::string& name);
  void crosses(link_log& log, std::uint64_t cycle, std::uint64_t shown, const flit& f);
  void leaves_switch(link_log& log, std::uint64_t cycle, std::uint64_t shown, const flit& head, journey& j);
  void slice(unsigned on, std::uint64_t from, std::uint64_t until, const std::string& name,
             const std::string& arguments);
  void write(const std::string& event);

  const packet_trace_config config_;
  endpoint_observer& next_;
  std::optional<atomic_file> file_;
  std::vector<track> tracks_;
  std::vector<unsigned> terminals_, switches_;  // their tracks
  std::vector<std::unique_ptr<link_log>> logs_;
  std::vector<std::unique_ptr<watcher>> watchers_;
  std::map<packet_key, journey> journeys_;
  std::size_t switches_a_network_ = 1;
  double cycle_us_ = 1e-3;
  std::uint64_t bytes_ = 0, cut_at_ = 0, last_ = 0;
};

}  // namespace spillway
