#pragma once
#include <spillway/tb/bench/bench.hpp>

namespace spillway {

/// What users run: `spillway run` with its default checks, the whole process from reading the experiment to
/// the results on disk, and the same without the checkers of links, in turns. A case is
/// `run:NAME:size:rate:cycles`; size: stages of the omega, terminals along a side of the mesh; rate: flits a
/// cycle and terminal.
bench_section whole_runs_bench();

}  // namespace spillway
