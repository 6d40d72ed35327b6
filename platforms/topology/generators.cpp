#include <functional>
#include <numeric>
#include <spillway/platforms/topology/generators.hpp>
#include <stdexcept>

namespace spillway {

namespace {

unsigned power(unsigned radix, unsigned exponent) {
  unsigned result = 1;
  while (exponent--) result *= radix;
  return result;
}

/// Stages of radix x radix switches; `next(stage, line)`: where line `line` behind `stage` (-1: of the
/// terminals) leads before the next stage.
topology make_multistage(const std::string& kind, unsigned radix, unsigned stages, unsigned terminals,
                         const std::function<unsigned(int stage, unsigned line)>& next) {
  const unsigned lines = power(radix, stages);
  if (terminals > lines)
    throw std::invalid_argument("expected at most " + std::to_string(lines) + " terminals, found " +
                                std::to_string(terminals));
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
  topology t;
  t.kind = kind;
  t.dimensions = dimensions;
  t.wraps = wraps;
  t.both_ways = both_ways;
  const unsigned nodes = std::accumulate(dimensions.begin(), dimensions.end(), 1u, std::multiplies<>());
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
  return make_multistage("butterfly", radix, stages, terminals, [=](int stage, unsigned line) {
    if (stage < 0) return line;
    const unsigned place = power(radix, stages - 1 - static_cast<unsigned>(stage));
    const unsigned last = line % radix, digit = line / place % radix;
    return line - digit * place - last + last * place + digit;
  });
}

topology make_omega(unsigned radix, unsigned stages, unsigned terminals) {
  const unsigned lines = power(radix, stages);
  return make_multistage("omega", radix, stages, terminals,
                         [=](int, unsigned line) { return line * radix % lines + line / (lines / radix); });
}

topology make_crossbar(unsigned terminals) {
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

topology make_topology(const nlohmann::json& section, const std::filesystem::path& folder) {
  const std::string kind = section.at("kind");
  if (kind == "butterfly" || kind == "omega") {
    const unsigned radix = section.at("radix"), stages = section.at("stages");
    const unsigned terminals = section.value("terminals", power(radix, stages));
    return kind == "omega" ? make_omega(radix, stages, terminals) : make_butterfly(radix, stages, terminals);
  }
  if (kind == "crossbar") return make_crossbar(section.at("terminals"));
  if (kind == "mesh") return make_mesh(section.at("dimensions"));
  if (kind == "torus") return make_torus(section.at("dimensions"));
  if (kind == "ring") return make_ring(section.at("terminals"), section.at("bidirectional"));
  const std::filesystem::path file = folder / section.at("path").get<std::string>();
  const std::string format =
      section.value("format", file.extension() == ".graphml" ? "graphml" : "edge_list");
  return format == "graphml" ? read_graphml(file) : read_edge_list(file);
}

}  // namespace spillway
