#include <fmt/format.h>

#include <algorithm>
#include <spillway/platforms/topology/channel_dependencies.hpp>
#include <utility>

namespace spillway {

namespace {

void add_once(channel_dependencies::list& asked, std::uint32_t what) {
  if (std::find(asked.begin(), asked.end(), what) == asked.end()) asked.push_back(what);
}

/// A cycle of the graph, or nothing: depth first, without recursion.
std::vector<std::uint32_t> find_cycle(const std::vector<channel_dependencies::list>& next) {
  enum : std::uint8_t { fresh, open, done };
  std::vector<std::uint8_t> state(next.size(), fresh);
  std::vector<std::pair<std::uint32_t, std::size_t>> path;
  for (std::uint32_t start = 0; start < next.size(); ++start) {
    if (state[start] != fresh) continue;
    path.assign(1, {start, 0});
    state[start] = open;
    while (!path.empty()) {
      auto& [link, at] = path.back();
      if (at == next[link].size()) {
        state[link] = done;
        path.pop_back();
        continue;
      }
      const std::uint32_t to = next[link][at++];
      if (state[to] == fresh) {
        state[to] = open;
        path.emplace_back(to, 0);
      } else if (state[to] == open) {
        std::vector<std::uint32_t> cycle;
        auto from = std::find_if(path.begin(), path.end(), [&](const auto& p) { return p.first == to; });
        for (; from != path.end(); ++from) cycle.push_back(from->first);
        return cycle;
      }
    }
  }
  return {};
}

std::optional<distance_table> distances_of(const topology& shape, const analysis_options& options) {
  if (!options.hop_classes) return std::nullopt;
  return std::make_optional<distance_table>(shape);
}

}  // namespace

channel_dependencies::channel_dependencies(const topology& shape, const link_table& links,
                                           const analysis_options& options)
    : shape_(shape),
      links_(links),
      shared_pools_(options.shared_pools),
      fifo_queues_(options.fifo_queues),
      channels_(options.channels),
      distances_(distances_of(shape, options)),
      // Nothing waits for buffers below the last ones, as many as the longest way has switches.
      classes_(distances_ ? std::min(options.hop_classes, distances_->longest() + 1) : 0),
      free_buffers_(options.hop_classes - classes_),
      next_(std::max<std::size_t>(links.size() * channels_, num_vertices(shape.g) * std::max(classes_, 1u))) {
  if (classes_) waits_.resize(links.size());
}

bool channel_dependencies::has_buffers(std::uint32_t source, std::uint32_t destination,
                                       std::string& why) const {
  if (!classes_) return true;
  const auto first = links_.to(links_.leaving(shape_.terminals[source], 0));
  const unsigned far = distances_->from(shape_.g[first].index, destination);
  if (far < classes_) return true;
  why = fmt::format("{} hops need {} buffers a node, found {}", far, far + 1, classes_);
  return false;
}

void channel_dependencies::add(std::uint32_t held, std::uint32_t asked, std::uint32_t destination) {
  const std::uint32_t link = asked / channels_;
  if (!classes_) {
    const auto resource = [&](std::uint32_t channel) {
      return shared_pools_ ? static_cast<std::uint32_t>(links_.to(channel / channels_)) : channel;
    };
    return add_once(next_[resource(held)], resource(asked));
  }
  if (shape_.g[links_.to(link)].role == vertex::terminal) return;
  const unsigned here = distances_->from(shape_.g[links_.from(link)].index, destination);
  const unsigned there = distances_->from(shape_.g[links_.to(link)].index, destination);
  add_once(waits_[link], here * classes_ + there);
}

void channel_dependencies::add_escape(std::uint32_t held, std::uint32_t asked) {
  add_once(next_[held], asked);
}

void channel_dependencies::spread_waits() {
  for (std::uint32_t link = 0; link < waits_.size(); ++link) {
    const auto& waits = waits_[link];
    const auto nearest = std::min_element(waits.begin(), waits.end());
    for (const std::uint32_t wait : waits)
      for (unsigned g = 0; g + (fifo_queues_ ? *nearest : wait) / classes_ < classes_; ++g)
        add_once(next_[links_.from(link) * classes_ + g],
                 static_cast<std::uint32_t>(links_.to(link) * classes_ + classes_ - 1 - wait % classes_));
  }
}

std::vector<std::string> channel_dependencies::cycle() {
  std::vector<std::string> names;
  spread_waits();
  for (const std::uint32_t what : find_cycle(next_)) names.push_back(name(what));
  return names;
}

std::string channel_dependencies::name(std::uint32_t what) const {
  if (classes_)
    return fmt::format("{} buffer {}", shape_.name(what / classes_), free_buffers_ + what % classes_);
  if (shared_pools_) return shape_.name(what);
  const std::string link = links_.name(what / channels_);
  return channels_ > 1 ? fmt::format("{} channel {}", link, what % channels_) : link;
}

}  // namespace spillway
