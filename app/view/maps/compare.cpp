#include "app/view/maps/compare.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/base/text_direction.h"
#include "app/explain/stage_text.h"
#include "app/translation/words.h"
#include "app/view/maps/metrics_cache.h"
#include "app/view/maps/values_cache.h"
#include "app/view/toolkit/imgui_compat.h"
#include "core/matrix.h"

namespace lab::view {
namespace {

using attention::Index;
using attention::SharedMatrix;
using attention::Stage;

const SharedMatrix* find_stage(const attention::Problem& problem, const attention::Trace& trace,
                               Stage stage, int head) {
  const bool there = !is_per_head(stage) || head < problem.config.n_heads;
  return there ? &stage_matrix(problem, trace, stage, head) : nullptr;
}

std::string shape_of(const SharedMatrix* matrix) {
  if (matrix == nullptr) return tr("has no such head");
  if ((*matrix)->size() == 0) return tr("has no such stage");
  return tr("is {}", {attention::shape_text((*matrix)->rows(), (*matrix)->cols())});
}

bool key_is_held(const ViewState& state) {
  return state.compare.a && state.dialog.open == Dialog::kNone &&
         state.edit.gesture == Gesture::kNone && !state.sliding && compat::key_down(Key::kF3);
}

void clamp_to(ViewState& state, const Document& document, const attention::Trace& trace) {
  state.head = std::clamp(state.head, 0, document.problem.config.n_heads - 1);
  clamp_selection(state.selection, document, trace, state.head);
}

// The positions of the words of B in A, or the other way round, for the selection.
Index nearest(const PairedTokens& words, attention::Axis axis, Index at, bool to_a) {
  const auto there = [&](Index i) { return to_a ? words.in_a(axis, i) : words.in_b(axis, i); };
  for (Index i = at; i >= 0; --i)
    if (const Index found = there(i); found >= 0) return found;
  constexpr Index kFarthest = 1 << 12;
  for (Index i = at + 1; i < at + kFarthest; ++i)
    if (const Index found = there(i); found >= 0) return found;
  return at;
}

// The same words in the other state; for a word that it lacks, one beside it.
void move_to_words(Selection& selection, const ComparedWords& words, bool to_a) {
  if (words.number == 0 || words.pairs.equal) return;
  selection.query = nearest(words.pairs, attention::Axis::kQueries, selection.query, to_a);
  selection.key = nearest(words.pairs, attention::Axis::kKeys, selection.key, to_a);
}

void pair_words(CompareState& compare, const Document& b) {
  ComparedWords& words = compare.words;
  std::vector<std::string> queries = followed_tokens(b.tokens),
                           keys = followed_tokens(key_tokens(b));
  if (words.number > 0 && words.queries == queries && words.keys == keys) return;
  words = {paired_tokens(compare.a->document, b), std::move(queries), std::move(keys),
           words.number + 1};
}

// Rows or columns that do not stand for words need the same number in both.
bool share_axis(const PairedTokens& words, attention::Axis axis, Index a, Index b) {
  const bool of_words = axis == attention::Axis::kQueries || axis == attention::Axis::kKeys;
  return of_words ? words.share(axis) : a == b;
}

bool share_cells(const Ui& ui, const ComparedStage& stage) {
  if (!stage.exist()) return false;
  const attention::Shape a = stage.a->shape(), b = stage.b->shape();
  if (ui.state.compare.words.number == 0) return a == b;
  const PairedTokens& words = ui.state.compare.words.pairs;
  if (words.equal) return a == b;
  const attention::StageInfo& info = attention::stage_info(stage.stage);
  return share_axis(words, info.rows, a.rows, b.rows) &&
         share_axis(words, info.cols, a.cols, b.cols);
}

// "was, tired …", the words at these positions; empty when there are none.
template <typename IsMissing>
std::string missing_words(const std::vector<Token>& tokens, IsMissing is_missing) {
  constexpr int kMost = 3;
  std::string names;
  int count = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!is_missing(static_cast<Index>(i))) continue;
    if (++count > kMost) return names + " …";
    names += (names.empty() ? "" : ", ") + isolated(label_in_text(token_label(tokens[i])));
  }
  return names;
}

