#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/kernel/process.hpp>
#include <string>
#include <utility>

namespace spillway {

namespace detail {

clocked* owning_block(const sc_core::sc_object& port) {
  return dynamic_cast<clocked*>(port.get_parent_object());
}

std::pair<clock_domain*, std::uint32_t> place_of(clocked& block) {
  clock_domain* const domain = block.join_domain();
  return {domain, block.domain_index()};
}

clocked* block_in_domain() {
  auto* const block = dynamic_cast<clocked*>(sc_core::sc_get_current_object());
  return block && block->clk_->expected ? block : nullptr;
}

portless_pin::portless_pin(clocked& block) {
  auto& of = *block.clk_;
  (of.last ? of.last->next_ : of.first) = this;
  of.last = this;
}

}  // namespace detail

void clocked::clock_pin::end_of_elaboration() {
  sc_in::end_of_elaboration();
  for (detail::portless_pin* p = first; p; p = p->next_) p->join();
}

void clocked::clock_pin::start_of_simulation() {
  sc_in::start_of_simulation();
  for (detail::portless_pin* p = first; p; p = p->next_) p->take_place();
}

void clocked::step_slowly() {
  reset_ = rst.place();
  if (!rst.read()) return tick();
  reset();
  wake_at(cycle() + 1);
}

clock_domain* clocked::join_domain() {
  if (part_) return &part_->domain();
  auto* const domain = dynamic_cast<clock_domain*>(clk.get_interface());
  if (domain) {
    part_ = &domain->first_part();
    index_ = domain->add(*this);
  }
  const clock_domain* const expected = std::exchange(clk_->expected, nullptr);
  if (expected && expected != domain)
    SC_REPORT_ERROR(
        "spillway/clock_scope",
        (std::string(name()) + " was made where the clock domain is '" + expected->name() +
         "', and its clk is bound to " + (domain ? "'" + std::string(domain->name()) + "'" : "another clock"))
            .c_str());
  return domain;
}

void clocked::end_of_elaboration() {
  if (join_domain()) return;
  SPILLWAY_HAS_PROCESS(clocked);
  SC_METHOD(on_signal_edge);
  // posedge_event, not clk.pos(): after elaboration 2.3.4 makes the latter fire on both edges.
  sensitive << clk->posedge_event();
  dont_initialize();
}

}  // namespace spillway
