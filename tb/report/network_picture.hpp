#pragma once
#include <spillway/tb/report/record.hpp>
#include <string>
#include <vector>

namespace spillway {

/// What such a picture of these runs shows.
std::string network_caption(const std::vector<run_record>& runs);

/// The networks of some runs at the moments that were recorded: a column a run, a row a moment, each switch
/// in the colour of its fullest queue. Runs without moments are left out. A complete SVG document, the same
/// bytes for the same records; empty if nothing is left.
std::string network_svg(const std::vector<run_record>& runs);

}  // namespace spillway
