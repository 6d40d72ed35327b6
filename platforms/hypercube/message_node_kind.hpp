#pragma once
#include <spillway/platforms/catalogue/block_kinds.hpp>

namespace spillway {

/// Nodes of store-and-forward networks of messages, whose links are queueing centres. On hypercubes the links
/// of dimensions past the clusters' have a rate of their own.
switch_kind message_node_kind();

}  // namespace spillway
