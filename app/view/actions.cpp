#include "app/view/actions.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "app/view/compare.h"
#include "app/view/file_actions.h"
#include "app/view/heads.h"
#include "app/view/layout.h"
#include "app/view/pending.h"

namespace lab {
namespace {

constexpr float kSmallest = 0.75f, kLargest = 3.0f, kStep = 0.125f;

void set_scale(Ui& ui, float scale) { ui.state.scale = std::clamp(scale, kSmallest, kLargest); }

void save(Ui& ui) {
  const std::string path = session_path(ui);
  if (path.empty()) {
    ask_session_path(ui);
  } else {
    save_session(ui, path);
  }
}

void export_figure(Ui& ui) { open_export_dialog(ui, ui.state.selection.stage); }

void step_stage(Ui& ui, int step) {
  const bool masked = is_active(ui.problem(), attention::Stage::kMaskedScores);
  const std::vector<attention::Stage> stages = card_stages(masked);
  const auto here = std::ranges::find(stages, ui.state.selection.stage);
  const auto place = (here - stages.begin() + step + std::ssize(stages)) % std::ssize(stages);
  ui.state.selection.stage = stages[static_cast<std::size_t>(place)];
}

void show_next_head(Ui& ui) { ui.state.head = (ui.state.head + 1) % ui.problem().config.n_heads; }

bool can_undo(const Ui& ui) { return ui.workspace.history().can_undo(); }
bool can_redo(const Ui& ui) { return ui.workspace.history().can_redo(); }
bool is_muted(const Ui& ui) { return head_mix(ui, ui.state.head).mute; }
bool is_solo(const Ui& ui) { return head_mix(ui, ui.state.head).solo; }
bool is_light(const Ui& ui) { return !ui.state.dark; }
bool is_dark(const Ui& ui) { return ui.state.dark; }
template <Palette palette>
bool has_palette(const Ui& ui) {
  return ui.state.weights_palette.value_or(Palette::kBlues) == palette;
}
template <Palette palette>
void use_palette(Ui& ui) {
  ui.state.weights_palette = palette;
}

bool compares(const Ui& ui) { return ui.state.compare.a != nullptr; }
template <CompareView view>
bool shows(const Ui& ui) {
  return compares(ui) && ui.state.compare.view == view;
}
template <CompareView view>
void show(Ui& ui) {
  show_compared(ui, view);
}
void toggle_difference(Ui& ui) {
  const bool on = ui.state.compare.view == CompareView::kDifference;
  show_compared(ui, on ? CompareView::kB : CompareView::kDifference);
}
template <HeadOrder order>
bool is_ordered(const Ui& ui) {
  return ui.state.heads.order == order;
}
template <HeadOrder order>
void order_heads(Ui& ui) {
  ui.state.heads.order = order;
}
template <HeadView view>
bool has_view(const Ui& ui) {
  return ui.state.heads.view == view;
}
template <HeadView view>
void view_heads(Ui& ui) {
  ui.state.heads.view = view;
}
bool has_two_heads(const Ui& ui) { return ui.problem().config.n_heads > 1; }
template <TokenLines lines>
bool has_lines(const Ui& ui) {
  return ui.state.tokens.lines == lines;
}
template <TokenLines lines>
void draw_lines_of(Ui& ui) {
  ui.state.tokens.lines = lines;
}

constexpr Chord kNoChord{};
constexpr Chord ctrl(Key key) { return {key, true, false}; }
constexpr Chord ctrl_shift(Key key) { return {key, true, true}; }
constexpr Chord plain(Key key) { return {key, false, false}; }

const std::array kActions{
    Action{"file.open", "File", "Open…", ctrl(Key::kO), nullptr, nullptr,
           [](Ui& ui) { open_dialog(ui, Dialog::kOpen, ui.workspace.path()); }},
    Action{"file.save", "File", "Save", ctrl(Key::kS), nullptr, nullptr, save},
    Action{"file.save_as", "File", "Save as…", ctrl_shift(Key::kS), nullptr, nullptr,
           ask_session_path},
    Action{"file.export", "File", "Export picture…", ctrl(Key::kE), nullptr, nullptr,
           export_figure},
    Action{"file.quit", "File", "Quit", ctrl(Key::kQ), nullptr, nullptr,
           [](Ui& ui) { leave_document(ui, {}); }},
    Action{"edit.undo", "Edit", "Undo", ctrl(Key::kZ), can_undo, nullptr,
           [](Ui& ui) { ui.queue(intent::Undo{}); }},
    Action{"edit.redo", "Edit", "Redo", ctrl_shift(Key::kZ), can_redo, nullptr,
           [](Ui& ui) { ui.queue(intent::Redo{}); }},
    Action{"heads.mute", "Edit", "Mute head", plain(Key::kM), nullptr, is_muted,
           [](Ui& ui) { toggle_mute(ui, ui.state.head); }},
    Action{"heads.solo", "Edit", "Solo head", plain(Key::kS), nullptr, is_solo,
           [](Ui& ui) { toggle_solo(ui, ui.state.head); }},
    Action{"view.light", "View", "Light", kNoChord, nullptr, is_light,
           [](Ui& ui) { ui.state.dark = false; }},
    Action{"view.dark", "View", "Dark", kNoChord, nullptr, is_dark,
           [](Ui& ui) { ui.state.dark = true; }},
    Action{"view.larger", "View", "Larger", ctrl(Key::kEqual), nullptr, nullptr,
           [](Ui& ui) { set_scale(ui, ui.state.scale + kStep); }},
    Action{"view.smaller", "View", "Smaller", ctrl(Key::kMinus), nullptr, nullptr,
           [](Ui& ui) { set_scale(ui, ui.state.scale - kStep); }},
    Action{"view.normal", "View", "Normal size", ctrl(Key::k0), nullptr, nullptr,
           [](Ui& ui) { set_scale(ui, 1); }},
    Action{"view.blues", "View", "Weights in blues", kNoChord, nullptr,
           has_palette<Palette::kBlues>, use_palette<Palette::kBlues>},
    Action{"view.viridis", "View", "Weights in viridis", kNoChord, nullptr,
           has_palette<Palette::kViridis>, use_palette<Palette::kViridis>},
    Action{"view.cividis", "View", "Weights in cividis", kNoChord, nullptr,
           has_palette<Palette::kCividis>, use_palette<Palette::kCividis>},
    Action{"view.magma", "View", "Weights in magma", kNoChord, nullptr,
           has_palette<Palette::kMagma>, use_palette<Palette::kMagma>},
    Action{"compare.toggle", "View", "Compare with this state", ctrl(Key::kD), nullptr, compares,
           toggle_comparing},
    Action{"compare.a", "View", "Show A, the state that was kept", kNoChord, compares,
           shows<CompareView::kA>, show<CompareView::kA>},
    Action{"compare.b", "View", "Show B, the state that is edited", kNoChord, compares,
           shows<CompareView::kB>, show<CompareView::kB>},
    Action{"compare.difference", "View", "Show the difference B − A", ctrl_shift(Key::kD), compares,
           shows<CompareView::kDifference>, toggle_difference},
    Action{"view.next_head", "View", "Next head", plain(Key::kH), nullptr, nullptr, show_next_head},
    Action{"view.previous_stage", "View", "Previous stage", plain(Key::kLeftBracket), nullptr,
           nullptr, [](Ui& ui) { step_stage(ui, -1); }},
    Action{"view.next_stage", "View", "Next stage", plain(Key::kRightBracket), nullptr, nullptr,
           [](Ui& ui) { step_stage(ui, 1); }},
    // The menu of the Heads card.
    Action{"heads.by_number", "Heads", "Order by number", kNoChord, nullptr,
           is_ordered<HeadOrder::kNumber>, order_heads<HeadOrder::kNumber>},
    Action{"heads.by_entropy", "Heads", "Order by entropy", kNoChord, nullptr,
           is_ordered<HeadOrder::kEntropy>, order_heads<HeadOrder::kEntropy>},
    Action{"heads.by_strongest", "Heads", "Order by strongest pair", kNoChord, nullptr,
           is_ordered<HeadOrder::kStrongest>, order_heads<HeadOrder::kStrongest>},
    Action{"heads.by_diagonal", "Heads", "Order by weight on the diagonal", kNoChord, nullptr,
           is_ordered<HeadOrder::kDiagonal>, order_heads<HeadOrder::kDiagonal>},
    Action{"heads.by_previous", "Heads", "Order by weight on the previous token", kNoChord, nullptr,
           is_ordered<HeadOrder::kPrevious>, order_heads<HeadOrder::kPrevious>},
    Action{"heads.by_first", "Heads", "Order by weight on the first token", kNoChord, nullptr,
           is_ordered<HeadOrder::kFirst>, order_heads<HeadOrder::kFirst>},
    Action{"heads.by_shift", "Heads", "Order by how far muting moves the output", kNoChord, nullptr,
           is_ordered<HeadOrder::kShift>, order_heads<HeadOrder::kShift>},
    Action{"heads.focused", "Heads together", "The focused head alone", kNoChord, nullptr,
           has_view<HeadView::kFocused>, view_heads<HeadView::kFocused>},
    Action{"heads.mean", "Heads together", "Mean of all heads", kNoChord, nullptr,
           has_view<HeadView::kMean>, view_heads<HeadView::kMean>},
    Action{"heads.maximum", "Heads together", "Maximum of all heads", kNoChord, nullptr,
           has_view<HeadView::kMaximum>, view_heads<HeadView::kMaximum>},
    Action{"heads.difference", "Heads together", "Difference of two heads", kNoChord, has_two_heads,
           has_view<HeadView::kDifference>, view_heads<HeadView::kDifference>},
    Action{"heads.beside", "Heads together", "Two heads side by side", kNoChord, has_two_heads,
           has_view<HeadView::kBeside>, view_heads<HeadView::kBeside>},
    Action{"heads.overlaid", "Heads together", "Two heads overlaid", kNoChord, has_two_heads,
           has_view<HeadView::kOverlaid>, view_heads<HeadView::kOverlaid>},
    // The choice in the Tokens card.
    Action{"tokens.query", "Tokens", "Lines of the selected query", kNoChord, nullptr,
           has_lines<TokenLines::kQuery>, draw_lines_of<TokenLines::kQuery>},
    Action{"tokens.all", "Tokens", "Lines of every query", kNoChord, nullptr,
           has_lines<TokenLines::kAll>, draw_lines_of<TokenLines::kAll>},
    Action{"tokens.heads", "Tokens", "Lines of several heads", kNoChord, nullptr,
           has_lines<TokenLines::kHeads>, draw_lines_of<TokenLines::kHeads>},
    Action{"help.shortcuts", "Help", "Keys and mouse", plain(Key::kF1), nullptr, nullptr,
           [](Ui& ui) { open_dialog(ui, Dialog::kShortcuts); }},
    Action{"help.about", "Help", "About Attention Lab", kNoChord, nullptr, nullptr,
           [](Ui& ui) { open_dialog(ui, Dialog::kAbout); }},
};

std::string key_text(Key key) {
  if (key == Key::kF1) return "F1";
  if (key == Key::kEqual) return "+";
  if (key == Key::kMinus) return "−";
  if (key == Key::kLeftBracket) return "[";
  if (key == Key::kRightBracket) return "]";
  if (key == Key::k0) return "0";
  return std::string(1, static_cast<char>('A' + static_cast<int>(key) - static_cast<int>(Key::kA)));
}

bool chord_pressed(const Chord& chord) {
  if (chord.key == Key::kNone || ImGui::GetIO().KeyCtrl != chord.ctrl) return false;
  if (chord.ctrl && chord.key != Key::kEqual && ImGui::GetIO().KeyShift != chord.shift)
    return false;
  return compat::key_pressed(chord.key, chord.ctrl);
}

// Keys without Ctrl belong to whatever takes text, to an open menu, to the grid, or to a drag.
bool plain_keys_are_free(const Ui& ui) {
  const bool menu_open =
      ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
  return !ImGui::GetIO().WantTextInput && !ui.state.temperature_text &&
         !ui.state.heads.scale_text && !menu_open && !ui.state.edit.focused && !is_dragging(ui);
}

// A number that is being typed is kept before a file is written, and is what undo takes back first;
// nothing happens behind a drag.
bool pending_makes_way(Ui& ui, std::string_view menu) {
  if (menu == "Edit") return !cancel_pending(ui);
  if (menu == "File") return commit_pending(ui);
  return !is_dragging(ui);
}

void focus_head_by_digit(Ui& ui) {
  for (int digit = 1; digit <= std::min(9, ui.problem().config.n_heads); ++digit) {
    if (compat::key_pressed(offset_key(Key::k0, digit), false)) ui.state.head = digit - 1;
  }
}

}  // namespace

std::span<const Action> all_actions() { return kActions; }

const Action& action(std::string_view id) {
  const auto found = std::ranges::find(kActions, id, &Action::id);
  if (found == kActions.end()) throw std::out_of_range("no action " + std::string(id));
  return *found;
}

bool is_enabled(const Ui& ui, const Action& action) {
  return action.enabled == nullptr || action.enabled(ui);
}

std::string chord_text(const Chord& chord) {
  if (chord.key == Key::kNone) return {};
  return std::string(chord.ctrl ? "Ctrl+" : "") + (chord.shift ? "Shift+" : "") +
         key_text(chord.key);
}

void run_shortcuts(Ui& ui) {
  if (ui.state.dialog.open != Dialog::kNone) return;
  const bool plain_free = plain_keys_are_free(ui);
  for (const Action& action : kActions) {
    const bool own_key = action.chord.ctrl || action.chord.key == Key::kF1 || plain_free;
    if (!own_key || !chord_pressed(action.chord) || !pending_makes_way(ui, action.menu)) continue;
    if (is_enabled(ui, action)) action.run(ui);
  }
  const bool redo_too =
      ImGui::GetIO().KeyCtrl && !ImGui::GetIO().KeyShift && compat::key_pressed(Key::kY);
  if (redo_too && pending_makes_way(ui, "Edit") && can_redo(ui)) ui.queue(intent::Redo{});
  if (plain_free && !ImGui::GetIO().KeyCtrl) focus_head_by_digit(ui);
}

}  // namespace lab
