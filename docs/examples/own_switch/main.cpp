// The command `spillway` with a switch of our own: `switch: {kind: bufferless}` in any experiment.
#include <cstdlib>
#include <spillway/platforms/elaborate/switch_entry.hpp>
#include <spillway/tb/command/command.hpp>

namespace {

using namespace spillway;

/// A switch with one flit of storage an output. An output takes a flit from the first input, in turns,
/// that wants it, and only while it is empty.
class bufferless_switch : public switch_block {
public:
  bufferless_switch(const switch_context& context, bool fair)
      : switch_block(context.name.c_str(), context.inputs, context.outputs),
        node_(context.node),
        routes_(context.routes),
        fair_(fair),
        held_(context.outputs),
        full_(context.outputs),
        granted_(context.inputs, nobody) {}

  unsigned level() const override {
    unsigned flits = 0;
    for (const bool full : full_) flits += full;
    return flits;
  }
  unsigned capacity() const override { return static_cast<unsigned>(full_.size()); }

private:
  static constexpr unsigned nobody = ~0u;

  void reset() override {
    lost_ += level();
    for (unsigned o = 0; o < full_.size(); ++o) {
      full_[o] = false;
      out[o].valid.write(false);
    }
    for (unsigned i = 0; i < granted_.size(); ++i) {
      granted_[i] = nobody;
      in[i].ready.write(0);
    }
  }

  void tick() override {
    for (unsigned o = 0; o < full_.size(); ++o)
      if (full_[o] && (out[o].ready.read() & 1)) {
        full_[o] = false;
        ++forwarded_;
      }
    for (unsigned i = 0; i < granted_.size(); ++i)
      if (granted_[i] != nobody && in[i].valid.read()) {
        held_[granted_[i]] = in[i].data.read();
        held_[granted_[i]].lane = 0;
        full_[granted_[i]] = true;
      }
    grant();
    bool busy = level() > 0;
    for (unsigned o = 0; o < full_.size(); ++o) {
      out[o].valid.write(full_[o]);
      if (full_[o]) out[o].data.write(held_[o]);
    }
    for (unsigned i = 0; i < granted_.size(); ++i) {
      in[i].ready.write(granted_[i] != nobody);
      busy |= in[i].valid.read() || granted_[i] != nobody;
    }
    if (busy) wake_at(cycle() + 1);
  }

  /// An input that shows a flit is granted its output for the next edge, at which the flit is still there.
  void grant() {
    std::vector<bool> promised = full_;
    const auto inputs = static_cast<unsigned>(granted_.size());
    std::vector<unsigned> next(inputs, nobody);
    for (unsigned turn = 0; turn < inputs; ++turn) {
      const unsigned i = (first_ + turn) % inputs;
      if (!in[i].valid.read() || granted_[i] != nobody) continue;
      const auto o = static_cast<unsigned>(__builtin_ctzll(routes_->outputs(node_, i, in[i].data.read())));
      if (promised[o]) continue;
      promised[o] = true;
      next[i] = o;
      if (fair_) first_ = i + 1;
    }
    granted_ = next;
  }

  const unsigned node_;
  const std::shared_ptr<const routing> routes_;
  const bool fair_;
  std::vector<flit> held_;
  std::vector<bool> full_;
  std::vector<unsigned> granted_;  // by input: the output that its next flit goes to
  unsigned first_ = 0;
};

class bufferless_entry : public switch_entry {
public:
  bufferless_entry() : switch_entry("bufferless") {}

  nlohmann::json schema() const override {
    return {{"description", "One flit of storage an output."},
            {"properties",
             {{"fair",
               {{"type", "boolean"},
                {"default", true},
                {"description", "Whether the inputs have their turns."}}}}}};
  }
  std::unique_ptr<network_block> make(const switch_context& context) const override {
    return std::make_unique<bufferless_switch>(context, context.parameters.at("fair").get<bool>());
  }
};

}  // namespace

int sc_main(int argc, char** argv) {
  catalogue all = standard_catalogue();
  all.add<bufferless_entry>();
  return command(argc, argv, all);
}

int main(int argc, char** argv) {
  setenv("SC_COPYRIGHT_MESSAGE", "DISABLE", 0);
  return sc_core::sc_elab_and_sim(argc, argv);
}
