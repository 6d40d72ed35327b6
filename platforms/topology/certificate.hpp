#pragma once
#include <spillway/hw/switching/routing.hpp>
#include <spillway/platforms/topology/analysis.hpp>
#include <spillway/platforms/topology/topology.hpp>
#include <string>

namespace spillway {

/// A proof that a network is free of deadlock, as a text that `spillway-certify` verifies without any of our
/// code: the links, for every channel the way on of every packet that may hold it, and an order of the
/// channels by which every packet waits for a higher one than it holds. docs/networks.md has its format.
/// Unlike analyse() it follows all routes, never a sample.
/// Throws std::invalid_argument if there is no such order, if some packet has no way on, if nothing waits in
/// the network, or if buffers are ordered by hops; std::length_error if there are more than `options.most`
/// pairs of terminals, times routes written at the entry, to be followed one by one.
std::string certificate(const topology& shape, const routing& routes, const analysis_options& options);

/// What is known of an order of the escape channels by which every packet, whatever way it takes, waits for a
/// higher one than it holds: then none wait for each other.
enum class escape_order {
  none,         ///< none is found soon: there may be one
  of_a_sample,  ///< the packets that were followed keep to one
  of_all        ///< all packets keep to one
};

/// Follows all routes or, past `options.most` pairs, an even sample of them that is as much work.
escape_order order_of_escapes(const topology& shape, const routing& routes, const analysis_options& options);

}  // namespace spillway
