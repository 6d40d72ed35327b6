#include <algorithm>
#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/topology/limits.hpp>
#include <spillway/platforms/tree/xgft.hpp>

namespace spillway {

using namespace detail;

xgft_shape::xgft_shape(const nlohmann::json& parameters) : children(parameters.at("children")) {
  if (parameters.contains("parents"))
    parents = parameters.at("parents").get<std::vector<unsigned>>();
  else if (!children.empty())
    parents.assign(children.begin() + 1, children.end());
}

/// A level has the switches of the one below, divided by its children, times their parents; each is joined
/// both ways to its parents.
topology_size xgft_shape::size() const {
  topology_size all{1, 0, 0, 0};
  for (const unsigned below : children) all.terminals *= below;
  all.links = 2 * all.terminals;
  double switches = all.terminals;
  for (std::size_t l = 0; l < children.size(); ++l) {
    switches = switches / children[l] * (l ? parents_at(l - 1) : 1);
    all.switches += switches;
    all.links += 2 * switches * parents_at(l);
    all.ports = std::max<double>(all.ports, children[l] + parents_at(l));
  }
  return all;
}

topology make_xgft(const xgft_shape& shape) {
  const auto &children = shape.children, &parents = shape.parents;
  expect(!children.empty(), "expected the children of at least one level");
  expect(parents.size() + 1 == children.size(), "expected the parents of " +
                                                    std::to_string(children.size() - 1) + " levels, found " +
                                                    std::to_string(parents.size()));
  topology t;
  t.known = std::make_shared<xgft_shape>(shape);
  unsigned terminals = 1, copies = 1;
  for (std::size_t l = 0; l < children.size(); ++l) {
    const unsigned above = shape.parents_at(l);
    expect(children[l] >= 1 && (above >= 1 || l == parents.size()) && children[l] + above <= most_ports,
           "expected 1 or more children and parents and at most 64 together, found " +
               std::to_string(children[l]) + " and " + std::to_string(above));
    terminals = times(terminals, children[l]);
  }
  for (unsigned i = 0; i < terminals; ++i) t.add_terminal();
  // A switch of a level is a subtree (of so many terminals) and one of the copies of its root.
  std::size_t below = 0;  // first switch of the level below
  unsigned subtrees = terminals, copies_below = 1;
  for (std::size_t l = 0; l < children.size(); ++l) {
    const std::size_t first = t.switches.size();
    const unsigned parts = subtrees;
    subtrees /= children[l];
    if (l > 0) copies = times(copies, parents[l - 1]);
    for (unsigned s = 0; s < times(subtrees, copies); ++s) t.add_switch(static_cast<unsigned>(l));
    for (unsigned part = 0; part < parts; ++part) {
      if (l == 0) {
        t.join(t.terminals[part], 0, t.switches[part / children[0]], part % children[0]);
        continue;
      }
      for (unsigned copy = 0; copy < copies_below; ++copy)
        for (unsigned up = 0; up < parents[l - 1]; ++up)
          t.join(t.switches[below + std::size_t{part} * copies_below + copy], children[l - 1] + up,
                 t.switches[first + std::size_t{part / children[l]} * copies + copy * parents[l - 1] + up],
                 part % children[l]);
    }
    below = first;
    copies_below = copies;
  }
  return t;
}

nlohmann::json xgft_topology::schema() const {
  return parse_schema(R"({
    "description": "Fat tree with any number of children and parents at each level (extended generalized fat tree, Ohring et al.).",
    "required": ["children"],
    "properties": {
      "children": {
        "type": "array",
        "minItems": 1,
        "items": { "type": "integer", "minimum": 1, "maximum": 64 },
        "description": "Children of a switch of each level, from the leaves: [4, 4, 4] has 64 terminals."
      },
      "parents": {
        "type": "array",
        "items": { "type": "integer", "minimum": 1, "maximum": 64 },
        "description": "Parents of a switch of each level but the last; when left out as many as the next level has children, which makes [4, 4, 4] the 4-ary 3-tree."
      }
    }
  })");
}

}  // namespace spillway
