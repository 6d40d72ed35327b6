#pragma once
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "support/dice.hpp"
#include "support/process.hpp"

namespace spillway::testing_support {

using nlohmann::json;

/// Topologies, and switches that go with them, drawn from a seed: the part of an experiment that draws no
/// interfaces and no traffic.
class random_network {
protected:
  random_network(std::uint32_t seed, const scratch_folder& folder)
      : dice_(seed),
        added_(seed + 1000000),
        latest_(seed + 2000000),
        newest_(seed + 3000000),
        links_(seed + 4000000),
        folder_(folder) {
    root_ = {{"name", "random-" + std::to_string(seed)}, {"seed", seed}};
  }

  static unsigned power(unsigned base, unsigned exponent) {
    unsigned product = 1;
    for (; exponent; --exponent) product *= base;
    return product;
  }

  void draw_topology() {
    const char* const kinds[] = {"butterfly", "omega", "crossbar", "ring", "mesh", "torus", "file"};
    const std::string kind = dice_.one_of(kinds);
    json section{{"kind", kind}};
    may_deadlock_ = kind == "ring" || kind == "torus";
    if (kind == "butterfly" || kind == "omega") {
      const unsigned radix = dice_.between(2, 4), stages = dice_.between(1, radix == 2 ? 5 : 3);
      terminals_ = power(radix, stages);
      if (dice_.percent(30)) terminals_ = dice_.between(terminals_ / 2, terminals_);
      section.update({{"radix", radix}, {"stages", stages}, {"terminals", terminals_}});
      ports_ = radix;
    } else if (kind == "crossbar" || kind == "ring") {
      terminals_ = dice_.between(2, 12);
      section["terminals"] = terminals_;
      ports_ = kind == "ring" ? 3 : terminals_;
    } else if (kind == "file") {
      section["path"] = draw_tree();
    } else {
      json& sizes = section["dimensions"] = json::array();
      terminals_ = 1;
      for (unsigned d = dice_.between(1, 3); d > 0; --d) {
        sizes.push_back(dice_.between(2, 4));
        terminals_ *= sizes.back().get<unsigned>();
      }
      ports_ = 1 + 2 * static_cast<unsigned>(sizes.size());
    }
    root_["topology"] = section;
  }

  /// A tree of switches, each with a terminal or two: no routing can deadlock in it.
  std::string draw_tree() {
    std::ofstream file(folder_ / "graph.txt");
    const unsigned switches = dice_.between(2, 8);
    terminals_ = 0;
    for (unsigned s = 0; s < switches; ++s) {
      for (unsigned t = dice_.between(1, 2); t > 0; --t) file << 't' << terminals_++ << " -- s" << s << '\n';
      if (s) file << 's' << s << " -- s" << dice_.below(s) << '\n';
    }
    ports_ = 2 + switches;
    return "graph.txt";
  }

  void draw_switch() {
    const char* const bufferings[] = {"fifo", "voq", "damq", "output", "shared"};
    const char* const switchings[] = {"cut_through", "store_and_forward"};
    const char* const arbiters[] = {"round_robin", "oldest_first"};
    length_ = dice_.percent(50) ? 1 : dice_.between(2, 6);
    const std::string buffering = dice_.one_of(bufferings);
    unsigned depth = length_ + dice_.below(6);
    json section{{"kind", "packet"}, {"buffering", buffering}};
    section["switching"] = dice_.one_of(switchings);
    section["arbiter"] = dice_.one_of(arbiters);
    if (buffering == "shared") {
      const bool partition = dice_.percent(50);
      section["assignment"] = partition ? "partition" : "any";
      if (partition) depth *= ports_;
      may_deadlock_ |= !partition;
      if (!partition) draw_threshold(section, depth);
    }
    section["depth"] = depth;
    root_["switch"] = section;
    root_["packet"] = {{"length", length_}};
  }

  void draw_threshold(json& section, unsigned depth) {
    const unsigned which = added_.below(3);
    if (which == 1)
      section.update({{"assignment", "static_threshold"}, {"limit", added_.between(length_, depth)}});
    if (which == 2)
      section.update(
          {{"assignment", "dynamic_threshold"}, {"alpha", {added_.between(1, 4), added_.between(1, 4)}}});
  }

  /// A queue a destination at every input, or queues that destinations share; or some that are set aside, or
  /// paused.
  void draw_queues() {
    length_ = dice_.percent(50) ? 1 : dice_.between(2, 6);
    if (dice_.percent(70)) return dice_.percent(50) ? draw_isolation() : draw_pauses();
    json section{{"kind", "destination_queues"}, {"depth", length_ + dice_.below(6)}};
    if (terminals_ > 64 || dice_.percent(50)) section["queues"] = dice_.between(1, 64);
    if (dice_.percent(50)) section["gate"] = dice_.between(1, 9);
    root_["switch"] = section;
    root_["packet"] = {{"length", length_}};
  }

  void draw_isolation() {
    const unsigned depth = length_ + dice_.below(6), stop = dice_.between(1, depth);
    json section{{"kind", "isolation"}, {"queues", dice_.below(9)}, {"depth", length_ + dice_.below(6)}};
    section.update({{"queue_depth", depth}, {"stop", stop}, {"go", dice_.below(stop)}});
    section["threshold"] = dice_.below(7);
    if (dice_.percent(30)) section["gate"] = depth + dice_.below(9);
    root_["switch"] = section;
    root_["packet"] = {{"length", length_}};
  }

