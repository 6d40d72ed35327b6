#include <fmt/format.h>

#include <algorithm>
#include <spillway/platforms/topology/route_walker.hpp>

namespace spillway {

namespace {

using vertex_id = link_table::vertex_id;
constexpr std::uint32_t no_link = link_table::no_link, no_step = no_link, unreached = ~std::uint32_t{0};

}  // namespace

route_walker::route_walker(const topology& shape, const routing& routes, const analysis_options& options,
                           bool ordered)
    : shape_(shape),
      routes_(routes),
      unbounded_(options.unbounded),
      ordered_(ordered),
      channels_(options.channels),
      escape_(routes.escape() & all_channels()),
      links_(shape),
      dependencies_(shape, links_, options),
      seen_(links_.size() * channels_) {}

unsigned route_walker::follow(std::uint32_t source, std::uint32_t destination, std::string& why) {
  flit_.source = source;
  flit_.destination = destination;
  unsigned shortest = ~0u;
  for (unsigned route = 0; route < std::max(routes_.entry_routes(), 1u); ++route) {
    flit_.route = route;
    const unsigned hops = follow_route(why);
    if (!hops) return 0;
    shortest = std::min(shortest, hops);
  }
  return shortest;
}

std::vector<unsigned> route_walker::follow_all(std::uint32_t destination) {
  flit_.destination = destination;
  std::vector<unsigned> shortest;
  for (unsigned route = 0; route < std::max(routes_.entry_routes(), 1u); ++route) {
    flit_.route = route;
    std::vector<unsigned> hops = follow_all_routes();
    if (hops.empty()) return {};
    if (route == 0)
      shortest = std::move(hops);
    else
      std::transform(hops.begin(), hops.end(), shortest.begin(), shortest.begin(),
                     [](unsigned a, unsigned b) { return std::min(a, b); });
  }
  return shortest;
}

unsigned route_walker::follow_route(std::string& why) {
  const std::uint32_t source = flit_.source, destination = flit_.destination;
  ++round_;
  const std::uint32_t link = links_.leaving(shape_.terminals[source], 0);
  if (link == no_link) return why = "the terminal has no link into the network", 0;
  std::vector<place> reached;  // in the order of their distance
  for (unsigned c = 0; c < channels_; ++c) visit(reached, {link * channels_ + c, source, 0});
  if (!dependencies_.has_buffers(source, destination, why)) return 0;
  unsigned hops = 0;
  for (std::size_t at = 0; at < reached.size(); ++at) {
    const place here = reached[at];
    const vertex_id v = links_.to(link_of(here.channel));
    if (shape_.g[v].role == vertex::terminal) {
      if (shape_.g[v].index != destination) return why = "the route ends at " + shape_.name(v), 0;
      if (!hops) hops = here.switches;
      continue;
    }
    bool leads_on = false;
    go_on(here, [&](std::uint32_t to_link, unsigned c) {
      leads_on = true;
      visit(reached, {to_link * channels_ + c, source, here.switches + 1});
    });
    if (!leads_on) return why = shape_.name(v) + " has no way on", 0;
  }
  if (!hops) return why = "the route runs in a circle", 0;
  if (escape_ && !ordered_) add_escapes(reached);
  return hops;
}

std::vector<unsigned> route_walker::follow_all_routes() {
  const std::uint32_t destination = flit_.destination;
  ++round_;
  std::vector<place> reached;
  std::vector<std::uint32_t> first;
  std::string ignored;
  for (std::uint32_t source = 0; source < shape_.terminals.size(); ++source) {
    first.push_back(links_.leaving(shape_.terminals[source], 0));
    if (first.back() == no_link || !dependencies_.has_buffers(source, destination, ignored)) return {};
    for (unsigned c = 0; c < channels_; ++c) visit(reached, {first.back() * channels_ + c, source, 0});
  }
  std::vector<step> steps;
  std::vector<std::uint32_t> arrived;
  for (std::size_t at = 0; at < reached.size(); ++at) {
    const place here = reached[at];
    if (const std::uint32_t link = link_of(here.channel); into_terminal(link)) {
      if (links_.to_index(link) != destination) return {};
      arrived.push_back(here.channel);
      continue;
    }
    flit_.source = here.source;
    const std::size_t before = steps.size();
    go_on(here, [&](std::uint32_t link, unsigned c) {
      steps.emplace_back(link * channels_ + c, here.channel);
      visit(reached, {link * channels_ + c, here.source, 0});
    });
    if (steps.size() == before) return {};
  }
  if (escape_ && !ordered_) add_escapes(reached);
  return hops_back(first, std::move(arrived), steps);
}

template <class F>
void route_walker::go_on(const place& here, F&& f) {
  bool escapes = false, leads_on = false;
  each_next(here.channel, [&](std::uint32_t to_link, unsigned c) {
    leads_on = true;
    escapes |= is_escape(to_link, c);
    if (!escape_ && !unbounded_) dependencies_.add(here.channel, to_link * channels_ + c, flit_.destination);
    f(to_link, c);
  });
  if (routes_.entry_routes() && !unbounded_) add_other_routes(here.channel);
  if (escape_ && leads_on && !escapes && no_escape_.empty())
    no_escape_ = fmt::format("{} offers no escape from terminal {} to {}",
                             shape_.name(links_.to(link_of(here.channel))), unsigned{flit_.source},
                             unsigned{flit_.destination});
}

void route_walker::add_other_routes(std::uint32_t channel) {
  const std::uint32_t link = link_of(channel);
  const unsigned node = links_.to_index(link), input = links_.to_port(link);
  flit_.lane = static_cast<std::uint8_t>(channel % channels_);
  if (shape_.g[links_.from(link)].role == vertex::terminal || !routes_.decides_again(node, input, flit_))
    return;
  const unsigned kept = flit_.route;
  for (unsigned route = 0; route < routes_.entry_routes(); ++route) {
    flit_.route = route;
    if (route != kept)
      each_next(channel, [&](std::uint32_t to_link, unsigned c) {
        dependencies_.add(channel, to_link * channels_ + c, flit_.destination);
      });
  }
  flit_.route = kept;
}

std::vector<unsigned> route_walker::hops_back(const std::vector<std::uint32_t>& first,
                                              std::vector<std::uint32_t> reached,
                                              const std::vector<step>& steps) {
  ++round_;
  ways_back_.resize(seen_.size());
  const auto way_back = [this](std::uint32_t channel) -> way& {
    way& w = ways_back_[channel];
    if (w.round != round_) w = {round_, no_step, unreached};
    return w;
  };
  // The steps to a channel as a list: the last of them, and of each the one before.
  std::vector<std::uint32_t> before(steps.size());
  for (std::uint32_t s = 0; s < steps.size(); ++s)
    before[s] = std::exchange(way_back(steps[s].first).last_step, s);
  for (const std::uint32_t channel : reached) way_back(channel).distance = 0;
  for (std::size_t at = 0; at < reached.size(); ++at) {
    const way here = ways_back_[reached[at]];
    for (std::uint32_t s = here.last_step; s != no_step; s = before[s]) {
      way& earlier = way_back(steps[s].second);
      if (earlier.distance != unreached) continue;
      earlier.distance = here.distance + 1;
      reached.push_back(steps[s].second);
    }
  }
  std::vector<unsigned> hops;
  for (const std::uint32_t link : first) {
    unsigned least = unreached;
    for (std::uint32_t channel = link * channels_; channel < (link + 1) * channels_; ++channel)
      least = std::min(least, way_back(channel).distance);
    if (least == 0 || least == unreached) return {};
    hops.push_back(least);
  }
  return hops;
}

template <class F>
void route_walker::each_next(std::uint32_t channel, F&& f) {
  const std::uint32_t link = link_of(channel);
  if (into_terminal(link)) return;
  const vertex_id v = links_.to(link);
  flit_.lane = static_cast<std::uint8_t>(channel % channels_);
  const unsigned node = links_.to_index(link), input = links_.to_port(link);
  const port_mask outputs = routes_.outputs(node, input, flit_);
  if (several_.empty() && (outputs & (outputs - 1)))
    several_ = fmt::format("{} outputs of {} to terminal {}", __builtin_popcountll(outputs), shape_.name(v),
                           unsigned{flit_.destination});
  for (port_mask rest = outputs; rest; rest &= rest - 1) {
    const auto o = static_cast<unsigned>(__builtin_ctzll(rest));
    const std::uint32_t onward = links_.leaving(v, o);
    if (onward == no_link) continue;
    channel_mask allowed =
        into_terminal(onward) ? 1 : routes_.channels(node, input, o, flit_) & all_channels();
    for (; allowed; allowed &= allowed - 1) f(onward, static_cast<unsigned>(__builtin_ctzll(allowed)));
  }
}

void route_walker::add_escapes(const std::vector<place>& reached) {
  for (const place& start : reached) {
    if (!is_escape(link_of(start.channel), start.channel % channels_)) continue;
    ++round_;
    std::vector<std::uint32_t> open{start.channel};
    while (!open.empty()) {
      const std::uint32_t from = open.back();
      open.pop_back();
      each_next(from, [&](std::uint32_t link, unsigned c) {
        const std::uint32_t to = link * channels_ + c;
        if (is_escape(link, c)) {
          dependencies_.add_escape(start.channel, to);
        } else if (seen_[to] != round_) {
          seen_[to] = round_;
          open.push_back(to);
        }
      });
    }
  }
}

void route_walker::visit(std::vector<place>& reached, const place& next) {
  if (seen_[next.channel] == round_) return;
  seen_[next.channel] = round_;
  ++visited_;
  reached.push_back(next);
}

channel_mask route_walker::all_channels() const {
  return channels_ >= 64 ? ~channel_mask{0} : (channel_mask{1} << channels_) - 1;
}

}  // namespace spillway
