#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <spillway/tb/traffic/injections/batch.hpp>

namespace spillway {

batch_plan::batch_plan(std::vector<std::uint32_t> among, std::uint32_t senders, std::uint32_t batches,
                       std::uint64_t seed, unsigned stream, std::uint64_t entry)
    : first_(among.back() + std::size_t{2}) {
  random_stream random = make_stream(seed, entry, purpose_of(purpose::batches, stream));
  const auto last = static_cast<std::uint32_t>(among.size() - 1);
  std::vector<std::uint32_t> chosen;  // batch after batch
  for (std::uint32_t b = 0; b < batches; ++b)
    for (std::uint32_t i = 0; i < senders; ++i) {
      const boost::random::uniform_int_distribution<std::uint32_t> rest(i, last);
      std::swap(among[i], among[rest(random)]);
      chosen.push_back(among[i]);
      ++first_[among[i] + 1];
    }
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  batches_.resize(chosen.size());
  std::vector<std::uint64_t> next(first_.begin(), first_.end() - 1);
  for (std::size_t i = 0; i < chosen.size(); ++i)
    batches_[next[chosen[i]]++] = static_cast<std::uint32_t>(i / senders);
}

namespace {

class batch_arrivals final : public arrivals {
public:
  batch_arrivals(std::shared_ptr<const batch_plan> plan, std::uint64_t batches, std::uint64_t every,
                 std::uint32_t terminal)
      : plan_(std::move(plan)),
        count_(plan_ ? plan_->count(terminal) : batches),
        every_(every),
        terminal_(terminal) {}

  std::uint64_t first(std::uint64_t begin, random_stream&) override {
    begin_ = begin;
    return cycle();
  }
  std::uint64_t next(std::uint64_t, std::uint64_t, unsigned, random_stream&) override {
    ++sent_;
    return cycle();
  }

private:
  std::uint64_t cycle() const {
    if (sent_ >= count_) return never;
    return begin_ + (plan_ ? plan_->batch(terminal_, sent_) : sent_) * every_;
  }

  const std::shared_ptr<const batch_plan> plan_;
  const std::uint64_t count_, every_;
  const std::uint32_t terminal_;
  std::uint64_t begin_ = 0, sent_ = 0;
};

}  // namespace

std::shared_ptr<arrivals> batch_injection::start(std::uint32_t terminal) const {
  return std::make_unique<batch_arrivals>(plan_, batches_, every_, terminal);
}

nlohmann::json batch_entry::schema() const {
  return parse_schema(R"({
    "description": "One packet each of some terminals at once, now and again, whatever the `rate`.",
    "properties": {
      "batch": {
        "description": "Shape of the batches.",
        "type": "object", "default": {}, "additionalProperties": false,
        "properties": {
          "senders": {
            "type": "integer", "minimum": 1, "maximum": 268435456,
            "description": "Terminals that send in a batch, of those that carry out the entry, distinct and at random; by their share when left out."
          },
          "share": {
            "type": "number", "minimum": 0, "maximum": 1, "default": 1,
            "description": "The same as a share of those that carry out the entry, at least one."
          },
          "count": {
            "type": "integer", "minimum": 1, "maximum": 4294967295, "default": 1,
            "description": "Batches, each with other senders."
          },
          "every": {
            "type": "integer", "minimum": 1, "maximum": 4294967295, "default": 1,
            "description": "Cycles from one batch to the next."
          }
        }
      }
    }
  })");
}

std::shared_ptr<const injection> batch_entry::make(const traffic_context& c, const offered_load&) const {
  const nlohmann::json& batch = c.section().at("batch");
  const std::uint64_t all = c.senders.size();
  const auto shared = std::llround(batch.at("share").get<double>() * static_cast<double>(all));
  const std::uint64_t senders =
      batch.value("senders", std::min(all, std::max<std::uint64_t>(1, static_cast<std::uint64_t>(shared))));
  if (senders > all)
    c.fail(
        "batch/senders",
        fmt::format("expected at most {}, the terminals that carry out the entry, found {}", all, senders));
  const std::uint64_t batches = batch.at("count");
  const std::uint64_t every = batch.at("every");
  if (senders == all) return std::make_shared<batch_injection>(batches, every);
  constexpr std::uint64_t most = std::uint64_t{1} << 28;  // messages, in 1 GiB
  if (batches > most / senders)
    c.fail("batch/count", fmt::format("expected at most {} batches of {} senders drawn at random, found {}",
                                      most / senders, senders, batches));
  return std::make_shared<batch_injection>(
      batches, every,
      std::make_shared<batch_plan>(c.senders, static_cast<std::uint32_t>(senders),
                                   static_cast<std::uint32_t>(batches), c.seed,
                                   c.section().at("stream").get<unsigned>(), c.entry));
}

}  // namespace spillway
