#pragma once
#include <algorithm>
#include <string>

#include "random_network.hpp"

namespace spillway::testing_support {

/// Which blocks an experiment may have.
enum class blocks { any, nifdy, routers, own_topologies, queues, combining, last_switch };
inline std::string name_of(blocks what) {
  const char* const names[] = {"any",    "nifdy",     "routers",    "own_topologies",
                               "queues", "combining", "last_switch"};
  return names[static_cast<int>(what)];
}

/// An experiment drawn from a seed.
class random_experiment : private random_network {
public:
  random_experiment(std::uint32_t seed, blocks what, const scratch_folder& folder)
      : random_network(seed, folder) {
    if (what == blocks::own_topologies && newest_.percent(10))
      draw_reduction();
    else if (what == blocks::own_topologies)
      draw_own_topology();
    else if (what == blocks::combining)
      dice_.percent(50) ? draw_combining() : draw_message_nodes(true);
    else if (what == blocks::last_switch)
      draw_two_way();
    else
      draw_topology();
    if (what == blocks::nifdy) {
      draw_switch();
      draw_nifdy();
      draw_variant();
      if (length_ >= 3 && dice_.percent(80) && terminals_ > 1) draw_messages();
    } else if (what == blocks::routers) {
      draw_routers();
      if (dice_.percent(50)) draw_nifdy();
    } else if (what == blocks::queues) {
      draw_queues();
      if (dice_.percent(40)) draw_nifdy();
    } else if (what == blocks::any) {
      draw_blocks();
    }
    if (what == blocks::last_switch) {
      draw_last_switch();
    } else {
      draw_marks();
      draw_reservations();
    }
    draw_endpoints();
    if (!root_.contains("workload")) draw_traffic();
    if (what == blocks::combining || what == blocks::last_switch) draw_hot_spot();
    if (root_["switch"]["kind"] != "reduction") draw_resets();
    draw_links();
    // Where logical networks have a link by turns, some have a fifteenth of it.
    root_["measure"] = {{"interval", dice_.between(1, 70)}, {"limit", 700000}, {"drain", 600000}};
    // Rings may deadlock. Then the run says so, and still has lost nothing.
    root_["checks"] = {{"deadlock", false}, {"watchdog", 3000}};
  }
  const json& text() const { return root_; }
  bool may_deadlock() const { return may_deadlock_; }
  /// A reset may also find replies and acknowledgements that nobody has counted as created.
  bool loses_more() const { return loses_more_; }

private:
  void draw_blocks() {
    const unsigned which = dice_.below(8);
    if (which < 2) return draw_dampening();
    draw_switch();
    if (which < 5) draw_memory();
    if (which == 5) draw_nifdy();
  }

  /// Congestion marks, where switches and interfaces take them.
  void draw_marks() {
    const bool nifdy = root_.contains("interface") && root_["interface"]["kind"] == "nifdy" &&
                       root_["interface"]["networks"] == 2;
    const std::string switches = root_["switch"]["kind"];
    const bool shown = switches == "packet" || switches == "wormhole" || switches == "isolation" ||
                       switches == "destination_queues" || switches == "flow_pause";
    if (added_.percent(50) || !shown) return;
    if (root_.contains("interface") && !nifdy) return;
    root_["marking"] = {{"kind", "ecn"},
                        {"threshold", added_.between(1, 6)},
                        {"room", added_.percent(50) ? 0 : added_.below(20)}};
    root_["stages"] = {{{"kind", "ecn"},
                        {"pool", added_.between(1, 9)},
                        {"step", added_.between(1, 20)},
                        {"increase", added_.between(1, 5)},
                        {"timer", added_.between(1, 50)},
                        {"notifications", added_.between(1, 3)}}};
    loses_more_ = true;
  }

