// Verifies a certificate of `spillway check --certificate`, that a network is free of deadlock. A second
// opinion: it shares no code with what wrote the certificate, and includes nothing of ours. docs/networks.md
// says what it proves.
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

namespace {

using number = std::uint32_t;
using wide = std::uint64_t;

/// Why a certificate is refused, with the line of it.
struct refusal : std::runtime_error {
  refusal(std::size_t line, const std::string& what)
      : std::runtime_error(std::to_string(line) + ": " + what) {}
};

struct range {
  number first, last;
};
struct port {
  bool terminal = false;
  number vertex = 0, at = 0;
};
bool operator<(const port& a, const port& b) {
  return std::tie(a.terminal, a.vertex, a.at) < std::tie(b.terminal, b.vertex, b.at);
}
std::string name(const port& p) {
  return (p.terminal ? 't' : 's') + std::to_string(p.vertex) + ':' + std::to_string(p.at);
}
struct link {
  port from, to;
};
struct wish {
  number channel;
  bool sure;  // a packet may wait for this one alone
};
struct rule {
  std::size_t line;
  number set, label;  // label: the highest order of what such a packet may hold
  std::vector<wish> wishes;
};
struct channel {
  std::size_t line = 0;  // 0: it is not there
  number link = 0, order = 0;
  bool sink = false;
  std::vector<rule> rules;
};

struct certificate {
  number terminals = 0, switches = 0, links = 0, lanes = 0, words = 1;
  bool pairs = false;
  wide flows = 0;
  std::vector<link> joins;
  std::map<number, std::vector<range>> sets;  // of flows, ascending
  std::vector<channel> channels;
};

/// The words of one line. Each must be what it is asked for.
class words {
public:
  words(const std::string& text, std::size_t line) : text_(text), line_(line) {}
  std::string word(const std::string& what) {
    skip();
    const std::size_t from = at_;
    while (at_ < text_.size() && text_[at_] != ' ') ++at_;
    if (at_ == from) fail(what, "the end of the line");
    return text_.substr(from, at_ - from);
  }
  /// A number below a limit, up to where its digits end.
  number digits(const std::string& what, wide below) {
    wide n = 0;
    const std::size_t from = at_;
    for (; at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) && n < below; ++at_)
      n = n * 10 + static_cast<unsigned>(text_[at_] - '0');
    if (at_ == from || n >= below)
      fail(what + " below " + std::to_string(below), "'" + text_.substr(from, 20) + "'");
    return static_cast<number>(n);
  }
  number count(const std::string& what, wide below) {
    skip();
    const number n = digits(what, below);
    if (at_ < text_.size() && text_[at_] != ' ') fail("a blank", "'" + text_.substr(at_, 20) + "'");
    return n;
  }
  bool takes(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool more() {
    skip();
    return at_ < text_.size();
  }
  void end() {
    if (more()) fail("the end of the line", "'" + text_.substr(at_, 20) + "'");
  }
  [[noreturn]] void fail(const std::string& expected, const std::string& found) const {
    throw refusal(line_, "expected " + expected + ", found " + found);
  }
  std::size_t line() const { return line_; }

private:
  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  const std::string& text_;
  const std::size_t line_;
  std::size_t at_ = 0;
};

port read_port(words& in, number terminals, number switches) {
  port p;
  if (!in.more() || !((p.terminal = in.takes('t')) || in.takes('s'))) in.fail("a port such as s5:2", "none");
  p.vertex = in.digits("a vertex", p.terminal ? terminals : switches);
  if (!in.takes(':')) in.fail("a port such as s5:2", "no colon");
  p.at = in.count("a port", p.terminal ? 1 : 64);
  return p;
}

/// Reads a certificate. What is said of links, sets and channels must come before what speaks of them, but
/// for the channels that packets go to.
class reader {
public:
  explicit reader(std::istream& in) {
    header(in);
    std::string text;
    while (!ended_) {
      words line = next(in, text);
      entry(line);
    }
    if (std::getline(in, text)) throw refusal(line_ + 1, "expected the end of the file");
    if (c_.joins.size() != c_.links) throw refusal(line_, "expected " + std::to_string(c_.links) + " links");
  }
  const certificate& read() const { return c_; }

private:
  words next(std::istream& in, std::string& text) {
    if (!std::getline(in, text) || in.eof())
      throw refusal(line_ + 1, "the certificate is cut off: it has no `end`");
    return {text, ++line_};
  }
  number keyed(std::istream& in, const char* key, wide below) {
    std::string text;
    words line = next(in, text);
    const std::string found = line.word(key);
    if (found != key) line.fail(key, "'" + found.substr(0, 40) + "'");
    const number n = line.count(key, below);
    line.end();
    return n;
  }
  void header(std::istream& in) {
    if (keyed(in, "spillway-certificate", 1000) != 1) throw refusal(line_, "expected format 1");
    c_.terminals = keyed(in, "terminals", 1u << 28);
    c_.switches = keyed(in, "switches", 1u << 28);
    c_.links = keyed(in, "links", 1u << 28);
    c_.lanes = keyed(in, "channels", 65);
    if (c_.terminals == 0 || c_.lanes == 0) throw refusal(line_, "expected terminals and channels, found 0");
    std::string text;
    words line = next(in, text);
    if (line.word("flows") != "flows") line.fail("flows", "another key");
    const std::string kind = line.word("destinations or pairs");
    c_.pairs = kind == "pairs";
    if (!c_.pairs && kind != "destinations") line.fail("destinations or pairs", "'" + kind + "'");
    if (c_.pairs) c_.words = line.count("routes", 4097);
    line.end();
    const wide n = c_.terminals;
    c_.flows = c_.pairs ? n * n * c_.words : n;
    if (c_.flows == 0 || c_.flows > 1u << 30) throw refusal(line_, "too many flows");
  }
  void entry(words& in) {
    const std::string key = in.word("an entry");
    if (key == "link")
      read_link(in);
    else if (key == "set")
      read_set(in);
    else if (key == "channel" || key == "sink")
      read_channel(in, key == "sink");
    else if (key == "rule")
      read_rule(in);
    else if (key == "end")
      ended_ = in.count("the number of lines", wide{1} << 32) == line_ ||
               (in.fail("the number of lines, " + std::to_string(line_), "another"), false);
    else
      in.fail("link, set, channel, sink, rule or end", "'" + key.substr(0, 40) + "'");
    in.end();
  }
  void read_link(words& in) {
    if (c_.joins.size() == c_.links) in.fail(std::to_string(c_.links) + " links", "one more");
    const port from = read_port(in, c_.terminals, c_.switches);
    const port to = read_port(in, c_.terminals, c_.switches);
    if (!outputs_.insert(from).second) in.fail("one link an output", "another of " + name(from));
    if (!inputs_.insert(to).second) in.fail("one link an input", "another of " + name(to));
    c_.joins.push_back({from, to});
  }
  void read_set(words& in) {
    const number at = in.count("a set", 1u << 30);
    std::vector<range> set;
    in.more();
    wide next = 0;
    do {
      const number first = in.digits("a flow", c_.flows);
      const number last = in.takes('-') ? in.digits("a flow", c_.flows) : first;
      if (first < next || last < first) in.fail("flows in ascending order", std::to_string(first));
      set.push_back({first, last});
      next = wide{last} + 1;
    } while (in.takes(','));
    if (!c_.sets.emplace(at, std::move(set)).second) in.fail("each set once", std::to_string(at) + " again");
  }
  void read_channel(words& in, bool sink) {
    const number at = in.count("a channel", wide{c_.links} * c_.lanes);
    if (c_.channels.size() <= at) c_.channels.resize(at + 1);
    channel& c = c_.channels[at];
    if (c.line) in.fail("each channel once", std::to_string(at) + " again");
    c.line = in.line();
    c.link = in.count("a link", c_.joins.size());
    c.sink = sink;
    if (c_.joins[c.link].to.terminal != sink)
      in.fail(sink ? "a link into a terminal" : "one into a switch", "another");
    last_ = at;
    if (sink) return;
    const number lane = in.count("a channel of the link", c_.lanes), place = in.count("a place", 1u << 30);
    if (!lanes_.emplace(c.link, lane).second) in.fail("each channel of a link once", "one again");
    c.order = in.count("an order", 1u << 30);
    if (orders_.emplace(place, c.order).first->second != c.order) in.fail("one order a place", "another");
  }
  void read_rule(words& in) {
    if (last_ >= c_.channels.size() || c_.channels[last_].sink) in.fail("a channel before its rules", "none");
    rule r{in.line(), in.count("a set", 1u << 30), in.count("a label", 1u << 30), {}};
    if (!c_.sets.count(r.set)) in.fail("a set from above", std::to_string(r.set));
    while (in.more()) {
      const bool sure = !in.takes('?');
      r.wishes.push_back({in.count("a channel", wide{c_.links} * c_.lanes), sure});
    }
    c_.channels[last_].rules.push_back(std::move(r));
  }

