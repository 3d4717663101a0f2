#include "app/figure/html/html_parts.h"

#include "app/base/byte_text.h"
#include "app/base/sha256.h"
#include "app/base/visible_text.h"

namespace lab::figure {

std::string escaped_html(std::string_view text) {
  std::string escaped;
  for (const char c : printable(text)) {
    const std::string_view entity = entity_of(static_cast<unsigned char>(c));
    entity.empty() ? escaped += c : escaped += entity;
  }
  return escaped;
}

std::string policy_hash(std::string_view text) {
  Sha256 checksum;
  checksum.add(text);
  return "sha256-" + base64(checksum.bytes());
}

}  // namespace lab::figure
