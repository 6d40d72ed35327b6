#pragma once
#include <algorithm>
#include <spillway/hw/packet/buffer_admission.hpp>
#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/packet/buffer_entries.hpp>
#include <spillway/platforms/switching/arbiter_entry.hpp>

namespace spillway::testing_support {

// An arbiter and an admission as a user would write them.

/// Some input before all others, which go by their numbers.
class favourite_arbiter final : public arbiter {
public:
  explicit favourite_arbiter(unsigned input) : input_(input) {}
  unsigned grant(std::uint64_t requests, const contenders&) override {
    if (requests >> input_ & 1) return input_;
    return static_cast<unsigned>(__builtin_ctzll(requests));
  }

private:
  const unsigned input_;
};

class favourite_entry final : public arbiter_entry {
public:
  favourite_entry() : arbiter_entry("favourite") {}
  nlohmann::json schema() const override {
    return parse_schema(R"({"description": "One input first.", "properties": {
      "input": {"type": "integer", "minimum": 0, "maximum": 63, "default": 0, "description": "Which."}}})");
  }
  arbiter_maker maker(const nlohmann::json& parameters) const override {
    return [input = parameters.at("input").get<unsigned>()](unsigned) {
      return std::make_unique<favourite_arbiter>(input);
    };
  }
};

/// Round robin once more, as a user would have to write it.
class turns_arbiter final : public arbiter {
public:
  unsigned grant(std::uint64_t requests, const contenders&) override {
    while (!(requests >> next_ & 1)) next_ = (next_ + 1) % 64;
    const unsigned winner = next_;
    next_ = (next_ + 1) % 64;
    return winner;
  }
  void clear() override { next_ = 0; }

private:
  unsigned next_ = 0;
};

class turns_entry final : public arbiter_entry {
public:
  turns_entry() : arbiter_entry("turns") {}
  nlohmann::json schema() const override { return {{"description", "By turns."}}; }
  arbiter_maker maker(const nlohmann::json&) const override {
    return [](unsigned) { return std::make_unique<turns_arbiter>(); };
  }
};

/// No queue holds more than `alpha` times what is free.
class share_of_free final : public buffer_admission {
public:
  explicit share_of_free(double alpha) : alpha_(alpha) {}
  unsigned allowed(const pool_view& pool, unsigned, unsigned held) const override {
    const auto limit = static_cast<unsigned>(alpha_ * pool.free);
    return std::max(limit, pool.packet_length) > held ? std::max(limit, pool.packet_length) - held : 0;
  }

private:
  const double alpha_;
};

class threshold_entry final : public assignment_entry {
public:
  threshold_entry() : assignment_entry("share_of_free") {}
  nlohmann::json schema() const override {
    return parse_schema(R"({"description": "By what is free.", "properties": {
      "alpha": {"type": "number", "exclusiveMinimum": 0, "default": 1, "description": "Places a free one."}}})");
  }
  void configure(const nlohmann::json& parameters, buffer_pool_config& pool) const override {
    pool.admission = std::make_shared<share_of_free>(parameters.at("alpha").get<double>());
  }
};

}  // namespace spillway::testing_support