  certificate c_;
  std::size_t line_ = 0;
  bool ended_ = false;
  number last_ = ~number{0};
  std::set<port> outputs_, inputs_;
  std::set<std::pair<number, number>> lanes_;
  std::map<number, number> orders_;  // by place
};

/// Flows with the label that their packets have.
struct run {
  range flows;
  number label;
};

class verifier {
public:
  explicit verifier(const certificate& c) : c_(c), runs_(c.channels.size()) {
    for (std::size_t at = 0; at < c.channels.size(); ++at) runs_[at] = runs_of(c.channels[at]);
  }
  void verify() {
    for (const channel& c : c_.channels)
      for (const rule& r : c.rules) verify(c, r);
    verify_entries();
  }
  /// Whether each packet waits for something higher at every step, whatever it takes: then it arrives.
  bool all_arrive() const { return arrive_; }

private:
  /// What the rules of a channel say of each flow, which must be one thing.
  std::vector<run> runs_of(const channel& c) const {
    std::vector<run> runs;
    for (const rule& r : c.rules)
      for (const range& flows : c_.sets.at(r.set)) runs.push_back({flows, r.label});
    std::sort(runs.begin(), runs.end(),
              [](const run& a, const run& b) { return a.flows.first < b.flows.first; });
    for (std::size_t i = 1; i < runs.size(); ++i)
      if (runs[i].flows.first <= runs[i - 1].flows.last)
        throw refusal(c.line, "the channel has two rules for flow " + std::to_string(runs[i].flows.first));
    return runs;
  }
  void verify(const channel& c, const rule& r) {
    if (r.label < c.order) throw refusal(r.line, "the label is lower than the order of the channel");
    bool sure = false;
    for (const wish& w : r.wishes) {
      if (w.channel >= c_.channels.size() || !c_.channels[w.channel].line)
        throw refusal(r.line, "channel " + std::to_string(w.channel) + " is missing");
      const channel& next = c_.channels[w.channel];
      if (!joined(c_.joins[c.link].to, c_.joins[next.link].from))
        throw refusal(r.line, "channel " + std::to_string(w.channel) + " does not begin where this one ends");
      sure |= w.sure;
      if (next.sink) {
        verify_arrival(c_.joins[next.link].to.vertex, r);
        continue;
      }
      if (w.sure && next.order <= r.label)
        throw refusal(r.line, "packets that hold order " + std::to_string(r.label) + " wait for channel " +
                                  std::to_string(w.channel) + " of order " + std::to_string(next.order));
      arrive_ &= w.sure;
      verify_covered(runs_[w.channel], c_.sets.at(r.set), r.label, r.line, w.channel);
    }
    if (!sure) throw refusal(r.line, "packets have nothing that they may wait for");
  }
  static bool joined(const port& a, const port& b) {
    return a.terminal == b.terminal && a.vertex == b.vertex;
  }
  void verify_arrival(number terminal, const rule& r) const {
    for (const range& flows : c_.sets.at(r.set))
      for (wide flow = flows.first; flow <= flows.last; ++flow)
        if ((c_.pairs ? flow / c_.words % c_.terminals : flow) != terminal)
          throw refusal(r.line,
                        "flow " + std::to_string(flow) + " ends at terminal " + std::to_string(terminal));
  }
  /// Each of the flows must have a rule there whose label is no lower.
  static void verify_covered(const std::vector<run>& runs, const std::vector<range>& flows, number label,
                             std::size_t line, number channel) {
    auto at = runs.begin();
    for (const range& wanted : flows)
      for (wide flow = wanted.first; flow <= wanted.last; flow = wide{at->flows.last} + 1) {
        while (at != runs.end() && at->flows.last < flow) ++at;
        if (at == runs.end() || at->flows.first > flow)
          throw refusal(
              line, "channel " + std::to_string(channel) + " has no rule for flow " + std::to_string(flow));
        if (at->label < label)
          throw refusal(line, "channel " + std::to_string(channel) + " forgets what flow " +
                                  std::to_string(flow) + " holds");
      }
  }
  /// Packets of every flow enter by every channel of the link of its terminal.
  void verify_entries() const {
    std::vector<number> lanes(c_.terminals), sinks(c_.terminals);
    const wide own = c_.pairs ? wide{c_.terminals} * c_.words : 0;
    for (std::size_t at = 0; at < c_.channels.size(); ++at) {
      const channel& c = c_.channels[at];
      if (!c.line || c.sink || !c_.joins[c.link].from.terminal) continue;
      const number terminal = c_.joins[c.link].from.vertex;
      ++lanes[terminal];
      const wide first = own * terminal, last = (own ? first + own : c_.flows) - 1;
      verify_covered(runs_[at], {{static_cast<number>(first), static_cast<number>(last)}}, 0, c.line,
                     static_cast<number>(at));
    }
    for (number t = 0; t < c_.terminals; ++t)
      if (lanes[t] != c_.lanes)
        throw refusal(1, "terminal " + std::to_string(t) + " enters by " + std::to_string(lanes[t]) + " of " +
                             std::to_string(c_.lanes) + " channels");
  }

