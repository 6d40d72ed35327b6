#pragma once
#include <algorithm>
#include <cstdint>
#include <spillway/hw/links/flit.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace spillway {

/// The way by which a request came to a node, which it bears itself: a stack of ports in the interface's word
/// of its flit. Each node puts on it the one by which the request came, and takes it from there when the
/// reply is back. So a reply goes the way of its request in reverse, whatever the routing, and no node keeps
/// anything of a request that has passed it. The terminal that answers copies the word into its reply.
///
/// The word is a number to which each node adds a digit, of as many values as it has ports to other nodes, at
/// least 2. At first it is 1, so 1 is a way that is over and 0 none at all. A plain part.
class return_way {
public:
  static constexpr unsigned bits = 40;  ///< of the word

  /// Of a node whose ports to other nodes are these.
  explicit return_way(std::vector<unsigned> ports)
      : ports_(std::move(ports)), radix_(radix_of(ports_.size())) {
    for (unsigned i = 0; i < ports_.size(); ++i) {
      if (digit_.size() <= ports_[i]) digit_.resize(ports_[i] + 1);
      digit_[ports_[i]] = i;
    }
  }

  /// Nodes with so many ports to others each that a way may pass.
  static unsigned longest(std::size_t ports) {
    unsigned nodes = 0;
    for (std::uint64_t word = 2; (word *= radix_of(ports)) <= std::uint64_t{1} << bits;) ++nodes;
    return nodes;
  }

  /// A request enters the network here.
  static void begin(flit& f) { f.interface_word = 1; }
  /// It is borne by a reply, too.
  static bool has_one(const flit& f) { return f.interface_word != 0; }
  /// The reply is where its request began.
  static bool is_over(const flit& f) { return f.interface_word == 1; }

  /// The request has come in by `port`. std::logic_error when the word has no room.
  void add(flit& f, unsigned port) const {
    const std::uint64_t word = f.interface_word * radix_ + digit_.at(port);
    if (word >> bits)
      throw std::logic_error("a way longer than the " + std::to_string(bits) + " bits of a word");
    f.interface_word = word;
  }
  /// The port by which it came in, which is forgotten.
  unsigned take(flit& f) const {
    const std::uint64_t word = f.interface_word;
    f.interface_word = word / radix_;
    return ports_.at(word % radix_);
  }

private:
  static std::uint64_t radix_of(std::size_t ports) { return std::max<std::size_t>(ports, 2); }

  std::vector<unsigned> ports_;  // by digit
  std::vector<unsigned> digit_;  // by port
  std::uint64_t radix_;
};

}  // namespace spillway
