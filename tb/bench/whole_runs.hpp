#pragma once
#include <spillway/tb/bench/bench.hpp>

namespace spillway {

/// What users run: `spillway run` with its default checks, the whole process from reading the experiment to
/// the results on disk, and the same without the checkers of links, in turns. A case is
/// `run:NAME:size:rate:cycles`; size: stages of the omega, terminals along a side of the mesh; rate: flits a
/// cycle and terminal.
bench_section whole_runs_bench();

/// Such runs by one thread and by as many as there are cores, in turns, as they pass on a clock; and what the
/// threads need at an edge to wait for each other. A case is `threads:NAME:size:rate:cycles:threads`. On one
/// core there are none.
bench_section threads_bench();

}  // namespace spillway
