#pragma once
#include <spillway/hw/feedback/feedback_link.hpp>
#include <spillway/platforms/elaborate/link_entry.hpp>

namespace spillway {

class feedback_lines_entry final : public link_entry {
public:
  feedback_lines_entry() : link_entry("feedback_lines") {}
  std::string description() const override {
    return "One line a memory module, which all interfaces see at once; read 64 to a word.";
  }
  std::vector<link_pin> pins() const override { return {{"0"}}; }
  std::vector<std::string> rules() const override { return {"FL2"}; }
};

}  // namespace spillway
