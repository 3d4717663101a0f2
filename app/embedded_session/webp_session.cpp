#include "app/embedded_session/session_formats.h"

#include "app/base/sha256.h"
#include "app/embedded_session/embedded_session.h"

namespace lab::embedded_session {
namespace {

// A file is "RIFF", its size, "WEBP", then chunks: four letters, a size, that many bytes, and a
// padding byte after an odd size. Sizes are little-endian. The chunk of the session holds the mark,
// the checksum of the session and the session.
constexpr std::string_view kChunk = "ALab";
constexpr std::size_t kHeader = 12, kChunkHeader = 8, kChecksum = 64;

std::string size_bytes(std::size_t size) {
  std::string bytes;
  for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(size >> shift & 0xff);
  return bytes;
}

std::size_t size_at(std::string_view bytes, std::size_t at) {
  std::size_t size = 0;
  for (std::size_t i = 4; i-- > 0;) size = size << 8 | static_cast<unsigned char>(bytes[at + i]);
  return size;
}

std::optional<std::string> session_in_chunk(std::string_view content) {
  if (!content.starts_with(kSessionMark)) return std::nullopt;
  content.remove_prefix(kSessionMark.size());
  if (content.size() < kChecksum) return std::nullopt;
  const std::string_view session = content.substr(kChecksum);
  if (session.empty() || sha256(session) != content.substr(0, kChecksum)) return std::nullopt;
  return std::string(session);
}

}  // namespace

bool is_webp(std::string_view bytes) {
  return bytes.starts_with("RIFF") && bytes.size() >= kHeader && bytes.substr(8, 4) == "WEBP";
}

void add_webp_session(std::string& file, std::string_view session) {
  const std::string content = std::string(kSessionMark) + sha256(session) + std::string(session);
  file += std::string(kChunk) + size_bytes(content.size()) + content;
  if (content.size() % 2 != 0) file += '\0';
  file.replace(4, 4, size_bytes(file.size() - kChunkHeader));
}

std::optional<std::string> session_in_webp(std::string_view webp) {
  if (!is_webp(webp)) return std::nullopt;
  for (std::size_t at = kHeader; at + kChunkHeader <= webp.size();) {
    const std::size_t size = size_at(webp, at + 4), begin = at + kChunkHeader;
    if (size > webp.size() - begin) return std::nullopt;
    if (webp.substr(at, kChunk.size()) == kChunk) return session_in_chunk(webp.substr(begin, size));
    at = begin + size + size % 2;
  }
  return std::nullopt;
}

}  // namespace lab::embedded_session
