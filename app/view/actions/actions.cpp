#include "app/view/actions/actions.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <vector>

#include "app/translation/words.h"
#include "app/view/actions/action_records.h"
#include "app/view/actions/map_actions.h"
#include "app/view/editor/edit_block.h"
#include "app/view/editor/fills.h"
#include "app/view/editor/go_to.h"
#include "app/view/editor/override_edit.h"
#include "app/view/editor/row_from_a.h"
#include "app/view/editor/uncommitted_edit.h"
#include "app/view/export/export_actions.h"
#include "app/view/export/figure_actions.h"
#include "app/view/lesson/worksheet_actions.h"
#include "app/view/maps/compare.h"
#include "app/view/maps/map_reading.h"
#include "app/view/maps/model_heads.h"
#include "app/view/maps/model_words.h"
#include "app/view/present/present.h"
#include "app/view/session/ask_file.h"
#include "app/view/session/file_actions.h"
#include "app/view/session/get_model.h"
#include "app/view/session/model_download.h"
#include "app/view/session/training_actions.h"
#include "app/view/solving/answer.h"
#include "app/view/state/layout.h"
#include "app/view/widgets/popup.h"

namespace lab::view {
namespace {

using attention::FillType;

constexpr float kStep = 0.125f;  // of the window's scale

void set_scale(Ui& ui, float scale) {
  ui.state.scale = std::clamp(scale, kSmallestScale, kLargestScale);
}

bool has_recent(const Ui& ui) { return !ui.state.recent.files.empty(); }

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
  const auto index = (here - stages.begin() + step + std::ssize(stages)) % std::ssize(stages);
  ui.select_stage(stages[static_cast<std::size_t>(index)]);
}

template <int rows, int cols>
void move_cell(Ui& ui) {
  move_selected_cell(ui, rows, cols, false);
}
template <int rows, int cols>
void extend_block(Ui& ui) {
  move_selected_cell(ui, rows, cols, true);
}
figure::ThemeId& theme(ViewState& state) { return state.theme; }
Language& language_of(ViewState& state) { return state.language; }

bool can_undo(const Ui& ui) {
  return ui.workspace.history().can_undo() || has_refused_sentence(ui);
}
void undo(Ui& ui) {
  if (!revert_refused_sentence(ui)) ui.queue(intent::Undo{});
}
bool can_redo(const Ui& ui) { return ui.workspace.history().can_redo(); }
bool has_background_work(const Ui& ui) {
  return ui.workspace.behind() || (ui.jobs.busy() && ui.jobs.can_stop()) ||
         is_downloading(ui.state);
}
void stop_work(Ui& ui) {
  if (ui.jobs.busy() && ui.jobs.can_stop()) return ui.jobs.stop();
  if (!ui.workspace.behind() && is_downloading(ui.state))
    return ui.state.get_model.download->stop();
  ui.queue(intent::StopEvaluation{});
}
template <figure::Palette palette>
bool has_palette(const Ui& ui) {
  return ui.state.weights_palette.value_or(figure::Palette::kBlues) == palette;
}
template <figure::Palette palette>
void use_palette(Ui& ui) {
  ui.state.weights_palette = palette;
}

void play(Ui& ui) {
  if (!ui.state.present.on) toggle_present(ui);
  if (ui.state.present.on) toggle_playing(ui);
}

template <attention::FillType type>
void fill_focused_matrix(Ui& ui) {
  fill_cells(ui, type);
}
void open_fills(Ui& ui) {
  show_left_column(ui);
  ui.state.requests.ask(request::OpenPopup{"fills"});
}

// The popup of the card of the next token.
void open_go_on(Ui& ui) {
  if (ui.state.present.on) toggle_present(ui);
  ask_go_on(ui);
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
const std::array kActions{
    Action{"file.new", "File", "New", ctrl(Key::kN), nullptr, nullptr,
           [](Ui& ui) { leave_document(ui, destination::NewSession{}); }}
        .found_by("fresh empty blank session document start over"),
    Action{"file.open", "File", "Open…", ctrl(Key::kO), nullptr, nullptr,
           [](Ui& ui) { ask_file(ui, Dialog::kOpen, ui.workspace.path()); }}
        .found_by("load file import session safetensors npz"),
    Action{"file.open_model", "File", "Open model…", kNoChord, nullptr, nullptr,
           [](Ui& ui) { open_dialog(ui, Dialog::kOpenModel); }}
        .found_by("load trained transformer gpt bert llama hugging face network weights folder"),
    Action{"file.get_model", "File", "Get a model…", kNoChord, nullptr, nullptr,
           [](Ui& ui) { open_get_model(ui); }}
        .found_by(
            "download fetch hub hugging face smollm gpt2 pythia qwen bert catalogue internet"),
    Action{"file.train", "File", "Train a model…", kNoChord, nullptr, nullptr,
           [](Ui& ui) { open_training(ui, {}); }}
        .found_by("training learn gradient descent adam induction head new network born"),
    Action{"file.recent", "File", "Open recent…", ctrl_shift(Key::kO), has_recent, nullptr,
           [](Ui& ui) { ui.state.requests.ask(request::OpenPopup{"recent"}); }}
        .found_by("last files history load"),
    Action{"file.save", "File", "Save", ctrl(Key::kS), nullptr, nullptr, save}
        .found_by("write store keep session")
        .below_line(),
    Action{"file.save_as", "File", "Save as…", ctrl_shift(Key::kS), nullptr, nullptr,
           ask_session_path}
        .found_by("write store copy name session"),
    Action{"file.revert", "File", "Revert…", {}, can_revert, nullptr, revert}.found_by(
        "reload go back discard changes saved undo all"),
    Action{"file.export", "File", "Export picture…", ctrl(Key::kE), nullptr, nullptr, export_figure}
        .found_by(
            "figure image png svg pdf save plot print numbers every stage all heads animation")
        .below_line(),
    Action{"file.model_figure", "File", "Figure of all layers × heads…", kNoChord, has_model,
           nullptr, save_model_figure}
        .found_by("export save picture pdf png svg network overview"),
    Action{"file.worksheet", "File", "Worksheet…", kNoChord, nullptr, nullptr, ask_worksheet_path}
        .found_by("paper pencil exercise print pdf class answers key"),
    Action{"file.quit", "File", "Quit", ctrl(Key::kQ), nullptr, nullptr,
           [](Ui& ui) { leave_document(ui, destination::Quit{}); }}
        .found_by("exit close leave")
        .below_line(),
    Action{"edit.undo", "Edit", "Undo", ctrl(Key::kZ), can_undo, nullptr, undo}.found_by(
        "back revert take back"),
    Action{"edit.redo", "Edit", "Redo", ctrl_shift(Key::kZ), can_redo, nullptr,
           [](Ui& ui) { ui.queue(intent::Redo{}); }}
        .found_by("again repeat"),
    Action{"edit.history", "Edit", "History…", ctrl(Key::kH), nullptr, nullptr,
           [](Ui& ui) { ui.state.requests.ask(request::OpenPopup{"history"}); }}
        .found_by("steps list undo log"),
    Action{"find.token", "Edit", "Find a token…", ctrl(Key::kF), nullptr, nullptr,
           [](Ui& ui) { ui.state.requests.ask(request::OpenPopup{"find"}); }}
        .found_by("search word jump go to query key"),
    Action{"edit.mask_token", "Edit", "Mask the selected token", ctrl(Key::kM), can_mask, nullptr,
           mask_selected_token}
        .found_by("[MASK] <mask> gap fill bert hide"),
    Action{"edit.go_on", "Edit", "Go on with the text…", kNoChord, can_go_on, nullptr, open_go_on}
        .found_by("generate continue complete sample draw tokens temperature top-k top-p seed"),
    Action{"edit.cut", "Edit", "Cut cells", ctrl(Key::kX), nullptr, nullptr, cut_block,
           grid_has_keys}
        .found_by("move block clipboard")
        .below_line(),
    Action{"edit.copy", "Edit", "Copy cells", ctrl(Key::kC), nullptr, nullptr, copy_cells,
           copies_cells}
        .found_by("numbers clipboard spreadsheet"),
    Action{"edit.copy_picture", "Edit", "Copy picture", ctrl(Key::kC), nullptr, nullptr,
           copy_card_picture, copies_picture}
        .found_by("image figure clipboard"),
    Action{"edit.paste", "Edit", "Paste cells", ctrl(Key::kV), nullptr, nullptr, paste_block,
           grid_has_keys}
        .found_by("insert numbers clipboard spreadsheet"),
    Action{"edit.select_all", "Edit", "Select all cells", ctrl(Key::kA), nullptr, nullptr,
           select_all, grid_has_keys}
        .found_by("block everything"),
    Action{"edit.fill", "Edit", "Fill…", kNoChord, nullptr, nullptr, open_fills}
        .found_by("initialise random set matrix values")
        .below_line(),
    Action{"edit.fill_zero", "Edit", "Fill with zeros", kNoChord, nullptr, nullptr,
           fill_focused_matrix<FillType::kZero>}
        .found_by("clear empty 0 erase"),
    Action{"edit.fill_identity", "Edit", "Fill with the identity", kNoChord, nullptr, nullptr,
           fill_focused_matrix<FillType::kIdentity>}
        .found_by("eye unit diagonal 1"),
    Action{"edit.fill_normal", "Edit", "Fill with normal numbers", kNoChord, holds_numbers, nullptr,
           fill_focused_matrix<FillType::kNormal>}
        .found_by("gaussian random"),
    Action{"edit.fill_xavier", "Edit", "Fill with Xavier", kNoChord, holds_numbers, nullptr,
           fill_focused_matrix<FillType::kXavier>}
        .found_by("glorot random initialise"),
    Action{"edit.transpose", "Edit", "Transpose", kNoChord, can_transpose, nullptr, transpose_cells}
        .found_by("swap flip rows columns")
        .below_line(),
    Action{"edit.normalise", "Edit", "Normalise rows", kNoChord, holds_numbers, nullptr,
           normalise_cells}
        .found_by("normalize scale sum unit"),
    Action{"edit.reset_mask", "Edit", "Reset the painted mask", kNoChord, has_painted_mask, nullptr,
           reset_mask}
        .found_by("clear remove")
        .below_line(),
    Action{"edit.override", "Edit", "Override the selected cell…", kNoChord, can_override, nullptr,
           start_override}
        .found_by("change edit replace set value number force intervene patch")
        .below_line(),
    Action{"edit.row_from_a", "Edit", "Take the selected row from A", kNoChord, can_take_row,
           nullptr, take_row_from_a}
        .found_by("patch compare override copy"),
    Action{"edit.overrides", "Edit", "List overrides…", kNoChord, has_overrides, nullptr,
           [](Ui& ui) { ui.state.requests.ask(request::OpenPopup{"overrides"}); }}
        .found_by("changed forced patched values"),
    Action{"edit.clear_overrides", "Edit", "Remove all overrides", kNoChord, has_overrides, nullptr,
           clear_overrides}
        .found_by("reset undo restore"),
    Action{"edit.stop", "Edit", "Stop background work", ctrl(Key::kPeriod), has_background_work,
           nullptr, stop_work}
        .found_by("cancel abort interrupt computing export opening")
        .below_line(),
    one_of<theme, figure::ThemeId::kLight>("view.light", "View", "Light")
        .found_by("theme bright white day colours"),
    one_of<theme, figure::ThemeId::kDark>("view.dark", "View", "Dark")
        .found_by("theme black night colours"),
    one_of<theme, figure::ThemeId::kHighContrast>("view.high_contrast", "View", "High contrast")
        .found_by("theme accessibility colours readable"),
    one_of<language_of, Language::kEnglish>("view.english", "View", "English")
        .found_by("language words translation")
        .below_line(),
    one_of<language_of, Language::kGerman>("view.german", "View", "Deutsch")
        .found_by("language german words translation"),
    Action{"view.decimal_comma", "View", "Decimal comma", kNoChord, nullptr,
           [](const Ui& ui) { return ui.state.decimal_comma; },
           [](Ui& ui) { ui.state.decimal_comma = !ui.state.decimal_comma; }}
        .found_by("numbers point mark german 0,5"),
    Action{"view.larger", "View", "Larger", ctrl(Key::kEqual), nullptr, nullptr,
           [](Ui& ui) { set_scale(ui, ui.state.scale + kStep); }}
        .found_by("zoom scale bigger font size text increase")
        .below_line(),
    Action{"view.smaller", "View", "Smaller", ctrl(Key::kMinus), nullptr, nullptr,
           [](Ui& ui) { set_scale(ui, ui.state.scale - kStep); }}
        .found_by("zoom scale font size text decrease"),
    Action{"view.normal", "View", "Normal size", ctrl(Key::k0), nullptr, nullptr,
           [](Ui& ui) {
             const PresentState& present = ui.state.present;
             set_scale(ui, present.on ? present_scale(present.scale_outside) : 1);
           }}
        .found_by("zoom scale reset 100 % font"),
    Action{"view.blues", "View", "Weights in blues", kNoChord, nullptr,
           has_palette<figure::Palette::kBlues>, use_palette<figure::Palette::kBlues>}
        .found_by("palette colours color map")
        .below_line(),
    Action{"view.viridis", "View", "Weights in viridis", kNoChord, nullptr,
           has_palette<figure::Palette::kViridis>, use_palette<figure::Palette::kViridis>}
        .found_by("palette colours color map"),
    Action{"view.cividis", "View", "Weights in cividis", kNoChord, nullptr,
           has_palette<figure::Palette::kCividis>, use_palette<figure::Palette::kCividis>}
        .found_by("palette colours color map blind"),
    Action{"view.magma", "View", "Weights in magma", kNoChord, nullptr,
           has_palette<figure::Palette::kMagma>, use_palette<figure::Palette::kMagma>}
        .found_by("palette colours color map"),
    Action{"compare.toggle", "View", "Compare with this state", ctrl(Key::kD), nullptr, compares,
           toggle_comparing}
        .found_by("before after snapshot keep A B difference")
        .below_line(),
    Action{"compare.a", "View", "Show A, the state that was kept", kNoChord, compares,
           shows<CompareView::kA>, show<CompareView::kA>}
        .found_by("before kept snapshot compare"),
    Action{"compare.b", "View", "Show B, the state that is edited", kNoChord, compares,
           shows<CompareView::kB>, show<CompareView::kB>}
        .found_by("after current compare"),
    Action{"compare.difference", "View", "Show the difference B − A", ctrl_shift(Key::kD), compares,
           shows<CompareView::kDifference>, toggle_difference}
        .found_by("change delta compare subtract"),
    Action{"view.previous_stage", "View", "Previous stage", plain(Key::kLeftBracket), nullptr,
           nullptr, [](Ui& ui) { step_stage(ui, -1); }}
        .found_by("back step")
        .below_line(),
    Action{"view.next_stage", "View", "Next stage", plain(Key::kRightBracket), nullptr, nullptr,
           [](Ui& ui) { step_stage(ui, 1); }}
        .found_by("forward step"),
    Action{"view.present", "View", "Present", plain(Key::kF5), nullptr,
           [](const Ui& ui) { return ui.state.present.on; }, toggle_present}
        .found_by("presentation slides slideshow full screen teach lecture class beamer")
        .below_line(),
    Action{"view.play", "View", "Play all stages", shift(Key::kF5), nullptr,
           [](const Ui& ui) { return ui.state.present.playing; }, play}
        .found_by("animate presentation slideshow walk"),
    Action{"view.large", "View", "Large card", plain(Key::kL), nullptr, is_large, toggle_large}
        .found_by("maximise enlarge full expand card")
        .below_line(),
    Action{"view.zoom_in", "View", "Zoom into the map", plain(Key::kEqual), nullptr, nullptr,
           zoom_in}
        .found_by("magnify closer"),
    Action{"view.zoom_out", "View", "Zoom out of the map", plain(Key::kMinus), is_zoomed, nullptr,
           zoom_out}
        .found_by("farther"),
    Action{"view.zoom_reset", "View", "Whole maps", plain(Key::k0), is_zoomed, nullptr, reset_zoom}
        .found_by("fit reset zoom"),
    Action{"explain.back", "Explain", "Back to the previous cell", alt(Key::kLeft), can_go_back,
           nullptr, go_back}
        .found_by("previous history"),
    Action{"explain.forward", "Explain", "Forward again", alt(Key::kRight), can_go_forward, nullptr,
           go_forward},
    Action{"explain.copy_text", "Explain", "Copy the explanation", ctrl_shift(Key::kC), nullptr,
           nullptr, copy_explanation_text}
        .found_by("arithmetic clipboard")
        .below_line(),
    Action{"explain.copy_latex", "Explain", "Copy the explanation as LaTeX", ctrl_shift(Key::kL),
           nullptr, nullptr, copy_explanation_latex}
        .found_by("tex formula equation arithmetic clipboard"),
    Action{"explain.drag_answer", "Explain", "Drag the answer…", plain(Key::kD), can_drag_answer,
           nullptr, open_answer}
        .found_by("solve goal seek target inverse optimise fit want value gradient")
        .below_line(),
    Action{"explain.drag_logit", "Explain", "Drag the logit of the answer…", shift(Key::kD),
           can_drag_logit, nullptr, open_asked_logit}
        .found_by("solve goal seek target inverse model token next probability gradient"),
    Action{"explain.pin", "Explain", "Pin or unpin the cell", plain(Key::kP), nullptr, nullptr,
           pin_selected}
        .found_by("keep bookmark remember mark")
        .below_line(),
    Action{"explain.unpin", "Explain", "Unpin all, close the large card", plain(Key::kEscape),
           can_dismiss, nullptr, dismiss}
        .found_by("clear release close"),
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
           [](Ui& ui) { go_to_panel(ui, 1); }},
    Action{"part.previous", "Keyboard", "Previous part of the window", shift(Key::kF6), nullptr,
           nullptr, [](Ui& ui) { go_to_panel(ui, -1); }},
    Action{"part.menus", "Keyboard", "Menus", plain(Key::kF10), nullptr, nullptr, go_to_menus},
};

}  // namespace

