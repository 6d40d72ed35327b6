#pragma once
#include <spillway/platforms/config/document.hpp>

namespace spillway {

/// The file that a value of the document names. Throws config_error with the place of the value if it is no
/// regular file that can be read.
std::filesystem::path named_file(const document& file, const document::json_pointer& at);

}  // namespace spillway
