#include "app/view/sentence/sentence_parts.h"

#include <imgui.h>

#include <algorithm>

#include "app/base/visible_text.h"
#include "app/files/tokenizer/tokenizer_file.h"
#include "app/translation/words.h"
#include "app/view/sentence/tokenizer_actions.h"
#include "app/view/widgets/popup.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

constexpr const char* kTokensMenu = "menu/Tokens";

std::string split_text(const std::string& name) { return tr("Tokens: {}", {printable(name)}); }

void built_in_modes(Ui& ui) {
  for (const TokenMode mode : {TokenMode::kWords, TokenMode::kCharacters}) {
    const std::string name(token_mode_name(mode));
    const bool chosen = ui.edited().splitting.mode == mode;
    if (menu_item(ui, "tokens/" + name, tr(name), {}, chosen)) split_by(ui, {.mode = mode});
  }
}

// The built-in tokenizers, and the one from a file that is in use.
std::vector<std::string> offered_tokenizers(const Splitting& splitting) {
  std::vector<std::string> names = files::built_in_tokenizers();
  const std::string& used = splitting.tokenizer.name;
  if (splitting.mode == TokenMode::kTokenizer && !std::ranges::count(names, used))
    names.push_back(used);
  return names;
}

void tokenizer_items(Ui& ui) {
  const Splitting& splitting = ui.edited().splitting;
  for (const std::string& name : offered_tokenizers(splitting)) {
    const bool chosen = splitting.mode == TokenMode::kTokenizer && splitting.tokenizer.name == name;
    const std::string label = tr("{} (a tokenizer)", {printable(short_tokenizer_name(name))});
    if (menu_item(ui, "tokens/" + name, label, {}, chosen)) use_tokenizer(ui, name);
  }
  if (menu_item(ui, "tokens/file", tr("From a tokenizer.json…"))) ask_tokenizer(ui);
}

void special_item(Ui& ui) {
  const bool on = ui.edited().splitting.special_tokens;
  if (menu_item(ui, "tokens/special", tr("Special tokens, such as [CLS]"), {}, on))
    set_special_tokens(ui, !on);
}

void tokens_menu(Ui& ui, const Rect& bounds) {
  open_requested_popup(ui, kTokensMenu);
  if (!begin_popup(ui, kTokensMenu, bounds)) return;
  built_in_modes(ui);
  ImGui::Separator();
  tokenizer_items(ui);
  if (adds_special_tokens(ui.edited())) {
    ImGui::Separator();
    special_item(ui);
  }
  end_popup();
}

}  // namespace

void tokens_button(Ui& ui, Rect& rect) {
  const Rect whole = rect;
  text_button(ui, rect, "button/tokenizer", split_text(splitting_name(ui.edited().splitting)),
              kTokensMenu);
  tokens_menu(ui, {whole.x, whole.y, whole.w - rect.w, whole.h});
}

float tokens_button_width(const Ui& ui) {
  return std::max(text_button_width(ui, split_text(tr("words"))),
                  text_button_width(ui, split_text(tr("characters"))));
}

}  // namespace lab::view
