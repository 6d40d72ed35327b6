#pragma once
#include <algorithm>
#include <memory>
#include <spillway/platforms/catalogue/entry.hpp>
#include <stdexcept>
#include <string>
#include <typeindex>
#include <utility>
#include <vector>

namespace spillway {

/// What can be chosen on one axis, in the order in which it was added.
class axis_base {
public:
  virtual ~axis_base() = default;
  axis_base(const axis_base&) = delete;
  axis_base& operator=(const axis_base&) = delete;

  const axis_place& place() const { return place_; }
  const std::vector<std::unique_ptr<const catalogue_entry>>& entries() const { return entries_; }

protected:
  explicit axis_base(axis_place place) : place_(std::move(place)) {}

  const catalogue_entry* find_entry(const std::string& name) const {
    const auto found =
        std::find_if(entries_.begin(), entries_.end(), [&](const auto& one) { return one->name() == name; });
    return found == entries_.end() ? nullptr : found->get();
  }
  void add_entry(std::unique_ptr<const catalogue_entry> one) {
    if (find_entry(one->name()))
      throw std::invalid_argument("there is a " + place_.section + " '" + one->name() + "' already");
    entries_.push_back(std::move(one));
  }

private:
  const axis_place place_;
  std::vector<std::unique_ptr<const catalogue_entry>> entries_;
};

/// The axis of one class of entries, which has `static axis_place place()`.
template <class Entry>
class axis final : public axis_base {
public:
  axis() : axis_base(Entry::place()) {}

  /// Throws std::invalid_argument if the name is taken.
  void add(std::unique_ptr<const Entry> one) { add_entry(std::move(one)); }
  /// The entry of that name, or nullptr.
  const Entry* find(const std::string& name) const { return static_cast<const Entry*>(find_entry(name)); }
  /// Throws std::invalid_argument for an unknown name.
  const Entry& at(const std::string& name) const {
    if (const Entry* const found = find(name)) return *found;
    throw std::invalid_argument("there is no " + place().section + " '" + name + "'");
  }
  /// The entry that a section of an experiment, defaults filled in, chooses.
  const Entry& chosen(const nlohmann::json& section) const {
    return at(section.at(place().key).template get<std::string>());
  }
};

/// All that an experiment can choose, a table for each axis. Levels above this one have axes of their own: an
/// axis comes into being when its first entry is added or it is first asked for.
///
/// `catalogue all = standard_catalogue(); all.add<my_topology>(); return command(argc, argv, all);`
class catalogue {
public:
  /// Makes an entry and adds it to its axis, which `Entry::axis_entry` names.
  template <class Entry, class... Arguments>
  void add(Arguments&&... arguments) {
    of<typename Entry::axis_entry>().add(
        std::make_unique<const Entry>(std::forward<Arguments>(arguments)...));
  }

  /// The axis of a class of entries.
  template <class Entry>
  axis<Entry>& of() {
    for (const auto& [type, one] : axes_)
      if (type == typeid(Entry)) return static_cast<axis<Entry>&>(*one);
    auto made = std::make_unique<axis<Entry>>();
    axis<Entry>& added = *made;
    axes_.emplace_back(typeid(Entry), std::move(made));
    return added;
  }
  /// Throws std::logic_error if there is no entry of the class.
  template <class Entry>
  const axis<Entry>& of() const {
    for (const auto& [type, one] : axes_)
      if (type == typeid(Entry)) return static_cast<const axis<Entry>&>(*one);
    throw std::logic_error("the catalogue has no " + Entry::place().section + "s");
  }

  /// Every axis, in the order of their first entries.
  const std::vector<std::pair<std::type_index, std::unique_ptr<axis_base>>>& axes() const { return axes_; }

private:
  std::vector<std::pair<std::type_index, std::unique_ptr<axis_base>>> axes_;
};

/// The JSON Schema of experiments that choose from it. Throws std::invalid_argument for an entry whose name
/// is other than small letters, digits and underscores, or whose schema is none.
nlohmann::json experiment_schema(const catalogue& all);

}  // namespace spillway
