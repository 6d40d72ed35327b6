#include <spillway/platforms/config/file.hpp>
#include <spillway/platforms/config/named_file.hpp>

namespace spillway {

std::filesystem::path named_file(const document& file, const document::json_pointer& at) {
  std::filesystem::path path = file.resolve(file.root.at(at).get<std::string>());
  try {
    descriptor(open_regular(path));
  } catch (const config_error& error) {
    file.fail(at, error.what());
  }
  return path;
}

}  // namespace spillway