  /// Register stages and output buffers, where links are plain packet links.
  void draw_links() {
    const std::string switches = root_["switch"]["kind"];
    const std::string buffers = root_["switch"].value("buffering", "");
    const bool by_request = buffers == "output" || buffers == "shared";
    const bool memory = root_.contains("interface") && root_["interface"]["kind"] == "memory";
    if ((switches != "packet" && switches != "wormhole") || memory || by_request || links_.percent(60))
      return;
    if (links_.percent(40)) root_["link"]["latency"] = links_.between(2, 4);
    const bool turns = switches == "wormhole" && root_["switch"].contains("link") &&
                       root_["switch"]["link"].value("multiplexing", "") == "strict";
    if (!turns && links_.percent(70))
      root_["link"].update({{"buffer", links_.between(1, 6)}, {"cycles", links_.between(1, 3)}});
  }

  /// Speculative reservation, where nothing else has the interfaces; routers drop.
  void draw_reservations() {
    json& switches = root_["switch"];
    const bool routers = switches["kind"] == "wormhole";
    if (latest_.percent(50) || root_.contains("marking") || root_.contains("interface")) return;
    if (routers ? switches["virtual_channels"] > 16 : switches["kind"] != "packet") return;
    if (routers) {
      const char* const priorities[] = {"none", "network"};
      switches["priority"] = latest_.one_of(priorities);
      root_["dropping"] = {{"kind", "srp"}, {"life", latest_.below(40)}};
    }
    const unsigned smallest = latest_.between(1, 2 * length_);
    root_["stages"] = {{{"kind", "srp"},
                        {"pool", latest_.between(1, 9)},
                        {"reserve", latest_.percent(50) ? "first" : "dropped"},
                        {"smallest", smallest},
                        {"largest", std::max(smallest, length_) + latest_.below(20)},
                        {"overhead", 0.25 * latest_.between(1, 8)},
                        {"control", latest_.below(4)}}};
    loses_more_ = true;
  }

  /// Routers, and terminals that receive from where they send.
  void draw_two_way() {
    switch (dice_.below(6)) {
      case 0:
        return draw_regions();
      case 1:
        return draw_tree_of_levels();
      case 2:
        return draw_adaptive_mesh();
      default:
        do draw_topology();
        while (root_["topology"]["kind"] == "butterfly" || root_["topology"]["kind"] == "omega");
        draw_routers();
        root_["switch"]["virtual_channels"] = dice_.between(1, 16);
    }
  }

  void draw_last_switch() {
    const char* const priorities[] = {"none", "network"};
    root_["switch"]["priority"] = dice_.one_of(priorities);
    root_["dropping"] = {
        {"kind", "lhrp"}, {"threshold", dice_.below(20)}, {"overhead", 0.25 * dice_.between(1, 8)}};
    root_["stages"] = {{{"kind", "srp"},
                        {"pool", dice_.between(1, 20)},
                        {"reserve", "last_switch"},
                        {"smallest", dice_.between(1, length_)},
                        {"largest", length_}}};
    loses_more_ = true;
  }

  /// What has a topology or a routing that goes with few others.
  void draw_own_topology() {
    switch (dice_.below(7)) {
      case 0:
        return draw_circuits();
      case 1:
        return draw_combining();
      case 2:
        return draw_message_nodes();
      case 3:
        draw_regions();
        break;
      case 4:
        draw_multibutterfly();
        if (dice_.percent(40)) draw_memory();
        return;
      case 5:
        draw_tree_of_levels();
        break;
      default:
        draw_adaptive_mesh();
    }
    if (dice_.percent(40)) draw_nifdy();
  }

  void draw_circuits() {
    const char* const contentions[] = {"random", "fixed"};
    const char* const retries[] = {"immediate", "rounds", "held_rounds", "exponential", "random"};
    terminals_ = 1u << dice_.between(1, 5);
    length_ = dice_.between(1, 9);
    root_["topology"] = {{"kind", "fat_tree"}, {"terminals", terminals_}};
    root_["switch"] = {{"kind", "circuit"}, {"contention", dice_.one_of(contentions)}};
    root_["interface"] = {{"kind", "circuit"}, {"retry", dice_.one_of(retries)}};
    root_["packet"] = {{"length", length_}};
    loses_more_ = true;  // what a sender keeps until it is acknowledged
  }

