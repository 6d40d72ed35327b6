#pragma once

namespace spillway::theory {

/// Pfister and Norton's bound: N processors, each sending the fraction h of its requests to one module and
/// the rest uniformly, get at most 1/(1 + h (N - 1)) requests a cycle each.
double hotspot_bound(double N, double h);

}  // namespace spillway::theory
