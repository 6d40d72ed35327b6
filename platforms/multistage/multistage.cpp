#include <functional>
#include <spillway/platforms/multistage/multistage.hpp>
#include <spillway/platforms/topology/limits.hpp>

namespace spillway {

using namespace detail;

multistage_shape::multistage_shape(const nlohmann::json& parameters)
    : multistage_shape(parameters.at("radix").get<unsigned>(), parameters.at("stages").get<unsigned>(),
                       parameters.value("terminals", std::uint64_t{0}), parameters.value("dilation", 1u)) {}

double multistage_shape::lines() const {
  double all = 1;
  for (unsigned s = 0; s < stages; ++s) all *= radix;
  return all;
}

topology_size multistage_shape::size() const {
  const double joined = terminals ? static_cast<double>(terminals) : lines();
  return {joined, lines() / radix * stages, lines() * dilation * (stages - 1.0) + 2 * joined,
          static_cast<double>(radix) * dilation};
}

void check_multistage(const multistage_shape& shape) {
  expect(shape.radix >= 2 && shape.radix <= most_ports,
         "expected a radix of 2..64, found " + std::to_string(shape.radix));
  expect(shape.stages >= 1, "expected at least 1 stage, found 0");
}

namespace {

/// Stages of radix x radix switches; `next(stage, line)`: where line `line` behind `stage` (-1: of the
/// terminals) leads before the next stage.
topology make_multistage(const multistage_shape& shape,
                         const std::function<unsigned(int stage, unsigned line)>& next) {
  const unsigned radix = shape.radix, stages = shape.stages, lines = power(radix, stages);
  expect(shape.terminals <= lines,
         "expected 1.." + std::to_string(lines) + " terminals, found " + std::to_string(shape.terminals));
  const auto terminals = static_cast<unsigned>(shape.size().terminals);
  topology t;
  t.known = std::make_shared<multistage_shape>(shape);
  t.least_ports = radix;
  for (unsigned i = 0; i < terminals; ++i) t.add_terminal();
  for (unsigned stage = 0; stage < stages; ++stage)
    for (unsigned s = 0; s < lines / radix; ++s) t.add_switch(stage);
  const auto at = [&](unsigned stage, unsigned line) {
    return t.switches[stage * (lines / radix) + line / radix];
  };
  for (unsigned i = 0; i < terminals; ++i) {
    const unsigned line = next(-1, i);
    t.add_link(t.terminals[i], 0, at(0, line), line % radix);
  }
  for (unsigned stage = 0; stage + 1 < stages; ++stage) {
    for (unsigned i = 0; i < lines; ++i) {
      const unsigned line = next(static_cast<int>(stage), i);
      t.add_link(at(stage, i), i % radix, at(stage + 1, line), line % radix);
    }
  }
  for (unsigned i = 0; i < terminals; ++i) t.add_link(at(stages - 1, i), i % radix, t.terminals[i], 0);
  return t;
}

}  // namespace

topology make_butterfly(const multistage_shape& shape) {
  check_multistage(shape);
  const unsigned radix = shape.radix, stages = shape.stages;
  return make_multistage(shape, [=](int stage, unsigned line) {
    if (stage < 0) return line;
    const unsigned place = power(radix, stages - 1 - static_cast<unsigned>(stage));
    const unsigned last = line % radix, digit = line / place % radix;
    return line - digit * place - last + last * place + digit;
  });
}

topology make_omega(const multistage_shape& shape) {
  check_multistage(shape);
  const unsigned radix = shape.radix, lines = power(radix, shape.stages);
  return make_multistage(shape,
                         [=](int, unsigned line) { return line * radix % lines + line / (lines / radix); });
}

topology make_crossbar(std::uint64_t terminals) {
  expect(terminals >= 1 && terminals <= most_ports,
         "expected 1.." + std::to_string(most_ports) + " terminals, found " + std::to_string(terminals));
  return make_multistage({static_cast<unsigned>(terminals), 1}, [](int, unsigned line) { return line; });
}

nlohmann::json radix_key() {
  return {{"type", "integer"},
          {"minimum", 2},
          {"maximum", 64},
          {"default", 2},
          {"description", "Inputs and outputs of a switch."}};
}

nlohmann::json stages_key() {
  return {{"type", "integer"},
          {"minimum", 1},
          {"maximum", 40},
          {"description", "Switch stages between source and destination."}};
}

nlohmann::json terminals_key() {
  return {{"type", "integer"},
          {"minimum", 1},
          {"maximum", 1099511627776},
          {"description", "Terminals; radix^stages when left out."}};
}

}  // namespace spillway
