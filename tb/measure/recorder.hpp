#pragma once
#include <deque>
#include <exception>
#include <optional>
#include <spillway/tb/measure/measure_entry.hpp>
#include <spillway/tb/report/atomic_file.hpp>
#include <unordered_map>

namespace spillway {

/// Writes the packets of a run as a table that can be played back (`workload: {kind: packets}`): of each,
/// when it was made after the last arrival at its source, which is what its program may have waited for.
/// Replies and packets of other logical networks than the first are not in it: what answers in one run
/// answers in the other. What is kept is what is under way.
class recorder final : public measurement {
public:
  /// `dependencies`: else cycles count from the start, for interfaces that do not tell a terminal what
  /// arrives.
  recorder(std::string file, unsigned terminals, bool dependencies);

  void created(std::uint64_t cycle, const flit& head) override;
  void delivered(const delivery& d) override;
  void write_off(std::uint64_t cycle) override;
  void finish(std::uint64_t cycles) override;
  /// `record.packets`, `record.left_out`.
  void count(counters& all) const override;

private:
  struct arrival {
    std::uint32_t packet = 0;  // 0: none
    std::uint64_t cycle = 0;
  };
  static std::uint64_t key(std::uint32_t source, std::uint32_t packet) {
    return std::uint64_t{source} << 32 | packet;
  }
  void proceed(std::uint64_t cycle);
  void write_cycle();

  const std::string file_;
  const bool dependencies_;
  std::optional<atomic_file> out_;
  std::exception_ptr failed_;
  std::uint64_t cycle_ = 0;
  std::vector<flit> created_;                                   // in this cycle
  std::vector<delivery> delivered_;                             // in this cycle
  std::unordered_map<std::uint64_t, std::uint32_t> under_way_;  // number, by source and its number there
  std::vector<arrival> last_;                                   // by terminal
  std::uint32_t packets_ = 0;
  std::uint64_t left_out_ = 0;
};

class record_measure final : public measure_entry {
public:
  record_measure() : measure_entry("record") {}
  nlohmann::json schema() const override;
  std::unique_ptr<measurement> make(const nlohmann::json& section,
                                    const measure_context& context) const override;
};

}  // namespace spillway
