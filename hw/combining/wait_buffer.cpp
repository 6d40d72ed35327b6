#include <algorithm>
#include <spillway/hw/combining/wait_buffer.hpp>
#include <spillway/hw/endpoints/endpoints.hpp>

namespace spillway {

void wait_buffer::clear() {
  passed_.clear();
  records_ = 0;
}

void wait_buffer::pass(const flit& request, unsigned port) {
  passed_[key(request.source, request.packet)] = {port, {}};
  most_ways_ = std::max(most_ways_, passed_.size());
}

void wait_buffer::merge(const flit& survivor, const flit& merged, unsigned port) {
  passed_.at(key(survivor.source, survivor.packet)).merged.push_back({merged.source, merged.packet, port});
  most_records_ = std::max(most_records_, ++records_);
  ++merged_;
}

void wait_buffer::count(counters& all) const {
  all["combining.merged"] += static_cast<double>(merged_);
  all["combining.refused"] += static_cast<double>(refused_);
  double& most = all["combining.most_records"];
  most = std::max(most, static_cast<double>(most_records_));
  if (!ways_) return;
  double& ways = all["combining.most_ways"];
  ways = std::max(ways, static_cast<double>(most_ways_));
}

bool wait_buffer::answer(const flit& reply, std::deque<reply_branch>& branches) {
  const auto found = passed_.find(key(reply.destination, reply.packet));
  if (found == passed_.end()) return false;
  branches.push_back({reply, found->second.port});
  for (const record& r : found->second.merged) {
    flit branch = reply;
    branch.destination = r.source;
    branch.packet = r.packet;
    branch.payload = check_value(branch);
    branches.push_back({branch, r.port});
  }
  records_ -= static_cast<unsigned>(found->second.merged.size());
  passed_.erase(found);
  return true;
}

}  // namespace spillway
