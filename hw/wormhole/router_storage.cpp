#include <algorithm>
#include <spillway/hw/wormhole/wormhole_router.hpp>

// What a circuit of a router would store.

namespace spillway {

template <class Set>
hardware_size basic_wormhole_router<Set>::storage() const {
  const std::uint64_t lanes = config_.lanes();
  const std::uint64_t outputs = lanes * config_.outputs.size();
  const std::uint64_t channels = flits_.size() / config_.depth;
  hardware_size all{capacity(), 0, 0};
  // Of an input channel: its ring, its state, and the output channel that it has.
  all.bits += channels *
              (std::uint64_t{bits_below(config_.depth)} + bits_to(config_.depth) + 2 + bits_below(outputs));
  // Of an output channel whether it is free; the turns of channels for it, for its link, and of an input's.
  all.bits += outputs * (1 + bits_below(channels)) + config_.outputs.size() * bits_below(channels);
  all.bits += config_.inputs.size() * bits_below(lanes);
  if (config_.drops) all.bits += flits_.size() * time_bits;
  if (watches_terminals_) {
    // Of a flit and of those that still come its terminal, and by which input a packet goes back.
    const unsigned of_terminal = bits_to(config_.outputs.size());
    all.bits += (flits_.size() + channels) * of_terminal + channels * bits_below(config_.inputs.size());
    const auto terminals = std::count_if(config_.outputs.begin(), config_.outputs.end(),
                                         [](const auto& o) { return o.terminal; });
    all.bits +=
        static_cast<std::uint64_t>(terminals) * (bits_to(capacity()) + config_.drops->bits_of_terminal());
  }
  return all;
}

template hardware_size basic_wormhole_router<word_set>::storage() const;
template hardware_size basic_wormhole_router<two_level_set>::storage() const;

}  // namespace spillway
