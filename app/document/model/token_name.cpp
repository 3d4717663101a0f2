#include "app/document/model/token_name.h"

#include "app/tokenizer/piece_label.h"

namespace lab {

std::string token_text(const ModelSource& model, std::uint32_t id) {
  if (model.tokenizer)
    if (auto token = model.tokenizer->token_of(id)) return *token;
  return std::to_string(id);
}

std::string token_label(const ModelSource& model, std::uint32_t id) {
  const std::string text = token_text(model, id);
  return model.tokenizer ? tokenizer::piece_label(*model.tokenizer, text) : text;
}

std::optional<std::string> mask_token(const ModelSource& model) {
  if (!model.tokenizer) return std::nullopt;
  for (const char* name : {"[MASK]", "<mask>"})
    if (model.tokenizer->id_of(name)) return name;
  return std::nullopt;
}

bool is_called(std::string_view text, std::string_view label, std::string_view piece) {
  constexpr std::string_view kBlank = "·";
  if (text.empty()) return false;
  if (label == text || piece == text) return true;
  if (!label.starts_with(kBlank)) return false;
  if (text.starts_with(' ')) text.remove_prefix(1);
  return label.substr(kBlank.size()) == text;
}

}  // namespace lab
