#include "app/view/maps/model_words.h"

#include "app/document/model/token_name.h"
#include "app/translation/words.h"
#include "app/view/maps/model_heads.h"

namespace lab::view {
namespace {

// The text that a model reads and continues.
const ModelText& continued_text(const ModelDocument& model) {
  return model.network.encoder ? model.decoder_text : model.text;
}

}  // namespace

std::string piece_of(const Ui& ui, std::uint32_t id) {
  return token_label(*shown_model(ui)->source, id);
}

void choose_answer(Ui& ui, std::uint32_t id) {
  auto& answer = ui.state.model.answer;
  const attention::network::Answer chosen{.row = ui.state.selection.query, .token = id};
  const bool again = answer && answer->row == chosen.row && answer->token == chosen.token;
  answer = again ? std::nullopt : std::optional(chosen);
}

bool can_append(const Ui& ui) {
  const ModelDocument* const model = edited_model(ui);
  return model != nullptr && model->source->causal && continued_text(*model).text && !ui.kept &&
         model->source->tokenizer.has_value();
}

void append_token(Ui& ui, std::uint32_t id) {
  const ModelDocument& model = *edited_model(ui);
  const tokenizer::Tokenizer& tokenizer = *model.source->tokenizer;
  std::vector<std::uint32_t> ids = continued_text(model).ids;
  const auto before = tokenizer.decode(ids, true);
  ids.push_back(id);
  const auto after = tokenizer.decode(ids, true);
  if (!before || !after) return;
  // Only what is new is taken from the decoder: it may spell the rest otherwise.
  const std::size_t known = after->starts_with(*before) ? before->size() : 0;
  ui.queue(
      intent::Apply{SetSentence{*continued_text(model).text + after->substr(known)}, {}, {}, [] {
                      return tr("Append a token");
                    }});
}

}  // namespace lab::view
