#include "app/base/sha256.h"

#include <glib.h>

namespace lab {

struct Sha256::State {
  GChecksum* checksum = g_checksum_new(G_CHECKSUM_SHA256);
};

void Sha256::Deleter::operator()(State* state) const {
  g_checksum_free(state->checksum);
  delete state;
}

Sha256::Sha256() : state_(new State) {}

void Sha256::add(std::string_view bytes) {
  g_checksum_update(state_->checksum, reinterpret_cast<const guchar*>(bytes.data()),
                    static_cast<gssize>(bytes.size()));
}

// A checksum that was read takes no more bytes: a copy is read.
std::string Sha256::hex() const {
  const std::unique_ptr<State, Deleter> read(new State{g_checksum_copy(state_->checksum)});
  return g_checksum_get_string(read->checksum);
}

std::string Sha256::bytes() const {
  const std::unique_ptr<State, Deleter> read(new State{g_checksum_copy(state_->checksum)});
  std::string digest(32, '\0');
  gsize length = digest.size();
  g_checksum_get_digest(read->checksum, reinterpret_cast<guint8*>(digest.data()), &length);
  return digest;
}

std::string sha256(std::string_view bytes) {
  Sha256 checksum;
  checksum.add(bytes);
  return checksum.hex();
}

}  // namespace lab
