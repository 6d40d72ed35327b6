#pragma once
#include <spillway/tb/report/record.hpp>
#include <string>
#include <vector>

namespace spillway {

/// What such a picture shows.
inline constexpr const char* network_caption =
    "The network as it is drawn in books: switches in columns by their stage, each in the colour of its "
    "fullest "
    "queue.";

/// The networks of some runs at the moments that were recorded: a column a run, a row a moment, each switch
/// in the colour of its fullest queue. Runs without moments are left out. A complete SVG document, the same
/// bytes for the same records; empty if nothing is left.
std::string network_svg(const std::vector<run_record>& runs);

}  // namespace spillway
