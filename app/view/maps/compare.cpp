#include "app/view/maps/compare.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/explain/stage_text.h"
#include "app/translation/words.h"
#include "app/view/maps/metrics_cache.h"
#include "app/view/maps/values_cache.h"
#include "app/view/toolkit/imgui_compat.h"
#include "core/shape_text.h"

namespace lab::view {
namespace {

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
      if (compared.fits() && !compared.a->same_as(*compared.b)) visit(stage, head, compared);
    }
  }
}

// The largest difference of one stage in any head.
double largest_of(Ui& ui, Stage stage) {
  double largest = 0;
  const int heads = is_per_head(stage) ? ui.workspace.document().problem.config.n_heads : 1;
  for (int head = 0; head < heads; ++head) {
    const ComparedStage compared = compared_stage(ui, stage, head);
    if (compared.fits()) largest = std::max(largest, ui.metrics.largest(*compared.a, *compared.b));
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
    compare.view = CompareView::kB;
    compare.range.reset();
    compare.one_range = false;
    return;
  }
  compare.a =
      std::make_shared<const Snapshot>(Snapshot{ui.workspace.document(), ui.workspace.trace()});
}

void show_compared(Ui& ui, CompareView view) {
  if (ui.state.compare.a) ui.state.compare.view = view;
}

void follow_compared(ViewState& state, const Workspace& workspace) {
  CompareState& compare = state.compare;
  compare.held = key_is_held(state);
  const Snapshot* shown = compare.shown();
  const bool was_a = std::exchange(compare.was_a, shown != nullptr);
  const Look now{state.selection, state.head};
  if (!shown && was_a && now == compare.look_a) {
    state.selection = compare.look_b.selection;
    state.head = compare.look_b.head;
  }
  clamp_to(state, workspace.document(), workspace.trace());
  if (!shown) return;
  if (!was_a) compare.look_b = {state.selection, state.head};
  clamp_to(state, shown->document, shown->trace);
  if (!was_a) compare.look_a = {state.selection, state.head};
}

bool ComparedStage::fits() const {
  return a != nullptr && b != nullptr && a->shape() == b->shape() && (*a)->size() > 0;
}

ComparedStage compared_stage(const Ui& ui, Stage stage, int head) {
  const Snapshot& kept = *ui.state.compare.a;
  const attention::Problem& now = ui.workspace.document().problem;
  return {find_stage(kept.document.problem, kept.trace, stage, head),
          find_stage(now, ui.workspace.trace(), stage, head)};
}

std::string mismatch_text(const ComparedStage& stage) {
  return tr("A {}, B {}", {shape_of(stage.a), shape_of(stage.b)});
}

void keep_compared(Ui& ui, Stage stage) {
  const CompareState& compare = ui.state.compare;
  if (!compare.a) return;
  const ComparedStage compared = compared_stage(ui, stage, ui.state.head);
  if (compared.a != nullptr) ui.values.keep(*compared.a);
  if (compared.b != nullptr) ui.values.keep(*compared.b);
  if (compared.fits() && compare.view == CompareView::kDifference)
    ui.values.keep(ui.metrics.difference(*compared.a, *compared.b));
}

std::optional<figure::Range> range_of_both(Ui& ui, Stage stage) {
  if (!ui.state.compare.a) return {};
  const ComparedStage compared = compared_stage(ui, stage, ui.state.head);
  if (!compared.fits()) return {};
  return figure::united(ui.values.range(*compared.a, stage), ui.values.range(*compared.b, stage));
}

figure::Range compared_range(Ui& ui, Stage stage) {
  const CompareState& compare = ui.state.compare;
  if (compare.range) return {-*compare.range, *compare.range};
  double largest = largest_of(ui, stage);
  if (compare.one_range) {
    for_each_compared(ui, [&](Stage, int, const ComparedStage& compared) {
      largest = std::max(largest, ui.metrics.largest(*compared.a, *compared.b));
    });
  }
  const float end = rounded_up(largest);
  return {-end, end};
}

std::vector<MovedCell> most_moved_cells(Ui& ui) {
  std::vector<MovedCell> cells;
  for_each_compared(ui, [&](Stage stage, int head, const ComparedStage& compared) {
    for (const attention::Moved& moved : ui.metrics.moved(*compared.a, *compared.b))
      cells.push_back({stage, head, moved});
  });
  std::ranges::stable_sort(cells, [](const MovedCell& a, const MovedCell& b) {
    return attention::moved_more(a.moved, b.moved);
  });
  if (std::ssize(cells) > MetricsCache::kMostMoved)
    cells.resize(static_cast<std::size_t>(MetricsCache::kMostMoved));
  return cells;
}

}  // namespace lab::view
