#include "app/tokenizer/model/renumbered.h"

#include "app/tokenizer/text/aligned_text.h"

namespace lab::tokenizer {

std::vector<ModelToken> Renumbered::tokens_of(std::string_view word) const {
  auto tokens = std::visit([&](const auto& model) { return model.tokens_of(word); }, inner_);
  for (ModelToken& token : tokens) {
    token.id = vocabulary_.id_of(part_of(word, token.bytes)).value_or(unk_id_);
    token.own_text = true;
  }
  return tokens;
}

}  // namespace lab::tokenizer
