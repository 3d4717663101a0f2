#include "app/view/maps/follow_words.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "app/base/wording.h"
#include "app/document/heads.h"
#include "app/document/words/detached_cells.h"
#include "app/document/words/remapped_line.h"
#include "app/translation/words.h"
#include "app/view/maps/navigation.h"
#include "core/layer/stage_info.h"
#include "core/matrix_id.h"

namespace lab::view {
namespace {

using attention::Axis;
using attention::CellRef;
using attention::Index;

bool has_words(const TokenLine& line, const std::vector<Token>& tokens) {
  const auto in_sentence = [](const LineToken& word) { return !word.removed; };
  if (std::ranges::count_if(line, in_sentence) != std::ssize(tokens)) return false;
  auto token = tokens.begin();
  return std::ranges::all_of(line, [&](const LineToken& word) {
    return word.removed || followed_token(word.token) == followed_token(*token++);
  });
}

// What the rows and columns of the matrix of `cell` stand for.
std::pair<Axis, Axis> axes_of(const CellRef& cell) {
  if (const auto stage = attention::stage_from_name(cell.matrix))
    return {attention::stage_info(*stage).rows, attention::stage_info(*stage).cols};
  if (const auto id = matrix_of_operand(cell.matrix))
    return {attention::matrix_info(*id).rows, attention::matrix_info(*id).cols};
  return {Axis::kOne, Axis::kOne};
}

// Moves positions in both sentences to where their words are now.
class WordFollower {
 public:
  WordFollower(const FollowedLine& queries, const FollowedLine& keys)
      : queries_(queries), keys_(keys) {}

  RemappedLine& queries() { return queries_; }
  RemappedLine& keys() { return keys_; }

  RemappedLine* line(Axis axis) {
    if (axis == Axis::kQueries) return &queries_;
    return axis == Axis::kKeys ? &keys_ : nullptr;
  }
  // The position now; for a removed word, that of the one in its place.
  Index moved(Axis axis, Index position) {
    RemappedLine* words = line(axis);
    if (words == nullptr || position < 0 || position >= words->tokens_before()) return position;
    return std::min(words->position_from(words->of_token(position)), words->tokens() - 1);
  }
  void move(Selection& selection) {
    selection.query = moved(Axis::kQueries, selection.query);
    selection.key = moved(Axis::kKeys, selection.key);
  }
  void move(Cell& cell, std::pair<Axis, Axis> axes) {
    cell = {moved(axes.first, cell.row), moved(axes.second, cell.col)};
  }
  void move(CellRef& cell) {
    const auto [rows, cols] = axes_of(cell);
    cell.row = moved(rows, cell.row);
    cell.col = moved(cols, cell.col);
  }
  // Moves the ends of a range and leaves out words that were removed; false when none is left.
  bool shrink(Axis axis, Index& one, Index& other) {
    RemappedLine* words = line(axis);
    if (words == nullptr) return true;
    Index& first = one <= other ? one : other;
    Index& last = one <= other ? other : one;
    if (first < 0 || last >= words->tokens_before()) return false;
    std::vector<Index> left;
    for (Index i = first; i <= last; ++i)
      if (const Index now = words->position(words->of_token(i)); now >= 0) left.push_back(now);
    if (left.empty()) return false;
    std::tie(first, last) = std::pair(std::ranges::min(left), std::ranges::max(left));
    return true;
  }
  bool shrink(std::pair<Axis, Axis> axes, Cell& one, Cell& other) {
    const bool rows = shrink(axes.first, one.row, other.row);
    return shrink(axes.second, one.col, other.col) && rows;
  }

