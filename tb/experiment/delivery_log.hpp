#pragma once
#include <optional>
#include <spillway/tb/measure/journeys.hpp>
#include <spillway/tb/report/atomic_file.hpp>
#include <utility>
#include <vector>

namespace spillway {

/// deliveries.csv, sorted by cycle, destination and source, so that it does not depend on the order in which
/// a kernel calls the sinks.
class delivery_log {
public:
  explicit delivery_log(atomic_file& file);
  /// `way`: nullptr if it is not known. Throws io_error.
  void add(const delivery& d, const journey* way);
  void finish();

private:
  void flush();

  atomic_file& file_;
  std::vector<std::pair<delivery, std::optional<std::uint32_t>>> batch_;  // hops, if known
};

}  // namespace spillway
