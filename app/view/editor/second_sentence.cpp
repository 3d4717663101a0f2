#include "app/view/editor/second_sentence.h"

#include <algorithm>
#include <set>

#include "app/document/words/new_tokens.h"
#include "app/translation/words.h"

namespace lab::view {

bool is_cross(const Ui& ui) { return ui.edited().problem.has_second_text(); }

void toggle_cross(Ui& ui) {
  if (is_cross(ui)) return ui.queue(intent::Apply{SetKvSentence{}});
  std::string text = ui.state.kv_sentence.text;
  if (text.empty()) text = ui.edited().sentence;
  if (text.empty()) text = tr("keys and values");
  ui.queue(intent::Apply{with_fitting_scale(ui.edited(), SetKvSentence{std::move(text)})});
  ui.state.requests.ask(request::GiveKeyboard{TextField::kKvSentence});
  ui.state.kv_sentence.caret = CaretTo::kAll;
}

bool shares_words(const Ui& ui) { return ui.edited().shared_tokens; }

void toggle_shared_words(Ui& ui) { ui.queue(intent::Apply{SetSharedTokens{!shares_words(ui)}}); }

std::size_t words_apart(const Document& document) {
  std::set<std::string_view> apart;
  if (!document.shared_tokens) return 0;
  for (const Token& token : document.kv_tokens) {
    const bool in_first =
        document.lexicon->contains(token.key) ||
        std::ranges::find(document.tokens, token.key, &Token::key) != document.tokens.end();
    if (in_first && document.kv_lexicon->contains(token.key)) apart.insert(token.key);
  }
  return apart.size();
}

void select_key(Ui& ui, attention::Index key) {
  ui.state.selection.key = key;
  if (!has_key_columns(ui.state.selection.stage)) ui.select_stage(attention::Stage::kWeights);
}

}  // namespace lab::view
