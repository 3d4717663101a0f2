#include "app/view/editor/find_token.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "app/base/letter_case.h"
#include "app/translation/words.h"
#include "app/view/editor/second_sentence.h"
#include "app/view/maps/map_reading.h"
#include "app/view/toolkit/box_input.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/widgets/popup.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

constexpr const char* kFindToken = "find";
constexpr float kFindWidth = 250;

void add_found(std::vector<FoundToken>& found, const std::vector<Token>& tokens, bool are_keys,
               const std::string& part) {
  for (attention::Index i = 0; i < std::ssize(tokens); ++i) {
    const Token& token = tokens[static_cast<std::size_t>(i)];
    const auto has_part = [&part](const std::string& text) {
      return casefold(text).find(part) != std::string::npos;
    };
    if (has_part(token.text) || has_part(token.shown)) found.push_back({are_keys, i});
  }
}

// The place of the selected token among those found, or of the next one behind it; the number of
// tokens when there is none.
std::size_t index_from(const std::vector<FoundToken>& found, const Selection& selection) {
  const auto reached = [&selection](const FoundToken& token) {
    return token.is_key || token.position >= selection.query;
  };
  return static_cast<std::size_t>(std::ranges::find_if(found, reached) - found.begin());
}

void select_found(Ui& ui, const FoundToken& token) {
  if (token.is_key) {
    select_key(ui, token.position);
  } else {
    ui.state.selection.query = token.position;
  }
  show_selection(ui);
}

// What is typed selects the first token that contains it, from the selected one on.
void follow_typing(Ui& ui, const std::vector<FoundToken>& found) {
  FindState& find = ui.state.find;
  if (find.searched == find.text) return;
  find.searched = find.text;
  if (found.empty()) return;
  find.index = index_from(found, ui.state.selection) % found.size();
  select_found(ui, found[find.index]);
}

// Enter and ↓ go to the next one, Shift+Enter and ↑ to the one before, around the end.
void follow_keys(Ui& ui, const std::vector<FoundToken>& found) {
  const bool enter = compat::enter_pressed(), shift = ImGui::GetIO().KeyShift;
  if (enter) ui.state.early_text.give_keyboard(-1);  // for the next Enter
  const bool next = (enter && !shift) || compat::key_pressed(Key::kDown);
  const bool before = (enter && shift) || compat::key_pressed(Key::kUp);
  if (found.empty() || next == before) return;
  std::size_t& index = ui.state.find.index;
  index = (std::min(index, found.size() - 1) + (next ? 1 : found.size() - 1)) % found.size();
  select_found(ui, found[index]);
}

std::string found_text(const FindState& find, std::size_t count) {
  if (find.text.empty()) return tr("Enter: next   Shift+Enter: previous");
  if (count == 0) return tr("No token contains that.");
  return tr("{} of {}",
            {std::to_string(std::min(find.index, count - 1) + 1), std::to_string(count)});
}

void find_field(Ui& ui) {
  if (ImGui::IsWindowAppearing()) ui.state.early_text.give_keyboard();
  std::string field = ui.state.box_text.encode(ui.state.find.text);
  const BoxClipboard clipboard(ui.state.box_text);
  ImGui::SetNextItemWidth(ui.px(kFindWidth));
  ui.state.typed_words += ui.state.find.text;
  compat::push_font(ui.fonts.words);
  const bool edited = ImGui::InputTextWithHint("##find", tr("Find a token").c_str(), &field,
                                               ImGuiInputTextFlags_AutoSelectAll);
  ImGui::PopFont();
  if (edited) ui.state.find.text = ui.state.box_text.decode(field);
  ui.name_item("find/text");
}

}  // namespace

std::vector<FoundToken> find_tokens(const Document& document, const std::string& text) {
  std::vector<FoundToken> found;
  const std::string part = casefold(text);
  if (part.empty()) return found;
  add_found(found, document.tokens, false, part);
  add_found(found, document.kv_tokens, true, part);
  return found;
}

void find_token_popup(Ui& ui, const Rect& anchor) {
  open_requested_popup(ui, kFindToken);
  if (!begin_popup(ui, kFindToken, anchor, true)) return;
  if (ImGui::IsWindowAppearing()) ui.state.find.searched = ui.state.find.text;
  ui.state.edit.focused = false;  // what is typed after it is no number for a cell
  find_field(ui);
  const std::vector<FoundToken> found = find_tokens(ui.document(), ui.state.find.text);
  follow_typing(ui, found);
  follow_keys(ui, found);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Rect note{at.x, at.y, ui.px(kFindWidth), ui.px(20)};
  draw_text(ui, ui.fonts.small, note, found_text(ui.state.find, found.size()), ui.theme.dim);
  ui.name("find/count", note);
  ImGui::Dummy({note.w, note.h});
  end_popup();
}

}  // namespace lab::view
