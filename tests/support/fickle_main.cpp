// The command `spillway` with a broken switch, `switch: {kind: fickle}`: now and then it shows another flit
// on its first output than the one that waits there.
#include <cstdlib>
#include <spillway/hw/packet/buffer_pool.hpp>
#include <spillway/tb/command/command.hpp>

namespace {

using namespace spillway;

class fickle_switch : public buffer_pool {
public:
  explicit fickle_switch(const switch_context& c)
      : buffer_pool(c.name.c_str(), config_for(c), c.node, c.routes, c.neighbours) {}

private:
  static buffer_pool_config config_for(const switch_context& c) {
    buffer_pool_config config;
    config.inputs = c.inputs;
    config.outputs = c.outputs;
    config.packet_length = c.packet_length;
    return config;
  }
  void tick() override {
    wake_at(cycle() + 1);
    buffer_pool::tick();
    if (cycle() % 100 == 99) {
      flit f = out[0].data.read();
      ++f.sequence;
      out[0].data.write(f);
    }
  }
};

class fickle_entry final : public switch_entry {
public:
  fickle_entry() : switch_entry("fickle") {}
  nlohmann::json schema() const override {
    return {{"description", "A packet switch that cannot make up its mind."}};
  }
  std::unique_ptr<network_block> make(const switch_context& context) const override {
    return std::make_unique<fickle_switch>(context);
  }
};

}  // namespace

int sc_main(int argc, char** argv) {
  catalogue all = standard_catalogue();
  all.add<fickle_entry>();
  return command(argc, argv, all);
}

int main(int argc, char** argv) {
  setenv("SC_COPYRIGHT_MESSAGE", "DISABLE", 0);
  return sc_core::sc_elab_and_sim(argc, argv);
}
