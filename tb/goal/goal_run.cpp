#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <spillway/platforms/config/error.hpp>
#include <spillway/tb/goal/goal_run.hpp>
#include <spillway/tb/goal/program_measure.hpp>
#include <utility>

namespace spillway {

namespace {

constexpr std::uint64_t never = packet_supply::never;
constexpr std::uint64_t first_patience = 4096;  // cycles without work after which a rank looks further

std::uint64_t pair_of(const goal_message& m) { return std::uint64_t{m.from} << 32 | m.to; }

}  // namespace

/// The host of one terminal, with all its ranks.
class goal_terminal final : public packet_supply {
public:
  goal_terminal(goal_run& run, std::uint32_t terminal) : run_(run), terminal_(terminal) {}
  std::uint64_t due(std::uint64_t now, std::size_t backlog) override {
    return run_.due(terminal_, now, backlog);
  }
  packet_order take(std::uint64_t now) override { return run_.take(terminal_, now); }
  void arrived(std::uint64_t now, const flit& f) override { run_.packet_came(terminal_, now, f); }
  bool exhausted() const override { return run_.exhausted(terminal_); }
  bool listens() const override { return true; }
  bool shares() const override { return true; }  // the run

private:
  goal_run& run_;
  const std::uint32_t terminal_;
};

goal_run::goal_run(goal_plan plan)
    : plan_(std::move(plan)), ranks_(plan_.where.size()), terminals_(plan_.terminals) {
  if (plan_.reduces) reductions_.emplace(*plan_.reduces, plan_.where);
  for (std::uint32_t r = 0; r < ranks_.size(); ++r) {
    ranks_[r].program = plan_.program->open(r);
    ranks_[r].window = plan_.host.window;
    ranks_[r].patience = first_patience;
    terminals_[plan_.where[r]].ranks.push_back(r);
  }
}

goal_run::~goal_run() = default;

std::unique_ptr<packet_supply> goal_run::supply(std::uint32_t terminal) {
  return std::make_unique<goal_terminal>(*this, terminal);
}

std::vector<std::unique_ptr<measurement>> goal_run::measures() {
  std::vector<std::unique_ptr<measurement>> all;
  all.push_back(std::make_unique<program_measure>(*this));
  return all;
}

bool goal_run::over() const {
  return std::all_of(ranks_.begin(), ranks_.end(), [](const rank_state& r) { return r.over(); });
}

bool goal_run::exhausted(std::uint32_t terminal) const {
  const terminal_state& t = terminals_[terminal];
  return t.outgoing.empty() && std::all_of(t.ranks.begin(), t.ranks.end(), [this](std::uint32_t r) {
           return ranks_[r].over() || !faults_.empty();
         });
}

bool goal_run::stuck() const {
  if (over()) return false;
  return std::all_of(terminals_.begin(), terminals_.end(), [](const terminal_state& t) {
    return (t.started || t.ranks.empty()) && t.outgoing.empty() && t.events.empty();
  });
}

std::uint64_t goal_run::due(std::uint32_t terminal, std::uint64_t now, std::size_t backlog) {
  if (now < plan_.host.start) return plan_.host.start;
  advance(terminal, now);
  const terminal_state& t = terminals_[terminal];
  if (!t.outgoing.empty() && backlog < plan_.host.ahead) return now;
  return t.events.empty() ? never : t.events.top().at;
}

/// What happened up to `now`, in its order; what it gives rise to happens at its own time, too.
void goal_run::advance(std::uint32_t terminal, std::uint64_t now) {
  terminal_state& t = terminals_[terminal];
  if (!t.started) {
    t.started = true;
    start_ = std::min(start_, now);
    for (const std::uint32_t r : t.ranks) {
      ranks_[r].idle_since = ranks_[r].finished = now;
      read_on(r, now);
    }
  }
  while (!t.events.empty() && t.events.top().at <= now) {
    const event e = t.events.top();
    t.events.pop();
    handle(e);
  }
}

packet_order goal_run::take(std::uint32_t terminal, std::uint64_t now) {
  terminal_state& t = terminals_[terminal];
  const std::uint32_t number = t.outgoing.front();
  goal_message& m = *find(terminal, number);
  packet_order order;
  order.destination = plan_.where[m.to];
  order.length = plan_.host.flits(m.carried(), m.made);
  order.data = number;
  const bool last = m.made + 1 == m.packets;
  if (reductions_) {
    order.kind = flit_kind::combinable;
    order.data = reductions_->contribution(m.from, terminals_[terminal].contributed++);
    order.interface_word = reductions_->word();
  } else if (m.packets > 1) {
    order.interface_word = last ? plan_.requests.last_of_them : plan_.requests.of_several;
  }
  ++m.made;
  if (last) {
    m.left = now;
    t.outgoing.pop_front();
  }
  return order;
}

/// The host knows of it one cycle later.
void goal_run::packet_came(std::uint32_t terminal, std::uint64_t now, const flit& f) {
  if (!f.tail() || f.kind == flit_kind::reply || !takes_part(f.source)) return;
  ++heard_;
  if (reductions_) return result_came(terminal, now, f);
  goal_message* const m = find(f.source, data_of(f));
  if (!m) ++strays_;
  if (m && ++m->came == m->packets) schedule(terminal, now + 1, event::what::came, f.source, data_of(f));
}

goal_message* goal_run::find(std::uint32_t terminal, std::uint32_t number) {
  terminal_state& t = terminals_[terminal];
  const std::uint32_t at = number - t.first;
  return at < t.under_way.size() ? &t.under_way[at] : nullptr;
}

void goal_run::schedule(std::uint32_t terminal, std::uint64_t at, event::what is, std::uint32_t rank,
                        std::uint32_t number) {
  terminal_state& t = terminals_[terminal];
  t.events.push({at, t.order++, is, rank, number});
}

void goal_run::handle(const event& e) {
  switch (e.is) {
    case event::what::job_done:
      job_done(e.rank, static_cast<std::uint8_t>(e.number), e.at);
      break;
    case event::what::try_cpu:
      ranks_[e.rank].cpus[static_cast<std::uint8_t>(e.number)].asked_for = never;
      dispatch(e.rank, static_cast<std::uint8_t>(e.number), e.at);
      break;
    case event::what::came:
      message_came(e.rank, e.number, e.at);
      break;
    case event::what::look_further: {
      rank_state& r = ranks_[e.rank];
      r.looks = false;
      if (r.done == r.looked_at_done && r.busy == 0) {
        r.window *= 2;
        r.patience *= 2;
      } else {
        r.window = std::max(plan_.host.window, r.window / 2);
        r.patience = first_patience;
      }
      read_on(e.rank, e.at);
      break;
    }
  }
}

/// Reads while there is room in the window. Where it is full and nothing gets done for long, what comes
/// behind it may be what others wait for.
void goal_run::read_on(std::uint32_t rank, std::uint64_t now) {
  rank_state& r = ranks_[rank];
  try {
    while (!r.ended && r.open.size() < r.window) {
      goal_op op;
      if (r.program->next(op))
        add(rank, std::move(op), now);
      else
        r.ended = true;
    }
  } catch (const config_error& error) {
    // It may not pass the simulator.
    r.ended = true;
    if (faults_.size() < most_faults) faults_.emplace_back(error.what());
  }
  most_open_ = std::max<std::uint64_t>(most_open_, r.open.size());
  if (r.ended || r.looks) return;
  r.looks = true;
  r.looked_at_done = r.done;
  schedule(plan_.where[rank], now + r.patience, event::what::look_further, rank, 0);
}

void goal_run::add(std::uint32_t rank, goal_op op, std::uint64_t now) {
  rank_state& r = ranks_[rank];
  const std::uint32_t number = r.read++;
  open_op& added = r.open[number];
  for (const goal_dependency& d : op.after) {
    if (d.on > number) {
      r.unread[d.on].push_back({number, d.on_start});
      ++added.missing;
      continue;
    }
    const auto before = r.open.find(d.on);
    if (before == r.open.end() || (d.on_start && before->second.started)) continue;
    before->second.followers.push_back({number, d.on_start});
    ++added.missing;
  }
  if (const auto waiting = r.unread.find(number); waiting != r.unread.end()) {
    added.followers = std::move(waiting->second);
    r.unread.erase(waiting);
  }
  op.after = {};
  added.op = std::move(op);
  added.path = r.path;
  added.since = r.finished;
  if (added.missing == 0) ready(rank, number, now);
}

/// Nothing of its own rank holds it up any more.
void goal_run::ready(std::uint32_t rank, std::uint32_t number, std::uint64_t now) {
  rank_state& r = ranks_[rank];
  open_op& op = r.open.at(number);
  op.path.host += now - op.since;
  op.since = now;
  const goal_op& what = op.op;
  switch (what.kind) {
    case goal_kind::calc:
      enqueue(
          rank, what.cpu,
          {host_job::what::calc, number, plan_.host.cycles(static_cast<double>(what.size)), 0, 0, what.nic},
          now);
      break;
    case goal_kind::send:
      if (what.size <= plan_.host.S) {
        send_data(rank, number, now);
      } else {
        goal_message m;
        m.is = goal_message::what::request;
        m.from = rank, m.to = what.peer, m.tag = what.tag, m.bytes = what.size, m.send_op = number;
        m.line = what.line, m.column = what.column;
        m.path = op.path;
        started(rank, op, now);
        hand_over(std::move(m), now);
      }
      break;
    case goal_kind::reduce:
      send_data(rank, number, now);
      break;
    case goal_kind::recv:
      started(rank, op, now);
      if (const auto m = r.messages.receive(what))
        matched(rank, number, *m, false, now);
      else
        r.messages.post(number, what);
      break;
  }
}

void goal_run::started(std::uint32_t rank, open_op& op, std::uint64_t now) {
  if (op.started) return;
  op.started = true;
  std::vector<open_op::follower> after_its_end;
  std::vector<std::uint32_t> free;
  for (const open_op::follower& f : op.followers)
    if (f.on_start)
      free.push_back(f.op);
    else
      after_its_end.push_back(f);
  op.followers = std::move(after_its_end);
  path_of_time path = op.path;
  path.host += now - op.since;
  for (const std::uint32_t f : free) let_go(rank, f, path, now);
}

/// One of what an operation waited for is there.
void goal_run::let_go(std::uint32_t rank, std::uint32_t number, const path_of_time& path, std::uint64_t now) {
  open_op& op = ranks_[rank].open.at(number);
  if (--op.missing) return;
  op.path = path;
  op.since = now;
  ready(rank, number, now);
}

void goal_run::complete(std::uint32_t rank, std::uint32_t number, std::uint64_t now) {
  rank_state& r = ranks_[rank];
  open_op& op = r.open.at(number);
  started(rank, op, now);
  op.path.host += now - op.since;
  const auto node = r.open.extract(number);
  const open_op& done = node.mapped();
  ++r.done;
  r.finished = now;
  r.path = done.path;
  if (done.op.step != goal_op::no_step) {
    r.step = done.op.step;
    if (step_ends_.size() <= r.step) step_ends_.resize(std::size_t{r.step} + 1);
    step_ends_[r.step] = std::max(step_ends_[r.step], now);
  }
  if (now > end_ || (now == end_ && critical_.messages == 0)) {
    end_ = now;
    critical_ = done.path;
  }
  for (const open_op::follower& f : done.followers) let_go(rank, f.op, done.path, now);
  read_on(rank, now);
}

void goal_run::enqueue(std::uint32_t rank, std::uint8_t cpu, host_job job, std::uint64_t now) {
  host_cpu& c = ranks_[rank].cpus[cpu];
  job.order = terminals_[plan_.where[rank]].order++;
  if (uses_interface(rank, job))
    c.sends[job.nic].push_back(job);
  else
    c.others.push_back(job);
  dispatch(rank, cpu, now);
}

void goal_run::dispatch(std::uint32_t rank, std::uint8_t cpu, std::uint64_t now) {
  rank_state& r = ranks_[rank];
  host_cpu& c = r.cpus[cpu];
  if (c.busy) return;
  terminal_state& t = terminals_[plan_.where[rank]];
  std::deque<host_job>* first = c.others.empty() ? nullptr : &c.others;
  std::uint64_t again = never;
  for (auto& [nic, jobs] : c.sends) {
    if (jobs.empty()) continue;
    const std::uint64_t free = t.gap_until[nic];
    if (free > now)
      again = std::min(again, free);
    else if (!first || jobs.front().order < first->front().order)
      first = &jobs;
  }
  if (!first) {
    if (again == never || again >= c.asked_for) return;
    c.asked_for = again;
    return schedule(plan_.where[rank], again, event::what::try_cpu, rank, cpu);
  }
  c.running = first->front();
  first->pop_front();
  c.busy = true;
  if (r.busy++ == 0) {
    end_idle(r, now, nullptr);
    r.busy_since = now;
  }
  open_op& op = r.open.at(c.running.op);
  if (uses_interface(rank, c.running)) t.gap_until[c.running.nic] = now + c.running.gap;
  schedule(plan_.where[rank], now + c.running.cycles, event::what::job_done, rank, cpu);
  started(rank, op, now);
}

void goal_run::job_done(std::uint32_t rank, std::uint8_t cpu, std::uint64_t now) {
  rank_state& r = ranks_[rank];
  host_cpu& c = r.cpus[cpu];
  const host_job job = c.running;
  c.busy = false;
  if (--r.busy == 0) {
    r.times.busy += now - r.busy_since;
    r.idle_since = now;
  }
  if (job.is == host_job::what::send) {
    const open_op& op = r.open.at(job.op);
    goal_message m;
    const bool reduces = op.op.kind == goal_kind::reduce;
    m.is = reduces                      ? goal_message::what::contributions
           : op.op.size <= plan_.host.S ? goal_message::what::eager
                                        : goal_message::what::data;
    m.from = rank, m.to = op.op.peer, m.tag = op.op.tag, m.bytes = op.op.size, m.send_op = job.op;
    m.line = op.op.line, m.column = op.op.column;
    m.receive_op = op.receive_op;
    m.path = op.path;
    m.path.host += now - op.since;
    ++messages_;
    bytes_ += m.bytes;
    hand_over(std::move(m), now);
    if (reduces) return dispatch(rank, cpu, now);  // it is done when the results have come
  }
  complete(rank, job.op, now);
  dispatch(rank, cpu, now);
}

/// The processor's part of a send whose data may go.
void goal_run::send_data(std::uint32_t rank, std::uint32_t number, std::uint64_t now) {
  const goal_op& op = ranks_[rank].open.at(number).op;
  enqueue(rank, op.cpu,
          {host_job::what::send, number, plan_.host.overhead(op.size), plan_.host.gap(op.size), 0, op.nic},
          now);
}

/// From the host to its network interface.
void goal_run::hand_over(goal_message m, std::uint64_t now) {
  const std::uint32_t terminal = plan_.where[m.from];
  terminal_state& t = terminals_[terminal];
  const std::uint32_t number = t.first + static_cast<std::uint32_t>(t.under_way.size());
  m.handed = m.left = now;
  m.packets = plan_.host.packets(m.carried());
  if (m.matches()) m.order = pairs_[pair_of(m)].sent++;
  const bool local = is_local(m.from, m.to);
  t.under_way.push_back(std::move(m));
  if (local) {
    ++local_;
    schedule(terminal, now, event::what::came, terminal, number);
  } else {
    t.outgoing.push_back(number);
  }
}

/// All of it has come to its terminal.
void goal_run::message_came(std::uint32_t from_terminal, std::uint32_t number, std::uint64_t now) {
  terminal_state& from = terminals_[from_terminal];
  goal_message m = std::exchange(*find(from_terminal, number), {});
  find(from_terminal, number)->done = true;
  while (!from.under_way.empty() && from.under_way.front().done) {
    from.under_way.pop_front();
    ++from.first;
  }
  if (!m.matches()) return offer(std::move(m), now);
  const std::uint64_t pair = pair_of(m);
  pair_order& order = pairs_[pair];
  order.early.emplace(m.order, std::move(m));
  while (!order.early.empty() && order.early.begin()->first == order.matched) {
    ++order.matched;
    offer(std::move(order.early.extract(order.early.begin()).mapped()), now);
  }
  if (order.matched == order.sent) pairs_.erase(pair);
}

void goal_run::offer(goal_message m, std::uint64_t now) {
  rank_state& r = ranks_[m.to];
  m.path.interface += m.left - m.handed;
  m.path.network += now - m.left;
  m.path.go_on({m.from, m.to, m.carried(), m.handed, m.left, now});
  const std::uint32_t to = m.to;
  if (m.is == goal_message::what::contributions) return reduced(m, now);
  if (m.is == goal_message::what::grant) {
    open_op& op = r.open.at(m.send_op);
    end_idle(r, now, &m);
    op.path = m.path;
    op.since = now;
    op.receive_op = m.receive_op;
    return send_data(to, m.send_op, now);
  }
  if (m.is == goal_message::what::data) return matched(to, m.receive_op, m, true, now);
  if (const auto op = r.messages.arrive(m))
    matched(to, *op, m, true, now);
  else
    r.messages.keep(std::move(m));
}

/// `waited`: the receive was there first.
void goal_run::matched(std::uint32_t rank, std::uint32_t number, const goal_message& m, bool waited,
                       std::uint64_t now) {
  rank_state& r = ranks_[rank];
  open_op& op = r.open.at(number);
  if (waited) {
    end_idle(r, now, &m);
    op.path = m.path;
    op.since = now;
  }
  if (m.bytes > op.op.size && faults_.size() < most_faults)
    faults_.push_back(fmt::format("rank {} receives {} bytes at {}, but rank {} sends {}", rank, op.op.size,
                                  plan_.program->where(rank, op.op), m.from, m.bytes));
  if (m.is == goal_message::what::request) {
    goal_message grant;
    grant.is = goal_message::what::grant;
    grant.from = rank, grant.to = m.from, grant.bytes = m.bytes;
    grant.send_op = m.send_op, grant.receive_op = number;
    grant.path = op.path;
    return hand_over(std::move(grant), now);
  }
  enqueue(rank, op.op.cpu, {host_job::what::receive, number, plan_.host.overhead(m.bytes), 0, 0, op.op.nic},
          now);
}

/// `reason`: the message for which it waited, if there was one.
void goal_run::end_idle(rank_state& r, std::uint64_t now, const goal_message* reason) {
  if (r.busy > 1 || (reason && r.busy)) return;
  const std::uint64_t idle = now - r.idle_since;
  if (reason) {
    const std::uint64_t sent = std::clamp(reason->handed, r.idle_since, now);
    r.times.partner += sent - r.idle_since;
    r.times.network += now - sent;
  } else {
    r.times.own += idle;
  }
  r.idle_since = now;
}

}  // namespace spillway
