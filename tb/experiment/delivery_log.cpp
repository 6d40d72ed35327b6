#include <fmt/format.h>

#include <algorithm>
#include <spillway/tb/experiment/delivery_log.hpp>
#include <tuple>

namespace spillway {

delivery_log::delivery_log(atomic_file& file) : file_(file) {
  file_.write("cycle,source,destination,packet,created,injected,length,class,hops\n");
}

void delivery_log::add(const delivery& d, const journey* way) {
  if (!batch_.empty() && batch_.front().first.cycle != d.cycle) flush();
  batch_.emplace_back(d, way ? std::optional(way->hops) : std::nullopt);
}

void delivery_log::finish() {
  flush();
  file_.close();
}

void delivery_log::flush() {
  std::sort(batch_.begin(), batch_.end(), [](const auto& one, const auto& other) {
    const delivery &a = one.first, &b = other.first;
    return std::tie(a.destination, a.source, a.packet) < std::tie(b.destination, b.source, b.packet);
  });
  for (const auto& [d, hops] : batch_)
    file_.write(fmt::format("{},{},{},{},{},{},{},{},{}\n", d.cycle, d.source, d.destination, d.packet,
                            d.created, d.injected, d.length, unsigned{d.traffic_class},
                            hops ? std::to_string(*hops) : ""));
  batch_.clear();
}

}  // namespace spillway
