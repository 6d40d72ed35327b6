#pragma once
#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <tlm_utils/tlm_quantumkeeper.h>

#include <boost/random/taus88.hpp>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <spillway/hw/kernel/process.hpp>
#include <tlm>
#include <vector>

namespace spillway::test {

using tlm::tlm_generic_payload;

/// A bounded number of transactions with their data, handed out and taken back by reference count.
class transaction_pool : public tlm::tlm_mm_interface {
public:
  struct entry : tlm_generic_payload {
    using tlm_generic_payload::tlm_generic_payload;
    std::vector<unsigned char> data, enables;
    std::vector<unsigned char> before;  // what a read must leave in the bytes that are not enabled
  };
  entry& take() {
    if (idle_.empty()) {
      all_.push_back(std::make_unique<entry>(static_cast<tlm::tlm_mm_interface*>(this)));
      idle_.push_back(all_.back().get());
    }
    entry& e = *idle_.back();
    idle_.pop_back();
    e.acquire();
    return e;
  }
  void free(tlm_generic_payload* p) override {
    p->reset();
    idle_.push_back(static_cast<entry*>(p));
  }
  std::size_t in_use() const { return all_.size() - idle_.size(); }

private:
  std::vector<std::unique_ptr<entry>> all_;
  std::vector<entry*> idle_;
};

/// Random reads and writes in the address ranges that are this initiator's alone, with the memory that they
/// must find kept beside them.
class random_accesses {
public:
  struct range {
    std::uint64_t base, size;
  };
  random_accesses(std::uint32_t seed, std::vector<range> ranges, unsigned longest)
      : random_(seed * 2654435761u + 1), ranges_(std::move(ranges)), longest_(longest) {}

  void fill(transaction_pool::entry& t) {
    const range& r = ranges_[below(static_cast<unsigned>(ranges_.size()))];
    const unsigned length = 1 + below(longest_);
    const std::uint64_t address = r.base + below(static_cast<unsigned>(r.size) - length);
    t.set_command(below(2) ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    t.data.resize(length);
    for (unsigned char& byte : t.data) byte = static_cast<unsigned char>(below(256));
    t.before = t.data;
    t.enables.clear();
    if (below(4) == 0)
      for (unsigned i = 0; i < 1 + below(length); ++i) t.enables.push_back(below(2) ? 0xff : 0x00);
    t.set_address(address);
    t.set_data_ptr(t.data.data());
    t.set_data_length(length);
    t.set_streaming_width(length);
    t.set_byte_enable_ptr(t.enables.empty() ? nullptr : t.enables.data());
    t.set_byte_enable_length(static_cast<unsigned>(t.enables.size()));
    t.set_dmi_allowed(false);
    t.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  }
  /// Whether an access touches bytes of one that is under way, so that their order matters.
  bool overlaps(const transaction_pool::entry& t) const {
    for (const auto& [address, length] : under_way_)
      if (t.get_address() < address + length && address < t.get_address() + t.get_data_length()) return true;
    return false;
  }
  void begin(const transaction_pool::entry& t) {
    under_way_.emplace(t.get_address(), t.get_data_length());
    if (!t.is_write()) return;
    for (unsigned i = 0; i < t.get_data_length(); ++i)
      if (enabled(t, i)) memory_[t.get_address() + i] = t.data[i];
  }
  /// Says whether the answer is right.
  bool end(const transaction_pool::entry& t) {
    under_way_.erase(under_way_.find({t.get_address(), t.get_data_length()}));
    if (!t.is_response_ok()) return false;
    for (unsigned i = 0; i < t.get_data_length(); ++i) {
      const auto known = memory_.find(t.get_address() + i);
      const unsigned char held = known == memory_.end() ? 0 : known->second;
      const unsigned char want = t.is_read() && enabled(t, i) ? held : t.before[i];
      if (t.data[i] != want) return false;
    }
    return true;
  }
  std::uint32_t below(std::uint32_t n) {
    return static_cast<std::uint32_t>(std::uint64_t{random_()} * n >> 32);
  }

private:
  static bool enabled(const transaction_pool::entry& t, unsigned i) {
    return t.enables.empty() || t.enables[i % t.enables.size()] == 0xff;
  }
  boost::random::taus88 random_;
  const std::vector<range> ranges_;
  const unsigned longest_;
  std::map<std::uint64_t, unsigned char> memory_;
  std::multiset<std::pair<std::uint64_t, unsigned>> under_way_;
};

/// A loosely-timed initiator: blocking calls with local time up to a quantum.
class lt_initiator : public sc_core::sc_module {
public:
  tlm_utils::simple_initiator_socket<lt_initiator> socket{"socket"};

