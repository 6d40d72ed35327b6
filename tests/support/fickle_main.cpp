// The command `spillway` with switches of a user's own. Two are broken: `switch: {kind: fickle}` now and then
// shows another flit on its first output than the one that waits there; `{kind: drowsy}` does so only while
// no flit is shown, which breaks no rule, but it does not ask to be called for it. `{kind: generous}` takes
// more than it has places for. `{kind: counted}` has links of a kind of its own.
#include <cstdlib>
#include <spillway/hw/packet/buffer_pool.hpp>
#include <spillway/platforms/elaborate/switch_entry.hpp>
#include <spillway/tb/command/command.hpp>

#include "counted_switch.hpp"

namespace {

using namespace spillway;

class fickle_switch : public buffer_pool {
public:
  fickle_switch(const switch_context& c, bool drowsy)
      : buffer_pool(c.name.c_str(), config_for(c), c.node, c.routes, c.neighbours), drowsy_(drowsy) {}

private:
  static buffer_pool_config config_for(const switch_context& c) {
    buffer_pool_config config;
    config.inputs = c.inputs;
    config.outputs = c.outputs;
    config.packet_length = c.packet_length;
    return config;
  }
  void tick() override {
    buffer_pool::tick();
    if (!drowsy_) wake_at(cycle() + 1);
    if (cycle() % 100 != 99 || (drowsy_ && level() > 0)) return;
    flit f = out[0].data.read();
    ++f.payload;
    out[0].data.write(f);
  }

  const bool drowsy_;
};

/// Or rather, it has fewer places than it says.
class generous_switch final : public fickle_switch {
public:
  explicit generous_switch(const switch_context& c) : fickle_switch(c, true) {}
  unsigned capacity() const override { return fickle_switch::capacity() / 8; }
};

class generous_entry final : public switch_entry {
public:
  generous_entry() : switch_entry("generous") {}
  nlohmann::json schema() const override {
    return {{"description", "A packet switch that takes more than it has places for."}};
  }
  std::unique_ptr<network_block> make(const switch_context& context) const override {
    return std::make_unique<generous_switch>(context);
  }
};

class fickle_entry final : public switch_entry {
public:
  fickle_entry(const char* name, bool drowsy) : switch_entry(name), drowsy_(drowsy) {}
  nlohmann::json schema() const override {
    return {{"description", "A packet switch that cannot make up its mind."}};
  }
  std::unique_ptr<network_block> make(const switch_context& context) const override {
    return std::make_unique<fickle_switch>(context, drowsy_);
  }

private:
  const bool drowsy_;
};

}  // namespace

int sc_main(int argc, char** argv) {
  catalogue all = standard_catalogue();
  all.add<fickle_entry>("fickle", false);
  all.add<fickle_entry>("drowsy", true);
  all.add<generous_entry>();
  all.add<testing_support::counted_entry>();
  return command(argc, argv, all);
}

int main(int argc, char** argv) {
  setenv("SC_COPYRIGHT_MESSAGE", "DISABLE", 0);
  return sc_core::sc_elab_and_sim(argc, argv);
}
