#include "app/tokenizer/piece_label.h"

#include <algorithm>
#include <variant>

#include "app/base/strings.h"
#include "app/base/unicode_text.h"
#include "app/base/visible_text.h"
#include "app/tokenizer/text/byte_characters.h"

namespace lab::tokenizer {

namespace {

constexpr const char* kBlankMark = "·";
constexpr const char* kMetaspace = "▁";

template <typename Node, typename Variant>
bool has_node(const std::vector<Variant>& nodes) {
  return std::ranges::any_of(
      nodes, [](const Variant& node) { return std::holds_alternative<Node>(node); });
}

bool writes_bytes_as_characters(const Pipeline& pipeline) {
  return has_node<ByteLevelPreTokenizer>(pipeline.pre_tokenizers) ||
         has_node<ByteLevelDecoder>(pipeline.decoders);
}

// The bytes that the characters of a byte-level piece stand for; nothing when one stands for none.
std::optional<std::string> bytes_behind(std::string_view piece) {
  std::string bytes;
  for (std::size_t at = 0; at < piece.size();) {
    const CodePoint point = code_point_at(piece, at);
    const auto byte = byte_of_character(static_cast<char32_t>(point.value));
    if (!point.valid() || !byte) return std::nullopt;
    bytes += static_cast<char>(*byte);
    at += point.size;
  }
  return bytes;
}

// "⟨E2⟩" for "<0xE2>", which stands for a byte; empty for other pieces.
std::string byte_label(std::string_view piece) {
  constexpr std::string_view kBegin = "<0x";
  constexpr std::size_t kSize = 6;
  if (piece.size() != kSize || !piece.starts_with(kBegin) || !piece.ends_with('>')) return {};
  return "⟨" + std::string(piece.substr(kBegin.size(), 2)) + "⟩";
}

}  // namespace

std::string piece_label(const Tokenizer& tokenizer, std::string_view piece) {
  const Pipeline& pipeline = tokenizer.pipeline();
  std::string label(piece);
  if (writes_bytes_as_characters(pipeline)) {
    if (auto bytes = bytes_behind(piece)) label = *std::move(bytes);
  } else if (has_node<ByteFallbackDecoder>(pipeline.decoders)) {
    if (std::string byte = byte_label(piece); !byte.empty()) return byte;
  }
  replace_all(label, kMetaspace, kBlankMark);
  replace_all(label, " ", kBlankMark);
  return printable(label);
}

}  // namespace lab::tokenizer
