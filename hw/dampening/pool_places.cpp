#include <algorithm>
#include <numeric>
#include <spillway/hw/dampening/pool_places.hpp>
#include <string>

namespace spillway {

namespace {

/// In the memory of the domain that steps the pool.
class own_memory final : public flit_memory {
public:
  own_memory(unsigned places, state_memory& memory) : flits_(memory.array<flit>(places)) {}
  void write(unsigned place, const flit& f) override { flits_[place] = f; }
  const flit& read(unsigned place) const override { return flits_[place]; }

private:
  state_array<flit> flits_;
};

std::vector<unsigned> starts_of(const std::vector<unsigned>& sizes) {
  std::vector<unsigned> starts(sizes.size() + 1);
  std::partial_sum(sizes.begin(), sizes.end(), starts.begin() + 1);
  return starts;
}

}  // namespace

pool_places::pool_places(const sc_core::sc_object& pool, const std::vector<unsigned>& sizes,
                         state_memory& memory, std::unique_ptr<flit_memory> behind)
    : pool_(pool),
      starts_(starts_of(sizes)),
      occupied_(memory.array<std::uint8_t>(size())),
      memory_(behind ? std::move(behind) : std::make_unique<own_memory>(size(), memory)) {}

void pool_places::clear() {
  std::fill(occupied_.begin(), occupied_.end(), 0);
  used_ = 0;
}

void pool_places::fail(unsigned partition, unsigned place, const char* what) const {
  const std::string text = std::string(pool_.name()) + ": place " + std::to_string(place) + " of partition " +
                           std::to_string(partition) + ", which has " + std::to_string(size(partition)) +
                           ", " + what;
  SC_REPORT_ERROR("spillway/pool", text.c_str());
  sc_core::sc_abort();  // only if errors have been told not to throw
}

}  // namespace spillway
