#include <spillway/hw/combining/combining_switch.hpp>
#include <spillway/platforms/combining/combining_kind.hpp>
#include <stdexcept>

namespace spillway {

namespace {

using nlohmann::json;

std::unique_ptr<network_block> make_switch(const switch_context& context) {
  const json& p = context.parameters;
  combining_switch_config config;
  config.inputs = context.inputs;
  config.outputs = context.outputs;
  config.depth = p.at("depth");
  config.return_depth = p.at("return_depth");
  config.combining.degree = p.at("degree");
  config.combining.records = p.at("wait_buffer");
  config.combining.in_service = p.at("in_service");
  return std::make_unique<combining_switch>(context.name.c_str(), config, context.node, context.routes);
}

}  // namespace

switch_kind combining_kind() {
  switch_kind kind;
  kind.make = make_switch;
  kind.mirrored = true;
  kind.plan = [](const switch_plan_context& context) -> std::shared_ptr<const switch_plan> {
    if (context.packet_length != 1)
      throw std::invalid_argument("combining switches move messages of one flit, found packets of " +
                                  std::to_string(context.packet_length));
    return nullptr;
  };
  return kind;
}

}  // namespace spillway
