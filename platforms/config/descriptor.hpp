#pragma once
#include <unistd.h>

namespace spillway {

/// The number of an open file, which is closed at the end. Negative: none.
class descriptor {
public:
  explicit descriptor(int number) : number_(number) {}
  ~descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;
  operator int() const { return number_; }

private:
  const int number_;
};

}  // namespace spillway
