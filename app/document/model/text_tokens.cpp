#include "app/document/model/text_tokens.h"

#include <algorithm>

#include "app/document/model/layer_document.h"

namespace lab {
namespace {

void mark_template(const ModelChat& chat, std::vector<Token>& tokens) {
  for (Token& token : tokens)
    token.from_template = chat::is_of_template(chat.parts, token.bytes.first, token.bytes.last);
}

std::vector<Token> tokens_in(const std::shared_ptr<const ModelSource>& source,
                             const ModelText& text, bool of_decoder) {
  if (text.text && source->tokenizer) {
    auto split = split_sentence(*text.text, splitting_of(source, text, of_decoder));
    const auto id_of = [](const Token& token) { return *token.id; };
    if (split && std::ranges::equal(*split, text.ids, {}, id_of)) {
      if (text.chat.on) mark_template(text.chat, *split);
      return std::move(*split);
    }
  }
  return model_tokens(*source, text.ids);
}

}  // namespace

std::string joined_text(const std::vector<Token>& tokens) {
  std::string text;
  for (const Token& token : tokens) text += (text.empty() ? "" : " ") + token.text;
  return text;
}

std::string readable_text(const ModelSource& source, const ModelText& text) {
  return text.text ? *text.text : joined_text(model_tokens(source, text.ids));
}

Splitting splitting_of(const std::shared_ptr<const ModelSource>& source, bool of_decoder) {
  if (!source->tokenizer) return {};
  return {.mode = TokenMode::kTokenizer,
          .tokenizer = {source->folder, {source, &*source->tokenizer_of(of_decoder)}}};
}

Splitting splitting_of(const std::shared_ptr<const ModelSource>& source, const ModelText& text,
                       bool of_decoder) {
  Splitting splitting = splitting_of(source, of_decoder);
  if (text.chat.on) splitting.special_tokens = false;
  return splitting;
}

std::vector<Token> text_tokens(const ModelDocument& model) {
  return tokens_in(model.source, model.text, false);
}

std::vector<Token> decoder_text_tokens(const ModelDocument& model) {
  return tokens_in(model.source, model.decoder_text, true);
}

}  // namespace lab
