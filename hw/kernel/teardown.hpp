#pragma once
#include <memory>
#include <string>
#include <systemc>
#include <vector>

namespace spillway {

/// Destroys modules last to first. SystemC looks for a port that goes from the end of its list, so that first
/// to last would take time quadratic in their number.
template <class Module>
void tear_down(std::vector<std::unique_ptr<Module>>& modules) {
  while (!modules.empty()) modules.pop_back();
}

/// Where many modules go last to first, one of these is made before them and goes before them. SystemC looks
/// for a module that goes from the start of its lists, and puts the last in its place: from then on the one
/// that goes next stands where this one stood; else each would be looked for among all.
class first_module {
public:
  /// `name`: of modules that are empty, where this is made.
  explicit first_module(const std::string& name) : kernels_(made(name + "_kernel")), last_(made(name)) {}
  /// The modules that were made after it go next, last to first.
  void go() {
    kernels_.reset();
    last_.reset();
  }

private:
  struct empty_module : sc_core::sc_module {
    explicit empty_module(const sc_core::sc_module_name& name) : sc_module(name) {}
  };
  static std::unique_ptr<empty_module> made(const std::string& name) {
    return std::make_unique<empty_module>(name.c_str());
  }

  // The first leaves its place to a module of SystemC's own that comes with the simulation and stays.
  std::unique_ptr<empty_module> kernels_, last_;
};

}  // namespace spillway
