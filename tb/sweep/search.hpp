#pragma once
#include <atomic>
#include <spillway/tb/sweep/plan_folder.hpp>

namespace spillway {

/// Finds the saturation rate of one configuration: the largest offered load that it sustains. A load is
/// sustained when the packets delivered in the measured part are at least the share `accepted` of those
/// offered and, if `latency` is given, their mean latency is not above it.
///
/// Tries `from`, then `to`, then halves the interval between the largest load that was sustained and the
/// smallest that was not until it is one `tolerance` long; that supposes that what is sustained at one
/// load is sustained at any lower one. Every try is a process; those done before are not done again.
///
/// Leaves result.json of the largest load that was sustained, with `saturation` {`rate`, `sustained`: 0 if
/// not even `from` was (then rate is null), `limited`: 0 if even `to` was (then rate is at least that),
/// `tries`}. A try that finds a fault ends the search with its result.
/// @param run index of a run with a search. Returns the exit status of a run; 130 if stopped.
/// Throws config_error, io_error.
int search_saturation(const plan_folder& plan, std::size_t run, const nlohmann::json& experiments,
                      const std::atomic<bool>* stop);

}  // namespace spillway
