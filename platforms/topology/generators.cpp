#include <functional>
#include <spillway/hw/circuit/fat_tree.hpp>
#include <spillway/platforms/topology/generators.hpp>
#include <spillway/platforms/topology/limits.hpp>
#include <stdexcept>

namespace spillway {

namespace {

using namespace detail;

void check_terminals(unsigned found, unsigned most) {
  expect(found >= 1 && found <= most,
         "expected 1.." + std::to_string(most) + " terminals, found " + std::to_string(found));
}

/// Stages of radix x radix switches; `next(stage, line)`: where line `line` behind `stage` (-1: of the
/// terminals) leads before the next stage.
topology make_multistage(const std::string& kind, unsigned radix, unsigned stages, unsigned terminals,
                         const std::function<unsigned(int stage, unsigned line)>& next) {
  const unsigned lines = power(radix, stages);
  check_terminals(terminals, lines);
  topology t;
  t.kind = kind;
  t.radix = radix;
  t.stages = stages;
  for (unsigned i = 0; i < terminals; ++i) t.add_terminal();
  for (unsigned stage = 0; stage < stages; ++stage)
    for (unsigned s = 0; s < lines / radix; ++s) t.add_switch(stage);
  const auto at = [&](unsigned stage, unsigned line) {
    return t.switches[stage * (lines / radix) + line / radix];
  };
  for (unsigned i = 0; i < terminals; ++i) {
    const unsigned line = next(-1, i);
    t.add_link(t.terminals[i], 0, at(0, line), line % radix);
  }
  for (unsigned stage = 0; stage + 1 < stages; ++stage) {
    for (unsigned i = 0; i < lines; ++i) {
      const unsigned line = next(static_cast<int>(stage), i);
      t.add_link(at(stage, i), i % radix, at(stage + 1, line), line % radix);
    }
  }
  for (unsigned i = 0; i < terminals; ++i) t.add_link(at(stages - 1, i), i % radix, t.terminals[i], 0);
  return t;
}

topology make_grid(const std::string& kind, const std::vector<unsigned>& dimensions, bool wraps,
                   bool both_ways) {
  expect(!dimensions.empty() && 1 + 2 * dimensions.size() <= most_ports,
         "expected 1..31 dimensions, found " + std::to_string(dimensions.size()));
  unsigned nodes = 1;
  for (const unsigned size : dimensions) {
    expect(size >= 1, "expected dimensions of at least 1, found 0");
    nodes = times(nodes, size);
  }
  topology t;
  t.kind = kind;
  t.dimensions = dimensions;
  t.wraps = wraps;
  t.both_ways = both_ways;
  for (unsigned i = 0; i < nodes; ++i) t.add_terminal();
  for (unsigned i = 0; i < nodes; ++i) t.add_switch(i % dimensions[0]);
  for (unsigned i = 0; i < nodes; ++i) {
    t.add_link(t.terminals[i], 0, t.switches[i], 0);
    t.add_link(t.switches[i], 0, t.terminals[i], 0);
  }
  unsigned stride = 1;
  for (unsigned d = 0; d < dimensions.size(); stride *= dimensions[d++]) {
    const unsigned size = dimensions[d];
    if (size == 1) continue;
    for (unsigned i = 0; i < nodes; ++i) {
      const unsigned x = i / stride % size;
      if (x + 1 == size && !wraps) continue;
      const unsigned up = x + 1 == size ? i - stride * (size - 1) : i + stride;
      t.add_link(t.switches[i], 1 + 2 * d, t.switches[up], both_ways ? 2 + 2 * d : 1 + d);
      if (both_ways) t.add_link(t.switches[up], 2 + 2 * d, t.switches[i], 1 + 2 * d);
    }
  }
  return t;
}

}  // namespace

topology make_butterfly(unsigned radix, unsigned stages, unsigned terminals) {
  check_multistage(radix, stages);
  return make_multistage("butterfly", radix, stages, terminals, [=](int stage, unsigned line) {
    if (stage < 0) return line;
    const unsigned place = power(radix, stages - 1 - static_cast<unsigned>(stage));
    const unsigned last = line % radix, digit = line / place % radix;
    return line - digit * place - last + last * place + digit;
  });
}

topology make_omega(unsigned radix, unsigned stages, unsigned terminals) {
  check_multistage(radix, stages);
  const unsigned lines = power(radix, stages);
  return make_multistage("omega", radix, stages, terminals,
                         [=](int, unsigned line) { return line * radix % lines + line / (lines / radix); });
}

topology make_crossbar(unsigned terminals) {
  check_terminals(terminals, most_ports);
  topology t = make_multistage("crossbar", terminals, 1, terminals, [](int, unsigned line) { return line; });
  return t;
}

topology make_mesh(const std::vector<unsigned>& dimensions) {
  return make_grid("mesh", dimensions, false, true);
}
topology make_torus(const std::vector<unsigned>& dimensions) {
  return make_grid("torus", dimensions, true, true);
}
topology make_ring(unsigned terminals, bool both_ways) {
  return make_grid("ring", {terminals}, true, both_ways);
}

topology make_fat_tree(unsigned terminals, bool routers) {
  expect(terminals >= 2 && terminals <= most_terminals && (terminals & (terminals - 1)) == 0,
         "expected a power of two of 2 terminals or more, found " + std::to_string(terminals));
  const fat_tree shape{static_cast<unsigned>(__builtin_ctz(terminals))};
  topology t;
  t.kind = "fat_tree";
  t.radix = 4;
  for (unsigned i = 0; i < terminals; ++i) t.add_terminal();
  if (!routers) return t;
  for (unsigned i = 0; i < shape.routers(); ++i) t.add_switch(shape.at(i).level);
  const auto join = [&t](graph::vertex_descriptor below, unsigned up, graph::vertex_descriptor above,
                         unsigned down) {
    t.add_link(below, up, above, down);
    t.add_link(above, down, below, up);
  };
  for (unsigned i = 0; i < terminals; ++i) join(t.terminals[i], 0, t.switches[i / 2], i % 2);
  for (unsigned i = 0; i < shape.routers(); ++i) {
    const fat_tree::place here = shape.at(i);
    if (here.level + 1 == shape.height) break;
    const unsigned side = here.node % 2 ? port_b : port_a;
    for (const unsigned up : {port_c, port_d}) {
      const unsigned above = here.router + (up == port_d ? 1u << here.level : 0);
      join(t.switches[i], up, t.switches[shape.number({here.level + 1, here.node / 2, above})], side);
    }
  }
  return t;
}

topology make_topology(const nlohmann::json& section, const std::filesystem::path& folder, bool whole) {
  const std::string kind = section.at("kind");
  if (kind == "butterfly" || kind == "omega") {
    const unsigned radix = section.at("radix"), stages = section.at("stages");
    const unsigned terminals = section.value("terminals", power(radix, stages));
    return kind == "omega" ? make_omega(radix, stages, terminals) : make_butterfly(radix, stages, terminals);
  }
  if (kind == "multibutterfly")
    return make_multibutterfly(section.at("radix"), section.at("stages"), section.at("dilation"),
                               section.at("wiring_seed"));
  if (kind == "xgft") {
    const std::vector<unsigned> children = section.at("children");
    return make_xgft(children,
                     section.value("parents", std::vector<unsigned>(children.begin() + 1, children.end())));
  }
  if (kind == "crossbar") return make_crossbar(section.at("terminals"));
  if (kind == "fat_tree") return make_fat_tree(section.at("terminals"), whole);
  if (kind == "mesh") return make_mesh(section.at("dimensions"));
  if (kind == "torus") return make_torus(section.at("dimensions"));
  if (kind == "ring") return make_ring(section.at("terminals"), section.at("bidirectional"));
  if (kind == "hypercube")
    return make_hypercube(section.at("dimension"),
                          section.value("cluster", section.at("dimension").get<unsigned>()));
  if (kind == "hierarchical_hypercube")
    return make_hierarchical_hypercube(section.at("dimension"), section.at("cluster"),
                                       section.at("interface"));
  const std::filesystem::path file = folder / section.at("path").get<std::string>();
  const std::string format =
      section.value("format", file.extension() == ".graphml" ? "graphml" : "edge_list");
  return format == "graphml" ? read_graphml(file) : read_edge_list(file);
}

}  // namespace spillway
