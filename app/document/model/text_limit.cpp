#include "app/document/model/text_limit.h"

#include <algorithm>
#include <thread>

#include "app/document/available_memory.h"
#include "app/document/model/model_document.h"
#include "core/analysis/memory_need.h"

namespace lab {
namespace {

using attention::Index;
using attention::network::PassSize;

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

PassSize size_of(const ModelDocument& document, int threads) {
  const auto tokens = tokens_of(document);
  return {std::ssize(tokens.ids), std::ssize(tokens.encoder_ids), threads};
}

Expected<void> check(const ModelDocument& document, std::int64_t bytes) {
  const std::size_t tokens = document.text.ids.size() + document.decoder_text.ids.size();
  return check_memory(bytes, "a text of " + std::to_string(tokens) + " tokens",
                      "give a shorter text");
}

std::int64_t most_heads(const ModelDocument& document) {
  return head_count(document.network, attention::network::Sublayer::kSelf);
}

// Scores, scaled, capped, masked and dropped scores and weights of all heads of one layer.
std::int64_t layer_bytes(const ModelDocument& document, const PassSize& size) {
  constexpr std::int64_t kStages = 6;
  const std::int64_t n = std::max(size.tokens, size.encoder_tokens);
  return kStages * most_heads(document) * n * n * static_cast<std::int64_t>(sizeof(float));
}

// The weights of all heads of a layer, and matrices of tokens × tokens: what a rollout multiplies,
// the products, and their text.
std::int64_t attribution_bytes(const ModelDocument& document, const PassSize& size) {
  constexpr std::int64_t kRollout = 8;
  const std::int64_t n = std::max(size.tokens, size.encoder_tokens);
  return (most_heads(document) + kRollout) * n * n * static_cast<std::int64_t>(sizeof(float));
}

// Logits after every token; 0 for a network without a read-out.
std::int64_t logits_bytes(const ModelDocument& document, const PassSize& size) {
  const auto& read_out = document.network.read_out;
  if (!read_out) return 0;
  return size.tokens * read_out->tokens.W.cols() * static_cast<std::int64_t>(sizeof(float));
}

std::int64_t shown_bytes(const ModelDocument& document) {
  const int threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const PassSize size = size_of(document, threads);
  return evaluation_bytes(document.network, size) + trace_bytes(document.network, size) +
         layer_bytes(document, size);
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

Expected<void> check_pass_memory(const ModelDocument& document, int threads, PassUse use) {
  const PassSize size = size_of(document, threads);
  std::int64_t bytes = evaluation_bytes(document.network, size);
  if (use.stages) bytes += layer_bytes(document, size);
  if (use.attribution) bytes += attribution_bytes(document, size);
  if (use.copies > 0)
    bytes += logits_bytes(document, size) +
             use.copies * (trace_bytes(document.network, size) + logits_bytes(document, size));
  return check(document, bytes);
}

Expected<void> check_continuation_memory(const ModelDocument& document, int threads) {
  return check(document, continuation_bytes(document.network, size_of(document, threads)));
}

Expected<void> check_shown_memory(const ModelDocument& document, const ModelDocument* former) {
  const std::int64_t freed = former != nullptr ? shown_bytes(*former) : 0;
  const std::int64_t bytes = shown_bytes(document);
  if (bytes <= freed) return {};
  return check(document, bytes - freed);
}

}  // namespace lab
