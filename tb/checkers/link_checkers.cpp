#include <spillway/hw/interfaces/nifdy_view.hpp>
#include <spillway/tb/checkers/circuit_checker.hpp>
#include <spillway/tb/checkers/link_checkers.hpp>
#include <spillway/tb/checkers/nifdy_checker.hpp>
#include <spillway/tb/checkers/packet_checker.hpp>

namespace spillway {

namespace {

std::unique_ptr<clocked> check_packets(link& l, const violation_handler& handler) {
  packet_checker_config config;
  config.link = l.name();
  auto checker = std::make_unique<packet_checker>(("check_" + l.name()).c_str(), config, handler);
  link_cast<packet_link>(l).connect(*checker);
  return checker;
}

std::unique_ptr<clocked> check_circuits(link& l, const violation_handler& handler) {
  circuit_checker_config config;
  config.link = l.name();
  auto checker = std::make_unique<circuit_checker>(("check_" + l.name()).c_str(), config, handler);
  link_cast<circuit_link>(l).connect(*checker);
  return checker;
}

std::unique_ptr<clocked> check_nifdy(link& l, const violation_handler& handler) {
  auto& view = link_cast<nifdy_view>(l);
  nifdy_checker_config config;
  config.unit = l.name();
  config.links = view.unit.networks;
  config.outstanding = view.unit.outstanding;
  config.dialogs = view.unit.dialogs;
  config.window = view.unit.window;
  config.lossy = view.unit.lossy();
  auto checker = std::make_unique<nifdy_checker>(("check_" + l.name()).c_str(), config, handler);
  for (unsigned n = 0; n < config.links; ++n) {
    view.to_network[n]->connect(checker->to_network[n]);
    view.from_network[n]->connect(checker->from_network[n]);
  }
  view.to_processor.connect(checker->to_processor);
  return checker;
}

}  // namespace

std::map<std::string, link_checker_maker> standard_checkers() {
  return {{"circuit", check_circuits}, {"nifdy", check_nifdy}, {"packet", check_packets}};
}

}  // namespace spillway
