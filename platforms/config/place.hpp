#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace spillway {

/// Where a value was written: a file, or an override on the command line (then line is 0).
struct place {
  std::string file;
  int line = 0;    ///< from 1; 0 when the whole file or override is meant
  int column = 0;  ///< from 1

  /// `file:line:column`, or only the file.
  std::string text() const;
};

/// The places of all values and keys of a document, by JSON pointer.
class source_map {
public:
  using pointer = nlohmann::json::json_pointer;

  void set_value(const std::string& at, place where) { values_[at] = std::move(where); }
  void set_key(const std::string& at, place where) { keys_[at] = std::move(where); }
  /// Forgets the value at a pointer and all below it.
  void erase(const std::string& at);
  /// Takes all places of another document, whose root is at a pointer of this one.
  void graft(const std::string& at, const source_map& other);

  /// Place of the value; of the nearest enclosing one for a value that was not written (a default).
  place value(pointer at) const;
  /// Place of the key whose value is at the pointer; as value() when there is none.
  place key(const pointer& at) const;

private:
  std::map<std::string, place> values_, keys_;
};

/// `traffic.0.rate` for the pointer /traffic/0/rate.
std::string dotted(nlohmann::json::json_pointer at);

}  // namespace spillway
