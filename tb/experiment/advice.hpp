#pragma once
#include <string>

namespace spillway {

/// What `spillway check` says of the parameters of a mechanism.
struct advice {
  std::string text;   ///< in lines
  bool sound = true;  ///< false: they cannot be right, as the text says
};

}  // namespace spillway
