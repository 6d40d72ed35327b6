#include <algorithm>
#include <numeric>
#include <spillway/hw/dram/dram_timing.hpp>
#include <spillway/tb/dram/accesses_run.hpp>
#include <unordered_map>

namespace spillway {

namespace {

constexpr std::uint64_t write_purpose = 26;

/// A processor: its misses wait for their replies, of which it knows by the numbers of its packets.
class processor_supply final : public packet_supply {
public:
  processor_supply(const accesses_plan& plan, std::shared_ptr<const embedding_table> table,
                   std::uint32_t processor, processor_record& record)
      : plan_(plan),
        stream_(plan.what, std::move(table), processor),
        writes_(make_stream(plan.what.seed, processor, write_purpose)),
        record_(record) {}

  std::uint64_t due(std::uint64_t now, std::size_t backlog) override {
    if (backlog || made_ == plan_.accesses || missing_.size() >= plan_.outstanding) return never;
    return std::max(now, next_at_);
  }
  packet_order take(std::uint64_t now) override {
    const module_place place = plan_.map.place(stream_.next());
    const bool write = plan_.writes > 0 && uniform(writes_) < plan_.writes;
    packet_order order;
    order.destination = plan_.modules[place.module];
    order.length = write ? plan_.write_length : plan_.read_length;
    if (!write) order.kind = flit_kind::combinable;  // one reply does for all reads of an access
    order.data = dram_access{static_cast<std::uint32_t>(place.access), write}.data();
    missing_.emplace(static_cast<std::uint32_t>(made_++), now);
    next_at_ = now + plan_.gap;
    ++record_.by_module[place.module];
    return order;
  }
  void arrived(std::uint64_t now, const flit& f) override {
    if (!f.tail() || f.kind != flit_kind::reply) return;
    const auto found = missing_.find(f.packet);
    if (found == missing_.end()) return;
    record_.latency.add(now - found->second);
    record_.end = now;
    missing_.erase(found);
  }
  bool listens() const override { return true; }
  /// Also while a reply is to come: a module may hold requests for long.
  bool exhausted() const override { return made_ == plan_.accesses && missing_.empty(); }
  /// What was under way is gone with a reset.
  std::uint64_t forget() override {
    missing_.clear();
    return 0;
  }

private:
  const accesses_plan& plan_;
  access_stream stream_;
  random_stream writes_;
  processor_record& record_;
  std::unordered_map<std::uint32_t, std::uint64_t> missing_;  // cycle of the miss, by number of the packet
  std::uint64_t made_ = 0, next_at_ = 0;
};

class no_supply final : public packet_supply {
public:
  std::uint64_t due(std::uint64_t, std::size_t) override { return never; }
  packet_order take(std::uint64_t) override { return {}; }
  bool exhausted() const override { return true; }
};

/// `accesses.end` (cycle of the last reply), `.done`, `.latency.mean`, `.latency.p99`, `.latency.max`,
/// `.busiest` (share of the accesses that fall to the module with most) and `.modules`.
class accesses_measure final : public measurement {
public:
  accesses_measure(const std::vector<processor_record>& records, std::size_t modules)
      : records_(records), modules_(modules) {}

  void count(counters& all) const override {
    latency_meter latency;
    std::vector<std::uint64_t> by_module(modules_);
    std::uint64_t end = 0;
    for (const processor_record& r : records_) {
      latency.merge(r.latency);
      end = std::max(end, r.end);
      for (std::size_t m = 0; m < modules_; ++m) by_module[m] += r.by_module[m];
    }
    const auto made = std::accumulate(by_module.begin(), by_module.end(), std::uint64_t{0});
    all["accesses.done"] = static_cast<double>(latency.count());
    all["accesses.end"] = static_cast<double>(end);
    all["accesses.modules"] = static_cast<double>(modules_);
    if (made == 0 || latency.count() == 0) return;
    all["accesses.busiest"] = static_cast<double>(*std::max_element(by_module.begin(), by_module.end())) /
                              static_cast<double>(made);
    const latency_summary s = latency.summary();
    all["accesses.latency.mean"] = s.mean, all["accesses.latency.p99"] = s.p99,
    all["accesses.latency.max"] = s.max;
  }
  std::vector<compared_number> compared() const override {
    return {{"accesses.end", "cycles to the last reply"},
            {"accesses.latency.mean", "cycles of an access, mean"}};
  }

private:
  const std::vector<processor_record>& records_;
  const std::size_t modules_;
};

}  // namespace

accesses_run::accesses_run(std::shared_ptr<const accesses_plan> plan)
    : plan_(std::move(plan)), records_(plan_->processors.size()) {
  if (plan_->what.what == access_config::pattern::embedding)
    table_ = std::make_shared<const embedding_table>(plan_->what);
  for (processor_record& r : records_) r.by_module.resize(plan_->modules.size());
}

std::unique_ptr<packet_supply> accesses_run::supply(std::uint32_t terminal) {
  const auto& all = plan_->processors;
  const auto found = std::find(all.begin(), all.end(), terminal);
  if (found == all.end()) return std::make_unique<no_supply>();
  const auto processor = static_cast<std::uint32_t>(found - all.begin());
  return std::make_unique<processor_supply>(*plan_, table_, processor, records_[processor]);
}

std::vector<std::unique_ptr<measurement>> accesses_run::measures() {
  std::vector<std::unique_ptr<measurement>> all;
  all.push_back(std::make_unique<accesses_measure>(records_, plan_->modules.size()));
  return all;
}

}  // namespace spillway
