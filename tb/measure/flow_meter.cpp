#include <algorithm>
#include <spillway/tb/measure/flow_meter.hpp>
#include <spillway/tb/report/latency_meter.hpp>
#include <tuple>

namespace spillway {

void flow_meter::add(const delivery& d) {
  flow& f = flows_[std::uint64_t{d.source} << 32 | d.destination];
  const std::uint64_t latency = d.cycle - d.created;
  ++f.packets;
  f.flits += d.length;
  f.sum += latency;
  f.min = std::min(f.min, latency);
  f.max = std::max(f.max, latency);
  const auto bin = static_cast<std::uint32_t>(latency_meter::bin_of(latency));
  const auto place = std::lower_bound(f.bins.begin(), f.bins.end(), std::pair{bin, std::uint32_t{0}});
  if (place != f.bins.end() && place->first == bin)
    ++place->second;
  else
    f.bins.insert(place, {bin, 1});
}

double flow_meter::flow::percentile(double p) const {
  const std::uint64_t rank = latency_meter::rank_of(p, packets);
  std::uint64_t seen = 0;
  for (const auto& [bin, count] : bins)
    if ((seen += count) >= rank)
      return std::clamp(latency_meter::middle_of(bin), static_cast<double>(min), static_cast<double>(max));
  return static_cast<double>(max);
}

std::vector<flow_record> flow_meter::report() const {
  std::vector<flow_record> all;
  for (const auto& [key, f] : flows_)
    all.push_back({static_cast<std::uint32_t>(key >> 32), static_cast<std::uint32_t>(key), f.packets, f.flits,
                   static_cast<double>(f.sum) / static_cast<double>(f.packets), f.percentile(0.99),
                   static_cast<double>(f.max)});
  std::sort(all.begin(), all.end(), [](const flow_record& a, const flow_record& b) {
    return std::tie(a.source, a.destination) < std::tie(b.source, b.destination);
  });
  return all;
}

}  // namespace spillway
