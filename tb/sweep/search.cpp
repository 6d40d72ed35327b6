#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <spillway/tb/report/atomic_file.hpp>
#include <spillway/tb/report/record.hpp>
#include <spillway/tb/sweep/process.hpp>
#include <spillway/tb/sweep/search.hpp>

namespace spillway {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using nlohmann::ordered_json;

/// The search was told to stop.
struct stopped {};

class search {
public:
  search(const plan_folder& plan, std::size_t run, const json& experiments, const std::atomic<bool>* stop)
      : folder_(plan.run_path(plan.runs().at(run).id)),
        how_(plan.runs().at(run).search),
        experiments_(experiments),
        stop_(stop) {}

  int run() {
    try {
      bisect();
    } catch (const stopped&) {
      return 130;
    }
    ordered_json& result = fault_ ? *fault_ : *best_;
    result["saturation"] = {{"rate", sustained_ ? ordered_json(rate_) : ordered_json()},
                            {"sustained", sustained_},
                            {"limited", limited_},
                            {"tries", tries_}};
    write_file((folder_ / "result.json").string(), result.dump(2) + '\n');
    fmt::print("saturation at {}, {} tries\n", result["saturation"]["rate"].dump(), tries_);
    return fault_ ? 1 : 0;
  }

private:
  /// Loads are numbered in steps of the tolerance, so that they are round numbers.
  double load(std::int64_t step) const {
    const double from = how_.at("from"), to = how_.at("to"), tolerance = how_.at("tolerance");
    return std::min(to, std::stod(fmt::format("{:.12g}", from + static_cast<double>(step) * tolerance)));
  }

  void bisect() {
    std::int64_t low = 0, high = 1;
    // A plan of another build may have a tolerance that is too small to count in.
    for (constexpr std::int64_t most = std::int64_t{1} << 40; load(high) < how_.at("to").get<double>();
         high *= 2)
      if (high > most)
        throw config_error(fmt::format("{}: found a tolerance of {}, too small for a search from {} to {}",
                                       folder_.string(), how_.at("tolerance").dump(), how_.at("from").dump(),
                                       how_.at("to").dump()));
    sustained_ = holds(load(low));
    if (!sustained_ || fault_) return;
    limited_ = !holds(load(high));
    if (!limited_) low = high;
    while (limited_ && !fault_ && high - low > 1) {
      const std::int64_t middle = low + (high - low) / 2;
      if (load(middle) >= how_.at("to").get<double>() || !holds(load(middle)))
        high = middle;
      else
        low = middle;
    }
    rate_ = load(low);
  }

  bool holds(double rate) {
    ordered_json result = tried(rate);
    ++tries_;
    const std::string status = result.value("status", "");
    if (status != "ok" && status != "limit") {
      fault_ = std::move(result);
      return false;
    }
    const auto number = [&](const json::json_pointer& at) {
      return result.contains(at) && result[at].is_number() ? std::optional<double>(result[at]) : std::nullopt;
    };
    const auto accepted = number(json::json_pointer("/throughput")),
               offered = number(json::json_pointer("/offered"));
    const auto latency = number(json::json_pointer("/latency/mean"));
    const bool idle = number(json::json_pointer("/created")) == 0.0;  // then nothing is measured, either
    const auto cycles = number(json::json_pointer("/measured_cycles")),
               terminals = number(json::json_pointer("/terminals"));
    bool sustained = accepted && offered && cycles && terminals &&
                     !falls_behind(*accepted, *offered, how_.at("accepted"), *cycles * *terminals);
    if (how_.contains("latency"))
      sustained = sustained && latency && *latency <= how_["latency"].get<double>();
    sustained = status == "ok" && (idle || sustained);
    if (sustained || !best_) best_ = std::move(result);
    return sustained;
  }

  /// The result at an offered load; runs it if it is not there.
  ordered_json tried(double rate) {
    const fs::path folder = folder_ / fmt::format("at-{}", rate);
    if (auto there = read_result(folder)) return *there;
    make_folder(folder.string());
    const document configuration =
        load_document(folder_ / "config.yaml", experiments_,
                      {fmt::format("{}={}", how_.at("over").get<std::string>(), rate)});
    const fs::path file = folder / "config.yaml";
    write_file(file.string(), configuration.to_yaml(folder));
    child_process process({"run", file.string(), "--out", folder.string(), "--no-report"}, folder / "log",
                          nullptr);
    const auto status = process.wait(stop_);
    if (!status || was_told_to_stop(*status)) throw stopped();
    if (auto result = read_result(folder)) return *result;
    throw config_error(how_it_ended(*status) + ": " + last_line(folder / "log"));
  }

  const fs::path folder_;
  const json how_;
  const json& experiments_;
  const std::atomic<bool>* stop_;
  std::optional<ordered_json> best_, fault_;
  double rate_ = 0;
  bool sustained_ = false, limited_ = true;
  unsigned tries_ = 0;
};

}  // namespace

int search_saturation(const plan_folder& plan, std::size_t run, const json& experiments,
                      const std::atomic<bool>* stop) {
  return search(plan, run, experiments, stop).run();
}

}  // namespace spillway