// Calls visit(stage, head) for every active stage of B that has the same shape in both; once for
// heads that share keys and values.
template <typename Visit>
void for_each_compared(const Ui& ui, Visit visit) {
  const attention::Problem& problem = ui.workspace.document().problem;
  const int sharing = heads_per_kv_head(problem.config);
  for (const Stage stage : attention::kAllStages) {
    if (!is_active(problem, stage)) continue;
    const int heads = is_per_head(stage) ? problem.config.n_heads : 1;
    for (int head = 0; head < heads; head += is_per_kv_head(stage) ? sharing : 1) {
      const ComparedStage compared = compared_stage(ui, stage, head);
      const bool same = has_same_words(ui) && compared.exist() && compared.a->same_as(*compared.b);
      if (compared.fits() && !same) visit(stage, head, compared);
    }
  }
}

// The largest difference of one stage in any head.
double largest_of(Ui& ui, Stage stage) {
  double largest = 0;
  const int heads = is_per_head(stage) ? ui.workspace.document().problem.config.n_heads : 1;
  for (int head = 0; head < heads; ++head) {
    const ComparedStage compared = compared_stage(ui, stage, head);
    if (compared.fits())
      largest = std::max(largest, ui.metrics.largest(a_by_words_of_b(ui, compared), *compared.b));
  }
  return largest;
}

// The smallest of 1, 2, 5 times a power of ten that is at least `value`.
float rounded_up(double value) {
  if (!(value > 0)) return 1;
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double step : {1.0, 2.0, 5.0})
    if (step * power >= value) return static_cast<float>(step * power);
  return static_cast<float>(10 * power);
}

}  // namespace

void toggle_comparing(Ui& ui) {
  CompareState& compare = ui.state.compare;
  if (compare.a) {
    compare.a.reset();
    compare.words = {};
    compare.view = CompareView::kB;
    compare.range.reset();
    compare.one_range = false;
    return;
  }
  compare.a = std::make_shared<const Snapshot>(
      Snapshot{ui.workspace.document(), ui.workspace.trace(), ui.workspace.network_trace()});
}

void show_compared(Ui& ui, CompareView view) {
  if (ui.state.compare.a) ui.state.compare.view = view;
}

void follow_compared(ViewState& state, const Workspace& workspace) {
  CompareState& compare = state.compare;
  if (compare.a) {
    compare.a = at_layer(std::move(compare.a), workspace.document().layer.at);
    pair_words(compare, workspace.document());
  }
  compare.held = key_is_held(state);
  const Snapshot* shown = compare.shown();
  const bool was_a = std::exchange(compare.was_a, shown != nullptr);
  const Look now{state.selection, state.head};
  if (!shown && was_a && now == compare.look_a) {
    state.selection = compare.look_b.selection;
    state.head = compare.look_b.head;
  } else if (!shown && was_a) {
    move_to_words(state.selection, compare.words, false);
  }
  clamp_to(state, workspace.document(), workspace.trace());
  if (!shown) return;
  if (!was_a) compare.look_b = {state.selection, state.head};
  if (!was_a) move_to_words(state.selection, compare.words, true);
  clamp_to(state, shown->document, shown->trace);
  if (!was_a) compare.look_a = {state.selection, state.head};
}

void keep_within_shown(const Ui& ui) {
  if (ui.kept != nullptr) clamp_to(ui.state, ui.kept->document, ui.kept->trace);
}

bool has_same_words(const Ui& ui) {
  const ComparedWords& words = ui.state.compare.words;
  return words.number == 0 || words.pairs.equal;
}

Cell cell_of_a(const Ui& ui, Stage stage, Cell cell) {
  const ComparedWords& words = ui.state.compare.words;
  if (words.number == 0) return cell;
  const attention::StageInfo& info = attention::stage_info(stage);
  return {words.pairs.in_a(info.rows, cell.row), words.pairs.in_a(info.cols, cell.col)};
}

Cell cell_of_b(const Ui& ui, Stage stage, Cell cell) {
  const ComparedWords& words = ui.state.compare.words;
  if (words.number == 0) return cell;
  const attention::StageInfo& info = attention::stage_info(stage);
  return {words.pairs.in_b(info.rows, cell.row), words.pairs.in_b(info.cols, cell.col)};
}

std::optional<Cell> shown_cell(const Ui& ui, Stage stage, Cell cell) {
  if (ui.kept == nullptr) return cell;
  const Cell there = cell_of_a(ui, stage, cell);
  return is_in_both(there) ? std::optional(there) : std::nullopt;
}

