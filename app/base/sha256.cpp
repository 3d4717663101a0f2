#include "app/base/sha256.h"

#include <glib.h>

namespace lab {

void Sha256::Deleter::operator()(_GChecksum* checksum) const { g_checksum_free(checksum); }

Sha256::Sha256() : checksum_(g_checksum_new(G_CHECKSUM_SHA256)) {}

void Sha256::add(std::string_view bytes) {
  g_checksum_update(checksum_.get(), reinterpret_cast<const guchar*>(bytes.data()),
                    static_cast<gssize>(bytes.size()));
}

// A checksum that was read takes no more bytes: a copy is read.
std::string Sha256::hex() const {
  const decltype(checksum_) read(g_checksum_copy(checksum_.get()));
  return g_checksum_get_string(read.get());
}

std::string Sha256::bytes() const {
  const decltype(checksum_) read(g_checksum_copy(checksum_.get()));
  std::string digest(32, '\0');
  gsize length = digest.size();
  g_checksum_get_digest(read.get(), reinterpret_cast<guint8*>(digest.data()), &length);
  return digest;
}

std::string sha256(std::string_view bytes) {
  Sha256 checksum;
  checksum.add(bytes);
  return checksum.hex();
}

}  // namespace lab
