// `spillway bench` with two sections of cases that take no time.
#include <cstdlib>
#include <spillway/tb/bench/bench.hpp>
#include <string_view>
#include <systemc>

namespace {

spillway::bench_section section(const std::string& prefix, std::vector<std::string> cases) {
  spillway::bench_section s;
  s.prefix = prefix;
  s.header = "table of " + prefix;
  s.cases = [cases](bool quick) { return quick ? std::vector{cases.front()} : cases; };
  s.measure = [](const std::string& name) { return nlohmann::json{{"case", name}}; };
  s.line = [](const nlohmann::json& result) { return "measured " + result.at("case").get<std::string>(); };
  return s;
}

}  // namespace

int sc_main(int argc, char** argv) {
  spillway::bench_options options;
  for (int i = 2; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--json") options.json = true;
    if (word == "--quick") options.quick = true;
    if (word == "--case" && i + 1 < argc) options.only = argv[++i];
  }
  return spillway::run_bench(options, {section("a:", {"a:1", "a:2"}), section("b:", {"b:1"})});
}

int main(int argc, char** argv) {
  setenv("SC_COPYRIGHT_MESSAGE", "DISABLE", 0);
  return sc_core::sc_elab_and_sim(argc, argv);
}