std::string different_words(const Ui& ui) {
  if (has_same_words(ui)) return {};
  const PairedTokens& words = ui.state.compare.words.pairs;
  const Document &a = ui.state.compare.a->document, &b = ui.workspace.document();
  using attention::Axis;
  std::string text;
  const auto add = [&text](const char* where, const std::string& names) {
    if (!names.empty()) text += (text.empty() ? "" : " · ") + tr(where, {names});
  };
  const char* const in_a = tr_later("only in A: {}");
  const char* const in_b = tr_later("only in B: {}");
  const auto add_axis = [&](Axis axis, const std::vector<Token>& of_a,
                            const std::vector<Token>& of_b) {
    add(in_a, missing_words(of_a, [&](Index i) { return words.in_b(axis, i) < 0; }));
    add(in_b, missing_words(of_b, [&](Index i) { return words.in_a(axis, i) < 0; }));
  };
  add_axis(Axis::kQueries, a.tokens, b.tokens);
  if (a.problem.cross() || b.problem.cross()) add_axis(Axis::kKeys, key_tokens(a), key_tokens(b));
  return text;
}

bool ComparedStage::exist() const {
  return a != nullptr && b != nullptr && (*a)->size() > 0 && (*b)->size() > 0;
}

ComparedStage compared_stage(const Ui& ui, Stage stage, int head) {
  const Snapshot& kept = *ui.state.compare.a;
  const attention::Problem& now = ui.workspace.document().problem;
  ComparedStage compared{stage, find_stage(kept.document.problem, kept.trace, stage, head),
                         find_stage(now, ui.workspace.trace(), stage, head)};
  compared.share_cells = share_cells(ui, compared);
  return compared;
}

const SharedMatrix& a_by_words_of_b(Ui& ui, const ComparedStage& stage) {
  if (has_same_words(ui)) return *stage.a;
  const ComparedWords& words = ui.state.compare.words;
  return ui.metrics.placed(words.pairs, words.number, stage.stage, *stage.a, *stage.b);
}

bool can_subtract(const Ui& ui) {
  const attention::Problem& problem = ui.workspace.document().problem;
  return std::ranges::any_of(attention::kAllStages, [&](Stage stage) {
    return is_active(problem, stage) && compared_stage(ui, stage, 0).fits();
  });
}

std::string mismatch_text(const ComparedStage& stage) {
  const attention::StageInfo& info = attention::stage_info(stage.stage);
  const bool words_only = stage.exist() && (info.cols == attention::Axis::kKeys ||
                                            stage.a->shape().cols == stage.b->shape().cols);
  if (words_only) return tr("A and B have no word in common");
  return tr("A {}, B {}", {shape_of(stage.a), shape_of(stage.b)});
}

void keep_compared(Ui& ui, Stage stage) {
  const CompareState& compare = ui.state.compare;
  if (!compare.a) return;
  const ComparedStage compared = compared_stage(ui, stage, ui.state.head);
  if (compared.a != nullptr) ui.values.keep(*compared.a);
  if (compared.b != nullptr) ui.values.keep(*compared.b);
  if (compared.fits() && compare.view == CompareView::kDifference)
    ui.values.keep(ui.metrics.difference(a_by_words_of_b(ui, compared), *compared.b));
}

std::optional<figure::Range> range_of_both(Ui& ui, Stage stage) {
  if (!ui.state.compare.a) return {};
  const ComparedStage compared = compared_stage(ui, stage, ui.state.head);
  if (!compared.exist()) return {};
  return figure::united(ui.values.range(*compared.a, stage), ui.values.range(*compared.b, stage));
}

figure::Range compared_range(Ui& ui, Stage stage) {
  const CompareState& compare = ui.state.compare;
  if (compare.range) return {-*compare.range, *compare.range};
  double largest = largest_of(ui, stage);
  if (compare.one_range) {
    for_each_compared(ui, [&](Stage, int, const ComparedStage& compared) {
      largest = std::max(largest, ui.metrics.largest(a_by_words_of_b(ui, compared), *compared.b));
    });
  }
  const float end = rounded_up(largest);
  return {-end, end};
}

std::vector<MovedCell> most_moved_cells(Ui& ui) {
  std::vector<MovedCell> cells;
  for_each_compared(ui, [&](Stage stage, int head, const ComparedStage& compared) {
    for (const attention::DifferenceCell& moved :
         ui.metrics.moved(a_by_words_of_b(ui, compared), *compared.b))
      cells.push_back({stage, head, moved});
  });
  std::ranges::stable_sort(cells, [](const MovedCell& a, const MovedCell& b) {
    return attention::changed_more(a.moved, b.moved);
  });
  if (std::ssize(cells) > MetricsCache::kMostMoved)
    cells.resize(static_cast<std::size_t>(MetricsCache::kMostMoved));
  return cells;
}

}  // namespace lab::view