  void draw_combining() {
    const char* const kinds[] = {"omega", "butterfly"};
    const unsigned radix = dice_.between(2, 4), stages = dice_.between(1, radix == 2 ? 5 : 2);
    terminals_ = power(radix, stages);
    root_["topology"] = {{"kind", dice_.one_of(kinds)}, {"radix", radix}, {"stages", stages}};
    root_["switch"] = {{"kind", "combining"},
                       {"depth", dice_.between(1, 6)},
                       {"return_depth", dice_.between(1, 6)},
                       {"degree", dice_.below(5)},
                       {"wait_buffer", dice_.below(9)},
                       {"in_service", dice_.percent(50)},
                       {"overtakes", dice_.percent(50)}};
    root_["interface"] = {{"kind", "memory"}, {"latency", dice_.between(1, 9)}};
    length_ = 1;
    loses_more_ = true;
  }

  void draw_reduction() {
    const char* const kinds[] = {"sum", "minimum", "maximum"};
    switch (newest_.below(4)) {
      case 0:
        root_["topology"] = {{"kind", "omega"}, {"radix", 2}, {"stages", newest_.between(1, 5)}};
        break;
      case 1:
        root_["topology"] = {{"kind", "torus"},
                             {"dimensions", {newest_.between(2, 4), newest_.between(2, 4)}}};
        break;
      default:
        root_["topology"] = {{"kind", "xgft"},
                             {"children", {newest_.between(1, 4), newest_.between(1, 3), 2}}};
    }
    root_["switch"] = {{"kind", "reduction"}, {"rounds", newest_.between(1, 9)}};
    root_["interface"] = {{"kind", "reduction"}};
    root_["workload"] = {{"kind", "collective"},
                         {"operation", newest_.percent(70) ? "all_reduce" : "barrier"},
                         {"algorithm", "network"},
                         {"reduction", newest_.one_of(kinds)},
                         {"bytes", newest_.between(1, 400)},
                         {"repeat", newest_.between(1, 9)},
                         {"think", newest_.below(30)},
                         {"ahead", newest_.between(1, 9)}};
    terminals_ = 1;  // any has one to pause
    length_ = 1;
  }

  void draw_message_nodes(bool combine = false) {
    const char* const lengths[] = {"exponential", "redrawn", "fixed"};
    const char* const choices[] = {"random", "shortest_queue"};
    const char* const queues[] = {"fewest_hops", "fifo"};
    const char* const grants[] = {"random", "neighbours_first", "host_first"};
    const unsigned dimension = dice_.between(2, 5), cluster = dice_.between(1, dimension - 1);
    const bool levels = dice_.percent(50), straight = dice_.percent(50);
    terminals_ = 1u << dimension;
    root_["topology"] = {{"kind", levels ? "hierarchical_hypercube" : "hypercube"}, {"dimension", dimension}};
    root_["topology"]["cluster"] = cluster;
    root_["routing"] = {{"kind", straight ? "e_cube" : "shortest_paths"}};
    json section{{"kind", "message_node"}, {"unit", dice_.between(1, 9)}};
    section["length"] = dice_.one_of(lengths);
    section["choice"] = dice_.one_of(choices);
    section["grants"] = dice_.one_of(grants);
    const std::string queue = dice_.one_of(queues);
    if (dice_.percent(70)) section.update({{"buffers", 2 * dimension + dice_.below(9)}, {"queue", queue}});
    may_deadlock_ = section.contains("buffers") && queue == "fifo";
    if (dice_.percent(40) || combine)
      section["combining"] = {
          {"degree", dice_.below(5)}, {"wait_buffer", dice_.below(9)}, {"in_service", dice_.percent(50)}};
    root_["switch"] = section;
    length_ = 1;
    loses_more_ = true;
  }

