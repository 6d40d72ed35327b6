#include <spillway/hw/kernel/clock_domain.hpp>
#include <spillway/hw/kernel/clock_scope.hpp>
#include <spillway/hw/kernel/stepped.hpp>

namespace spillway {

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

}  // namespace spillway