  void draw_pauses() {
    json section{
        {"kind", "flow_pause"}, {"queues", dice_.between(1, 20)}, {"places", length_ + dice_.below(20)}};
    section.update({{"threshold", dice_.below(7)}, {"flows", dice_.one_of({1u, 7u, 64u, 1024u})}});
    section["flow"] = dice_.percent(50) ? "pair" : "destination";
    if (dice_.percent(30)) section["gate"] = length_ + dice_.below(40);
    root_["switch"] = section;
    root_["packet"] = {{"length", length_}};
  }

  /// Of one word of channels, or of more.
  void draw_routers() {
    const char* const switchings[] = {"wormhole", "wormhole", "cut_through", "store_and_forward"};
    const char* const turns[] = {"demand", "strict"};
    length_ = dice_.percent(30) ? 1 : dice_.between(2, 8);
    json section{{"kind", "wormhole"}};
    section["virtual_channels"] = dice_.percent(60) ? dice_.between(2, 4) : dice_.between(5, 32);
    section["switching"] = dice_.one_of(switchings);
    section["depth"] = dice_.between(1, 6) + (section["switching"] == "wormhole" ? 0 : length_ - 1);
    section["latency"] = dice_.percent(60) ? 1 : dice_.between(2, 4);
    section["entry_latency"] = dice_.percent(70) ? 0 : dice_.between(1, 9);
    section["link"] = {{"cycles", dice_.percent(60) ? 1 : dice_.between(2, 4)},
                       {"multiplexing", dice_.one_of(turns)}};
    root_["switch"] = section;
    root_["packet"] = {{"length", length_}};
  }

  void draw_channels(unsigned least) {
    length_ = dice_.percent(30) ? 1 : dice_.between(2, 8);
    root_["switch"] = {{"kind", "wormhole"},
                       {"virtual_channels", least + dice_.below(3)},
                       {"depth", dice_.between(1, 9)},
                       {"latency", dice_.percent(60) ? 1 : dice_.between(2, 4)},
                       {"link", {{"cycles", dice_.percent(60) ? 1 : dice_.between(2, 4)}}}};
    root_["packet"] = {{"length", length_}};
  }

  void draw_regions() {
    const char* const routings[] = {"minimal", "valiant", "ugal"};
    const unsigned each = dice_.between(1, 3), wide = dice_.between(2, 4);
    if (dice_.percent(50)) {
      const unsigned global = dice_.between(1, 2), groups = dice_.between(2, wide * global + 1);
      root_["topology"] = {{"kind", "dragonfly"},
                           {"switches", wide},
                           {"terminals", each},
                           {"global_links", global},
                           {"groups", groups}};
      terminals_ = wide * each * groups;
    } else {
      const unsigned high = dice_.between(1, 3);
      root_["topology"] = {{"kind", "hyperx"}, {"sizes", {wide, high}}, {"terminals", each}};
      terminals_ = wide * high * each;
    }
    root_["routing"] = {{"kind", dice_.one_of(routings)}};
    const bool groups = root_["topology"]["kind"] == "dragonfly", ugal = root_["routing"]["kind"] == "ugal";
    const bool progressive = groups && ugal && latest_.percent(60);
    if (progressive) root_["routing"]["progressive"] = true;
    draw_channels(progressive ? 4 : 3);
  }

  void draw_multibutterfly() {
    const unsigned radix = dice_.between(2, 3), stages = dice_.between(1, 3), dilation = dice_.between(1, 3);
    terminals_ = power(radix, stages);
    ports_ = radix * dilation;
    root_["topology"] = {
        {"kind", "multibutterfly"}, {"radix", radix}, {"stages", stages}, {"dilation", dilation}};
    draw_switch();
  }

  void draw_tree_of_levels() {
    const char* const ups[] = {"any", "hashed"};
    json children = json::array();
    terminals_ = 1;
    for (unsigned level = dice_.between(1, 3); level > 0; --level) {
      children.push_back(dice_.between(2, 3));
      terminals_ *= children.back().get<unsigned>();
    }
    root_["topology"] = {{"kind", "xgft"}, {"children", children}};
    root_["routing"] = {{"kind", "nearest_ancestor"}, {"up", dice_.one_of(ups)}};
    draw_channels(1);
  }

  void draw_adaptive_mesh() {
    const unsigned wide = dice_.between(2, 4), high = dice_.between(2, 4);
    terminals_ = wide * high;
    root_["topology"] = {{"kind", "mesh"}, {"dimensions", {wide, high}}};
    root_["routing"] = {{"kind", "adaptive"}};
    draw_channels(2);
  }

  dice dice_, added_, latest_, newest_, links_;  // of what came later, so that all else is drawn as before
  const scratch_folder& folder_;
  json root_;
  unsigned terminals_ = 0, ports_ = 0, length_ = 0;
  bool may_deadlock_ = false, loses_more_ = false;
};

}  // namespace spillway::testing_support
