#include "app/tests/memory_peak.h"
#include "app/tests/rooms.h"

#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LAB_SANITIZED 1
// Of the sanitizers' allocator; GCC brings no header for them.
extern "C" {
int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void*, std::size_t),
                                              void (*on_free)(const volatile void*));
std::size_t __sanitizer_get_allocated_size(const volatile void* place);
}
#endif

namespace {

std::atomic<long long> live = 0, highest = 0;
std::atomic<std::size_t> least_counted = 0, most_counted = 0;
std::atomic<int> blocks = 0;

void add(std::size_t size) {
  if (size >= least_counted && size <= most_counted) ++blocks;
  const long long now = live += static_cast<long long>(size);
  long long peak = highest;
  while (now > peak && !highest.compare_exchange_weak(peak, now)) continue;
}

void subtract(std::size_t size) { live -= static_cast<long long>(size); }

}  // namespace

#if defined(LAB_SANITIZED)

namespace {

void on_malloc(const volatile void* place, std::size_t size) {
  if (place) add(size);
}

void on_free(const volatile void* place) {
  if (place) subtract(__sanitizer_get_allocated_size(place));
}

const bool installed = __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free) != 0;

}  // namespace

#elif defined(__GLIBC__)

// The C library's own functions, under the names that stay when malloc is replaced, as it is here.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* place, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void __libc_free(void* place);
}

namespace {

const bool installed = true;

void* counted(void* place) {
  if (place) add(malloc_usable_size(place));
  return place;
}

}  // namespace

extern "C" {

void* malloc(std::size_t size) { return counted(__libc_malloc(size)); }

void* calloc(std::size_t count, std::size_t size) { return counted(__libc_calloc(count, size)); }

void* memalign(std::size_t alignment, std::size_t size) {
  return counted(__libc_memalign(alignment, size));
}

void* aligned_alloc(std::size_t alignment, std::size_t size) { return memalign(alignment, size); }

int posix_memalign(void** place, std::size_t alignment, std::size_t size) {
  *place = memalign(alignment, size);
  return *place ? 0 : ENOMEM;
}

void* realloc(void* place, std::size_t size) {
  const std::size_t before = place ? malloc_usable_size(place) : 0;
  void* moved = __libc_realloc(place, size);
  if (moved || size == 0) subtract(before);
  return counted(moved);
}

void free(void* place) {
  if (place) subtract(malloc_usable_size(place));
  __libc_free(place);
}

}  // extern "C"

#else

namespace {
const bool installed = false;
}

#endif

namespace lab {

MemoryPeak::MemoryPeak() : before_(live) { highest = before_; }

std::size_t MemoryPeak::bytes() const {
  return installed ? static_cast<std::size_t>(std::max(0LL, highest - before_)) : 0;
}

bool MemoryPeak::is_measured() { return installed; }

BlocksTaken::BlocksTaken(std::size_t least, std::size_t most) {
  blocks = 0;
  least_counted = least;
  most_counted = most;
}

BlocksTaken::~BlocksTaken() { most_counted = 0; }

int BlocksTaken::count() const { return blocks; }

}  // namespace lab