  void draw_dampening() {
    unsigned digits = 1;
    while (1u << digits < terminals_) ++digits;
    const char* const rules[] = {"unrestricted",      "p_buffer", "square_root", "counting",
                                 "modified_counting", "tuples",   "subsets",     "unique",
                                 "discovered",        "perfect",  "double_hash", "binary_digits"};
    const std::string rule = dice_.one_of(rules);
    json section{{"kind", "dampening"}, {"assignment", rule}};
    const bool own = rule == "p_buffer" || rule == "square_root",
               half = rule == "unique" || rule == "discovered";
    const unsigned buffers = rule == "perfect"         ? 64
                             : rule == "binary_digits" ? 2 * digits
                             : half                    ? dice_.between(9, 14)
                                                       : dice_.between(1, 12);
    if (!own) section["buffers"] = buffers;
    if (rule == "perfect")
      section["j"] = 2;
    else if (!half && rule != "unrestricted" && rule != "binary_digits")
      section["j"] = dice_.between(1, own ? 2 : buffers);
    const bool common = dice_.percent(50), draws = !own && rule.find("count") == std::string::npos &&
                                                   rule != "unrestricted" && rule != "discovered";
    section["hash"] = common || !draws ? "common" : "per_switch";
    section["latency"] = dice_.percent(60) ? 1 : dice_.between(2, 4);
    if (dice_.percent(60)) {
      section["flow"] = "receiver";
      section["pool"] = dice_.percent(50) ? "input" : "switch";
      if (dice_.percent(50)) section["emergency"] = dice_.between(1, 8);
    }
    root_["switch"] = section;
    root_["interface"] = {{"kind", "embargo"},
                          {"queues", dice_.percent(50) ? "fifo" : "destination"},
                          {"depth", dice_.between(1, 8)}};
    const std::string topology = root_["topology"]["kind"];
    may_deadlock_ |= topology == "mesh" || topology == "file";  // a pool is shared by all directions
  }

  /// Processors and memories, with and without feedback.
  void draw_memory() {
    json section{{"kind", "memory"}, {"latency", dice_.between(1, 9)}};
    section["replies"] = dice_.percent(70);
    section["reply_length"] = dice_.between(1, length_);
    json& switches = root_["switch"];
    if (dice_.percent(70)) {
      const unsigned depth = length_ + dice_.below(6);
      switches["buffering"] = "output";
      for (const char* const key : {"assignment", "limit", "alpha"}) switches.erase(key);
      switches["depth"] = depth;
      switches["memory_depth"] = length_ + dice_.below(20);
      may_deadlock_ = root_["topology"]["kind"] == "ring" || root_["topology"]["kind"] == "torus";
      section["kind"] = "feedback";
      draw_feedback(section);
    }
    root_["packet"]["length"] = dice_.percent(50) ? length_ : 1;  // or only the replies are long
    root_["interface"] = section;
    loses_more_ = true;
  }

  void draw_feedback(json& section) {
    const unsigned threshold = dice_.between(1, 8);
    section.update({{"threshold", threshold},
                    {"cool_threshold", dice_.between(1, threshold)},
                    {"comparison", dice_.percent(50) ? "reached" : "exceeded"},
                    {"delay", dice_.between(1, 5)},
                    {"announce", dice_.percent(50) ? "lines" : "bus"}});
    if (dice_.percent(30)) {
      section["limit"] = {{"hot", dice_.between(1, 2)}, {"cold", dice_.between(1, 3)}};
      section.erase("announce");  // nobody hears of hot modules
      return;
    }
    const char* const bleedings[] = {"none", "round_robin", "slots", "random"};
    section.update({{"bleeding", dice_.one_of(bleedings)},
                    {"bleed", dice_.between(1, std::min(terminals_, 3u))},
                    {"bleed_each", dice_.percent(50) ? "network" : "module"},
                    {"probability", 0.1},
                    {"hot_list", dice_.below(3)},
                    {"set_aside", dice_.below(4)}});
  }

  void draw_nifdy() {
    const char* const protocols[] = {"nifdy", "buffers", "none"};
    root_["interface"] = {{"kind", "nifdy"},
                          {"protocol", dice_.one_of(protocols)},
                          {"networks", 2},
                          {"ack_length", dice_.between(1, length_)}};
    root_["packet"]["length"] = dice_.percent(50) ? length_ : 1;
    loses_more_ = true;
  }

