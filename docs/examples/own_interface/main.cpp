// The command `spillway` with an interface of our own: `interface: {kind: paced}` in any experiment.
#include <algorithm>
#include <cstdlib>
#include <spillway/platforms/elaborate/interface_entry.hpp>
#include <spillway/tb/command/command.hpp>

namespace {

using namespace spillway;

/// A source whose packets to one destination start at least `interval` cycles apart. Those to others
/// overtake the ones that wait.
class paced_source : public source {
public:
  paced_source(terminal_context& c, unsigned interval)
      : source(("source_" + std::to_string(c.terminal)).c_str(), c.terminal, std::move(c.supply), c.observer,
               c.routes, c.next, c.source_queue),
        interval_(interval),
        next_(c.terminals) {}

private:
  void reset() override {
    source::reset();
    std::fill(next_.begin(), next_.end(), 0);
  }

  bool choose(flit& chosen) override {
    const std::uint64_t never = ~std::uint64_t{0};
    std::uint64_t soonest = never;
    for (auto head = waiting_.begin(); head != waiting_.end(); ++head) {
      std::uint64_t& next = next_[head->destination];
      if (next <= cycle()) {
        next = cycle() + interval_;
        chosen = *head;
        waiting_.erase(head);
        return true;
      }
      soonest = std::min(soonest, next);
    }
    if (soonest != never) wake_at(soonest);
    return false;
  }

  const unsigned interval_;
  std::vector<std::uint64_t> next_;  // by destination: the first cycle in which a packet may start
};

/// The blocks of one terminal: that source, and the library's sink.
class paced_unit : public terminal_unit {
public:
  explicit paced_unit(terminal_context c)
      : told_(make_arrival_link(c)),
        source_(c, c.parameters.at("interval").get<unsigned>()),
        sink_(("sink_" + std::to_string(c.terminal)).c_str(), c.terminal, c.service, c.observer,
              told_ != nullptr) {
    if (told_) told_->connect(sink_.arrivals[0]), told_->connect(source_.arrivals[0]);
  }

  void connect_output(unsigned, spillway::network_link& l) override {
    link_cast<packet_link>(l).connect(source_.out);
  }
  void connect_input(unsigned, spillway::network_link& l) override {
    link_cast<packet_link>(l).connect(sink_.in);
  }
  std::vector<clocked*> blocks() override { return {&source_, &sink_}; }
  std::vector<network_link*> links() override {
    if (!told_) return {};
    return {told_.get()};
  }
  std::uint64_t held_flits() const override { return source_.backlog_flits(); }
  std::uint64_t lost_in_reset() const override { return source_.lost_in_reset(); }

private:
  const std::unique_ptr<arrival_link> told_;  // if the workload waits for arrivals
  paced_source source_;
  sink sink_;
};

class paced_entry : public interface_entry {
public:
  paced_entry() : interface_entry("paced") {}

  nlohmann::json schema() const override {
    return {{"description", "Spaces a source's packets to one destination."},
            {"properties",
             {{"interval",
               {{"type", "integer"},
                {"minimum", 1},
                {"maximum", 1000000},
                {"default", 64},
                {"description", "Cycles from one packet to the next of the same destination."}}}}}};
  }
  std::unique_ptr<terminal_unit> make(terminal_context context) const override {
    return std::make_unique<paced_unit>(std::move(context));
  }
};

}  // namespace

int sc_main(int argc, char** argv) {
  catalogue all = standard_catalogue();
  all.add<paced_entry>();
  return command(argc, argv, all);
}

int main(int argc, char** argv) {
  setenv("SC_COPYRIGHT_MESSAGE", "DISABLE", 0);
  return sc_core::sc_elab_and_sim(argc, argv);
}