  const certificate& c_;
  std::vector<std::vector<run>> runs_;  // by channel
  bool arrive_ = true;
};

/// Holds the links to those of a graph: `t0:0 -> s3:1` a line, as `spillway graph -o NAME.txt` writes it.
void compare(const certificate& c, std::istream& in) {
  std::set<std::pair<port, port>> links;
  for (const link& l : c.joins) links.emplace(l.from, l.to);
  std::size_t line = 0, found = 0;
  for (std::string text; std::getline(in, text);) {
    text.erase(std::min(text.find('#'), text.size()));
    words w(text, ++line);
    if (!w.more()) continue;
    const port from = read_port(w, ~number{0}, ~number{0});
    if (w.word("->") != "->") w.fail("->", "another");
    const port to = read_port(w, ~number{0}, ~number{0});
    w.end();
    ++found;
    if (!links.erase({from, to}))
      throw refusal(line, name(from) + " -> " + name(to) + " is no link of the certificate");
  }
  if (!links.empty())
    throw refusal(line + 1, "the graph has " + std::to_string(found) + " links, and not " +
                                name(links.begin()->first) + " -> " + name(links.begin()->second));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || argc > 3 || argv[1][0] == '-') {
    std::cerr
        << "spillway-certify CERTIFICATE [GRAPH.txt]: verifies what `spillway check --certificate` wrote,\n"
           "and that it is of the network that `spillway graph -o GRAPH.txt` wrote\n";
    return 2;
  }
  std::string file = argv[1];
  try {
    std::ifstream in(file);
    if (!in) throw refusal(1, "cannot be read");
    const reader read(in);
    const certificate& c = read.read();
    verifier verify(c);
    verify.verify();
    if (argc == 3) {
      file = argv[2];
      std::ifstream graph(file);
      if (!graph) throw refusal(1, "cannot be read");
      compare(c, graph);
    }
    std::cout << "holds: " << c.terminals << " terminals, " << c.switches << " switches, " << c.links
              << " links, " << c.flows << " flows: no packets wait for each other in a cycle"
              << (verify.all_arrive() ? ", and every packet arrives\n" : "\n");
  } catch (const refusal& r) {
    std::cerr << file << ':' << r.what() << '\n';
    return 1;
  } catch (const std::exception& error) {
    std::cerr << file << ": " << error.what() << '\n';
    return 1;
  }
  return std::cout.flush() ? 0 : 1;
}
