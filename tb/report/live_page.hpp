#pragma once
#include <spillway/tb/report/record.hpp>
#include <string>

namespace spillway {

/// The part of a report that scripts bring to life: curves of the series that can be zoomed and asked for
/// their values, and the network over time. The page needs nothing else, no network either, and goes on
/// showing its still pictures where no script runs, and on paper. Empty if there is nothing to show, or if
/// the build had no dygraphs (has_dygraphs()).
std::string live_html(const run_record& record);

/// Whether the charting library was there when this was built.
bool has_dygraphs();

}  // namespace spillway
