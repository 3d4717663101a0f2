#include "app/view/session/view_memory.h"

#include <algorithm>
#include <array>

#include "app/base/names.h"
#include "app/document/words/word_line.h"
#include "app/view/session/model_memory.h"
#include "app/view/state/layout.h"
#include "core/explain/explain.h"

namespace lab::view {
namespace {

using attention::Stage;

// Their names in files; the first is the default, which is not written.
constexpr std::array<std::string_view, 7> kSavedOrders{
    "", "entropy", "strongest", "diagonal", "previous", "first", "shift"};
constexpr std::array<std::string_view, 6> kHeadViews{"",           "mean",   "maximum",
                                                     "difference", "beside", "overlaid"};
constexpr std::array<std::string_view, 4> kSavedRanges{"", "shared", "robust", "locked"};
constexpr std::array<std::string_view, 3> kSavedSpreads{"", "sqrt", "log"};
constexpr std::array<std::string_view, 3> kLines{"", "all", "heads"};

std::vector<StageCell> saved_pins(const std::vector<attention::CellRef>& cells) {
  std::vector<StageCell> pins;
  for (const attention::CellRef& pin : cells)
    if (const auto cell = saved_cell(pin)) pins.push_back(*cell);
  return pins;
}

// Without those of other layers of a model, see ModelView::detached_pins.
files::DetachedPins saved_detached_pins(const WordsState& words,
                                        const attention::network::LayerPlace& at) {
  if (words.pins.empty()) return {};
  std::vector<attention::CellRef> cells;
  for (const LayerPin& pin : words.pins)
    if (pin.at == at) cells.push_back(pin.cell);
  std::vector<StageCell> pins = saved_pins(cells);
  return {removed_tokens_of(words.queries), removed_tokens_of(words.keys), std::move(pins)};
}

// Pins beyond the words are left out.
void set_detached_pins(WordsState& words, const files::DetachedPins& saved,
                       const files::ModelView& model, const Document& document) {
  words.queries = word_line(document.tokens, saved.queries);
  words.keys = word_line(key_tokens(document), saved.keys);
  const auto has_place = [&](attention::Axis axis, int place) {
    if (axis == attention::Axis::kQueries) return place < std::ssize(words.queries);
    return axis != attention::Axis::kKeys || place < std::ssize(words.keys);
  };
  const auto add = [&](const attention::network::LayerPlace& at, const StageCell& pin) {
    const attention::StageInfo& info = attention::stage_info(pin.stage);
    if (has_place(info.rows, pin.row) && has_place(info.cols, pin.col))
      words.pins.push_back({at, pinned_cell(pin)});
  };
  for (const StageCell& pin : saved.pins) add(model.layer.value_or(document.layer.at), pin);
  for (const auto& [at, pin] : model.detached_pins) add(at, pin);
}

std::map<Stage, files::MatrixPart> saved_zoom(const Inspection& inspection) {
  std::map<Stage, files::MatrixPart> zoom;
  for (const auto& [stage, part] : inspection.parts)
    if (!part.whole()) zoom[stage] = part;
  return zoom;
}

files::ColourChoice saved_choice(const RangeChoice& choice) {
  return {std::string(name_of_id(kSavedRanges, choice.ends)),
          std::string(name_of_id(kSavedSpreads, choice.spread))};
}

RangeChoice choice_of(const files::ColourChoice& saved) {
  return {id_from_name<RangeEnds>(kSavedRanges, saved.range).value_or(RangeEnds{}),
          id_from_name<figure::Spread>(kSavedSpreads, saved.spread).value_or(figure::Spread{})};
}

// A part needs at least two cells.
bool suits(const files::MatrixPart& part, attention::Shape shape) {
  constexpr float kCells = 2;
  const auto least = [](attention::Index count) {
    return std::min(1.0f, kCells / static_cast<float>(std::max<attention::Index>(count, 1)));
  };
  constexpr float kRounding = 1e-3f;
  return part.w >= least(shape.cols) - kRounding && part.h >= least(shape.rows) - kRounding;
}

void show_heads(ViewState& state, const files::SessionView& view, int n_heads) {
  state.head = std::min(view.head, n_heads - 1);
  state.heads.second = std::min(view.second_head, n_heads - 1);
  state.heads.further = view.further_heads;
  std::erase_if(state.heads.further, [n_heads](int head) { return head >= n_heads; });
  state.heads.order = id_from_name<HeadOrder>(kSavedOrders, view.heads_order).value_or(HeadOrder{});
  state.heads.view = id_from_name<HeadView>(kHeadViews, view.heads_shown).value_or(HeadView{});
  if (n_heads == 1) state.heads.view = HeadView::kFocused;
  state.tokens.lines = id_from_name<TokenLines>(kLines, view.token_lines).value_or(TokenLines{});
}

void show_maps(Inspection& inspection, const files::SessionView& view,
               const attention::Problem& problem) {
  for (const StageCell& pin : view.pins) inspection.pins.push_back(pinned_cell(pin));
  for (const auto& [stage, part] : view.zoom) {
    if (suits(part, stage_shape(problem, stage))) inspection.parts[stage] = part;
  }
  if (view.large && has_card(problem, *view.large)) inspection.large = view.large;
  inspection.ranges.all = choice_of(view.colours);
  for (const auto& [stage, colours] : view.own_colours)
    inspection.ranges.own[stage] = choice_of(colours);
  for (const auto& [stage, range] : view.locked)
    inspection.ranges.ends[stage] = {range.lo, range.hi};
}

}  // namespace

files::SessionView view_of(const ViewState& state) {
  const Cell selected = selected_cell(state.selection);
  files::SessionView view;
  view.head = state.head;
  view.second_head = state.heads.second;
  view.further_heads = state.heads.further;
  view.selected = {state.selection.stage, state.head, static_cast<int>(selected.row),
                   static_cast<int>(selected.col)};
  view.pins = saved_pins(state.inspection.pins);
  view.detached_pins = saved_detached_pins(state.words, state.model.pins_at);
  view.zoom = saved_zoom(state.inspection);
  view.large = state.inspection.large;
  const MapRanges& ranges = state.inspection.ranges;
  view.colours = saved_choice(ranges.all);
  for (const auto& [stage, choice] : ranges.own) view.own_colours[stage] = saved_choice(choice);
  for (const auto& [stage, range] : ranges.ends)
    if (ranges.of(stage).ends == RangeEnds::kFixed) view.locked[stage] = {range.lo, range.hi};
  view.heads_order = name_of_id(kSavedOrders, state.heads.order);
  view.heads_shown = name_of_id(kHeadViews, state.heads.view);
  view.token_lines = name_of_id(kLines, state.tokens.lines);
  if (state.weights_palette) view.weights_palette = figure::palette_name(*state.weights_palette);
  view.edited = matrix_name(state.edit.matrix);
  view.edited_row = static_cast<int>(state.edit.cursor.row);
  view.edited_col = static_cast<int>(state.edit.cursor.col);
  view.model = model_view_of(state.model, state.words);
  return view;
}

void show_as(ViewState& state, const files::SessionView& view, const Workspace& workspace) {
  const attention::Problem& problem = workspace.document().problem;
  show_heads(state, view, problem.config.n_heads);
  show_maps(state.inspection, view, problem);
  show_model_as(state.model, view.model, workspace.document());
  set_detached_pins(state.words, view.detached_pins, view.model, workspace.document());
  select_cell(state.selection, view.selected.stage, {view.selected.row, view.selected.col});
  clamp_selection(state.selection, workspace.document(), workspace.trace(), state.head);
  if (const auto palette = figure::palette_from_name(view.weights_palette))
    state.weights_palette = palette;
  if (const auto matrix = matrix_from_name(view.edited)) {
    state.edit.matrix = *matrix;
    state.edit.cursor = {view.edited_row, view.edited_col};
  }
}

}  // namespace lab::view