  lt_initiator(const sc_core::sc_module_name& name, random_accesses accesses, unsigned count,
               const sc_core::sc_time& quantum)
      : sc_module(name), accesses_(std::move(accesses)), left_(count) {
    tlm_utils::tlm_quantumkeeper::set_global_quantum(quantum);
    SPILLWAY_HAS_PROCESS(lt_initiator);
    SC_THREAD(run);
  }
  unsigned done() const { return done_; }
  unsigned wrong() const { return wrong_; }

private:
  void run() {
    tlm_utils::tlm_quantumkeeper keeper;
    keeper.reset();
    for (; left_; --left_) {
      auto& t = pool_.take();
      accesses_.fill(t);
      accesses_.begin(t);
      sc_core::sc_time local = keeper.get_local_time();
      socket->b_transport(t, local);
      keeper.set(local);
      if (!accesses_.end(t)) ++wrong_;
      ++done_;
      t.release();
      keeper.inc(sc_core::sc_time(accesses_.below(20), sc_core::SC_NS));
      if (keeper.need_sync()) keeper.sync();
    }
  }
  transaction_pool pool_;
  random_accesses accesses_;
  unsigned left_, done_ = 0, wrong_ = 0;
};

/// An approximately-timed initiator: four phases, several transactions outstanding, responses accepted
/// at once or after a while.
class at_initiator : public sc_core::sc_module {
public:
  tlm_utils::simple_initiator_socket<at_initiator> socket{"socket"};

  at_initiator(const sc_core::sc_module_name& name, random_accesses accesses, unsigned count,
               unsigned outstanding)
      : sc_module(name),
        accesses_(std::move(accesses)),
        left_(count),
        outstanding_(outstanding),
        ends_(this, &at_initiator::end_response) {
    socket.register_nb_transport_bw(this, &at_initiator::backward);
    SPILLWAY_HAS_PROCESS(at_initiator);
    SC_THREAD(run);
  }
  unsigned done() const { return done_; }
  unsigned wrong() const { return wrong_; }
  std::size_t held() const { return pool_.in_use(); }

private:
  using entry = transaction_pool::entry;

  void run() {
    while (left_) {
      while (pool_.in_use() >= outstanding_) wait(ended_);
      entry& t = pool_.take();
      accesses_.fill(t);
      while (accesses_.overlaps(t)) wait(ended_);
      accesses_.begin(t);
      --left_;
      tlm::tlm_phase phase = tlm::BEGIN_REQ;
      sc_core::sc_time delay(accesses_.below(3), sc_core::SC_NS);
      const sc_core::sc_time sent = delay;
      request_under_way_ = true;
      const auto sync = socket->nb_transport_fw(t, phase, delay);
      if (sync == tlm::TLM_COMPLETED) {
        request_under_way_ = false;
        finish(t);
      } else if (sync == tlm::TLM_UPDATED) {
        backward(t, phase, delay);
      }
      wait(sent);
      while (request_under_way_) wait(request_ended_);
      wait(sc_core::sc_time(accesses_.below(10), sc_core::SC_NS));
    }
  }
  tlm::tlm_sync_enum backward(tlm_generic_payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    auto& t = static_cast<entry&>(p);
    if (phase == tlm::END_REQ) {
      request_under_way_ = false;
      request_ended_.notify(delay);
      return tlm::TLM_ACCEPTED;
    }
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    switch (accesses_.below(3)) {
      case 0:
        finish(t);
        return tlm::TLM_COMPLETED;
      case 1:
        phase = tlm::END_RESP;
        delay = sc_core::sc_time(accesses_.below(4), sc_core::SC_NS);
        finish(t);
        return tlm::TLM_UPDATED;
      default:
        ends_.notify(t, tlm::END_RESP, sc_core::sc_time(1 + accesses_.below(4), sc_core::SC_NS));
        return tlm::TLM_ACCEPTED;
    }
  }
  void end_response(tlm_generic_payload& p, const tlm::tlm_phase&) {
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->nb_transport_fw(p, phase, delay);
    finish(static_cast<entry&>(p));
  }
  void finish(entry& t) {
    if (!accesses_.end(t)) ++wrong_;
    ++done_;
    t.release();
    ended_.notify(sc_core::SC_ZERO_TIME);
  }

