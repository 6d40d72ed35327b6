#pragma once
#include <memory>
#include <spillway/hw/endpoints/endpoints.hpp>
#include <spillway/hw/endpoints/memory_front.hpp>
#include <spillway/platforms/catalogue/entry.hpp>
#include <spillway/platforms/config/document.hpp>
#include <string>

namespace spillway {

/// What serves the requests of memory modules: `interface: {kind: memory, module: NAME}`.
class memory_front_entry : public catalogue_entry {
public:
  using axis_entry = memory_front_entry;
  static axis_place place() { return {"interface", "module"}; }

  /// @param parameters the `interface` section, defaults filled in
  /// nullptr: the module answers each request after its latency.
  virtual std::unique_ptr<memory_front> make(const std::string& name, unsigned terminal,
                                             const nlohmann::json& parameters,
                                             endpoint_observer& observer) const = 0;
  /// Whether requests are answered in the order in which they come.
  virtual bool keeps_order(const nlohmann::json& /*parameters*/) const { return true; }
  /// The section `interface` of an experiment, with what an input file that it names says in its place.
  /// Throws config_error with the file's line.
  virtual nlohmann::json completed(const document& experiment) const {
    return experiment.root.at("interface");
  }
  /// Why a section does not fit an experiment; empty: it does.
  virtual std::string objection_to(const nlohmann::json& /*parameters*/,
                                   const nlohmann::json& /*root*/) const {
    return {};
  }

protected:
  using catalogue_entry::catalogue_entry;
};

/// `module: fixed`: as many requests as come, each after the latency.
class fixed_memory final : public memory_front_entry {
public:
  fixed_memory() : memory_front_entry("fixed") {}
  nlohmann::json schema() const override {
    return {{"description", "Every request is answered after the latency, however many there are."}};
  }
  std::unique_ptr<memory_front> make(const std::string&, unsigned, const nlohmann::json&,
                                     endpoint_observer&) const override {
    return nullptr;
  }
};

}  // namespace spillway
