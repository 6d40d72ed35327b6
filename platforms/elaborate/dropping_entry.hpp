#pragma once
#include <memory>
#include <spillway/hw/switching/drop_rule.hpp>
#include <spillway/platforms/catalogue/catalogue.hpp>

namespace spillway {

/// What a maker of drop rules is told.
struct dropping_context {
  unsigned networks = 1;             ///< logical networks on the links
  unsigned outputs = 0;              ///< of the switch
  unsigned packet_length = 1;        ///< flits of the longest packet
  const nlohmann::json& parameters;  ///< the `dropping` section, defaults filled in
  const nlohmann::json& stages;      ///< the `stages` section, likewise
};

/// What the switches drop instead of letting it wait; nothing where the section `dropping` is left out. What
/// is dropped must be sent again by the interfaces.
class dropping_entry : public catalogue_entry {
public:
  using axis_entry = dropping_entry;
  static axis_place place() { return {"dropping", "kind"}; }

  /// One for each switch. Throws std::invalid_argument if it does not fit the stages.
  virtual std::shared_ptr<drop_rule> make(const dropping_context& context) const = 0;
  /// Whether what remains goes back from a packet's last switch (dropped_remains::returns).
  virtual bool returns() const { return false; }

protected:
  using catalogue_entry::catalogue_entry;
};

}  // namespace spillway
