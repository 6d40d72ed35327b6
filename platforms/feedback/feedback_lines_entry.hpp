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
  std::unique_ptr<clocked> make_watch(network_link& l, const std::string& name, unsigned number,
                                      link_listener& to) const override {
    return std::make_unique<line_watch>(name.c_str(), link_cast<feedback_lines>(l), number, to);
  }

private:
  /// Tells how long each module was hot.
  class line_watch final : public clocked {
  public:
    line_watch(const sc_core::sc_module_name& name, feedback_lines& lines, unsigned number, link_listener& to)
        : clocked(name),
          words_(feedback_lines::words(lines.modules()), "words"),
          hot_since_(lines.modules(), cool),
          number_(number),
          to_(to) {
      lines.connect_words(words_);
    }
    ~line_watch() override { all_cool(); }

  private:
    static constexpr std::uint64_t cool = ~std::uint64_t{0};
    void reset() override { all_cool(); }
    void tick() override {
      for (std::size_t m = 0; m < hot_since_.size(); ++m)
        set(m, words_[m / feedback_lines::lines_a_word].read() >> m % feedback_lines::lines_a_word & 1);
    }
    void all_cool() {
      for (std::size_t m = 0; m < hot_since_.size(); ++m) set(m, false);
    }
    void set(std::size_t module, bool hot) {
      std::uint64_t& since = hot_since_[module];
      if (hot == (since != cool)) return;
      if (!hot && cycle() > since) to_.says(number_, since, cycle(), "hot", std::to_string(module));
      since = hot ? cycle() : cool;
    }

    row<input<feedback_lines::word>> words_;
    std::vector<std::uint64_t> hot_since_;  // by module
    const unsigned number_;
    link_listener& to_;
  };
};

}  // namespace spillway
