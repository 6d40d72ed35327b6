#include <fmt/format.h>

#include <spillway/hw/endpoints/processor.hpp>
#include <spillway/tb/workloads/job.hpp>
#include <utility>

namespace spillway {

namespace {

class job_supply : public packet_supply {
public:
  job_supply(std::unique_ptr<packet_supply> inner, std::shared_ptr<const job_terminals> where)
      : inner_(std::move(inner)), where_(std::move(where)) {}

  std::uint64_t due(std::uint64_t now, std::size_t backlog) override { return inner_->due(now, backlog); }
  packet_order take(std::uint64_t now) override {
    packet_order order = inner_->take(now);
    order.destination = where_->in_network(order.destination);
    return order;
  }
  bool depends_on_backlog() const override { return inner_->depends_on_backlog(); }
  void arrived(std::uint64_t now, const flit& f) override {
    flit own = f;
    if (rename(own)) inner_->arrived(now, own);
  }
  bool exhausted() const override { return inner_->exhausted(); }
  bool listens() const override { return inner_->listens(); }
  bool shares() const override { return inner_->shares(); }
  std::uint32_t barriers() const override { return inner_->barriers(); }
  void passed(std::uint64_t now, std::uint32_t barriers) override { inner_->passed(now, barriers); }
  std::uint64_t forget() override { return inner_->forget(); }

protected:
  /// To the job's own numbers; false: it is of another job.
  bool rename(flit& f) const {
    const std::uint32_t source = where_->own(f.source), destination = where_->own(f.destination);
    if (source == job_terminals::none || destination == job_terminals::none) return false;
    f.source = source, f.destination = destination;
    return true;
  }
  const std::unique_ptr<packet_supply> inner_;

private:
  const std::shared_ptr<const job_terminals> where_;
};

class job_supply_with_costs final : public job_supply, public handler_costs {
public:
  job_supply_with_costs(std::unique_ptr<packet_supply> inner, const handler_costs& costs,
                        std::shared_ptr<const job_terminals> where)
      : job_supply(std::move(inner), std::move(where)), costs_(costs) {}

  std::uint64_t handling(const flit& head) const override {
    flit own = head;
    return rename(own) ? costs_.handling(own) : 0;
  }

private:
  const handler_costs& costs_;  // of the inner one
};

class idle_supply final : public packet_supply {
public:
  std::uint64_t due(std::uint64_t, std::size_t) override { return never; }
  packet_order take(std::uint64_t) override { return {}; }
  bool exhausted() const override { return true; }
  bool depends_on_backlog() const override { return false; }
  std::uint32_t barriers() const override { return ~std::uint32_t{0}; }
};

}  // namespace

job_terminals::job_terminals(std::vector<std::uint32_t> numbers, std::uint32_t terminals)
    : numbers_(std::move(numbers)), own_(terminals, none) {
  for (std::uint32_t i = 0; i < numbers_.size(); ++i) own_[numbers_[i]] = i;
}

std::unique_ptr<packet_supply> make_job_supply(std::unique_ptr<packet_supply> inner,
                                               std::shared_ptr<const job_terminals> where) {
  if (const auto* const costs = dynamic_cast<const handler_costs*>(inner.get()))
    return std::make_unique<job_supply_with_costs>(std::move(inner), *costs, std::move(where));
  return std::make_unique<job_supply>(std::move(inner), std::move(where));
}

std::unique_ptr<packet_supply> make_idle_supply() { return std::make_unique<idle_supply>(); }

job_measure::job_measure(std::string name, std::shared_ptr<const job_terminals> where,
                         std::vector<std::unique_ptr<measurement>> inner)
    : name_(std::move(name)), where_(std::move(where)), inner_(std::move(inner)) {}

void job_measure::created(std::uint64_t cycle, const flit& head) {
  if (!is_own(head.source)) return;
  flit own = head;
  own.source = where_->own(head.source), own.destination = where_->own(head.destination);
  for (const auto& m : inner_) m->created(cycle, own);
}

void job_measure::injected(std::uint64_t cycle, const flit& head) {
  if (!is_own(head.source)) return;
  flit own = head;
  own.source = where_->own(head.source), own.destination = where_->own(head.destination);
  for (const auto& m : inner_) m->injected(cycle, own);
}

void job_measure::delivered(const delivery& d) {
  if (!is_own(d.source)) return;
  ++packets_;
  end_ = d.cycle;
  latency_.add(d.cycle - d.created);
  delivery own = d;
  own.source = where_->own(d.source), own.destination = where_->own(d.destination);
  for (const auto& m : inner_) m->delivered(own);
}

void job_measure::write_off(std::uint64_t cycle) {
  for (const auto& m : inner_) m->write_off(cycle);
}

void job_measure::finish(std::uint64_t cycles) {
  for (const auto& m : inner_) m->finish(cycles);
}

void job_measure::count(counters& all) const {
  const latency_summary latency = latency_.summary();
  all[prefix() + "end"] = static_cast<double>(end_);
  all[prefix() + "packets"] = static_cast<double>(packets_);
  if (packets_) {
    all[prefix() + "latency.mean"] = latency.mean;
    all[prefix() + "latency.p99"] = latency.p99;
  }
  counters own;
  for (const auto& m : inner_) m->count(own);
  for (const auto& [name, value] : own) all[prefix() + name] = value;
}

std::vector<std::string> job_measure::columns() const {
  std::vector<std::string> names;
  for (const auto& m : inner_)
    for (const std::string& name : m->columns()) names.push_back(prefix() + name);
  return names;
}

std::vector<double> job_measure::sample(std::uint64_t cycle) {
  std::vector<double> all;
  for (const auto& m : inner_)
    for (const double value : m->sample(cycle)) all.push_back(value);
  return all;
}

std::vector<series_picture> job_measure::pictures() const {
  std::vector<series_picture> all;
  for (const auto& m : inner_)
    for (series_picture& p : m->pictures()) {
      p.name = fmt::format("job_{}_{}", name_, p.name);
      p.caption = fmt::format("Job {}: {}", name_, p.caption);
      for (std::string& column : p.columns) column = prefix() + column;
      all.push_back(std::move(p));
    }
  return all;
}

std::vector<table_record> job_measure::tables() const {
  std::vector<table_record> all;
  for (const auto& m : inner_)
    for (table_record& t : m->tables()) {
      t.name = fmt::format("job_{}_{}", name_, t.name);
      t.caption = fmt::format("Job {}: {}", name_, t.caption);
      all.push_back(std::move(t));
    }
  return all;
}

std::vector<compared_number> job_measure::compared() const {
  std::vector<compared_number> all{{prefix() + "end", fmt::format("cycles to the end of {}", name_)}};
  for (const auto& m : inner_)
    for (const compared_number& n : m->compared())
      all.push_back({prefix() + n.counter, fmt::format("{}: {}", name_, n.label)});
  return all;
}

/// The first that there is; before all others one that is no wait, which is none where a run is cut off.
std::string job_measure::fault() const {
  std::string found;
  for (const auto& m : inner_)
    if (std::string own = m->fault(); !own.empty() && (found.empty() || found == fault_at_rest))
      found = std::move(own);
  return found;
}

std::vector<std::string> job_measure::findings() const {
  std::vector<std::string> all;
  for (const auto& m : inner_)
    for (const std::string& words : m->findings()) all.push_back(fmt::format("job {}: {}", name_, words));
  return all;
}

}  // namespace spillway
