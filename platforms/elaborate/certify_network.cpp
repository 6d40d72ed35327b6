#include <spillway/platforms/elaborate/certify_network.hpp>
#include <spillway/platforms/topology/certificate.hpp>

namespace spillway {

std::string certify_network(const network_plan& plan, const catalogue& all) {
  analysis_options buffers;
  all.of<switch_entry>().chosen(plan.config.switches).describe_buffers(plan.config.switches, buffers);
  return certificate(plan.shape, *plan.routes, buffers);
}

}  // namespace spillway
