#include <spillway/hw/feedback/feedback_views.hpp>

namespace spillway {

admission_group::admission_group(link_place place, unsigned terminals, feedback_lines& of,
                                 const admission_limits& by)
    : network_link(std::move(place)), lines(of), limits(by) {
  for (unsigned t = 0; t < terminals; ++t) {
    link_place each;
    each.name = name() + "_" + std::to_string(t);
    links.push_back(std::make_unique<admission_link>(std::move(each)));
  }
}

unsigned admission_group::trace(sc_core::sc_trace_file* file,
                                const std::function<bool(const char* name)>& chosen) const {
  unsigned traced = 0;
  for (const auto& l : links) traced += l->trace(file, chosen);
  return traced;
}

}  // namespace spillway
