#include <spillway/platforms/catalogue/catalogue.hpp>
#include <spillway/platforms/elaborate/switch_entry.hpp>
#include <spillway/tb/workloads/workload.hpp>

namespace spillway {

void workload_context::expect_data() const {
  const document::json_pointer key("/switch");
  if (!file || !all || !file->root.contains(key)) return;
  const nlohmann::json& switches = file->root.at(key);
  const std::string why = all->of<switch_entry>().chosen(switches).changes_data(switches);
  if (!why.empty()) throw std::invalid_argument("its terminals go by the data of packets, but " + why);
}

void workload_context::expect_to_hear() const {
  if (!tells_of_packets)
    throw std::invalid_argument(
        "waits for packets of other terminals, but these interfaces serve requests and tell of replies "
        "alone: expected an interface without replies");
}

void workload_context::expect_replies() const {
  if (tells_of_packets)
    throw std::invalid_argument(
        "waits for the replies of memory modules: expected an interface that has them, `memory` or "
        "`feedback`, with `replies: true`");
}

}  // namespace spillway
