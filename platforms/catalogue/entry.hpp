#pragma once
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>

namespace spillway {

/// Something that an experiment chooses by its name: a topology, a routing, a switch, a traffic pattern. It
/// says what its section may contain, and what is known of it without running; the class of its axis adds how
/// it is made. Entries have no state that changes.
class catalogue_entry {
public:
  virtual ~catalogue_entry() = default;
  catalogue_entry(const catalogue_entry&) = delete;
  catalogue_entry& operator=(const catalogue_entry&) = delete;

  const std::string& name() const { return name_; }
  /// JSON Schema (draft-07) of its keys: an object with a `description` of one sentence, `properties` and, if
  /// need be, `required`. The choosing key and the keys that all entries of the axis share are added to it.
  virtual nlohmann::json schema() const = 0;
  /// Cycles that what it makes of such a section may wait by itself, at most. Unless it says otherwise the
  /// numbers in the section added up, as any may be such a time and one wait may follow another.
  virtual double longest_wait(const nlohmann::json& section) const;

protected:
  explicit catalogue_entry(std::string name) : name_(std::move(name)) {}

private:
  const std::string name_;
};

/// What an entry has made. Throws std::logic_error, with its name, if that is nothing.
template <class Pointer>
Pointer made_by(const catalogue_entry& kind, Pointer made) {
  if (!made) throw std::logic_error("'" + kind.name() + "' makes nothing: expected an object");
  return made;
}

/// All numbers above 0 in a section, added up.
double sum_of_numbers(const nlohmann::json& section);

/// Puts the defaults of the entry's keys into a section in which they are not written.
void fill_defaults(const catalogue_entry& kind, nlohmann::json& section);

/// Where an experiment chooses among the entries of an axis: by the key of a section, or of each member of a
/// section that is a list. What the section says beside is in yaml/schema/experiment_base.schema.json.
struct axis_place {
  std::string section;       ///< such as `switch`
  std::string key = "kind";  ///< such as `pattern`; empty: the experiment does not choose
};

}  // namespace spillway
