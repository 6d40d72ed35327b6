#pragma once
#include <exception>
#include <string>

namespace spillway::testing_support {

/// What is said where `make` throws an `Error`; empty: it does not.
template <class Error = std::exception, class F>
std::string refusal(const F& make) {
  try {
    make();
  } catch (const Error& e) {
    return e.what();
  }
  return {};
}

}  // namespace spillway::testing_support