  void draw_variant() {
    const char* const acknowledge[] = {"accepted", "inserted"};
    const char* const bulk[] = {"half_window", "each"};
    const char* const choices[] = {"oldest", "round_robin"};
    root_["packet"]["length"] = length_;
    json& unit = root_["interface"];
    unit["protocol"] = "nifdy";
    unit["networks"] = dice_.between(1, 2);
    may_deadlock_ |= unit["networks"] == 1;  // acknowledgements wait for packets
    unit["outstanding"] = dice_.between(1, 9);
    unit["pool"] = dice_.between(1, 9);
    unit["dialogs"] = dice_.below(4);
    unit["window"] = dice_.below(10);
    unit["arrivals"] = dice_.between(1, 4);
    unit["acknowledge"] = dice_.one_of(acknowledge);
    unit["bulk_acknowledge"] = dice_.one_of(bulk);
    unit["choice"] = dice_.one_of(choices);
    unit["ack_processing"] = dice_.between(2, 9);
    unit["piggyback"] = dice_.percent(40) ? dice_.between(1, 100) : 0;
    unit["patience"] = dice_.percent(40) ? dice_.between(20, 300) : 0;
    if (dice_.percent(50))
      unit["processor"] = {{"send", dice_.below(30)}, {"receive", dice_.below(30)}, {"poll", dice_.below(9)}};
  }

  void draw_messages() {
    json list = json::array();
    for (unsigned m = dice_.between(10, 60); m > 0; --m) {
      const unsigned from = dice_.below(terminals_);
      list.push_back({{"from", from},
                      {"to", (from + dice_.between(1, terminals_ - 1)) % terminals_},
                      {"packets", dice_.between(1, 12)},
                      {"at", dice_.below(300)}});
    }
    root_["workload"] = {
        {"kind", "messages"}, {"library", {{"bulk_from", dice_.between(1, 4)}}}, {"messages", list}};
  }

  void draw_endpoints() {
    json section{{"accept_interval", dice_.percent(70) ? 1 : dice_.between(2, 3)},
                 {"queue", dice_.percent(70) ? 0 : dice_.between(1, 8)}};
    if (root_.contains(json::json_pointer("/interface/processor"))) section.clear();
    if (root_["switch"]["kind"] == "message_node")
      section["replies"] = root_["switch"].contains("combining") || dice_.percent(50);
    if (dice_.percent(40)) {
      const unsigned from = dice_.below(300);
      section["pauses"] = {{{"terminals", {dice_.below(terminals_)}},
                            {"from", from},
                            {"until", from + dice_.between(1, 200)}}};
    }
    root_["endpoint"] = section;
  }

  void draw_traffic() {
    const char* const patterns[] = {"uniform", "hotspot", "shift", "tornado", "cshift"};
    const char* const injections[] = {"bernoulli", "exponential", "saturated", "burst"};
    for (unsigned entries = dice_.between(1, 3); entries > 0; --entries) {
      const std::string pattern = dice_.one_of(patterns);
      json entry{{"pattern", pattern}, {"rate", 0.01 * dice_.between(1, 100)}};
      entry["injection"] = dice_.one_of(injections);
      // Below that, gaps between bursts may be longer than the run.
      if (entry["injection"] == "burst") entry["rate"] = std::max(entry["rate"].get<double>(), 0.03);
      entry[dice_.percent(50) ? "cycles" : "messages"] = dice_.between(20, 150);
      if (pattern == "hotspot")
        entry.update({{"targets", {dice_.below(terminals_)}}, {"fraction", 0.01 * dice_.below(101)}});
      if (pattern == "shift") entry["offset"] = dice_.below(2 * terminals_);
      if (pattern == "uniform") entry["include_self"] = dice_.percent(50);
      root_["traffic"].push_back(entry);
    }
  }

  /// What there is to combine.
  void draw_hot_spot() {
    root_["traffic"].push_back({{"pattern", "hotspot"},
                                {"targets", {dice_.below(terminals_)}},
                                {"fraction", 0.01 * dice_.between(10, 100)},
                                {"injection", "saturated"},
                                {"messages", dice_.between(20, 100)}});
  }

  void draw_resets() {
    root_["resets"] = json::array();
    unsigned cycle = 0;
    for (unsigned resets = dice_.below(4); resets > 0; --resets) {
      cycle += dice_.between(1, 150);
      const unsigned length = dice_.between(1, 5);
      root_["resets"].push_back({{"cycle", cycle}, {"length", length}});
      cycle += length;
    }
  }
};

}  // namespace spillway::testing_support