 private:
  RemappedLine queries_, keys_;
};

void move_edit(EditState& edit, WordFollower& words) {
  const auto& info = attention::matrix_info(edit.matrix);
  const std::pair axes{info.rows, info.cols};
  const bool whole = edit.block && edit.block->matrix == edit.matrix &&
                     words.shrink(axes, edit.block->anchor, edit.block->corner);
  words.move(edit.cursor, axes);
  if (!whole) {
    edit.block.reset();
  } else {
    words.move(edit.block->cursor, axes);
  }
}

Selection& followed_selection(ViewState& state) {
  CompareState& compare = state.compare;
  return compare.was_a ? compare.look_b.selection : state.selection;
}

// Moves the position of the selection in one sentence. `detached` is the index of the token that it
// stood on if that was removed, otherwise −1.
void move_selected(RemappedLine& line, Index& position, Index& detached) {
  if (position < 0 || position >= line.tokens_before()) return;
  const Index index = detached >= 0 ? line.of_index(detached) : line.of_token(position);
  const Index next = line.position_from(line.of_token(position));
  const bool is_back = line.position(index) >= 0;
  position = is_back ? line.position(index) : std::min(next, line.tokens() - 1);
  detached = is_back ? -1 : index;
}

void move_selection(ViewState& state, WordFollower& words) {
  Selection& selection = followed_selection(state);
  DetachedSelection& detached = state.words.selected;
  if (detached.instead != selection) detached = {};
  move_selected(words.queries(), selection.query, detached.query);
  move_selected(words.keys(), selection.key, detached.key);
  detached.instead = selection;
}

// The visit of what is selected stays with the selection.
void move_visits(ViewState& state, WordFollower& words) {
  auto& [visits, here] = state.inspection.trail;
  const Selection& selection = followed_selection(state);
  const bool is_here = !visits.empty() && visits[here].selection == selection;
  for (Visit& visit : visits) {
    words.move(visit.cell);
    words.move(visit.selection);
  }
  move_selection(state, words);
  if (!is_here) return;
  Visit& visit = visits[here];
  visit.selection = selection;
  if (visit.cell.matrix != stage_name(selection.stage)) return;
  const Cell cell = selected_cell(selection);
  visit.cell.row = cell.row;
  visit.cell.col = cell.col;
}

void move_block(Inspection& inspection, WordFollower& words) {
  if (!inspection.block) return;
  const auto& info = attention::stage_info(inspection.block->stage);
  if (!words.shrink({info.rows, info.cols}, inspection.block->from, inspection.block->to))
    inspection.block.reset();
}

// The cell with a new row and column where these stand for words: map(line, index).
template <typename Map>
CellRef mapped(CellRef cell, WordFollower& words, Map&& map) {
  const auto [rows, cols] = axes_of(cell);
  if (RemappedLine* line = words.line(rows)) cell.row = map(*line, cell.row);
  if (RemappedLine* line = words.line(cols)) cell.col = map(*line, cell.col);
  return cell;
}

// True for pins of the stack whose words are followed: all its layers have the same cells.
bool is_followed(const ModelState& state, const LayerPin& pin) {
  return pin.at.sublayer == state.pins_at.sublayer;
}

// Sorts `pins`, at indices in the lines, into those whose cell exists and the others.
void sort_placed(Ui& ui, const std::vector<LayerPin>& pins, WordFollower& words) {
  WordsState& state = ui.state.words;
  ModelState& model = ui.state.model;
  state.pins.clear();
  ui.state.inspection.pins.clear();
  std::erase_if(model.other_pins, [&](const LayerPin& pin) { return is_followed(model, pin); });
  for (const LayerPin& pin : pins) {
    const CellRef cell =
        mapped(pin.cell, words, [](auto& line, Index at) { return line.position(at); });
    if (!cell_exists(ui, cell)) {
      mapped(pin.cell, words, [](auto& line, Index at) { return line.use(at), at; });
      state.pins.push_back(pin);
    } else if (pin.at == model.pins_at) {
      ui.state.inspection.pins.push_back(cell);
    } else {
      model.other_pins.push_back({pin.at, cell});
    }
  }
  DetachedSelection& selected = state.selected;
  if (selected.query >= 0) words.queries().use(selected.query);
  if (selected.key >= 0) words.keys().use(selected.key);
  const Document& document = ui.workspace.document();
  const auto [queries, keys] = keep_used(words.queries(), words.keys(), document.problem.cross());
  for (LayerPin& pin : state.pins)
    pin.cell = mapped(pin.cell, words, [](auto& line, Index at) { return line.renumbered(at); });
  if (selected.query >= 0) selected.query = words.queries().renumbered(selected.query);
  if (selected.key >= 0) selected.key = words.keys().renumbered(selected.key);
  state.queries = token_line(document.tokens, queries);
  state.keys = token_line(key_tokens(document), keys);
}

// True when the rows and columns of `cell` that stand for words are words of the sentences.
bool is_placed(const CellRef& cell, WordFollower& words) {
  bool placed = true;
  mapped(cell, words, [&](const RemappedLine& line, Index at) {
    placed = placed && at >= 0 && at < line.tokens_before();
    return at;
  });
  return placed;
}

// All pins, at their indices in the lines.
std::vector<LayerPin> placed_pins(const ViewState& state, WordFollower& words) {
  std::vector<LayerPin> pins;
  const auto add = [&](const LayerPin& pin) {
    if (is_placed(pin.cell, words))
      pins.push_back({pin.at, mapped(pin.cell, words,
                                     [](auto& line, Index at) { return line.of_token(at); })});
  };
  for (const CellRef& cell : state.inspection.pins) add({state.model.pins_at, cell});
  for (const LayerPin& pin : state.model.other_pins)
    if (is_followed(state.model, pin)) add(pin);
  for (const LayerPin& pin : state.words.pins)
    pins.push_back(
        {pin.at, mapped(pin.cell, words, [](auto& line, Index at) { return line.of_index(at); })});
  return pins;
}

// "weights, head 2", or "weights, L1H0" of a trained model.
std::string pinned_stage(const Ui& ui, const LayerPin& pin) {
  const auto stage = attention::stage_from_name(pin.cell.matrix);
  if (!stage) return name_in_words(pin.cell.matrix);
  std::string name = name_in_words(pin.cell.matrix);
  if (!is_per_head(*stage)) return name;
  return name + ", " + head_in_text(ui.workspace.document(), {pin.at, pin.cell.head});
}

// Pins of another layer, and words of another stack, take the place of those that are shown.
void show_pins_of(ViewState& state, const attention::network::LayerId& at) {
  ModelState& model = state.model;
  for (const CellRef& cell : state.inspection.pins)
    model.other_pins.push_back({model.pins_at, cell});
  state.inspection.pins.clear();
  for (const LayerPin& pin : model.other_pins)
    if (pin.at == at) state.inspection.pins.push_back(pin.cell);
  std::erase_if(model.other_pins, [&](const LayerPin& pin) { return pin.at == at; });
  model.pins_at = at;
}

WordsState words_of(const Document& document) {
  return {token_line(document.tokens, {}), token_line(key_tokens(document), {}), {}, {}};
}

}  // namespace

void begin_words(ViewState& state, const Document& document) {
  state.words = words_of(document);
  state.model.pins_at = document.layer.at;
  state.detached = {};
}

void follow_pinned_layer(Ui& ui) {
  const Document& document = ui.workspace.document();
  ModelState& model = ui.state.model;
  const attention::network::LayerId at = document.layer.at, before = model.pins_at;
  if (at == before) return;
  show_pins_of(ui.state, at);
  if (at.sublayer == before.sublayer) return;
  model.other_words[before.sublayer] = std::move(ui.state.words);
  const auto known = model.other_words.find(at.sublayer);
  ui.state.words = known == model.other_words.end() ? words_of(document) : std::move(known->second);
  model.other_words.erase(at.sublayer);
}

void follow_words(Ui& ui) {
  WordsState& state = ui.state.words;
  const Document& document = ui.workspace.document();
  if (has_words(state.queries, document.tokens) && has_words(state.keys, key_tokens(document)))
    return;
  const FollowedLine queries = follow(state.queries, followed_tokens(document.tokens));
  const FollowedLine keys = follow(state.keys, followed_tokens(key_tokens(document)));
  WordFollower words(queries, keys);
  move_edit(ui.state.edit, words);
  move_visits(ui.state, words);
  words.move(ui.state.inspection.expanded_of);
  move_block(ui.state.inspection, words);
  sort_placed(ui, placed_pins(ui.state, words), words);
}

void sort_pins(Ui& ui) {
  const auto& pins = ui.state.inspection.pins;
  const auto exists = [&ui](const CellRef& pin) { return cell_exists(ui, pin); };
  if (ui.state.words.pins.empty() && std::ranges::all_of(pins, exists)) return;
  const FollowedLine queries = unmoved(ui.state.words.queries);
  const FollowedLine keys = unmoved(ui.state.words.keys);
  WordFollower words(queries, keys);
  sort_placed(ui, placed_pins(ui.state, words), words);
}

NamedDetachedPins named_detached_pins(const Ui& ui, std::size_t most) {
  const WordsState& words = ui.state.words;
  const auto line = [&](Axis axis) -> const TokenLine* {
    if (axis == Axis::kQueries) return &words.queries;
    return axis == Axis::kKeys ? &words.keys : nullptr;
  };
  NamedDetachedPins named;
  for (const LayerPin& pin : words.pins) {
    if (named.names.size() == most) break;
    const auto [rows, cols] = axes_of(pin.cell);
    DetachedCell cell;
    const std::string row = cell.index_name(line(rows), pin.cell.row);
    const std::string col = cell.index_name(line(cols), pin.cell.col);
    std::string name = pinned_stage(ui, pin);
    name.append(" · ").append(row).append(", ").append(col);
    named.names.push_back(tr("pin {}", {name}));
    named.words.insert(named.words.end(), cell.words.begin(), cell.words.end());
  }
  return named;
}

}  // namespace lab::view
