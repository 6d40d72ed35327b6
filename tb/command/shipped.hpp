#pragma once
#include <filesystem>
#include <string>
#include <vector>

/// Not for users of the library.
namespace spillway {

/// Files that the project ships, in a folder of yaml/: of the one above the current folder, above the
/// program, or installed beside it.
class shipped_files {
public:
  /// @param folder such as `experiments`; @param what one of them is called, such as `experiment`
  shipped_files(const std::string& folder, std::string what);

  /// Those of the first folder that there is, by name.
  std::vector<std::filesystem::path> all() const;
  /// The file itself, or the shipped one of that name. Throws config_error, which tells the nearest names.
  std::filesystem::path find(const std::string& name) const;

private:
  std::string nearest(const std::string& word) const;

  const std::string what_;
  std::vector<std::filesystem::path> folders_;
};

}  // namespace spillway
