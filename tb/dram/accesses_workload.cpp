#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <spillway/hw/dram/dram_timing.hpp>
#include <spillway/tb/dram/accesses_run.hpp>
#include <spillway/tb/dram/accesses_workload.hpp>
#include <stdexcept>

namespace spillway {

namespace {

using nlohmann::json;

access_config config_of(const json& p) {
  static const std::map<std::string, access_config::pattern> names{
      {"uniform", access_config::pattern::uniform},
      {"stride", access_config::pattern::stride},
      {"hot_page", access_config::pattern::hot_page},
      {"embedding", access_config::pattern::embedding}};
  access_config c;
  c.what = names.at(p.at("pattern"));
  c.space = p.at("space");
  c.stride = p.at("stride");
  c.page = p.at("page");
  c.hot = p.at("hot");
  c.entries = p.at("entries");
  c.entry = p.at("entry");
  c.skew = p.at("skew");
  return c;
}

std::vector<std::uint32_t> terminals_at(const json& p, const char* key, std::uint32_t terminals) {
  std::vector<std::uint32_t> all;
  for (const json& one : p.at(key)) {
    const auto t = one.get<std::uint64_t>();
    if (t >= terminals)
      throw std::invalid_argument(
          fmt::format("{}: expected terminals 0..{}, found {}", key, terminals - 1, t));
    if (std::find(all.begin(), all.end(), t) != all.end())
      throw std::invalid_argument(fmt::format("{}: terminal {} stands here twice", key, t));
    all.push_back(static_cast<std::uint32_t>(t));
  }
  return all;
}

}  // namespace

json accesses_workload::schema() const {
  return parse_schema(R"json({
    "description": "Processors whose caches miss: accesses to one space, which an address map lays over memory modules; a processor goes on until so many of its misses are outstanding. For the interfaces memory and feedback, with replies.",
    "required": ["pattern", "modules", "accesses"],
    "properties": {
      "pattern": {
        "enum": ["uniform", "stride", "hot_page", "embedding"],
        "description": "Which accesses: any; each `stride` after the last, over all processors in turn; a share of them to one page; entries of a table by Zipf's law."
      },
      "modules": {
        "type": "array", "minItems": 1, "items": { "$ref": "#/definitions/terminal" },
        "description": "Terminals whose memory modules have the space."
      },
      "processors": {
        "type": "array", "minItems": 1, "items": { "$ref": "#/definitions/terminal" },
        "description": "Terminals whose processors make accesses; all that are no module when left out, or all, if there are no others."
      },
      "accesses": {
        "type": "integer", "minimum": 1, "maximum": 1000000000,
        "description": "Of each processor."
      },
      "outstanding": {
        "type": "integer", "minimum": 1, "maximum": 65535, "default": 8,
        "description": "Misses of a processor that may wait for their replies."
      },
      "gap": {
        "type": "integer", "minimum": 0, "maximum": 1000000000, "default": 0,
        "description": "Cycles from one miss of a processor to the next at least."
      },
      "writes": {
        "type": "number", "minimum": 0, "maximum": 1, "default": 0,
        "description": "Share of the accesses that write; they are answered, too."
      },
      "read_length": {
        "type": "integer", "minimum": 1, "maximum": 65535, "default": 1,
        "description": "Flits of a request to read."
      },
      "write_length": {
        "type": "integer", "minimum": 1, "maximum": 65535, "default": 1,
        "description": "Flits of a request to write."
      },
      "space": {
        "type": "integer", "minimum": 1, "maximum": 1099511627776, "default": 1048576,
        "description": "Accesses that there are: 2^20 lines of 64 bytes are 64 MiB."
      },
      "interleave": {
        "type": "integer", "minimum": 1, "maximum": 1073741824, "default": 1,
        "description": "Accesses that lie in one module before the next one's begin."
      },
      "hash": {
        "type": "boolean", "default": false,
        "description": "Each round of the modules begins at one that its number is hashed to, so that a stride meets all of them."
      },
      "stride": {
        "type": "integer", "minimum": 1, "maximum": 1099511627776, "default": 1,
        "description": "With stride: accesses from one to the next."
      },
      "page": {
        "type": "integer", "minimum": 1, "maximum": 1073741824, "default": 32,
        "description": "With hot_page: accesses of the page, the first ones of the space."
      },
      "hot": {
        "type": "number", "minimum": 0, "maximum": 1, "default": 0.5,
        "description": "With hot_page: share of the accesses to it."
      },
      "entries": {
        "type": "integer", "minimum": 1, "maximum": 16777216, "default": 65536,
        "description": "With embedding: entries of the table."
      },
      "entry": {
        "type": "integer", "minimum": 1, "maximum": 65536, "default": 4,
        "description": "With embedding: accesses of an entry, made one after another."
      },
      "skew": {
        "type": "number", "minimum": 0, "maximum": 10, "default": 1,
        "description": "With embedding: exponent of Zipf's law; 0: all entries alike."
      }
    }
  })json");
}

workload_plan accesses_workload::plan(const workload_context& c) const {
  const json& p = c.parameters;
  c.expect_replies();
  c.expect_data();
  auto plan = std::make_shared<accesses_plan>();
  plan->terminals = c.terminals;
  plan->modules = terminals_at(p, "modules", c.terminals);
  if (p.contains("processors")) plan->processors = terminals_at(p, "processors", c.terminals);
  for (std::uint32_t t = 0; t < c.terminals && !p.contains("processors"); ++t)
    if (plan->modules.size() == c.terminals ||
        std::find(plan->modules.begin(), plan->modules.end(), t) == plan->modules.end())
      plan->processors.push_back(t);
  plan->what = config_of(p);
  plan->what.processors = static_cast<std::uint32_t>(plan->processors.size());
  plan->what.seed = c.seed;
  plan->what.check();
  plan->map = {static_cast<std::uint32_t>(plan->modules.size()), p.at("interleave"), p.at("hash")};
  if (plan->what.space / plan->modules.size() + plan->map.interleave > dram_access::most)
    throw std::invalid_argument(fmt::format(
        "a module has at most {} accesses: expected a smaller space or more modules", dram_access::most));
  plan->accesses = p.at("accesses");
  plan->outstanding = p.at("outstanding");
  plan->gap = p.at("gap");
  plan->writes = p.at("writes");
  plan->read_length = p.at("read_length");
  plan->write_length = p.at("write_length");
  workload_plan result;
  result.longest_packet =
      std::max(plan->read_length, plan->writes > 0 ? plan->write_length : std::uint16_t{1});
  result.used.resize(c.terminals);
  for (const std::uint32_t t : plan->processors) result.used[t] = true;
  result.begin = [plan] { return std::make_unique<accesses_run>(plan); };
  return result;
}

}  // namespace spillway
