#include <algorithm>
#include <spillway/hw/nifdy/nifdy_table.hpp>

namespace spillway {

nifdy_table::nifdy_table(const sc_core::sc_module_name& name, const nifdy_config& config)
    : clocked(name), config_(config) {}

void nifdy_table::reset() {
  tags_ = {};
  dialog_ = {};
  waiting_.clear();
  sent.ready.write(0);
  acks.ready.write(0);
  tags.write(tags_);
  dialog.write(dialog_);
}

void nifdy_table::tick() {
  const bool notes = sent.crosses();
  const bool hears = acks.crosses();
  if (notes) note(sent.data.read());
  // Two of the cycles pass anyway: this edge, and the one at which the pool sees the result.
  if (hears) waiting_.push_back({cycle() + config_.ack_processing - 2, acks.data.read()});
  while (!waiting_.empty() && waiting_.front().due <= cycle()) {
    strike(waiting_.front().ack);
    waiting_.pop_front();
  }
  if (!waiting_.empty()) wake_at(waiting_.front().due);
  sent.ready.write(1);
  acks.ready.write(1);
  tags.write(tags_);
  dialog.write(dialog_);
  // What crosses at the next edge may look the same.
  if (notes || hears) wake_at(cycle() + 1);
}

void nifdy_table::note(const flit& head) {
  if (nifdy::has(head, nifdy::bulk)) {
    ++dialog_.next;
    dialog_.leaving |= nifdy::has(head, nifdy::exit);
    return;
  }
  if (nifdy::has(head, nifdy::toggle)) tags_.toggles |= std::uint32_t{1} << tags_.count;
  tags_.nodes[tags_.count++] = head.destination;
  most_ = std::max<unsigned>(most_, tags_.count);
  if (!nifdy::has(head, nifdy::request)) return;
  dialog_.requested = true;
  asked_ = head.destination;
}

void nifdy_table::strike(const flit& ack) {
  if (nifdy::has(ack, nifdy::bulk)) return strike_bulk(ack);
  for (unsigned i = 0; i < tags_.count; ++i) {
    const std::uint32_t bit = std::uint32_t{1} << i;
    if (tags_.nodes[i] != ack.source || ((tags_.toggles & bit) != 0) != nifdy::has(ack, nifdy::toggle))
      continue;
    const unsigned last = --tags_.count;
    tags_.nodes[i] = tags_.nodes[last];
    tags_.toggles = (tags_.toggles & ~bit) | (tags_.toggles >> last & 1) << i;
    tags_.toggles &= (std::uint32_t{1} << last) - 1;
    answer(ack);
    return;
  }
  ++stale_;
}

void nifdy_table::answer(const flit& ack) {
  if (!dialog_.requested || ack.source != asked_) return;
  const bool ending = dialog_.ending;
  dialog_ = {};
  if (!nifdy::has(ack, nifdy::granted)) {
    ++refusals_;
    return;
  }
  ++grants_;
  dialog_.open = true;
  dialog_.ending = ending;
  dialog_.peer = ack.source;
  dialog_.name = nifdy::header_of(ack).dialog;
}

void nifdy_table::strike_bulk(const flit& ack) {
  // Acknowledgements overtake each other where there are several ways; they are cumulative.
  const auto [flags, sequence, name] = nifdy::header_of(ack);
  if (dialog_.requested && ack.source == asked_ && (flags & nifdy::refused)) {
    dialog_.ending = true;  // before the grant: the receiver asks only once
    return;
  }
  const int newly = nifdy::ahead(sequence, dialog_.acknowledged);
  if (!dialog_.open || ack.source != dialog_.peer || name != dialog_.name || newly < 0 ||
      newly > nifdy::ahead(dialog_.next, dialog_.acknowledged)) {
    ++stale_;
    return;
  }
  dialog_.acknowledged = sequence;
  dialog_.ending |= (flags & nifdy::refused) != 0;
  if (dialog_.leaving && dialog_.acknowledged == dialog_.next) dialog_ = {};
}

void nifdy_table::count(counters& all) const {
  all["nifdy.bulk_grants"] += static_cast<double>(grants_);
  all["nifdy.bulk_refusals"] += static_cast<double>(refusals_);
  all["nifdy.stale_acks"] += static_cast<double>(stale_);
  double& most = all["nifdy.most_outstanding"];
  most = std::max<double>(most, most_);
}

}  // namespace spillway
