#include <algorithm>
#include <spillway/hw/kernel/config_check.hpp>
#include <spillway/hw/switching/next_output.hpp>
#include <spillway/tlm/tlm_terminal.hpp>

namespace spillway {

namespace {
constexpr std::uint8_t last_packet = 1;  // traffic class: the packet ends its message
}

tlm_terminal::tlm_terminal(const sc_core::sc_module_name& name, unsigned terminal, unsigned packet_length,
                           std::shared_ptr<const routing> routes, link_end next)
    : single_threaded(name),
      terminal_(terminal),
      packet_length_(packet_length),
      routes_(std::move(routes)),
      next_(next) {
  detail::need(packet_length >= 1 && packet_length <= 65535,
               "a packet has 1 to 65535 flits at most, found " + std::to_string(packet_length));
  for (packet_out& o : out) o.lanes().declare(next.lanes);
}

void tlm_terminal::send(const tlm_message& message, const sc_core::sc_time& from) {
  channel& c = channels_[message.network];
  c.waiting.push_back({message, from});
  message_words& words = c.waiting.back().message.words;
  words.insert(words.begin(), message.id);
  wake_at(cycle());
}

std::uint64_t tlm_terminal::held_flits() const {
  std::uint64_t flits = 0;
  for (const channel& c : channels_) {
    for (const sending& s : c.waiting) flits += s.message.words.size() - s.sent;
    for (const auto& [source, words] : c.partial) flits += words.size();
  }
  return flits;
}

void tlm_terminal::reset() {
  lost_ += held_flits();
  for (unsigned n = 0; n < channels_.size(); ++n) {
    channels_[n] = {};
    out[n].valid.write(false);
    in[n].ready.write(0);
  }
  receiver_->network_reset();
}

void tlm_terminal::tick() {
  for (unsigned n = 0; n < channels_.size(); ++n) {
    channel& c = channels_[n];
    send_on(n);
    receive_on(n);
    const bool was_ready = c.ready;
    c.ready = receiver_->room(n);
    in[n].ready.write(c.ready ? 1 : 0);
    if (c.ready != was_ready || !c.waiting.empty()) wake_at(cycle() + 1);
  }
}

void tlm_terminal::send_on(unsigned n) {
  channel& c = channels_[n];
  const bool accepted = c.valid && (out[n].ready.read() >> c.showing.lane & 1);
  if (accepted) {
    wake_at(cycle() + 1);
    c.valid = false;
    sending& front = c.waiting.front();
    if (++front.sent == front.message.words.size()) {
      const std::uint64_t tag = front.message.tag;
      c.waiting.pop_front();
      receiver_->sent(tag);
    }
  }
  if (!c.valid && !c.waiting.empty() && c.waiting.front().from < sc_core::sc_time_stamp()) show(n);
  out[n].valid.write(c.valid);
  if (c.valid) out[n].data.write(c.showing);
}

void tlm_terminal::show(unsigned n) {
  channel& c = channels_[n];
  const sending& s = c.waiting.front();
  const std::size_t in_packet = s.sent % packet_length_;
  flit& f = c.showing;
  if (in_packet == 0) {
    const std::size_t left = s.message.words.size() - s.sent;
    f = flit{};
    f.source = terminal_;
    f.destination = s.message.destination;
    f.packet = packets_++;
    f.length = static_cast<std::uint16_t>(std::min<std::size_t>(left, packet_length_));
    f.kind = n == 0 ? flit_kind::data : flit_kind::reply;
    f.network = static_cast<std::uint8_t>(n);
    f.traffic_class = left <= packet_length_ ? last_packet : 0;
    receiver_->packet_sent(s.message, f.packet);
    if (next_.lanes > 1) f.lane = lane_ahead(*routes_, next_, f);
  }
  f.index = static_cast<std::uint16_t>(in_packet);
  f.payload = s.message.words[s.sent];
  c.valid = true;
}

void tlm_terminal::receive_on(unsigned n) {
  channel& c = channels_[n];
  if (!c.ready || !in[n].valid.read() || in[n].data.read().lane != 0) return;
  wake_at(cycle() + 1);
  const flit& f = in[n].data.read();
  message_words& words = c.partial[f.source];
  words.push_back(f.payload);
  if (f.tail() && (f.traffic_class & last_packet)) {
    tlm_message message;
    message.source = f.source;
    message.destination = terminal_;
    message.network = n;
    message.id = static_cast<std::uint32_t>(words.front());
    message.words.assign(words.begin() + 1, words.end());
    c.partial.erase(f.source);
    receiver_->arrived(message);
  }
}

}  // namespace spillway
