#pragma once
#include <spillway/tb/traffic/terminal_tree.hpp>

namespace spillway {

/// The trees of Dandamudi and Eager (section 3.3.2) on 2^`dimension` nodes in clusters of 2^`cluster`, whose
/// numbers differ in the low bits: a spanning tree of every cluster, rooted at the node with the low bits of
/// `root`, and one of those roots, rooted at `root`. Child and parent differ in one bit. The nodes at a
/// distance from their root are shared out as evenly as links allow among those that are one nearer; what is
/// still open is drawn. `dimension`: at most 20; `cluster`: at most `dimension`, which gives one level.
terminal_tree cube_tree(unsigned dimension, unsigned cluster, std::uint32_t root, std::uint64_t seed);

/// A tree whose terminals have `fan_in` children each, as long as there are terminals left, in the order of
/// their numbers from `root` on (Yew, Tzeng and Lawrie). `fan_in`: at least 1; `root`: a terminal.
terminal_tree fan_in_tree(std::uint32_t terminals, std::uint32_t fan_in, std::uint32_t root);

}  // namespace spillway
