#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <spillway/platforms/config/error.hpp>
#include <spillway/platforms/config/place.hpp>
#include <spillway/platforms/config/schema.hpp>
#include <string>
#include <vector>

namespace spillway {

/// An experiment as it will run: valid, with every default filled in, and with the place of every value
/// that was written, so that later stages can point at it.
class document {
public:
  using json_pointer = nlohmann::json::json_pointer;

  /// Use load_document; @param folder what file names in the document are relative to.
  document(nlohmann::json content, source_map places, std::filesystem::path folder, nlohmann::json schema);

  nlohmann::json root;
  std::string modeline_schema;  ///< what the text names in `# yaml-language-server: $schema=...`

  /// Where the value was written; for a default, the nearest enclosing value that was written.
  place where(const json_pointer& at) const { return places_.value(at); }

  /// The message of fail(), for what is worth a word and no error.
  std::string remark(const json_pointer& at, const std::string& message) const;
  /// Throws config_error `file:line:column: path: message`, the path in the form traffic.0.rate.
  [[noreturn]] void fail(const json_pointer& at, const std::string& message) const;

  /// The whole experiment as YAML that can be loaded again and then means the same.
  /// @param folder where the text will be kept: names of input files are rewritten to be relative to it;
  ///        empty keeps them as they are
  /// A modeline for editors (yaml-language-server) is kept, and its schema relocated in the same way.
  std::string to_yaml(const std::filesystem::path& folder = {}) const;

  /// A file named in the document: relative names start at the document's folder.
  std::filesystem::path resolve(const std::string& file) const;

  /// Where the document names input files; see resolve.
  std::vector<json_pointer> file_names() const;

private:
  source_map places_;
  std::filesystem::path folder_;
  nlohmann::json schema_;
};

/// How many errors of a document config_error names: the first, or all, one a line (at most 50).
enum class report { first, all };

/// A value put in place of the one in a file, null to leave the key out; errors in it name the place where it
/// was written.
struct override_value {
  std::string path;  ///< as `traffic.0.rate`
  nlohmann::json value;
  place where;
};

/// What such an override on the command line says: `traffic.0.rate=0.3`. Throws config_error.
override_value read_override(const std::string& text);

/// Reads, overrides, validates and completes an experiment.
/// @param overrides `traffic.0.rate=0.3`: keys and list indices (from 0) joined by dots, then a YAML value;
///        an index one past the end appends; missing sections are made; `~` leaves a key out. Errors in an
///        override name it as `--set traffic.0.rate=0.3`; file names in it are relative to the document like
///        all others
/// Throws config_error.
document load_document(const std::filesystem::path& file, const nlohmann::json& schema,
                       const std::vector<std::string>& overrides = {}, report errors = report::first);

/// The same for text; @param name stands for the file in errors, and its folder is the document's.
document load_document_text(const std::string& text, const std::string& name, const nlohmann::json& schema,
                            const std::vector<std::string>& overrides = {}, report errors = report::first);
/// The same with overrides that were written elsewhere, such as in a sweep.
document load_overridden(const std::string& text, const std::string& name, const nlohmann::json& schema,
                         const std::vector<override_value>& overrides);

}  // namespace spillway
