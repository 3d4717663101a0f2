#include "app/view/actions.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "app/view/ask_file.h"
#include "app/view/compare.h"
#include "app/view/copying.h"
#include "app/view/cross.h"
#include "app/view/edit_block.h"
#include "app/view/file_actions.h"
#include "app/view/fills.h"
#include "app/view/heads.h"
#include "app/view/layout.h"
#include "app/view/map_reading.h"
#include "app/view/navigation.h"
#include "app/view/override_edit.h"
#include "app/view/pending.h"
#include "app/view/popup.h"
#include "app/view/present.h"
#include "app/view/reading_actions.h"
#include "app/view/ring.h"

namespace lab {
namespace {

using attention::FillKind;

constexpr float kStep = 0.125f;  // of the window's scale

void set_scale(Ui& ui, float scale) {
  ui.state.scale = std::clamp(scale, kSmallestScale, kLargestScale);
}

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
  if (ui.state.present.on) return step_present(ui, step);
  const std::vector<attention::Stage> stages = shown_stages(ui.problem());
  const auto here = std::ranges::find(stages, ui.state.selection.stage);
  const auto place = (here - stages.begin() + step + std::ssize(stages)) % std::ssize(stages);
  ui.select_stage(stages[static_cast<std::size_t>(place)]);
}

void show_next_head(Ui& ui) { ui.state.head = (ui.state.head + 1) % ui.problem().config.n_heads; }

template <int rows, int cols>
void move_cell(Ui& ui) {
  move_selected_cell(ui, rows, cols, false);
}
template <int rows, int cols>
void extend_block(Ui& ui) {
  move_selected_cell(ui, rows, cols, true);
}
template <RangeMode mode>
bool has_range(const Ui& ui) {
  return ui.state.reading.range_mode == mode;
}
template <RangeMode mode>
void use_range(Ui& ui) {
  set_range_mode(ui, mode);
}

// What an action of several, of which one holds, chooses in the view's state.
ThemeId& theme(ViewState& state) { return state.theme; }
HeadOrder& head_order(ViewState& state) { return state.heads.order; }
HeadView& head_view(ViewState& state) { return state.heads.view; }
TokenLines& token_lines(ViewState& state) { return state.tokens.lines; }

template <auto& of, auto choice>
bool is_chosen(const Ui& ui) {
  return of(ui.state) == choice;
}
template <auto& of, auto choice>
void choose(Ui& ui) {
  of(ui.state) = choice;
}

bool can_undo(const Ui& ui) {
  return ui.workspace.history().can_undo() || has_refused_sentence(ui);
}
void undo(Ui& ui) {
  if (!take_back_refused_sentence(ui)) ui.queue(intent::Undo{});
}
bool can_redo(const Ui& ui) { return ui.workspace.history().can_redo(); }
bool is_behind(const Ui& ui) { return ui.workspace.behind(); }
bool is_muted(const Ui& ui) { return head_mix(ui, head_of_keys(ui)).mute; }
bool is_solo(const Ui& ui) { return head_mix(ui, head_of_keys(ui)).solo; }
template <Palette palette>
bool has_palette(const Ui& ui) {
  return ui.state.weights_palette.value_or(Palette::kBlues) == palette;
}
template <Palette palette>
void use_palette(Ui& ui) {
  ui.state.weights_palette = palette;
}

void play(Ui& ui) {
  if (!ui.state.present.on) toggle_present(ui);
  if (ui.state.present.on) toggle_playing(ui);
}

template <attention::FillKind kind>
void fill_with(Ui& ui) {
  fill_cells(ui, kind);
}
void open_fills(Ui& ui) {
  ui.state.side_tab = SideTab::kEdit;  // the Edit card must be there to show them
  ui.state.wants_popup = "fills";
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
bool has_two_heads(const Ui& ui) { return ui.problem().config.n_heads > 1; }
constexpr Chord kNoChord{};
constexpr Chord ctrl(Key key) { return {key, true, false}; }
constexpr Chord ctrl_shift(Key key) { return {key, true, true}; }
constexpr Chord plain(Key key) { return {key, false, false}; }
constexpr Chord shift(Key key) { return {key, false, true}; }
constexpr Chord alt(Key key) { return {key, false, false, true}; }

const std::array kActions{
    Action{"file.open", "File", "Open…", ctrl(Key::kO), nullptr, nullptr,
           [](Ui& ui) { ask_file(ui, Dialog::kOpen, ui.workspace.path()); }},
    Action{"file.save", "File", "Save", ctrl(Key::kS), nullptr, nullptr, save},
    Action{"file.save_as", "File", "Save as…", ctrl_shift(Key::kS), nullptr, nullptr,
           ask_session_path},
    Action{"file.export", "File", "Export picture…", ctrl(Key::kE), nullptr, nullptr,
           export_figure},
    Action{"file.quit", "File", "Quit", ctrl(Key::kQ), nullptr, nullptr,
           [](Ui& ui) { leave_document(ui, {}); }},
    Action{"edit.undo", "Edit", "Undo", ctrl(Key::kZ), can_undo, nullptr, undo},
    Action{"edit.redo", "Edit", "Redo", ctrl_shift(Key::kZ), can_redo, nullptr,
           [](Ui& ui) { ui.queue(intent::Redo{}); }},
    Action{"edit.history", "Edit", "History…", ctrl(Key::kH), nullptr, nullptr,
           [](Ui& ui) { ui.state.wants_popup = "history"; }},
    Action{"edit.cut", "Edit", "Cut cells", ctrl(Key::kX), nullptr, nullptr, cut_block,
           grid_has_keys},
    Action{"edit.stop", "Edit", "Stop computing", ctrl(Key::kPeriod), is_behind, nullptr,
           [](Ui& ui) { ui.queue(intent::StopEvaluation{}); }},
    Action{"edit.copy", "Edit", "Copy cells", ctrl(Key::kC), nullptr, nullptr, copy_cells,
           copies_cells},
    Action{"edit.copy_picture", "Edit", "Copy picture", ctrl(Key::kC), nullptr, nullptr,
           copy_picture, copies_picture},
    Action{"edit.paste", "Edit", "Paste cells", ctrl(Key::kV), nullptr, nullptr, paste_block,
           grid_has_keys},
    Action{"edit.select_all", "Edit", "Select all cells", ctrl(Key::kA), nullptr, nullptr,
           select_all, grid_has_keys},
    Action{"edit.fill", "Edit", "Fill…", kNoChord, nullptr, nullptr, open_fills},
    Action{"edit.fill_zero", "Edit", "Fill with zeros", kNoChord, nullptr, nullptr,
           fill_with<FillKind::kZero>},
    Action{"edit.fill_identity", "Edit", "Fill with the identity", kNoChord, nullptr, nullptr,
           fill_with<FillKind::kIdentity>},
    Action{"edit.fill_normal", "Edit", "Fill with normal numbers", kNoChord, holds_numbers, nullptr,
           fill_with<FillKind::kNormal>},
    Action{"edit.fill_xavier", "Edit", "Fill with Xavier", kNoChord, holds_numbers, nullptr,
           fill_with<FillKind::kXavier>},
    Action{"edit.transpose", "Edit", "Transpose", kNoChord, can_transpose, nullptr,
           transpose_cells},
    Action{"edit.normalise", "Edit", "Normalise rows", kNoChord, holds_numbers, nullptr,
           normalise_cells},
    Action{"edit.reset_mask", "Edit", "Reset the painted mask", kNoChord, has_painted_mask, nullptr,
           reset_mask},
    Action{"edit.override", "Edit", "Override the selected cell…", kNoChord, can_override, nullptr,
           start_override},
    Action{"edit.overrides", "Edit", "List overrides…", kNoChord, has_overrides, nullptr,
           [](Ui& ui) { ui.state.wants_popup = "overrides"; }},
    Action{"edit.clear_overrides", "Edit", "Remove all overrides", kNoChord, has_overrides, nullptr,
           clear_overrides},
    Action{"edit.cross", "Edit", "Cross-attention (a second sentence)", kNoChord, nullptr, is_cross,
           toggle_cross},
    Action{"heads.mute", "Edit", "Mute head", plain(Key::kM), nullptr, is_muted,
           [](Ui& ui) { toggle_mute(ui, head_of_keys(ui)); }},
    Action{"heads.solo", "Edit", "Solo head", plain(Key::kS), nullptr, is_solo,
           [](Ui& ui) { toggle_solo(ui, head_of_keys(ui)); }},
    Action{"view.light", "View", "Light", kNoChord, nullptr, is_chosen<theme, ThemeId::kLight>,
           choose<theme, ThemeId::kLight>},
    Action{"view.dark", "View", "Dark", kNoChord, nullptr, is_chosen<theme, ThemeId::kDark>,
           choose<theme, ThemeId::kDark>},
    Action{"view.high_contrast", "View", "High contrast", kNoChord, nullptr,
           is_chosen<theme, ThemeId::kHighContrast>, choose<theme, ThemeId::kHighContrast>},
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
    Action{"view.present", "View", "Present", plain(Key::kF5), nullptr,
           [](const Ui& ui) { return ui.state.present.on; }, toggle_present},
    Action{"view.play", "View", "Play all stages", shift(Key::kF5), nullptr,
           [](const Ui& ui) { return ui.state.present.playing; }, play},
    Action{"view.large", "View", "Large card", plain(Key::kL), nullptr, is_large, toggle_large},
    Action{"view.zoom_in", "View", "Zoom into the map", plain(Key::kEqual), nullptr, nullptr,
           zoom_in},
    Action{"view.zoom_out", "View", "Zoom out of the map", plain(Key::kMinus), is_zoomed, nullptr,
           zoom_out},
    Action{"view.zoom_reset", "View", "Whole maps", plain(Key::k0), is_zoomed, nullptr, reset_zoom},
    Action{"view.range_automatic", "View", "Range: automatic", kNoChord, nullptr,
           has_range<RangeMode::kAutomatic>, use_range<RangeMode::kAutomatic>},
    Action{"view.range_shared", "View", "Range: shared by all heads", kNoChord, nullptr,
           has_range<RangeMode::kShared>, use_range<RangeMode::kShared>},
    Action{"view.range_locked", "View", "Range: locked", kNoChord, nullptr,
           has_range<RangeMode::kLocked>, use_range<RangeMode::kLocked>},
    Action{"explain.back", "Explain", "Back to the cell before", alt(Key::kLeft), can_go_back,
           nullptr, go_back},
    Action{"explain.forward", "Explain", "Forward again", alt(Key::kRight), can_go_forward, nullptr,
           go_forward},
    Action{"explain.copy_text", "Explain", "Copy the explanation", ctrl_shift(Key::kC), nullptr,
           nullptr, copy_explanation_text},
    Action{"explain.copy_latex", "Explain", "Copy the explanation as LaTeX", ctrl_shift(Key::kL),
           nullptr, nullptr, copy_explanation_latex},
    Action{"explain.pin", "Explain", "Pin or unpin the cell", plain(Key::kP), nullptr, nullptr,
           pin_selected},
    Action{"explain.unpin", "Explain", "Unpin all, close the large card", plain(Key::kEscape),
           can_let_go, nullptr, let_go},
    Action{"cell.up", "Cell", "Cell above", plain(Key::kUp), nullptr, nullptr, move_cell<-1, 0>},
    Action{"cell.down", "Cell", "Cell below", plain(Key::kDown), nullptr, nullptr, move_cell<1, 0>},
    Action{"cell.left", "Cell", "Cell to the left", plain(Key::kLeft), nullptr, nullptr,
           move_cell<0, -1>},
    Action{"cell.right", "Cell", "Cell to the right", plain(Key::kRight), nullptr, nullptr,
           move_cell<0, 1>},
    Action{"block.up", "Cell", "Block upwards", shift(Key::kUp), nullptr, nullptr,
           extend_block<-1, 0>},
    Action{"block.down", "Cell", "Block downwards", shift(Key::kDown), nullptr, nullptr,
           extend_block<1, 0>},
    Action{"block.left", "Cell", "Block to the left", shift(Key::kLeft), nullptr, nullptr,
           extend_block<0, -1>},
    Action{"block.right", "Cell", "Block to the right", shift(Key::kRight), nullptr, nullptr,
           extend_block<0, 1>},
    Action{"part.next", "Keyboard", "Next part of the window", plain(Key::kF6), nullptr, nullptr,
           [](Ui& ui) { go_to_part(ui, 1); }},
    Action{"part.previous", "Keyboard", "Part of the window before", shift(Key::kF6), nullptr,
           nullptr, [](Ui& ui) { go_to_part(ui, -1); }},
    Action{"part.menus", "Keyboard", "Menus", plain(Key::kF10), nullptr, nullptr, go_to_menus},
    // The menu of the Heads card.
    Action{"heads.by_number", "Heads", "Order by number", kNoChord, nullptr,
           is_chosen<head_order, HeadOrder::kNumber>, choose<head_order, HeadOrder::kNumber>},
    Action{"heads.by_entropy", "Heads", "Order by entropy", kNoChord, nullptr,
           is_chosen<head_order, HeadOrder::kEntropy>, choose<head_order, HeadOrder::kEntropy>},
    Action{"heads.by_strongest", "Heads", "Order by strongest pair", kNoChord, nullptr,
           is_chosen<head_order, HeadOrder::kStrongest>, choose<head_order, HeadOrder::kStrongest>},
    Action{"heads.by_diagonal", "Heads", "Order by weight on the diagonal", kNoChord, nullptr,
           is_chosen<head_order, HeadOrder::kDiagonal>, choose<head_order, HeadOrder::kDiagonal>},
    Action{"heads.by_previous", "Heads", "Order by weight on the previous token", kNoChord, nullptr,
           is_chosen<head_order, HeadOrder::kPrevious>, choose<head_order, HeadOrder::kPrevious>},
    Action{"heads.by_first", "Heads", "Order by weight on the first token", kNoChord, nullptr,
           is_chosen<head_order, HeadOrder::kFirst>, choose<head_order, HeadOrder::kFirst>},
    Action{"heads.by_shift", "Heads", "Order by how far muting moves the output", kNoChord, nullptr,
           is_chosen<head_order, HeadOrder::kShift>, choose<head_order, HeadOrder::kShift>},
    Action{"heads.focused", "Heads together", "The focused head alone", kNoChord, nullptr,
           is_chosen<head_view, HeadView::kFocused>, choose<head_view, HeadView::kFocused>},
    Action{"heads.mean", "Heads together", "Mean of all heads", kNoChord, nullptr,
           is_chosen<head_view, HeadView::kMean>, choose<head_view, HeadView::kMean>},
    Action{"heads.maximum", "Heads together", "Maximum of all heads", kNoChord, nullptr,
           is_chosen<head_view, HeadView::kMaximum>, choose<head_view, HeadView::kMaximum>},
    Action{"heads.difference", "Heads together", "Difference of two heads", kNoChord, has_two_heads,
           is_chosen<head_view, HeadView::kDifference>, choose<head_view, HeadView::kDifference>},
    Action{"heads.beside", "Heads together", "Two heads side by side", kNoChord, has_two_heads,
           is_chosen<head_view, HeadView::kBeside>, choose<head_view, HeadView::kBeside>},
    Action{"heads.overlaid", "Heads together", "Two heads overlaid", kNoChord, has_two_heads,
           is_chosen<head_view, HeadView::kOverlaid>, choose<head_view, HeadView::kOverlaid>},
    // The choice in the Tokens card.
    Action{"tokens.query", "Tokens", "Lines of the selected query", kNoChord, nullptr,
           is_chosen<token_lines, TokenLines::kQuery>, choose<token_lines, TokenLines::kQuery>},
    Action{"tokens.all", "Tokens", "Lines of every query", kNoChord, nullptr,
           is_chosen<token_lines, TokenLines::kAll>, choose<token_lines, TokenLines::kAll>},
    Action{"tokens.heads", "Tokens", "Lines of several heads", kNoChord, nullptr,
           is_chosen<token_lines, TokenLines::kHeads>, choose<token_lines, TokenLines::kHeads>},
    Action{"help.commands", "Help", "All commands…", ctrl(Key::kK), nullptr, nullptr,
           [](Ui& ui) { open_dialog(ui, Dialog::kCommands); }},
    Action{"help.shortcuts", "Help", "Keys and mouse", plain(Key::kF1), nullptr, nullptr,
           [](Ui& ui) { open_dialog(ui, Dialog::kShortcuts); }},
    Action{"help.about", "Help", "About Attention Lab", kNoChord, nullptr, nullptr,
           [](Ui& ui) { open_dialog(ui, Dialog::kAbout); }},
};

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

std::string hint_of(const Action& action) {
  return std::string(action.name) + "   " + chord_text(action.chord);
}

void action_item(Ui& ui, const std::string& id, const Action& action) {
  const bool checked = action.checked != nullptr && action.checked(ui);
  if (menu_item(ui, id, action.name, chord_text(action.chord), checked, is_enabled(ui, action)))
    action.run(ui);
}

}  // namespace lab
