#pragma once

#include <cstddef>

#include "app/tests/rooms.h"

namespace lab {

/// The most memory that the program took from malloc at any moment since this was made, beyond what
/// it had then: C libraries and operator new included, with and without sanitizers. One at a time.
class MemoryPeak {
 public:
  MemoryPeak();
  /// In bytes.
  std::size_t bytes() const;
  /// False where allocations cannot be seen; bytes() is 0 then.
  static bool is_measured();

 private:
  long long before_ = 0;
};

/// The blocks of memory of `least` to `most` bytes that the program took from malloc since this was
/// made, as MemoryPeak sees them. One at a time.
class BlocksTaken {
 public:
  BlocksTaken(std::size_t least, std::size_t most);
  ~BlocksTaken();
  BlocksTaken(const BlocksTaken&) = delete;
  BlocksTaken& operator=(const BlocksTaken&) = delete;
  /// How many.
  int count() const;
};

}  // namespace lab
