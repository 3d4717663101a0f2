#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "app/tests/rooms.h"

namespace lab {

/// What is done with a damaged file. It gets exactly the bytes of the file: one beyond is not its
/// own.
using ReadDamaged = std::function<void(std::string_view)>;

/// Damages files in many ways, and fails the test where reading one of them takes more than 64 MB
/// beyond its size. Prints at the end how many there were, and the most that one took.
class Damage {
 public:
  explicit Damage(ReadDamaged read) : read_(std::move(read)) {}
  Damage(const Damage&) = delete;
  Damage& operator=(const Damage&) = delete;
  ~Damage();

  /// Each beginning of the file, and each bit flipped.
  void everywhere(const std::string& bytes);
  /// Each number of 1, 2, 4 and 8 bytes, in either order, at each place, as one more, one less, 0
  /// and the numbers around 2^31, 2^32, 2^63 and 2^64; and bytes left out or there twice.
  void numbers(const std::string& bytes);
  /// Each value of a JSON text left out, and as each of those that are hard on readers; members in
  /// each other's place.
  void json(const std::string& text);

  /// Reads one.
  void read(std::string bytes);

 private:
  ReadDamaged read_;
  std::size_t count_ = 0;
  std::size_t most_memory_ = 0;
};

/// Damage::everywhere.
void damage(const std::string& bytes, const ReadDamaged& read);

}  // namespace lab
