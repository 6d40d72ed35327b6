// So many flits go from block to block, through what every mechanism offers, with all checks on, and none is
// lost, duplicated, misordered or changed on its way.
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "support/small_networks.hpp"
#include "support/studies.hpp"

namespace {

using nlohmann::json;

class many_hops : public studies {
protected:
  /// Flits that crossed links in a run of so many cycles in heavy use.
  double hops(const small_network& n, double cycles) {
    // Nodes without a bound would take as much as ever comes.
    const bool bounded = n.lines.find("message_node") == std::string::npos;
    const std::string load = bounded ? "injection: saturated" : "rate: 0.05";
    write("n.yaml", "name: n\n" + n.lines + "packet: {length: " + std::to_string(n.packet_length) +
                        "}\nmeasure: {interval: 100000, limit: 4000000000}\nchecks: {deadlock: false}\n" +
                        "traffic:\n  - {pattern: hotspot, targets: [1, 6], fraction: 0.1, " + load +
                        ", cycles: " + std::to_string(static_cast<std::uint64_t>(cycles)) + "}\n");
    const process_result r = spillway("run n.yaml --no-report --out out");
    EXPECT_EQ(r.status, 0) << n.name << ": " << r.output;
    const json result = json::parse(read_text(folder / "out/result.json"), nullptr, false);
    if (!result.is_object()) return 0;
    EXPECT_EQ(result["status"], "ok") << n.name;
    EXPECT_EQ(result["delivered"], result["created"]) << n.name;
    for (const char* fault : {"lost", "duplicated", "misordered", "corrupted", "violations"})
      EXPECT_EQ(result[fault], 0) << n.name << ": " << fault;
    double crossed = 0;
    const std::vector<std::string> links = lines("out/links.csv");
    for (std::size_t i = 1; i < links.size(); ++i) {
      std::vector<std::string> fields;
      std::istringstream line(links[i]);
      for (std::string field; std::getline(line, field, ',');) fields.push_back(field);
      crossed += std::stod(fields.at(4));
    }
    return crossed;
  }
  /// So many in all, the same in each network.
  void lose_nothing(double in_all) {
    double crossed = 0;
    for (const small_network& n : small_networks()) {
      constexpr double trial = 2000;
      const double a_cycle = hops(n, trial) / trial, each = in_all / double(small_networks().size());
      ASSERT_GT(a_cycle, 0.05) << n.name;
      // Long runs may be slower than the trial: what is missing is made up for in another one.
      double moved = 0;
      while (moved < each) {
        const double more = hops(n, 1.02 * (each - moved) / a_cycle + trial);
        ASSERT_GT(more, 0) << n.name;
        moved += more;
      }
      RecordProperty(n.name, std::to_string(moved));
      crossed += moved;
    }
    std::printf("%.4g flit hops, %zu networks\n", crossed, small_networks().size());
    EXPECT_GE(crossed, in_all);
  }
};

TEST_F(many_hops, lose_nothing) { lose_nothing(2e5); }

TEST_F(many_hops, campaign_of_SPILLWAY_HOPS) {
  const char* const many = std::getenv("SPILLWAY_HOPS");
  lose_nothing(many ? std::atof(many) : 3e7);
}

}  // namespace
