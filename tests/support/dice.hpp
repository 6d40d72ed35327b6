#pragma once
#include <boost/random/mersenne_twister.hpp>
#include <cstdint>

namespace spillway::testing_support {

/// Random numbers of a test; portable and seeded.
class dice {
public:
  explicit dice(std::uint32_t seed) : engine_(seed) {}
  unsigned below(unsigned n) { return static_cast<unsigned>(engine_() % n); }
  unsigned between(unsigned low, unsigned high) { return low + below(high - low + 1); }
  bool percent(unsigned p) { return below(100) < p; }
  template <class T, std::size_t n>
  const T& one_of(const T (&choices)[n]) {
    return choices[below(n)];
  }

private:
  boost::random::mt19937 engine_;
};

}  // namespace spillway::testing_support
