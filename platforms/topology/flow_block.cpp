#include <fmt/format.h>

#include <algorithm>
#include <spillway/hw/switching/masks.hpp>
#include <spillway/platforms/topology/flow_block.hpp>
#include <spillway/platforms/topology/node_routing.hpp>
#include <stdexcept>

namespace spillway {

using namespace masks;

flow_block::flow_block(const topology& shape, const routing& routes, const analysis_options& options)
    : shape_(shape),
      routes_(routes),
      together_(routes.memoryless() && routes.entry_routes() == 0),
      by_node_(together_ && dynamic_cast<const node_routing*>(&routes)),
      channels_(options.channels),
      words_(std::max(routes.entry_routes(), 1u)),
      all_(low_bits(channels_)),
      escape_(routes.escape() & all_),
      flows_(together_ ? shape.terminals.size()
                       : std::uint64_t{shape.terminals.size()} * shape.terminals.size() * words_),
      links_(shape),
      at_(links_.size() * channels_, mark{0, none}),
      asked_(by_node_ ? shape.switches.size() : 1) {}

void flow_block::follow(const std::vector<std::uint64_t>& flows) {
  start(flows);
  for (std::size_t at = 0; at < visits_.size();) {
    const visit here = visits_[at++];
    go_on(here);
  }
}

void flow_block::start(const std::vector<std::uint64_t>& flows) {
  for (const stop& s : stops_) at_[s.channel] = {0, none};
  stops_.clear(), groups_.clear(), wishes_.clear(), visits_.clear();
  for (request_list& there : asked_) there.known = 0, there.count = 0;
  heads_.assign(flows.size(), flit{});
  const auto n = static_cast<number>(shape_.terminals.size());
  for (std::size_t i = 0; i < flows.size(); ++i) {
    const std::uint64_t pair = flows[i] / words_;
    heads_[i].route = static_cast<number>(flows[i] % words_);
    heads_[i].destination = static_cast<number>(pair % n);
    if (!together_) enter(static_cast<number>(pair / n), bit(i));
  }
  if (together_)
    for (number source = 0; source < n; ++source) enter(source, low_bits(flows.size()));
}

void flow_block::enter(number source, mask flows) {
  const number link = links_.leaving(shape_.terminals[source], 0);
  if (link == link_table::no_link)
    throw std::invalid_argument(fmt::format("terminal {} has no link into the network", source));
  for (unsigned c = 0; c < channels_; ++c) reach(link * channels_ + c, source, flows);
}

void flow_block::reach(number channel, number source, mask flows) {
  mark& at = at_[channel];
  const mask fresh = flows & ~at.reached;
  if (!fresh) return;
  if (!at.reached) {
    at.stop = static_cast<number>(stops_.size());
    stops_.push_back({channel, none});
  }
  at.reached |= fresh;
  visits_.push_back({channel, source, fresh});
}

void flow_block::go_on(const visit& here) {
  const number link = link_of(here.channel);
  if (links_.into_terminal(link)) return arrive(link, here.flows);
  request_list& there = asked_[by_node_ ? links_.to_index(link) : 0];
  if (!by_node_) there.known = 0, there.count = 0;
  ask_all(here, there);
  for (std::size_t k = 0; k < there.count; ++k)
    if (const mask these = there.list[k].flows & here.flows) take(here, these, there.list[k].channels);
}

void flow_block::ask_all(const visit& here, request_list& there) {
  std::size_t kind = 0;  // that of the flow before
  for (mask rest = here.flows & ~there.known; rest; rest &= rest - 1) {
    flit& head = heads_[lowest(rest)];
    head.source = here.source;
    head.lane = static_cast<std::uint8_t>(here.channel % channels_);
    if (there.count == there.list.size()) there.list.emplace_back();
    request& found = there.list[there.count];
    ask(link_of(here.channel), head, found.channels);
    if (kind == there.count || there.list[kind].channels != found.channels)
      for (kind = 0; there.list[kind].channels != found.channels;) ++kind;
    if (kind == there.count) there.list[there.count++].flows = 0;
    there.list[kind].flows |= bit(lowest(rest));
  }
  there.known |= here.flows;
}

void flow_block::arrive(number link, mask flows) const {
  for (; flows; flows &= flows - 1)
    if (const number to = heads_[lowest(flows)].destination; to != links_.to_index(link))
      throw std::invalid_argument(
          fmt::format("a packet to terminal {} ends at {}", to, shape_.name(links_.to(link))));
}

void flow_block::ask(number link, const flit& head, channel_list& found) const {
  const auto v = links_.to(link);
  const unsigned node = links_.to_index(link), input = links_.to_port(link);
  found.clear();
  if (words_ > 1 && shape_.g[links_.from(link)].role == vertex::switch_ &&
      routes_.decides_again(node, input, head))
    throw std::invalid_argument("routes are written anew on the way, which no certificate follows");
  for (port_mask rest = routes_.outputs(node, input, head); rest; rest &= rest - 1) {
    const unsigned o = lowest(rest);
    const number onward = links_.leaving(v, o);
    if (onward == link_table::no_link) continue;
    found.emplace_back(onward,
                       links_.into_terminal(onward) ? 1 : routes_.channels(node, input, o, head) & all_);
  }
}

void flow_block::take(const visit& here, mask flows, const channel_list& ways) {
  const auto first = static_cast<number>(wishes_.size());
  bool sure = false;
  for (const auto& [link, channels] : ways)
    for (channel_mask rest = channels; rest; rest &= rest - 1) {
      const number next = link * channels_ + lowest(rest);
      reach(next, here.source, flows);
      wishes_.push_back({next, !escape_ || is_escape(next) || links_.into_terminal(link)});
      sure |= wishes_.back().sure;
    }
  if (!sure)
    throw std::invalid_argument(fmt::format("{} has no way on, or no escape, for a packet to terminal {}",
                                            shape_.name(links_.to(link_of(here.channel))),
                                            number{heads_[lowest(flows)].destination}));
  stop& at = stops_[stop_at(here.channel)];
  const group made{flows, first, static_cast<number>(wishes_.size()), at.first_group};
  const auto now = wishes_of(made);
  for (number g = at.first_group; g != none; g = groups_[g].next)
    if (const auto old = wishes_of(groups_[g]); std::equal(old.begin(), old.end(), now.begin(), now.end())) {
      groups_[g].flows |= flows;
      return wishes_.resize(first);
    }
  at.first_group = static_cast<number>(groups_.size());
  groups_.push_back(made);
}

}  // namespace spillway
