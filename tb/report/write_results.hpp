#pragma once
#include <array>
#include <spillway/tb/report/atomic_file.hpp>
#include <spillway/tb/report/record.hpp>
#include <string>

namespace spillway {

/// Version of the layout of result.json: its key `schema_version`. Grows when a key changes its meaning or
/// goes; a new key alone does not change it.
inline constexpr int result_schema_version = 1;

/// All that runs write into their folders, `deliveries.csv` among them.
inline constexpr std::array result_files{"result.json", "config.yaml",  "series.csv",    "histogram.csv",
                                         "links.csv",   "switches.csv", "flows.csv",     "network.json",
                                         "timing.json", "report.html",  "deliveries.csv"};

/// Writes DIR/result.json, series.csv, histogram.csv, links.csv, switches.csv, config.yaml, timing.json,
/// flows.csv if flows were measured, network.json if moments or the history of the network were recorded, and
/// report.html, and creates DIR. Nothing is put into place before all of it has been written; on failure no
/// new file is left. Then the result.json of an earlier run goes, and those of its files that this one does
/// not write; the new result.json comes last, so that what a kill leaves has none.
///
/// Runs with the same seed give the same bytes in all of them but timing.json, which has `wall_seconds` and
/// `hops_per_second`.
/// A number that was not measured, such as the latency of a class without packets, is null.
/// The report goes without pictures, and says so, if gnuplot is not there.
/// Throws io_error, and std::invalid_argument when the series or the occupancy has columns or rows of
/// unequal length.
/// @param report whether to write report.html: drawing takes longer than a short run
/// @param deliveries put into place with the others; may be null
void write_results(const std::string& folder, const run_record& record, bool report = true,
                   atomic_file* deliveries = nullptr);

/// The text of each file.
std::string result_json(const run_record& record);
std::string timing_json(const run_record& record);
/// Text of network.json: switches as [column, row], links as [from, to], the moments, and the history as
/// history_record has it.
std::string network_json(const network_record& n);
std::string series_csv(const run_record& record);     ///< with the occupancy, where it has the same intervals
std::string histogram_csv(const run_record& record);  ///< bins of latency: first value, packets, values
std::string links_csv(const run_record& record);      ///< a line a link, as link_record
std::string switches_csv(const run_record& record);   ///< a line a switch, as switch_record
std::string flows_csv(const run_record& record);      ///< a line a flow, as flow_record
std::string report_html(const run_record& record);

}  // namespace spillway
