#pragma once
#include <spillway/hw/circuit/circuit_checker.hpp>
#include <spillway/hw/circuit/circuit_link.hpp>
#include <support/link_bench.hpp>

// Ends of circuit links for tests of single blocks.

namespace spillway::testing_support {

/// A circuit link on the bench's kernel, with a checker that collects into the bench's violations.
inline circuit_link& circuit(bench& b, std::vector<std::unique_ptr<circuit_link>>& links,
                             const std::string& name, circuit_checker_config rules = {}) {
  link_place place;
  place.name = name;
  links.push_back(b.make_part<circuit_link>(place));
  auto& checker = b.make<circuit_checker>("check_" + name, rules,
                                          [&b](const violation& v) { b.violations.push_back(v); });
  links.back()->connect(checker);
  return *links.back();
}

/// Sends messages at cycles, each until it is answered.
class circuit_sender : public clocked {
public:
  circuit_out out{"out"};
  struct attempt {
    std::uint64_t at;  ///< cycle at whose edge the request rises, or the first one after the last answer
    std::uint32_t destination;
    unsigned length = 1;
  };
  struct answer {
    std::uint64_t cycle;
    bool acknowledged;
    bool operator==(const answer& o) const { return cycle == o.cycle && acknowledged == o.acknowledged; }
  };
  std::deque<attempt> todo;
  std::vector<answer> answers;

  circuit_sender(const sc_core::sc_module_name& name, std::uint32_t source)
      : clocked(name), source_(source) {}

private:
  void reset() override {
    open_ = false;
    out.request.write(false);
  }
  void tick() override {
    wake_at(cycle() + 1);
    if (open_ && (out.acknowledge.read() || out.collision.read())) {
      answers.push_back({cycle(), out.acknowledge.read()});
      todo.pop_front();
      ++packet_;
      out.request.write(open_ = false);
    } else if (open_) {
      if (index_ + 1 < todo.front().length) show(++index_);
    } else if (!todo.empty() && cycle() >= todo.front().at) {
      out.request.write(open_ = true);
      show(index_ = 0);
    }
  }
  void show(unsigned index) {
    out.data.write(make_flit(source_, todo.front().destination, packet_, index, todo.front().length));
  }

  const std::uint32_t source_;
  std::uint32_t packet_ = 0;
  unsigned index_ = 0;
  bool open_ = false;
};

/// Takes whole messages and answers each.
class circuit_receiver : public clocked {
public:
  circuit_in in{"in"};
  bool accepts = true;
  unsigned delay = 0;  ///< cycles from the tail to the answer
  std::vector<passage> got;

  explicit circuit_receiver(const sc_core::sc_module_name& name) : clocked(name) {}

private:
  void reset() override {
    taken_ = 0;
    wait_ = -1;
    in.acknowledge.write(false), in.collision.write(false);
  }
  void tick() override {
    wake_at(cycle() + 1);
    in.acknowledge.write(false), in.collision.write(false);
    if (!in.request.read()) {
      taken_ = 0;
      wait_ = -1;
      return;
    }
    const flit& f = in.data.read();
    if (f.index == taken_) {
      got.push_back({cycle(), f});
      ++taken_;
      if (f.tail()) wait_ = static_cast<int>(delay);
    }
    if (wait_-- == 0) (accepts ? in.acknowledge : in.collision).write(true);
  }

  unsigned taken_ = 0;
  int wait_ = -1;
};

}  // namespace spillway::testing_support
