#pragma once
#include <cstdint>
#include <memory>
#include <spillway/platforms/catalogue/entry.hpp>
#include <spillway/platforms/config/document.hpp>
#include <spillway/tb/traffic/injection.hpp>
#include <spillway/tb/traffic/pattern.hpp>
#include <string>
#include <vector>

namespace spillway {

/// The terminal that a document names. Throws config_error if there are not so many.
std::uint32_t terminal_at(const document& file, const document::json_pointer& at, std::size_t terminals);
/// The same of a list; none if it is left out.
std::vector<std::uint32_t> terminals_at(const document& file, const document::json_pointer& at,
                                        std::size_t terminals);

/// What makers of patterns and injections are told: an entry of the traffic, and where it runs.
struct traffic_context {
  const document& file;
  document::json_pointer at;  ///< of the entry in the file
  std::uint32_t terminals = 0;
  std::uint64_t seed = 1;
  const std::vector<std::uint32_t>& stopped;  ///< terminals that accept nothing, ascending
  std::size_t entry = 0;                      ///< its number in the list `traffic`
  std::vector<std::uint32_t> senders = {};    ///< of an entry of `traffic`: who carries it out, ascending

  /// The entry, defaults filled in.
  const nlohmann::json& section() const { return file.root.at(at); }
  /// @param key of the entry, such as `targets`, or `batch/count`. Throws config_error with its place.
  [[noreturn]] void fail(const std::string& key, const std::string& message) const {
    file.fail(at / document::json_pointer('/' + key), message);
  }
  /// Terminals along each dimension of a grid, those of the first one next to each other by number: what the
  /// section `topology` calls `dimensions`. Of other topologies one dimension with all terminals.
  std::vector<std::uint64_t> dimensions() const;
  std::uint32_t terminal(const std::string& key) const { return terminal_at(file, at / key, terminals); }
  std::vector<std::uint32_t> terminal_list(const std::string& key) const {
    return terminals_at(file, at / key, terminals);
  }
};

/// For injections of at most a packet, or message, a cycle. Throws config_error.
inline void need_at_most_one_a_cycle(const traffic_context& context, const offered_load& load) {
  if (load.packets() > 1)
    context.fail("injection", "makes at most one packet a cycle and terminal, found " +
                                  std::to_string(load.packets()) + ": expected a lower rate, or exponential");
}

/// A pattern that traffic can have: `traffic: [{pattern: NAME, ...}]`.
class pattern_entry : public catalogue_entry {
public:
  using axis_entry = pattern_entry;
  static axis_place place() { return {"traffic", "pattern"}; }
  /// Throws config_error for keys that do not fit each other or the network.
  virtual std::shared_ptr<const pattern> make(const traffic_context& context) const = 0;

protected:
  using catalogue_entry::catalogue_entry;
};

/// An injection that traffic can have: `traffic: [{injection: NAME, ...}]`.
class injection_entry : public catalogue_entry {
public:
  using axis_entry = injection_entry;
  static axis_place place() { return {"traffic", "injection"}; }
  /// `load`: what the terminals are to offer. Throws config_error as above.
  virtual std::shared_ptr<const injection> make(const traffic_context& context,
                                                const offered_load& load) const = 0;

protected:
  using catalogue_entry::catalogue_entry;
};

}  // namespace spillway
