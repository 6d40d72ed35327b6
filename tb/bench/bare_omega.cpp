#include <spillway/tb/bench/bare_omega.hpp>

namespace spillway {

bare_omega::bare_omega(unsigned stages, std::vector<std::unique_ptr<packet_supply>> supplies)
    : stages_(stages),
      terminals_(1u << stages),
      switches_(std::size_t{terminals_} / 2 * stages),
      now_(std::size_t{terminals_} * (stages + 1)),
      next_(now_.size()),
      supplies_(std::move(supplies)),
      waiting_(terminals_),
      due_(terminals_),
      packets_(terminals_) {}

std::uint64_t bare_omega::digest_of(std::uint64_t cycle, const flit& f) {
  return (cycle * 0x9e3779b97f4a7c15) ^ f.payload;
}

void bare_omega::step() {
  for (std::uint32_t t = 0; t < terminals_; ++t) step_source(t);
  for (unsigned stage = 0; stage < stages_; ++stage)
    for (unsigned i = 0; i < terminals_ / 2; ++i) step_switch(stage, i);
  for (std::uint32_t t = 0; t < terminals_; ++t) {
    const std::size_t l = std::size_t{stages_} * terminals_ + t;
    if (now_[l].valid && now_[l].ready) {
      ++delivered_;
      digest_ += digest_of(cycle_, now_[l].data);
    }
    next_[l].ready = true;
  }
  now_.swap(next_);
  ++cycle_;
}

void bare_omega::step_source(unsigned t) {
  const std::size_t l = shuffle(t);
  std::deque<flit>& waiting = waiting_[t];
  if (now_[l].valid && now_[l].ready) waiting.pop_front();
  while (due_[t] <= cycle_ && (due_[t] = supplies_[t]->due(cycle_, waiting.size())) <= cycle_) {
    const packet_order order = supplies_[t]->take(cycle_);
    flit f;
    f.source = t;
    f.destination = order.destination;
    f.packet = packets_[t]++;
    f.payload = check_value(f);
    waiting.push_back(f);
  }
  next_[l].valid = !waiting.empty();
  if (next_[l].valid) next_[l].data = waiting.front();
}

void bare_omega::step_switch(unsigned stage, unsigned index) {
  omega_switch& s = switches_[std::size_t{stage} * (terminals_ / 2) + index];
  const std::size_t in = std::size_t{stage} * terminals_ + 2 * index;
  const std::size_t rank = std::size_t{stage + 1} * terminals_;
  const bool last = stage + 1 == stages_;
  const std::size_t out[2] = {rank + (last ? 2 * index : shuffle(2 * index)),
                              rank + (last ? 2 * index + 1 : shuffle(2 * index + 1))};
  for (unsigned o = 0; o < 2; ++o) {
    if (s.sending[o] == none || !now_[out[o]].ready) continue;
    fifo& from = s.in[s.sending[o]];
    from.head = static_cast<std::uint8_t>((from.head + 1) % depth);
    --from.count;
    s.sending[o] = none;
  }
  for (unsigned i = 0; i < 2; ++i) {
    if (!now_[in + i].valid || !now_[in + i].ready) continue;
    fifo& to = s.in[i];
    to.data[(to.head + to.count) % depth] = now_[in + i].data;
    ++to.count;
  }
  const unsigned shift = stages_ - 1 - stage;
  unsigned wanted[2] = {2, 2};
  for (unsigned i = 0; i < 2; ++i)
    if (s.in[i].count && s.sending[0] != i && s.sending[1] != i)
      wanted[i] = s.in[i].data[s.in[i].head].destination >> shift & 1;
  for (unsigned o = 0; o < 2; ++o) {
    if (s.sending[o] == none) {
      const unsigned first = s.pointer[o];
      for (unsigned k = 0; k < 2 && s.sending[o] == none; ++k)
        if (const unsigned i = (first + k) % 2; wanted[i] == o) {
          s.sending[o] = static_cast<std::uint8_t>(i);
          s.pointer[o] = static_cast<std::uint8_t>((i + 1) % 2);
        }
    }
    next_[out[o]].valid = s.sending[o] != none;
    if (next_[out[o]].valid) next_[out[o]].data = s.in[s.sending[o]].data[s.in[s.sending[o]].head];
  }
  for (unsigned i = 0; i < 2; ++i) next_[in + i].ready = s.in[i].count < depth;
}

}  // namespace spillway
