#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <spillway/hw/endpoints/endpoints.hpp>
#include <spillway/hw/kernel/counters.hpp>
#include <spillway/platforms/catalogue/entry.hpp>
#include <spillway/platforms/config/document.hpp>
#include <spillway/tb/traffic/terminal_tree.hpp>

namespace spillway {

/// What runs on the terminals in one run, between what they have to send and their network interfaces. It
/// hears of every packet that arrives.
class terminal_software {
public:
  virtual ~terminal_software() = default;
  /// The supply of a terminal whose own traffic is `own`.
  virtual std::unique_ptr<packet_supply> supply(std::uint32_t terminal,
                                                std::unique_ptr<packet_supply> own) = 0;
  /// Adds what it counted to the result.
  virtual void count(counters&) const {}
};

/// What makers of software are told.
struct software_context {
  const document& file;
  document::json_pointer at;  ///< of the section in the file
  std::uint32_t terminals = 0;
  std::uint16_t packet_length = 1;  ///< flits
  std::uint64_t seed = 1;

  /// Its keys, defaults filled in.
  const nlohmann::json& section() const { return file.root.at(at); }
  /// Throws config_error with the place of the key.
  [[noreturn]] void fail(const std::string& key, const std::string& message) const {
    file.fail(at / key, message);
  }
};

/// Software of terminals, ready for any number of runs.
struct software_plan {
  std::function<std::unique_ptr<terminal_software>()> make;  ///< empty: there is none
  std::shared_ptr<const terminal_tree> tree;  ///< along which it passes messages on, if it does
};

/// Software that terminals can run: `software: {kind: NAME, ...}`.
class software_entry : public catalogue_entry {
public:
  using axis_entry = software_entry;
  static axis_place place() { return {"software"}; }
  /// Throws config_error for keys that do not fit each other or the network.
  virtual software_plan plan(const software_context& context) const = 0;

protected:
  using catalogue_entry::catalogue_entry;
};

}  // namespace spillway
