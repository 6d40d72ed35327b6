#include <spillway/platforms/endpoints/plain_interface.hpp>

namespace spillway {

namespace {

class plain_unit final : public terminal_unit {
public:
  explicit plain_unit(terminal_context c)
      : arrivals_link_(make_arrival_link(c)),
        source_(std::make_unique<source>(("source_" + std::to_string(c.terminal)).c_str(), c.terminal,
                                         std::move(c.supply), c.observer, std::move(c.routes), c.next,
                                         c.source_queue)),
        sink_(std::make_unique<sink>(("sink_" + std::to_string(c.terminal)).c_str(), c.terminal, c.service,
                                     c.observer, arrivals_link_ != nullptr)) {
    if (arrivals_link_)
      arrivals_link_->connect(sink_->arrivals[0]), arrivals_link_->connect(source_->arrivals[0]);
  }

  void connect_output(unsigned, network_link& l) override { link_cast<packet_link>(l).connect(source_->out); }
  void connect_input(unsigned, network_link& l) override { link_cast<packet_link>(l).connect(sink_->in); }
  std::vector<clocked*> blocks() override { return {source_.get(), sink_.get()}; }
  std::vector<network_link*> links() override {
    if (!arrivals_link_) return {};
    return {arrivals_link_.get()};
  }
  std::uint64_t held_flits() const override { return source_->backlog_flits(); }
  std::uint64_t lost_in_reset() const override { return source_->lost_in_reset(); }

private:
  const std::unique_ptr<arrival_link> arrivals_link_;
  const std::unique_ptr<source> source_;
  const std::unique_ptr<sink> sink_;
};

}  // namespace

nlohmann::json plain_interface_entry::schema() const {
  return {{"description", "A source queue and a sink, with nothing between them and the network."}};
}

std::unique_ptr<terminal_unit> plain_interface_entry::make(terminal_context context) const {
  return std::make_unique<plain_unit>(std::move(context));
}

}  // namespace spillway
