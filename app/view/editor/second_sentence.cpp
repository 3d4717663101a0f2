#include "app/view/editor/second_sentence.h"

#include "app/translation/words.h"

namespace lab::view {

bool is_cross(const Ui& ui) { return ui.edited().problem.cross(); }

void toggle_cross(Ui& ui) {
  if (is_cross(ui)) return ui.queue(intent::Apply{SetKvSentence{}});
  std::string text = ui.state.kv_sentence.text;
  if (text.empty()) text = ui.edited().sentence;
  if (text.empty()) text = tr("keys and values");
  ui.queue(intent::Apply{SetKvSentence{std::move(text)}});
  ui.state.requests.ask(request::GiveKeyboard{TextField::kKvSentence});
  ui.state.kv_sentence.caret = CaretTo::kAll;
}

void select_key(Ui& ui, attention::Index key) {
  ui.state.selection.key = key;
  if (!has_key_columns(ui.state.selection.stage)) ui.select_stage(attention::Stage::kWeights);
}

}  // namespace lab::view
