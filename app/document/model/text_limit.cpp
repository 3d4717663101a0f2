#include "app/document/model/text_limit.h"

#include <algorithm>

#include "app/document/model/model_document.h"

namespace lab {
namespace {

using attention::Index;

// The number of bytes up to the end of the token `count` of the text itself.
std::size_t end_of_token(const tokenizer::Encoding& encoding, Index count) {
  std::size_t end = 0;
  for (const tokenizer::Token& token : encoding) {
    if (token.special) continue;
    if (count-- <= 0) break;
    end = std::max<std::size_t>(end, token.bytes.last);
  }
  return end;
}

}  // namespace

Index most_tokens(const ModelSource& source) {
  const auto& embedding = source.network.stack.embedding;
  return embedding.most_tokens() == 0 ? 0 : source.max_positions;
}

std::optional<std::string> readable_beginning(const ModelSource& source, const std::string& text,
                                              bool of_decoder) {
  const Index most = most_tokens(source);
  if (most == 0 || !source.tokenizer) return std::nullopt;
  const auto encoding = encode_text(source, text, of_decoder);
  if (!encoding || std::ssize(*encoding) <= most) return std::nullopt;
  // A beginning may be split in another way than it is within the text.
  for (Index kept = most - std::ranges::count(*encoding, true, &tokenizer::Token::special);
       kept > 0; --kept) {
    std::string beginning = text.substr(0, end_of_token(*encoding, kept));
    const auto again = encode_text(source, beginning, of_decoder);
    if (again && !again->empty() && std::ssize(*again) <= most) return beginning;
  }
  return std::nullopt;
}

}  // namespace lab
