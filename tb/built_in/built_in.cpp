#include <spillway/platforms/built_in/built_in.hpp>
#include <spillway/tb/built_in/built_in.hpp>

namespace spillway {

catalogue standard_catalogue() { return platform_catalogue(); }

}  // namespace spillway
