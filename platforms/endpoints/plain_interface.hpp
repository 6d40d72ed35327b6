#pragma once
#include <spillway/platforms/elaborate/interface_entry.hpp>

namespace spillway {

/// `interface: {kind: plain}`: a source and a sink.
class plain_interface_entry final : public interface_entry {
public:
  plain_interface_entry() : interface_entry("plain") {}

  nlohmann::json schema() const override;
  std::unique_ptr<terminal_unit> make(terminal_context context) const override;
  bool answers() const override { return true; }
};

}  // namespace spillway
