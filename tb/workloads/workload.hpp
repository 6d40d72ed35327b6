#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <spillway/hw/endpoints/endpoints.hpp>
#include <spillway/platforms/catalogue/entry.hpp>
#include <spillway/platforms/config/named_file.hpp>
#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/elaborate/packet_requests.hpp>
#include <spillway/tb/measure/measurement.hpp>
#include <stdexcept>
#include <vector>

namespace spillway {

class timed_supply;

class catalogue;

/// What a planner of workloads is told.
struct workload_context {
  std::uint32_t terminals = 0;
  std::uint16_t packet_length = 1;  ///< flits, which are words here
  std::uint64_t seed = 1;
  const nlohmann::json& parameters;        ///< the `workload` section, defaults filled in
  packet_requests requests = {};           ///< what can be asked of the interfaces
  const document* file = nullptr;          ///< that the section stands in, for the names of other files
  double period = 1;                       ///< of the clock, in nanoseconds
  const catalogue* all = nullptr;          ///< what workloads within this one are chosen from
  document::json_pointer at{"/workload"};  ///< of the section in the file
  bool tells_of_packets = true;            ///< the interfaces tell a terminal of the packets that arrive

  /// The file that a parameter names. Throws config_error if it cannot be read.
  std::filesystem::path input(const std::string& key) const {
    return file ? named_file(*file, at / key) : std::filesystem::path(parameters.at(key).get<std::string>());
  }
  /// For a program whose terminals learn from the data of packets. Throws std::invalid_argument if the
  /// switches change them.
  void expect_data() const;
  /// For a program whose terminals wait for each other's packets. Throws std::invalid_argument if they do not
  /// hear of them.
  void expect_to_hear() const;
  /// For a program whose terminals wait for the replies of memory modules. Throws std::invalid_argument if
  /// there are none.
  void expect_replies() const;
};

/// A program in one run, for programs whose terminals share what they know of it.
class workload_run {
public:
  virtual ~workload_run() = default;
  /// The terminal's part, which the run outlives.
  virtual std::unique_ptr<packet_supply> supply(std::uint32_t terminal) = 0;
  /// What is measured of it.
  virtual std::vector<std::unique_ptr<measurement>> measures() { return {}; }
  /// Asked when nothing is under way in the network: whether it will not go on, although it is not at its
  /// end.
  virtual bool stuck() const { return false; }
  /// Who waits then and for what, in words, if no measurement of it says so.
  virtual std::vector<std::string> waits() const { return {}; }
};

/// A program, ready to be given to the terminals.
struct workload_plan {
  std::function<std::unique_ptr<packet_supply>(std::uint32_t terminal)> make;
  bool barriers = false;        ///< it waits at barriers, so it needs processors that share one
  bool ends = true;             ///< it stops sending at some time
  unsigned longest_packet = 0;  ///< flits of the longest packet that it makes, if that is its own to say
  /// With `begin`, by terminal: whether it has a part; empty: all have, so none is left for traffic.
  std::vector<bool> used;
  /// The same as `make`, for a program that waits for nothing: its terminals may answer what arrives.
  std::function<std::unique_ptr<timed_supply>(std::uint32_t terminal)> requests;
  /// In place of `make`, for a program whose terminals share something.
  std::function<std::unique_ptr<workload_run>()> begin;
};

/// A program that terminals can run: `workload: {kind: NAME, ...}`.
class workload_entry : public catalogue_entry {
public:
  using axis_entry = workload_entry;
  static axis_place place() { return {"workload"}; }
  /// Throws std::invalid_argument when its parameters do not fit each other or the network.
  virtual workload_plan plan(const workload_context& context) const = 0;

protected:
  using catalogue_entry::catalogue_entry;
};

}  // namespace spillway
