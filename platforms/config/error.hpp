#pragma once
#include <stdexcept>
#include <string>

namespace spillway {

/// Wrong input from the user. what() is the finished message, in the form
/// `file:line:column: what was found, what was expected`. The command exits with status 2.
struct config_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace spillway
