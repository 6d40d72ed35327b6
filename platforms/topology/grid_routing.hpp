#pragma once
#include <memory>
#include <spillway/hw/switching/routing.hpp>
#include <spillway/platforms/topology/topology.hpp>

namespace spillway {

/// Lowest dimension first, the shorter way round. Where dimensions are closed and links have two or more
/// virtual channels, `dateline` splits them into two classes: a packet that has still to go round the end of
/// its ring takes the first, one that has gone round the second (Dally and Seitz 1987), one that need not
/// either, by where it entered the ring, so that both are used and packets stay in order.
std::shared_ptr<const routing> make_dimension_order(const topology& grid, unsigned channels, bool dateline);

/// Any output that leads nearer to the destination, on a mesh. Channel 0 is the escape: it may be taken only
/// in dimension order; the other channels, of which there must be one, in any (Duato 1993).
std::shared_ptr<const routing> make_minimal_adaptive(const topology& mesh, unsigned channels);

}  // namespace spillway
