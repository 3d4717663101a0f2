#include "app/view/session/view_memory.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "app/base/names.h"
#include "app/document/document.h"
#include "app/document/heads.h"
#include "app/document/words/token_line.h"
#include "app/files/session/session_view.h"
#include "app/view/state/layout.h"
#include "app/view/state/model_state.h"
#include "core/explain/explain.h"
#include "core/network/network.h"

namespace lab::view {
namespace {

using attention::Stage;
using attention::network::Answer;
using attention::network::Network;

std::vector<HeadRef> heads_in(const Document& document, std::vector<HeadRef> heads) {
  std::erase_if(heads, [&](const HeadRef& head) { return !has_head(document, head); });
  return heads;
}

bool can_answer(const Network& network, const Answer& answer, attention::Index tokens) {
  try {
    validate(answer, network, tokens);
    return true;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

/// A pinned cell as files hold it; nothing when it is not of a stage.
std::optional<StageCell> saved_cell(const attention::CellRef& pin) {
  const auto stage = attention::stage_from_name(pin.matrix);
  if (!stage) return std::nullopt;
  return StageCell{*stage, static_cast<int>(pin.head), static_cast<int>(pin.row),
                   static_cast<int>(pin.col)};
}

/// The pinned cell that a file holds.
attention::CellRef pinned_cell(const StageCell& saved) {
  return {stage_name(saved.stage), saved.head, saved.row, saved.col};
}

std::vector<files::LayerCell> saved_cells(const std::vector<LayerPin>& pins) {
  std::vector<files::LayerCell> cells;
  for (const LayerPin& pin : pins)
    if (const auto cell = saved_cell(pin.cell)) cells.push_back({pin.at, *cell});
  return cells;
}

// Pins of cells that a layer does not have are detached once it is shown.
std::vector<LayerPin> pins_in(const Document& document,
                              const std::vector<files::LayerCell>& cells) {
  std::vector<LayerPin> pins;
  for (const auto& [at, cell] : cells)
    if (has_head(document, {at, cell.head})) pins.push_back({at, pinned_cell(cell)});
  return pins;
}

// How heads and a trained model are viewed, as stored in a session.
files::ModelView model_view_of(const ViewState& view) {
  const ModelState& state = view.model;
  std::vector<LayerPin> detached = view.words.pins;
  std::erase_if(detached, [&](const LayerPin& pin) { return pin.at == state.pins_at; });
  const bool is_default = state.tiles == TileView::kAttention;
  return {is_default ? "" : std::string(tile_view_id(state.tiles)),
          state.sorted,
          view.heads.chosen,
          view.heads.marked,
          state.answer,
          state.pinned,
          saved_cells(state.other_pins),
          saved_cells(detached),
          state.read ? std::optional(state.pins_at) : std::nullopt};
}

// Applies `view` to `document`. Heads and tokens that it does not have are ignored; a document
// without a model takes only heads.
void show_model_as(ViewState& shown, const files::ModelView& view, const Document& document) {
  shown.heads.chosen = heads_in(document, view.chosen);
  shown.heads.marked = heads_in(document, view.marked);
  ModelState& state = shown.model;
  if (!document.layer.model) return;
  const ModelDocument& model = *document.layer.model;
  const Network& network = model.network;
  state.tiles = tile_view_from_id(view.tiles).value_or(TileView::kAttention);
  state.sorted = view.sorted;
  const auto tokens = std::ssize(tokens_of(model).ids);
  if (view.answer && can_answer(network, *view.answer, tokens)) state.answer = view.answer;
  state.pinned = view.pinned;
  state.other_pins = pins_in(document, view.pins);
  if (view.layer && find_attention(network, *view.layer) != nullptr) {
    state.pins_at = *view.layer;
    state.go_to = view.layer;
  }
  const attention::Index known = network.stack.embedding.tokens.rows();
  std::erase_if(state.pinned, [known](std::uint32_t id) { return id >= known; });
}

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
                                        const attention::network::LayerId& at) {
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
  words.queries = token_line(document.tokens, saved.queries);
  words.keys = token_line(key_tokens(document), saved.keys);
  const auto has_index = [&](attention::Axis axis, int index) {
    if (axis == attention::Axis::kQueries) return index < std::ssize(words.queries);
    return axis != attention::Axis::kKeys || index < std::ssize(words.keys);
  };
  const auto add = [&](const attention::network::LayerId& at, const StageCell& pin) {
    const attention::StageInfo& info = attention::stage_info(pin.stage);
    if (has_index(info.rows, pin.row) && has_index(info.cols, pin.col))
      words.pins.push_back({at, pinned_cell(pin)});
  };
  for (const StageCell& pin : saved.pins) add(model.layer.value_or(document.layer.at), pin);
  for (const auto& [at, pin] : model.detached_pins) add(at, pin);
}

std::map<Stage, files::MatrixRegion> saved_zoom(const Inspection& inspection) {
  std::map<Stage, files::MatrixRegion> zoom;
  for (const auto& [stage, region] : inspection.regions)
    if (!region.whole()) zoom[stage] = region;
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
bool suits(const files::MatrixRegion& region, attention::Shape shape) {
  constexpr float kCells = 2;
  const auto least = [](attention::Index count) {
    return std::min(1.0f, kCells / static_cast<float>(std::max<attention::Index>(count, 1)));
  };
  constexpr float kRounding = 1e-3f;
  return region.w >= least(shape.cols) - kRounding && region.h >= least(shape.rows) - kRounding;
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
  for (const auto& [stage, region] : view.zoom) {
    if (suits(region, stage_shape(problem, stage))) inspection.regions[stage] = region;
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
  view.model = model_view_of(state);
  return view;
}

void show_as(ViewState& state, const files::SessionView& view, const Workspace& workspace) {
  const attention::Problem& problem = workspace.document().problem;
  show_heads(state, view, problem.config.n_heads);
  show_maps(state.inspection, view, problem);
  show_model_as(state, view.model, workspace.document());
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
