#include <map>
#include <spillway/platforms/feedback/memory_section.hpp>

namespace spillway::memory_section {

using nlohmann::json;

bool has_replies(const json& p) { return p.at("replies").get<bool>(); }
bool has_nifdy(const json& p) { return p.contains("nifdy"); }

unsigned reply_network(const json& p) { return has_nifdy(p) ? unit_networks : 1; }

memory_config memory_of(const json& p) {
  memory_config config;
  config.latency = p.at("latency");
  config.replies = has_replies(p);
  config.reply_length = p.at("reply_length");
  config.reply_network = static_cast<std::uint8_t>(reply_network(p));
  return config;
}

temperature_rule rule_of(const json& p) {
  temperature_rule rule;
  rule.hot_at = p.at("threshold");
  rule.cool_below = p.value("cool_threshold", rule.hot_at);
  rule.delay = p.at("delay");
  rule.check();  // of what is written, before it becomes the next length
  const unsigned beyond = p.at("comparison") == "exceeded";
  rule.hot_at += beyond;
  rule.cool_below += beyond;
  return rule;
}

namespace {
bool limits(const json& p) { return p.contains("limit"); }
}  // namespace

feedback_interface_config interface_of(const json& p, unsigned terminals, std::uint64_t seed) {
  static const std::map<std::string, bleeding> names{{"none", bleeding::none},
                                                     {"round_robin", bleeding::granted},
                                                     {"slots", bleeding::slots},
                                                     {"random", bleeding::random}};
  feedback_interface_config config;
  config.terminals = terminals;
  config.hot_list = p.at("hot_list");
  config.bus = p.at("announce") == "bus";
  config.set_aside = p.at("set_aside");
  config.bleed = names.at(p.at("bleeding"));
  config.slots = p.at("bleed");
  config.grants_need_room = p.at("grants") == "room";
  config.probability = p.at("probability");
  config.limited = limits(p);
  config.seed = seed;
  return config;
}

admission_limits limits_of(const json& p) {
  admission_limits l;
  if (limits(p)) {
    l.hot = p.at("limit").at("hot");
    l.cold = p.at("limit").at("cold");
  } else if (p.at("bleed_each") == "module") {
    l.hot = l.cold = p.at("bleed");  // a module that has just cooled still has wishes under way
  } else {
    l.total = p.at("bleed");
  }
  return l;
}

}  // namespace spillway::memory_section
