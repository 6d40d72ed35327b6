#include <spillway/hw/endpoints/memory_module.hpp>
#include <stdexcept>
#include <string>

namespace spillway {

void memory_config::check() const {
  if (latency < 1) throw std::invalid_argument("a memory has a latency of at least 1 cycle, found 0");
  if (reply_length < 1 || reply_length > 65535)
    throw std::invalid_argument("a reply has 1 to 65535 flits, found " + std::to_string(reply_length));
}

/// The requests in the memory's pipeline, as the replies that they become.
class memory_module::reply_supply final : public packet_supply {
public:
  explicit reply_supply(const memory_config& config) : config_(config) {}

  void arrived(std::uint64_t now, const flit& f) override {
    if (f.tail()) pipeline_.push_back({now + config_.latency, f.source, f.packet});
  }
  std::uint64_t due(std::uint64_t now, std::size_t) override {
    return pipeline_.empty() ? never : std::max(now, pipeline_.front().due);
  }
  packet_order take(std::uint64_t) override {
    packet_order order;
    order.destination = pipeline_.front().requester;
    order.length = static_cast<std::uint16_t>(config_.reply_length);
    order.kind = flit_kind::reply;
    order.network = config_.reply_network;
    order.answers = pipeline_.front().number;
    pipeline_.pop_front();
    return order;
  }
  bool listens() const override { return true; }
  std::uint64_t forget() override {
    const std::uint64_t lost = flits();
    pipeline_.clear();
    return lost;
  }
  std::uint64_t flits() const { return pipeline_.size() * config_.reply_length; }

private:
  struct request {
    std::uint64_t due;
    std::uint32_t requester, number;
  };
  const memory_config config_;
  std::deque<request> pipeline_;
};

memory_module::memory_module(const std::string& name, unsigned terminal, const memory_config& config,
                             const sink_config& service, endpoint_observer& observer,
                             const std::shared_ptr<const routing>& routes, link_end next, bool tells)
    : reply_length_(config.reply_length) {
  config.check();
  if (config.replies) make_replies(name, terminal, config, observer, routes, next);
  requests_ = std::make_unique<sink>((name + "_requests").c_str(), terminal, service, observer,
                                     config.replies || tells);
  if (!config.replies) return;
  taken_ = std::make_unique<arrival_link>(link_place{name + "_taken"});
  taken_->connect(requests_->arrivals[0]), taken_->connect(replies_->arrivals[0]);
}

memory_module::memory_module(const std::string& name, unsigned terminal, const memory_config& config,
                             std::unique_ptr<memory_front> front, endpoint_observer& observer,
                             const std::shared_ptr<const routing>& routes, link_end next)
    : reply_length_(config.reply_length), front_(std::move(front)) {
  config.check();
  if (!config.replies) throw std::invalid_argument("such a memory answers: expected replies");
  make_replies(name, terminal, config, observer, routes, next);
  taken_ = std::make_unique<arrival_link>(link_place{name + "_taken"});
  taken_->connect(front_->arrivals[0]), taken_->connect(replies_->arrivals[0]);
}

memory_module::~memory_module() = default;

void memory_module::make_replies(const std::string& name, unsigned terminal, const memory_config& config,
                                 endpoint_observer& observer, const std::shared_ptr<const routing>& routes,
                                 link_end next) {
  auto supply = std::make_unique<reply_supply>(config);
  pipeline_ = supply.get();
  replies_ = std::make_unique<source>((name + "_replies").c_str(), terminal, std::move(supply), observer,
                                      routes, next);
}

std::uint64_t memory_module::lost_in_reset() const {
  if (!replies_) return 0;
  return replies_->lost_in_reset() + (front_ ? front_->lost_requests() * reply_length_ : 0);
}

std::vector<clocked*> memory_module::blocks() {
  if (front_) return {front_.get(), replies_.get()};
  if (!replies_) return {requests_.get()};
  return {requests_.get(), replies_.get()};
}

std::vector<network_link*> memory_module::links() {
  if (!taken_) return {};
  return {taken_.get()};
}

std::uint64_t memory_module::held_flits() const {
  if (!replies_) return 0;
  return replies_->backlog_flits() - replies_->arriving() + resting_flits();
}

std::uint64_t memory_module::resting_flits() const {
  if (!replies_) return 0;
  const bool whole = replies_->arriving() && replies_->arrivals[0].data.read().tail();
  const std::uint64_t requests = whole + (front_ ? front_->held_requests() : 0);
  return pipeline_->flits() + requests * reply_length_;
}

}  // namespace spillway
