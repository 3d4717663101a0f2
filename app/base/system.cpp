#include "app/base/system.h"

#ifndef __wasi__
#include <sys/resource.h>
#include <unistd.h>
#endif

namespace lab {

#ifdef __wasi__

std::optional<std::int64_t> address_space_limit() { return std::nullopt; }
void lower_thread_priority() {}

#else

std::optional<std::int64_t> address_space_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  return static_cast<std::int64_t>(limit.rlim_cur);
}

void lower_thread_priority() {
  constexpr int kNice = 10;
  setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), kNice);
}

#endif

}  // namespace lab
