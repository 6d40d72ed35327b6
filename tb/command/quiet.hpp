#pragma once

/// Not for users of the library.
namespace spillway {

/// While it lives, standard output goes nowhere, if it is wanted so; what is wrong is said on standard error.
class quiet_output {
public:
  explicit quiet_output(bool wanted);
  ~quiet_output();
  quiet_output(const quiet_output&) = delete;
  quiet_output& operator=(const quiet_output&) = delete;

private:
  int kept_ = -1;  // where standard output went
};

}  // namespace spillway
