#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/kernel/process.hpp>
#include <spillway/hw/kernel/wire_watcher.hpp>
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
  for (detail::portless_pin* p = first; p; p = p->next_) p->settle();
}

namespace {

// What lies before a block: whether its memory is the domain's.
struct alignas(std::max_align_t) memory_note {
  bool of_domain;
};

}  // namespace

void* stepped::operator new(std::size_t size) {
  clock_domain* const domain = domain_here();
  const std::size_t whole = sizeof(memory_note) + size;
  void* const place = domain ? domain->hot_memory().allocate(whole, 64) : ::operator new(whole);
  return new (place) memory_note{domain != nullptr} + 1;
}

void stepped::operator delete(void* block) {
  auto* const note = static_cast<memory_note*>(block) - 1;
  if (!note->of_domain) ::operator delete(note);
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

wire_watcher::wire_watcher(wire<bool>& reset) : reset_wire_(reset) {
  part_ = &reset.domain().first_part();
  reset.domain().add_watcher(*this);
}

void wire_watcher::join_domain() {
  index_ = reset_wire_.domain().add(*this);
  watch(reset_wire_);
  join();
}

void wire_watcher::settle_all() {
  reset_ = place_of(reset_wire_);
  settle();
}

void wire_watcher::step_slowly() {
  reset();
  wake_at(cycle() + 1);
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
