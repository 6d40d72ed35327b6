#include <spillway/hw/kernel/config_check.hpp>
#include <spillway/hw/nifdy/nifdy_unit.hpp>

namespace spillway {

nifdy_unit::nifdy_unit(const sc_core::sc_module_name& name, const nifdy_config& config,
                       std::shared_ptr<const routing> routes, link_end next)
    : sc_module(name),
      to_network(config.networks, "to_network"),
      from_network(config.networks, "from_network"),
      config_(detail::checked(config)),
      pool_("pool", config, std::move(routes), next),
      table_("table", config),
      port_("port", config),
      reorder_("reorder", config),
      arrivals_("arrivals", config),
      acks_("acks", config),
      tags_({"tags"}),
      dialog_({"dialog"}) {
  pool_.in.bind(in);
  arrivals_.out.bind(out);
  for (unsigned n = 0; n < config.networks; ++n) {
    pool_.out[n].bind(to_network[n]);
    port_.in[n].bind(from_network[n]);
  }
  const auto join = [](packet_link& l, packet_out& from, packet_in& to) { l.connect(from), l.connect(to); };
  join(between("sent"), pool_.sent, table_.sent);
  join(between("acks_in"), port_.acks, table_.acks);
  join(between("scalar"), port_.scalar, arrivals_.scalar);
  join(between("bulk"), port_.bulk, reorder_.in);
  join(between("in_order"), reorder_.out, arrivals_.bulk);
  join(between("accepted"), arrivals_.accepted, acks_.accepted);
  join(between("progress"), reorder_.progress, acks_.progress);
  join(between("opened"), acks_.opened, reorder_.opened);
  join(between("acks_out"), acks_.out, pool_.acks);
  tags_.connect_pin(table_.tags), tags_.connect_pin(pool_.tags);
  dialog_.connect_pin(table_.dialog), dialog_.connect_pin(pool_.dialog);
}

packet_link& nifdy_unit::between(const char* what) {
  link_place place;
  place.name = what;
  links_.push_back(std::make_unique<packet_link>(std::move(place)));
  return *links_.back();
}

std::vector<clocked*> nifdy_unit::blocks() {
  return {&pool_, &table_, &port_, &reorder_, &arrivals_, &acks_};
}

std::vector<network_link*> nifdy_unit::links() {
  std::vector<network_link*> all{&tags_, &dialog_};
  for (const auto& l : links_) all.push_back(l.get());
  return all;
}

std::uint64_t nifdy_unit::held_flits() const {
  return pool_.held_flits() + pool_.copied_flits() + port_.held_flits() + reorder_.held_flits() +
         arrivals_.held_flits();
}

std::uint64_t nifdy_unit::lost_in_reset() const {
  return pool_.lost_in_reset() + port_.lost_in_reset() + reorder_.lost_in_reset() + arrivals_.lost_in_reset();
}

void nifdy_unit::count(counters& all) const {
  pool_.count(all);
  table_.count(all);
  reorder_.count(all);
  arrivals_.count(all);
  acks_.count(all);
}

}  // namespace spillway
