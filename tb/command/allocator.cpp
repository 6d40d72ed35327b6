#include <mimalloc.h>

#include <cerrno>
#include <new>

namespace {

// To fetch small pages one by one takes longer than to make what lies in them, from the first one on.
// MIMALLOC_LARGE_OS_PAGES=0 does so. It is called before libraries make their objects: SystemC's are 3 MiB.
void use_large_pages() {
  mi_option_set_enabled_default(mi_option_large_os_pages, true);
  mi_option_set_default(mi_option_eager_commit_delay, 0);
}
[[gnu::section(".preinit_array"), gnu::used]] void (*const before_all)() = use_large_pages;

// Where a library has it, its `new` finds no handler, and ends the process without a word.
[[maybe_unused]] const bool asks_handler = [] {
  const auto out_of_memory = [](int error, void*) {
    if (const std::new_handler handler = error == ENOMEM ? std::get_new_handler() : nullptr) handler();
  };
  mi_register_error(out_of_memory, nullptr);
  return true;
}();

}  // namespace
