#include <spillway/tb/measure/measurement.hpp>
#include <spillway/tb/traffic/pattern.hpp>

namespace spillway {

std::unique_ptr<measurement> pattern::measure(const measure_context&) const { return nullptr; }

}  // namespace spillway
