// Checks a router against the rules of packet links: replace `buffer_pool` by a module of your own.
#include <cstdio>
#include <spillway/hw/packet/buffer_pool.hpp>
#include <spillway/tb/conformance/conformance.hpp>

struct to_the_output_of_its_number : spillway::routing {
  spillway::port_mask outputs(unsigned, unsigned, const spillway::flit& f) const override {
    return spillway::port_mask{1} << f.destination % 4;
  }
};

int sc_main(int, char**) {
  const auto routes = std::make_shared<to_the_output_of_its_number>();
  spillway::buffer_pool_config config;
  config.inputs = config.outputs = 4;
  config.packet_length = 4;
  spillway::buffer_pool router("router", config, 0, routes, std::vector<spillway::link_end>(4));
  spillway::tb::conformance_options options;
  options.routes = [&](unsigned input, const spillway::flit& head) {
    return routes->outputs(0, input, head);
  };
  const auto report = spillway::tb::conformance(spillway::tb::device(router), options);
  for (const std::string& finding : report.findings) std::puts(finding.c_str());
  std::printf("%llu packets, %s\n", static_cast<unsigned long long>(report.packets),
              report.passed() ? "all right" : "not right");
  return report.passed() ? 0 : 1;
}
