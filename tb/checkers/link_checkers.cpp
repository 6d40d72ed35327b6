#include <spillway/tb/checkers/circuit_checker.hpp>
#include <spillway/tb/checkers/link_checkers.hpp>
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

}  // namespace

std::map<std::string, link_checker_maker> standard_checkers() {
  return {{"circuit", check_circuits}, {"packet", check_packets}};
}

}  // namespace spillway
