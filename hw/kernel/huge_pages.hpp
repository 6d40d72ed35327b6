#pragma once
#include <sys/mman.h>

#include <cstdlib>
#include <memory_resource>
#include <new>

namespace spillway {

/// Memory in pages of 2 MiB, where the system has them: a cycle of a large network touches so much memory
/// that looking up small pages takes a good part of the time. Small requests go to the heap.
class huge_pages final : public std::pmr::memory_resource {
  static constexpr std::size_t page = std::size_t{1} << 21;

  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    if (bytes < page) return heap().allocate(bytes, alignment);
    const std::size_t whole = (bytes + page - 1) / page * page;
    void* const place = std::aligned_alloc(page, whole);
    if (!place) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    madvise(place, whole, MADV_HUGEPAGE);  // a wish: whether it is granted changes nothing but the time
#endif
    return place;
  }
  void do_deallocate(void* place, std::size_t bytes, std::size_t alignment) override {
    if (bytes < page)
      heap().deallocate(place, bytes, alignment);
    else
      std::free(place);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  static std::pmr::memory_resource& heap() { return *std::pmr::new_delete_resource(); }
};

}  // namespace spillway
