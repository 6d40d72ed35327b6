#include <fmt/format.h>

#include <algorithm>
#include <spillway/platforms/config/schema.hpp>
#include <spillway/tb/measure/recorder.hpp>

namespace spillway {

namespace {

bool is_recorded(flit_kind kind) { return kind == flit_kind::data || kind == flit_kind::combinable; }

}  // namespace

recorder::recorder(std::string file, unsigned terminals, bool dependencies)
    : file_(std::move(file)), dependencies_(dependencies), last_(terminals) {}

void recorder::created(std::uint64_t cycle, const flit& head) {
  if (!is_recorded(head.kind) || head.network != 0) {
    ++left_out_;
    return;
  }
  proceed(cycle);
  created_.push_back(head);
}

void recorder::delivered(const delivery& d) {
  if (!is_recorded(d.kind)) return;
  proceed(d.cycle);
  delivered_.push_back(d);
}

void recorder::proceed(std::uint64_t cycle) {
  if (cycle == cycle_) return;
  try {
    write_cycle();
  } catch (const io_error&) {
    failed_ = std::current_exception();  // it may not pass the simulator
  }
  cycle_ = cycle;
}

/// In an order that does not depend on the order in which a kernel calls terminals. What was made in a cycle
/// does not know yet what arrived in it.
void recorder::write_cycle() {
  if (!out_ && !failed_) {
    out_.emplace(file_);
    out_->write(std::string("cycle,source,destination,size,after,class,word,combinable") +
                (dependencies_ ? "\n" : ",data\n"));
  }
  std::stable_sort(created_.begin(), created_.end(),
                   [](const flit& a, const flit& b) { return a.source < b.source; });
  for (const flit& head : created_) {
    under_way_[key(head.source, head.packet)] = ++packets_;
    const arrival& last = last_[head.source];
    if (!failed_)
      out_->write(fmt::format("{},{},{},{},{},{},{},{}{}\n", last.packet ? cycle_ - last.cycle : cycle_,
                              std::uint32_t{head.source}, std::uint32_t{head.destination}, head.length,
                              last.packet, unsigned{head.traffic_class}, std::uint64_t{head.interface_word},
                              head.kind == flit_kind::combinable ? 1 : 0,
                              dependencies_ ? "" : fmt::format(",{}", data_of(head))));
  }
  for (const delivery& d : delivered_) {
    const auto found = under_way_.find(key(d.source, d.packet));
    if (found == under_way_.end()) continue;
    const std::uint32_t number = found->second;
    under_way_.erase(found);
    if (!dependencies_) continue;
    arrival& last = last_[d.destination];
    if (last.cycle != cycle_ || number > last.packet) last = {number, cycle_};
  }
  created_.clear();
  delivered_.clear();
}

/// A reset: what was under way is gone.
void recorder::write_off(std::uint64_t cycle) {
  proceed(cycle);
  under_way_.clear();
}

void recorder::finish(std::uint64_t) {
  if (!failed_) write_cycle();
  if (failed_) std::rethrow_exception(failed_);
  out_->commit();
}

void recorder::count(counters& all) const {
  all["record.packets"] = static_cast<double>(packets_);
  all["record.left_out"] = static_cast<double>(left_out_);
}

nlohmann::json record_measure::schema() const {
  return parse_schema(R"({
    "description": "Writes the packets of the run as a table with dependencies, for `workload: {kind: packets}`: each packet with its cycles since the last arrival at its source.",
    "required": ["file"],
    "properties": {
      "file": { "type": "string", "minLength": 1, "description": "The CSV file to write, as seen from where the command runs." },
      "dependencies": {
        "type": "boolean",
        "description": "Whether cycles count from arrivals; else from the start, with the data of packets. When left out: if terminals hear what arrives, as it was sent, and do not answer it, so not with memory modules, combining or reducing switches and `endpoint.replies`."
      }
    }
  })");
}

std::unique_ptr<measurement> record_measure::make(const nlohmann::json& section,
                                                  const measure_context& c) const {
  return std::make_unique<recorder>(section.at("file"), c.terminals,
                                    section.value("dependencies", c.keeps_dependencies));
}

}  // namespace spillway
