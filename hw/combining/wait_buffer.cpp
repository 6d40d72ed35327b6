#include <algorithm>
#include <spillway/hw/combining/wait_buffer.hpp>
#include <spillway/hw/endpoints/endpoints.hpp>
#include <stdexcept>
#include <string>

namespace spillway {

void wait_buffer::clear() {
  merged_into_.clear();
  records_ = 0;
}

void wait_buffer::merge(const flit& survivor, const flit& merged, unsigned port) {
  if (full()) throw std::logic_error("a wait buffer of " + std::to_string(limit_) + " records is full");
  merged_into_[request_key(survivor.source, survivor.packet)].push_back(
      {merged.source, merged.packet, port, merged.interface_word});
  most_records_ = std::max(most_records_, ++records_);
  ++merged_;
}

void wait_buffer::count(counters& all) const {
  all["combining.merged"] += static_cast<double>(merged_);
  all["combining.refused"] += static_cast<double>(refused_);
  double& most = all["combining.most_records"];
  most = std::max(most, static_cast<double>(most_records_));
}

void wait_buffer::split(const flit& reply, std::deque<reply_branch>& branches) {
  const auto found = merged_into_.find(request_key(reply.destination, reply.packet));
  if (found == merged_into_.end()) return;
  for (const record& r : found->second) {
    flit branch = reply;
    branch.destination = r.source;
    branch.packet = r.packet;
    branch.payload = check_value(branch);
    branches.push_back({branch, r.port, r.word, true});
  }
  merged_into_.erase(found);
}

}  // namespace spillway
