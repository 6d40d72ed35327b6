#pragma once
#include <spillway/tb/traffic/entries.hpp>
#include <spillway/tb/traffic/patterns/any_terminal.hpp>

namespace spillway {

/// A fraction of the packets goes to a few targets, the rest is uniform (Pfister and Norton, 1985).
class hotspot_pattern final : public pattern {
public:
  /// `fraction`: of the packets of `sources` (empty: all terminals) that goes to `targets`. Without targets
  /// all is uniform, but with a fraction of 1, with which nothing is sent.
  hotspot_pattern(std::uint32_t terminals, double fraction, std::vector<std::uint32_t> targets,
                  std::vector<bool> sources = {}, std::vector<bool> spared = {})
      : any_(terminals, std::move(spared)),
        silent_(targets.empty() && fraction == 1),
        fraction_(targets.empty() ? 0 : fraction),
        targets_(std::move(targets)),
        sources_(std::move(sources)) {}

  void address(packet_order& packet, std::uint32_t terminal, std::uint64_t,
               random_stream& random) const override {
    if ((sources_.empty() || sources_[terminal]) && uniform(random) < fraction_) {
      packet.kind = flit_kind::combinable;
      packet.destination = draw_target(targets_, random);
    } else {
      packet.destination = any_.draw(random);
    }
  }
  bool silent(std::uint32_t) const override { return silent_; }
  std::vector<std::uint32_t> hotspots() const override { return targets_; }

private:
  const any_terminal any_;
  const bool silent_;
  const double fraction_;
  const std::vector<std::uint32_t> targets_;
  const std::vector<bool> sources_;
};

class hotspot_entry final : public pattern_entry {
public:
  hotspot_entry() : pattern_entry("hotspot") {}
  nlohmann::json schema() const override {
    return parse_schema(R"({
      "description": "A fraction of the packets goes to a few targets, the rest is uniform (Pfister and Norton, 1985).",
      "required": ["fraction"],
      "properties": {
        "targets": {
          "type": ["array", "string"], "minItems": 1, "items": { "$ref": "#/definitions/terminal" },
          "default": [0],
          "description": "Terminals that are hot: a list, or `stopped` for those that have stopped; if none has, nothing is hot."
        },
        "fraction": {
          "type": "number", "minimum": 0, "maximum": 1,
          "description": "Fraction of the packets that goes to a target."
        },
        "sources": {
          "type": "number", "minimum": 0, "maximum": 1, "default": 1,
          "description": "Share of the terminals whose traffic has the hot spot; that of the others is uniform."
        },
        "placement": {
          "enum": ["first", "random"], "default": "first",
          "description": "Which terminals those are: the ones with the lowest numbers, or any, by the seed."
        },
        "spare": { "$ref": "#/definitions/spare" },
        "spare_stopped": { "$ref": "#/definitions/spare_stopped" }
      }
    })");
  }
  std::shared_ptr<const pattern> make(const traffic_context& c) const override {
    const nlohmann::json& section = c.section();
    const double share = section.at("sources");
    std::vector<bool> sources;
    if (share < 1)
      sources = choose_terminals(share, c.terminals, section.at("placement") == "random", c.seed);
    return std::make_shared<hotspot_pattern>(c.terminals, section.at("fraction"), targets_of(c),
                                             std::move(sources), spared_terminals(c));
  }

private:
  static std::vector<std::uint32_t> targets_of(const traffic_context& c) {
    const nlohmann::json& targets = c.section().at("targets");
    if (targets.is_array()) return c.terminal_list("targets");
    if (targets != "stopped")
      c.fail("targets", "expected a list of terminals or 'stopped', found " + targets.dump());
    return c.stopped;
  }
};

}  // namespace spillway
