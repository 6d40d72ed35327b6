#pragma once
#include <spillway/hw/switching/marking_link.hpp>
#include <string>
#include <support/link_bench.hpp>
#include <vector>

namespace spillway::testing_support {

/// Stands for what marks beside a switch: gives each output its marks, and reads what waits for it.
struct marking_bench {
  std::vector<marking_link*> links;

  template <class Switch>
  marking_bench(bench& b, Switch& s, unsigned outputs) {
    for (unsigned o = 0; o < outputs; ++o) {
      links.push_back(&b.keep<marking_link>(link_place{"marks" + std::to_string(o)}));
      s.connect_marking(o, *links[o]);
      give(o, 0);
    }
  }
  void give(unsigned o, std::uint8_t marks) {
    links[o]->with([&](auto& w) { w.marks.write(marks); });
  }
  unsigned waiting(unsigned o) const {
    return links[o]->with([](const auto& w) { return unsigned{w.waiting.read()}; });
  }
};

/// Takes the marks from all that a sender has still to send.
inline void unmark(sender& s) {
  for (flit& f : s.todo) f.marks = 0;
}

}  // namespace spillway::testing_support
