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

}  // namespace lab::view