std::span<const Action> all_actions() {
  static const std::vector<Action> all = [] {
    std::vector<Action> found(kActions.begin(), kActions.end());
    for (const auto& more : {range_actions(), help_actions(), model_actions(), training_actions(),
                             heads_actions(), sensitivity_actions(), sentence_actions()})
      found.insert(found.end(), more.begin(), more.end());
    return found;
  }();
  return all;
}

const Action& action(std::string_view id) {
  const auto found = std::ranges::find(all_actions(), id, &Action::id);
  if (found == all_actions().end()) throw std::out_of_range("no action " + std::string(id));
  return *found;
}

bool is_enabled(const Ui& ui, const Action& action) {
  // The settings of a trained model are those that it was trained with.
  const bool is_setting = action.menu == "Model" && !action.id.starts_with("training.");
  if (is_setting && ui.edited().layer.model) return false;
  return action.enabled == nullptr || action.enabled(ui);
}

std::string hint_of(const Action& action) {
  return tr(action.name) + "   " + chord_text(action.chord);
}

void action_item(Ui& ui, const std::string& id, const Action& action) {
  const bool checked = action.checked != nullptr && action.checked(ui);
  if (menu_item(ui, id, tr(action.name), chord_text(action.chord), checked, is_enabled(ui, action)))
    action.execute(ui);
}

}  // namespace lab::view
