#include <spillway/hw/packet/memory_queue.hpp>
#include <stdexcept>

namespace spillway {

memory_queue::memory_queue(const sc_core::sc_module_name& name, const buffer_pool_config& config,
                           unsigned node, const std::shared_ptr<const routing>& routes,
                           const std::vector<link_end>& neighbours)
    : buffer_pool(name, config, node, routes, neighbours),
      unshown_(config.mode == switching::store_and_forward ? config.packet_length - 1 : 0),
      lengths_(config.outputs) {
  if (config.organisation != buffering::output)
    throw std::invalid_argument("a memory queue is the queue of an output");
  for (unsigned o = 0; o < config.outputs; ++o)
    if (neighbours[o].terminal) lengths_[o] = std::make_unique<length_pin>("length" + std::to_string(o));
}

memory_queue::length_pin& memory_queue::length(unsigned o) {
  if (o < lengths_.size() && lengths_[o]) return *lengths_[o];
  throw std::out_of_range("expected an output that leads to a terminal, found output " + std::to_string(o) +
                          " of " + name());
}

void memory_queue::connect_output(unsigned port, network_link& l) {
  buffer_pool::connect_output(port, l);
  if (!lengths_[port]) return;
  auto& memory = link_cast<memory_link>(l);
  memory.connect_length(*lengths_[port]);
  memory.set_unshown(unshown_);
}

void memory_queue::reset() {
  buffer_pool::reset();
  show_lengths();
}

void memory_queue::tick() {
  buffer_pool::tick();
  show_lengths();
}

void memory_queue::show_lengths() {
  for (unsigned o = 0; o < lengths_.size(); ++o)
    if (lengths_[o]) lengths_[o]->write(static_cast<std::uint16_t>(level(o)));
}

}  // namespace spillway
