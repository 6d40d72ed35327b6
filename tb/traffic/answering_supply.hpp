#pragma once
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <spillway/tb/traffic/traffic.hpp>

namespace spillway {

/// The traffic of a terminal, and a reply of the same length to every packet that arrives, from the next
/// cycle on, but to messages of software. Replies wait in memory of the terminal's own, of any size, so a
/// terminal always takes what arrives; with a bounded source queue they and the terminal's own packets go in
/// the order in which they came into being.
class answering_supply final : public packet_supply {
public:
  explicit answering_supply(std::unique_ptr<timed_supply> own) : own_(std::move(own)) {}

  std::uint64_t due(std::uint64_t now, std::size_t backlog) override;
  packet_order take(std::uint64_t now) override;
  void arrived(std::uint64_t now, const flit& f) override;
  bool exhausted() const override { return replies_.empty() && own_->exhausted(); }
  bool listens() const override { return true; }
  std::uint64_t forget() override;

private:
  struct reply {
    std::uint64_t due;
    packet_order order;
  };
  const std::unique_ptr<timed_supply> own_;
  bool own_is_due_ = false;  // when last asked; what waits for room is not, whatever its schedule
  std::deque<reply> replies_;
};

/// Makes what `own` makes, for terminals that answer what arrives if `replies`.
std::function<std::unique_ptr<packet_supply>(std::uint32_t terminal)> answered(
    std::function<std::unique_ptr<timed_supply>(std::uint32_t terminal)> own, bool replies);

}  // namespace spillway
