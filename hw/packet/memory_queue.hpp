#pragma once
#include <memory>
#include <spillway/hw/packet/buffer_pool.hpp>
#include <spillway/hw/packet/memory_link.hpp>
#include <vector>

namespace spillway {

/// Switch of the last stage: its output queues are the memory queues. Such a queue may be longer than the
/// others, takes a request from every input in the same cycle, and shows its length to the memory (Farrens,
/// Wetmore and Woodruff, section 4.1).
class memory_queue final : public buffer_pool {
public:
  using length_pin = output<std::uint16_t>;  ///< flits in the queue, 0 to `memory_depth`

  /// `config.memory_depth`: flits of the queues that lead to a terminal. All else is as for a plain pool.
  /// Throws std::invalid_argument unless the organisation is buffering::output.
  memory_queue(const sc_core::sc_module_name& name, const buffer_pool_config& config, unsigned node,
               const std::shared_ptr<const routing>& routes, const std::vector<link_end>& neighbours);

  /// `length<o>`; throws std::out_of_range for an output that there is not, or that leads to no terminal.
  length_pin& length(unsigned o);

  /// The link of a memory queue is a memory_link.
  void connect_output(unsigned port, network_link& l) override;

private:
  void reset() override;
  void tick() override;
  void show_lengths();

  const unsigned unshown_;                            // flits of a packet whose tail has not come
  std::vector<std::unique_ptr<length_pin>> lengths_;  // by output; none for those that lead elsewhere
};

}  // namespace spillway