  transaction_pool pool_;
  random_accesses accesses_;
  unsigned left_, done_ = 0, wrong_ = 0;
  const unsigned outstanding_;
  bool request_under_way_ = false;
  sc_core::sc_event request_ended_, ended_;
  tlm_utils::peq_with_cb_and_phase<at_initiator> ends_;
};

/// How a memory answers.
enum class memory_style { blocking, early, four_phases };

/// Bytes behind a target socket.
class test_memory : public sc_core::sc_module {
public:
  tlm_utils::simple_target_socket<test_memory> socket{"socket"};

  test_memory(const sc_core::sc_module_name& name, std::size_t size, memory_style style,
              const sc_core::sc_time& latency)
      : sc_module(name), bytes_(size), style_(style), latency_(latency), steps_(this, &test_memory::step) {
    if (style == memory_style::blocking)
      socket.register_b_transport(this, &test_memory::blocking);
    else
      socket.register_nb_transport_fw(this, &test_memory::forward);
    socket.register_transport_dbg(this, &test_memory::debug);
  }
  std::vector<unsigned char>& bytes() { return bytes_; }

private:
  void access(tlm_generic_payload& t) {
    const std::uint64_t address = t.get_address();
    if (address + t.get_data_length() > bytes_.size()) {
      t.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      return;
    }
    const unsigned period = t.get_byte_enable_length();
    for (unsigned i = 0; i < t.get_data_length(); ++i) {
      if (t.get_byte_enable_ptr() && t.get_byte_enable_ptr()[i % period] != 0xff) continue;
      if (t.is_write())
        bytes_[address + i] = t.get_data_ptr()[i];
      else if (t.is_read())
        t.get_data_ptr()[i] = bytes_[address + i];
    }
    t.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  void blocking(tlm_generic_payload& t, sc_core::sc_time& delay) {
    access(t);
    delay += latency_;
  }
  tlm::tlm_sync_enum forward(tlm_generic_payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase == tlm::BEGIN_REQ && style_ == memory_style::early) {
      access(t);
      delay += latency_;
      return tlm::TLM_COMPLETED;
    }
    if (phase == tlm::BEGIN_REQ) {
      t.acquire();
      steps_.notify(t, tlm::END_REQ, delay + sc_core::sc_time(1, sc_core::SC_NS));
      return tlm::TLM_ACCEPTED;
    }
    responding_ = false;
    t.release();
    next_response();
    return tlm::TLM_COMPLETED;
  }
  void step(tlm_generic_payload& t, const tlm::tlm_phase& phase) {
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    if (phase == tlm::END_REQ) {
      tlm::tlm_phase end = tlm::END_REQ;
      steps_.notify(t, tlm::BEGIN_RESP, latency_);
      socket->nb_transport_bw(t, end, delay);
    } else if (phase == tlm::BEGIN_RESP) {
      access(t);
      responses_.push_back(&t);
      next_response();
    } else {
      tlm::tlm_phase begin = tlm::BEGIN_RESP;
      if (socket->nb_transport_bw(t, begin, delay) == tlm::TLM_ACCEPTED) return;
      responding_ = false;
      t.release();
      next_response();
    }
  }
  void next_response() {
    if (responding_ || responses_.empty()) return;
    responding_ = true;
    // Not from within a forward call: the backward call is a step of its own.
    steps_.notify(*responses_.front(), tlm::END_RESP, sc_core::SC_ZERO_TIME);
    responses_.pop_front();
  }
  unsigned debug(tlm_generic_payload& t) {
    access(t);
    return t.is_response_ok() ? t.get_data_length() : 0;
  }

  std::vector<unsigned char> bytes_;
  const memory_style style_;
  const sc_core::sc_time latency_;
  std::deque<tlm_generic_payload*> responses_;
  bool responding_ = false;
  tlm_utils::peq_with_cb_and_phase<test_memory> steps_;
};

}  // namespace spillway::test
