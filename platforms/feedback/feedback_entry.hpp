#pragma once
#include <spillway/platforms/feedback/memory_entry.hpp>

namespace spillway {

/// `interface: {kind: feedback}`: the same, with feedback from the memory queues to the processors'
/// interfaces (Farrens, Wetmore and Woodruff): thresholds, announcements, bleeding and limiting.
class feedback_interface_entry final : public memory_interface_entry {
public:
  explicit feedback_interface_entry(catalogue& all) : memory_interface_entry("feedback", all) {}

  nlohmann::json schema() const override;
  std::unique_ptr<terminal_unit> make(terminal_context context) const override;
  std::unique_ptr<platform_part> share(const shared_context& context) const override;
  std::vector<objection> object_to(const experiment_view& experiment) const override;
};

}  // namespace spillway
