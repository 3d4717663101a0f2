#include "app/figure/html/html_parts.h"

#include <glib.h>

#include <array>
#include <memory>

#include "app/base/byte_text.h"
#include "app/base/visible_text.h"

namespace lab::figure {
namespace {

struct ChecksumDeleter {
  void operator()(GChecksum* checksum) const { g_checksum_free(checksum); }
};

const guchar* as_bytes(std::string_view text) {
  return reinterpret_cast<const guchar*>(text.data());
}

}  // namespace

std::string escaped_html(std::string_view text) {
  std::string escaped;
  for (const char c : printable(text)) {
    const std::string_view entity = entity_of(static_cast<unsigned char>(c));
    entity.empty() ? escaped += c : escaped += entity;
  }
  return escaped;
}

std::string policy_hash(std::string_view text) {
  const std::unique_ptr<GChecksum, ChecksumDeleter> checksum(g_checksum_new(G_CHECKSUM_SHA256));
  g_checksum_update(checksum.get(), as_bytes(text), static_cast<gssize>(text.size()));
  std::array<guint8, 32> digest{};
  gsize length = digest.size();
  g_checksum_get_digest(checksum.get(), digest.data(), &length);
  return "sha256-" + base64({reinterpret_cast<const char*>(digest.data()), length});
}

}  // namespace lab::figure
