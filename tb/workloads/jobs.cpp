#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <spillway/hw/kernel/draw.hpp>
#include <spillway/platforms/catalogue/catalogue.hpp>
#include <spillway/tb/traffic/entries.hpp>
#include <spillway/tb/workloads/job.hpp>
#include <spillway/tb/workloads/jobs.hpp>
#include <stdexcept>

namespace spillway {

namespace {

using nlohmann::json;

/// Past the numbers by which others draw.
constexpr std::uint64_t job_stream = std::uint64_t{1} << 43;

struct job {
  std::string name;
  std::shared_ptr<const job_terminals> where;
  workload_plan plan;
};

class jobs_run final : public workload_run {
public:
  explicit jobs_run(std::shared_ptr<const std::vector<job>> jobs) : jobs_(std::move(jobs)) {
    for (const job& j : *jobs_) {
      parts_.push_back({&j, j.plan.begin ? j.plan.begin() : nullptr, {}});
    }
  }

  std::unique_ptr<packet_supply> supply(std::uint32_t terminal) override {
    for (part& p : parts_) {
      const std::uint32_t own = p.what->where->own(terminal);
      if (own == job_terminals::none) continue;
      auto made = p.run ? p.run->supply(own) : p.what->plan.make(own);
      p.supplies.push_back(made.get());
      return make_job_supply(std::move(made), p.what->where);
    }
    return make_idle_supply();
  }

  std::vector<std::unique_ptr<measurement>> measures() override {
    std::vector<std::unique_ptr<measurement>> all;
    for (const part& p : parts_) {
      auto own = p.run ? p.run->measures() : std::vector<std::unique_ptr<measurement>>{};
      all.push_back(std::make_unique<job_measure>(p.what->name, p.what->where, std::move(own)));
    }
    return all;
  }

  /// One is stuck, and all others are, too, or at their end.
  bool stuck() const override {
    bool any = false;
    for (const part& p : parts_) {
      const bool stands = p.run && p.run->stuck();
      const bool over = std::all_of(p.supplies.begin(), p.supplies.end(),
                                    [](const packet_supply* s) { return s->exhausted(); });
      if (!stands && !over) return false;
      any = any || stands;
    }
    return any;
  }
  std::vector<std::string> waits() const override {
    std::vector<std::string> all;
    for (const part& p : parts_)
      if (p.run)
        for (const std::string& words : p.run->waits()) all.push_back("job " + p.what->name + ": " + words);
    return all;
  }

private:
  struct part {
    const job* what;
    std::unique_ptr<workload_run> run;           // null: terminals that share nothing
    std::vector<const packet_supply*> supplies;  // owned by the terminals
  };
  const std::shared_ptr<const std::vector<job>> jobs_;
  std::vector<part> parts_;
};

/// The terminals of a job: as listed, or `count` of them from `first` on, each `every`th.
std::vector<std::uint32_t> terminals_of(const workload_context& c, const json::json_pointer& at) {
  const json& section = c.file->root.at(at);
  if (section.contains("terminals") == section.contains("count"))
    c.file->fail(at, "a job has terminals: expected either 'terminals' or 'count'");
  if (section.contains("terminals")) return terminals_at(*c.file, at / "terminals", c.terminals);
  const std::uint64_t first = section.at("first"), every = section.at("every"), count = section.at("count");
  if (first + (count - 1) * every >= c.terminals)
    c.file->fail(at / "count", fmt::format("expected terminals 0..{}, found {} from {} on, the last {}",
                                           c.terminals - 1, count, first, first + (count - 1) * every));
  std::vector<std::uint32_t> numbers;
  for (std::uint64_t i = 0; i < count; ++i) numbers.push_back(static_cast<std::uint32_t>(first + i * every));
  return numbers;
}

workload_plan plan_of(const workload_context& c, const json::json_pointer& at, const job_terminals& where) {
  const json& section = c.file->root.at(at);
  // A job draws the same alone as beside others, and two of a kind do not draw alike.
  const std::uint32_t first = where.in_network(0);
  const std::uint64_t seed = first ? draw(c.seed, job_stream + first, 0) : c.seed;
  workload_context own{where.size(), c.packet_length, seed,  section, c.requests,
                       c.file,       c.period,        c.all, at,      c.tells_of_packets};
  workload_plan plan;
  try {
    plan = c.all->of<workload_entry>().chosen(section).plan(own);
  } catch (const std::invalid_argument& error) {
    c.file->fail(at, error.what());
  }
  return plan;
}

}  // namespace

nlohmann::json jobs_workload::schema() const {
  return parse_schema(R"({
    "description": "Programs side by side, each on terminals of its own, which it numbers from 0 as if there were no others. Results are apart by job: job.NAME.end and so on.",
    "required": ["jobs"],
    "properties": {
      "jobs": {
        "type": "array", "minItems": 1, "maxItems": 64,
        "description": "The programs.",
        "items": {
          "type": "object",
          "description": "A program and its terminals: a list of them, or a count.",
          "additionalProperties": false,
          "required": ["name", "workload"],
          "properties": {
            "name": {
              "type": "string", "pattern": "^[a-z][a-z0-9_]{0,31}$", "x-form": "a name of letters, digits and _ such as solver",
              "description": "What its results are called by."
            },
            "terminals": {
              "type": "array", "minItems": 1,
              "items": { "$ref": "#/definitions/terminal" },
              "description": "Its terminals, in the order of its own numbers."
            },
            "count": {
              "type": "integer", "minimum": 1, "maximum": 1048576,
              "description": "Number of its terminals, instead of a list."
            },
            "first": {
              "type": "integer", "minimum": 0, "maximum": 1048576, "default": 0,
              "description": "With a count: the first of them."
            },
            "every": {
              "type": "integer", "minimum": 1, "maximum": 1048576, "default": 1,
              "description": "With a count: from one to the next; 2 takes every other."
            },
            "workload": { "$ref": "#/definitions/workload" }
          }
        }
      }
    }
  })");
}

workload_plan jobs_workload::plan(const workload_context& c) const {
  auto jobs = std::make_shared<std::vector<job>>();
  workload_plan result;
  result.used.resize(c.terminals);
  std::set<std::string> names;
  const json::json_pointer list = c.at / "jobs";
  for (std::size_t i = 0; i < c.file->root.at(list).size(); ++i) {
    const json::json_pointer at = list / i;
    job j;
    j.name = c.file->root.at(at).at("name");
    if (!names.insert(j.name).second)
      c.file->fail(at / "name", fmt::format("a job '{}' stands above: expected another name", j.name));
    j.where = std::make_shared<job_terminals>(terminals_of(c, at), c.terminals);
    for (const std::uint32_t t : j.where->numbers()) {
      if (result.used[t])
        c.file->fail(at, fmt::format("terminal {} has a job already, or stands here twice", t));
      result.used[t] = true;
    }
    j.plan = plan_of(c, at / "workload", *j.where);
    if (j.plan.barriers && result.barriers)
      c.file->fail(at / "workload", "one job may have barriers, as the processors share one: a second has");
    result.barriers = result.barriers || j.plan.barriers;
    result.ends = result.ends && j.plan.ends;
    result.longest_packet = std::max(result.longest_packet, j.plan.longest_packet);
    jobs->push_back(std::move(j));
  }
  result.begin = [jobs] { return std::make_unique<jobs_run>(jobs); };
  return result;
}

}  // namespace spillway
