#pragma once

#include <memory>
#include <string>
#include <string_view>

struct _GChecksum;  // of GLib

namespace lab {

/// The SHA-256 checksum of bytes that arrive in pieces.
class Sha256 {
 public:
  /// That of no bytes.
  Sha256();
  /// Takes the next bytes; hex() and bytes() may be called in between.
  void add(std::string_view bytes);
  /// The checksum of everything that was added, 64 lower-case hexadecimal digits.
  std::string hex() const;
  /// The same as its 32 bytes.
  std::string bytes() const;

 private:
  struct Deleter {
    void operator()(_GChecksum* checksum) const;
  };
  std::unique_ptr<_GChecksum, Deleter> checksum_;
};

/// Sha256::hex() of `bytes`.
std::string sha256(std::string_view bytes);

}  // namespace lab
