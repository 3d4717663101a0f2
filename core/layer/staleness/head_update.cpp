#include "core/layer/staleness/update.h"

#include <array>

#include "core/layer/relative_scores.h"
#include "core/layer/stages.h"

namespace attention {
namespace {

// The head's parameters of that kind, or empty ones when the last problem had no such head.
template <typename Parameters>
const Parameters& entry_or_empty(const std::vector<Parameters>& all, Index i) {
  static const Parameters empty;
  return i < std::ssize(all) ? all[static_cast<size_t>(i)] : empty;
}

// Rows of the keys are columns of the scores.
Change transposed(const Change& rows) {
  return rows.is_rows() ? Change::columns(rows.first, rows.count) : rows;
}

// For a row-by-row stage: a change by columns affects every row.
Change by_rows(const Change& change) { return change.is_columns() ? Change::whole() : change; }

bool same_rotation(const Problem& before, const Problem& now) {
  const Config &a = before.config, &b = now.config;
  return a.positions == b.positions && a.rotary_base == b.rotary_base &&
         a.rotary_pairs == b.rotary_pairs && a.rotary_scale == b.rotary_scale &&
         before.rotary_first == now.rotary_first &&
         before.rotary_frequencies.same_as(now.rotary_frequencies);
}

bool same_head_norm(const Config& a, const Config& b) {
  return a.head_norm == b.head_norm && a.head_norm_epsilon == b.head_norm_epsilon &&
         a.head_norm_joint == b.head_norm_joint;
}

bool same_value_norm(const Config& a, const Config& b) {
  return a.value_norm == b.value_norm && a.head_norm_epsilon == b.head_norm_epsilon;
}

bool same_dropout(const Config& a, const Config& b) {
  return a.dropout_rate == b.dropout_rate && a.dropout_seed == b.dropout_seed;
}

// The part of the masked scores that a change of the masks, the bias or ALiBi affects.
Change changed_masks(const Problem& before, const Problem& now) {
  const bool alibi = now.config.positions == Positions::kAlibi;
  const bool was_alibi = before.config.positions == Positions::kAlibi;
  if (before.config.mask != now.config.mask || alibi != was_alibi) return Change::whole();
  if (!same_head_bias(before, now)) return Change::whole();
  if (alibi && before.config.n_heads != now.config.n_heads) return Change::whole();
  return either(changed_rows(before.allowed, now.allowed), changed_rows(before.bias, now.bias));
}

// Stages that may share the handle of the one before them, the last first.
constexpr std::array kMayRepeat = {Stage::kDroppedWeights, Stage::kMaskedScores,
                                   Stage::kCappedScores, Stage::kScaledScores,
                                   Stage::kSummedScores};

// True when the keys of distances of `head`, or their queries, are computed by the same maps.
bool same_position_map(const Problem& before, const Problem& now, Index head,
                       PositionMap (*map)(const Problem&, Index)) {
  if (!before.relative || head >= before.config.n_heads) return false;
  const PositionMap a = map(before, head), b = map(now, head);
  return a.W.same_as(b.W) && a.b.same_as(b.b);
}

// From the scores of one head to its output.
class AttentionUpdate {
 public:
  AttentionUpdate(const Plan& plan, Index head, HeadTrace& trace, HeadChanges& changes)
      : plan_(plan), head_(head), trace_(trace), changes_(changes) {}

  void run() {
    for (const Stage stage : kMayRepeat) forget_if_same(own(stage), before(stage));
    const Change capped = update_capped(update_scaled(update_sum(update_scores())));
    const Change masked = update_masked(capped);
    update_output(update_dropped(update_weights(masked)));
  }

  // True when the head's sink is the same number as before.
  static bool same_sink(const Plan& plan, Index head) {
    const QueryParameters& before = entry_or_empty(plan.before().parameters.heads, head);
    const QueryParameters& now = plan.now().parameters.heads[static_cast<size_t>(head)];
    return plan.before().config.sink == plan.now().config.sink &&
           (!plan.now().config.sink || now.sink.same_as(before.sink));
  }

 private:
  SharedMatrix& own(Stage stage) { return stage_matrix(trace_, stage); }
  const SharedMatrix& before(Stage stage) { return own(*stage_info(stage).repeats); }

  template <typename Fill>
  Change write(Stage stage, const Change& stale, Fill fill) {
    return plan_.write(stage, head_, stale, own(stage), changes_.attention_log, fill);
  }

  // For a stage that may be switched off: `stale` is the part to write when it is on, `change` the
  // change of the stage before it.
  template <typename Fill>
  Change write_or_share(Stage stage, const Change& change, const Change& stale, Fill fill) {
    if (plan_.active(stage)) return write(stage, stale, fill);
    return Plan::share(own(stage), before(stage), change);
  }

  Change update_scores();
  bool has_small_scores() const;
  Change update_position_scores(Stage stage);
  Change update_sum(const Change& scores);
  Change update_scaled(const Change& summed);
  Change update_capped(const Change& scaled);
  Change update_masked(const Change& capped);
  Change update_weights(const Change& masked);
  Change update_dropped(const Change& weights);
  void update_output(const Change& dropped);

  const Plan& plan_;
  Index head_;
  HeadTrace& trace_;
  HeadChanges& changes_;
};

// Rows of Q give rows of the scores, rows of K give columns; when both changed, the two are written
// one after the other.
Change AttentionUpdate::update_scores() {
  const auto fill = [&](Matrix& values, const CellBlock& box) {
    attention_scores(trace_.rotated_Q->middleRows(box.row, box.rows),
                     trace_.rotated_K->middleRows(box.col, box.cols),
                     values.block(box.row, box.col, box.rows, box.cols));
  };
  const Change rows = by_rows(changes_.queries);
  const Change columns = transposed(by_rows(changes_.keys));
  const bool both = !rows.is_none() && !columns.is_none();
  const bool whole = rows.is_whole() || columns.is_whole() || (both && has_small_scores());
  if (whole) return write(Stage::kScores, Change::whole(), fill);
  const Change first = write(Stage::kScores, rows, fill);
  return first.is_whole() ? first : either(first, write(Stage::kScores, columns, fill));
}

// True when computing all scores takes less time than writing twice.
bool AttentionUpdate::has_small_scores() const {
  constexpr Index kSmall = 4096;
  return trace_.rotated_Q->size() * trace_.rotated_K->rows() < kSmall;
}

// Of queries with the keys of distances, or of keys with the queries of distances.
Change AttentionUpdate::update_position_scores(Stage stage) {
  if (!plan_.active(stage)) {
    const bool was_there = !own(stage).empty();
    own(stage) = {};
    return was_there ? Change::whole() : Change{};
  }
  const Problem &before = plan_.before(), &now = plan_.now();
  const bool of_queries = stage == Stage::kContentToPosition;
  const auto map = of_queries ? position_key_map : position_query_map;
  const bool same =
      same_relative(before.relative, now.relative) && same_position_map(before, now, head_, map);
  const Change moved = of_queries ? by_rows(changes_.queries) : transposed(by_rows(changes_.keys));
  const DistanceRows& distances = now.relative->distances;
  return write(stage, same ? moved : Change::whole(), [&](Matrix& values, const CellBlock& box) {
    auto result = values.block(box.row, box.col, box.rows, box.cols);
    if (of_queries)
      scores_of_positions(trace_.rotated_Q->middleRows(box.row, box.rows),
                          position_keys(now, head_), distances, box.row, box.col, result);
    else
      scores_by_positions(trace_.rotated_K->middleRows(box.col, box.cols),
                          position_queries(now, head_), distances, box.row, box.col, result);
  });
}

Change AttentionUpdate::update_sum(const Change& scores) {
  constexpr std::array kAdded = {Stage::kContentToPosition, Stage::kPositionToContent};
  Change stale = scores;
  for (const Stage stage : kAdded) stale = either(stale, update_position_scores(stage));
  return write_or_share(Stage::kSummedScores, scores, stale,
                        [&](Matrix& values, const CellBlock& box) {
                          auto result = values.block(box.row, box.col, box.rows, box.cols);
                          result = trace_.scores->block(box.row, box.col, box.rows, box.cols);
                          for (const Stage stage : kAdded)
                            if (!own(stage).empty())
                              result += own(stage)->block(box.row, box.col, box.rows, box.cols);
                        });
}

Change AttentionUpdate::update_scaled(const Change& summed) {
  const float factor = score_factor(plan_.now().config);
  const bool same = factor == score_factor(plan_.before().config);
  return write_or_share(
      Stage::kScaledScores, summed, same ? summed : Change::whole(),
      [&](Matrix& values, const CellBlock& box) {
        scale_scores(before(Stage::kScaledScores)->block(box.row, box.col, box.rows, box.cols),
                     factor, values.block(box.row, box.col, box.rows, box.cols));
      });
}

Change AttentionUpdate::update_capped(const Change& scaled) {
  const float cap = plan_.now().config.score_cap;
  const bool same = cap == plan_.before().config.score_cap;
  return write_or_share(
      Stage::kCappedScores, scaled, same ? scaled : Change::whole(),
      [&](Matrix& values, const CellBlock& box) {
        cap_scores(before(Stage::kCappedScores)->block(box.row, box.col, box.rows, box.cols), cap,
                   values.block(box.row, box.col, box.rows, box.cols));
      });
}

Change AttentionUpdate::update_masked(const Change& capped) {
  const bool active = plan_.active(Stage::kMaskedScores);
  const Change masks = active ? changed_masks(plan_.before(), plan_.now()) : Change{};
  return write_or_share(Stage::kMaskedScores, capped, by_rows(either(capped, masks)),
                        [&](Matrix& values, const CellBlock& box) {
                          mask_scores(before(Stage::kMaskedScores)->middleRows(box.row, box.rows),
                                      plan_.now(), head_, box.row,
                                      values.middleRows(box.row, box.rows));
                        });
}

Change AttentionUpdate::update_weights(const Change& masked) {
  const Change stale = same_sink(plan_, head_) ? by_rows(masked) : Change::whole();
  return write(Stage::kWeights, stale, [&](Matrix& values, const CellBlock& box) {
    softmax_rows(trace_.masked_scores->middleRows(box.row, box.rows),
                 values.middleRows(box.row, box.rows), sink_of(plan_.now(), head_));
  });
}

Change AttentionUpdate::update_dropped(const Change& weights) {
  const bool same = same_dropout(plan_.before().config, plan_.now().config);
  return write_or_share(Stage::kDroppedWeights, weights, same ? weights : Change::whole(),
                        [&](Matrix& values, const CellBlock& box) {
                          drop_weights(trace_.weights->middleRows(box.row, box.rows),
                                       plan_.now().config, head_, box.row,
                                       values.middleRows(box.row, box.rows));
                        });
}

void AttentionUpdate::update_output(const Change& dropped) {
  const Change stale = changed_product(dropped, changes_.values);
  changes_.output = write(Stage::kHeadOutput, stale, [&](Matrix& values, const CellBlock& box) {
    mix_values(trace_.dropped_weights->middleRows(box.row, box.rows),
               trace_.normed_V->middleCols(box.col, box.cols),
               values.block(box.row, box.col, box.rows, box.cols));
  });
}

}  // namespace

struct HeadUpdate::Projection {
  Stage stage;
  const SharedMatrix& input;
  const Change& input_change;
  const SharedMatrix &W_before, &W, &b_before, &b;

  bool unchanged() const {
    return input_change.is_none() && W.same_as(W_before) && b.same_as(b_before);
  }
};

Change HeadUpdate::update_projection(const Projection& p, SharedMatrix& matrix, Log& log) {
  const SharedMatrix& b = bias_in_use(plan_.now(), p.b);
  const Change columns = either(changed_columns(p.W_before, p.W),
                                changed_columns(bias_in_use(plan_.before(), p.b_before), b));
  const Change stale = changed_product(p.input_change, columns);
  return plan_.write(p.stage, head_, stale, matrix, log, [&](Matrix& values, const CellBlock& box) {
    const Index b_cols = b.empty() ? 0 : box.cols;
    project(p.input->middleRows(box.row, box.rows), p.W->middleCols(box.col, box.cols),
            b->middleCols(b.empty() ? 0 : box.col, b_cols),
            values.block(box.row, box.col, box.rows, box.cols));
  });
}

Change HeadUpdate::update_norm(const Finish& finish, const Change& change, Log& log) {
  if (!plan_.active(finish.norm)) return Plan::share(own(finish.norm), before(finish.norm), change);
  const Config& now = plan_.now().config;
  const bool same = same_head_norm(plan_.before().config, now) && finish.same_weight();
  return plan_.write(finish.norm, head_, same ? by_rows(change) : Change::whole(), own(finish.norm),
                     log, [&](Matrix& values, const CellBlock& box) {
                       const auto rows = before(finish.norm)->middleRows(box.row, box.rows);
                       auto result = values.middleRows(box.row, box.rows);
                       if (finish.all != nullptr) {
                         normalise_by_mean_squares(
                             rows, finish.all->mean_squares.segment(box.row, box.rows),
                             finish.factors(now.d_k), now.head_norm_epsilon, result);
                       } else if (now.head_norm) {
                         normalise_by_rms(rows, *finish.weight, now.head_norm_epsilon, result);
                       } else {
                         result = rows;
                       }
                     });
}

Change HeadUpdate::update_rotation(Stage stage, const Change& change, Log& log) {
  if (!plan_.active(stage)) return Plan::share(own(stage), before(stage), change);
  const Config& now = plan_.now().config;
  const bool same = same_rotation(plan_.before(), plan_.now());
  return plan_.write(stage, head_, same ? by_rows(change) : Change::whole(), own(stage), log,
                     [&](Matrix& values, const CellBlock& box) {
                       const auto rows = before(stage)->middleRows(box.row, box.rows);
                       auto result = values.middleRows(box.row, box.rows);
                       if (now.positions == Positions::kRotary) {
                         rotate(rows, rotary_, now.rotary_pairs, box.row, result);
                       } else {
                         result = rows;
                       }
                     });
}

Change HeadUpdate::project_and_finish(const Projection& p, const Finish& finish, Log& log) {
  if (plan_.same_switches() && finish.same_weight() && p.unchanged()) return {};
  const bool jointly = normalises_jointly(plan_.now().config);
  if (!jointly || !plan_.same_switches()) {  // else finish_together() may have nothing to do
    forget_if_same(own(finish.rotation), before(finish.rotation));
    forget_if_same(own(finish.norm), before(finish.norm));
  }
  const Change projected = update_projection(p, own(p.stage), log);
  if (jointly) return projected;
  return update_rotation(finish.rotation, update_norm(finish, projected, log), log);
}

Change HeadUpdate::finish_together(Finish finish, const RowsOfHeads& all, Log& log) {
  if (plan_.same_switches() && finish.same_weight() && all.change.is_none()) return {};
  forget_if_same(own(finish.rotation), before(finish.rotation));
  finish.all = &all;
  return update_rotation(finish.rotation, update_norm(finish, all.change, log), log);
}

HeadUpdate::Finish HeadUpdate::query_finish() const {
  return {Stage::kNormedQ, Stage::kRotatedQ, plan_.before().parameters.norm_Q,
          plan_.now().parameters.norm_Q, head_};
}

HeadUpdate::Finish HeadUpdate::key_finish(Index kv_head) const {
  return {Stage::kNormedK, Stage::kRotatedK, plan_.before().parameters.norm_K,
          plan_.now().parameters.norm_K, kv_head};
}

void HeadUpdate::finish_queries(const RowsOfHeads& all) {
  changes_.queries = finish_together(query_finish(), all, changes_.query_log);
}

void HeadUpdate::finish_keys(const RowsOfHeads& all, Index kv_head) {
  changes_.keys = finish_together(key_finish(kv_head), all, changes_.key_log);
}

void HeadUpdate::project_queries(const SharedMatrix& X) {
  const auto& before = entry_or_empty(plan_.before().parameters.heads, head_);
  const auto& now = plan_.now().parameters.heads[static_cast<size_t>(head_)];
  changes_.queries =
      project_and_finish({Stage::kQ, X, inputs_.X, before.W_Q, now.W_Q, before.b_Q, now.b_Q},
                         query_finish(), changes_.query_log);
}

void HeadUpdate::project_keys(const SharedMatrix& X_kv, Index kv_head) {
  const auto& before = entry_or_empty(plan_.before().parameters.kv_heads, kv_head);
  const auto& now = plan_.now().parameters.kv_heads[static_cast<size_t>(kv_head)];
  changes_.keys =
      project_and_finish({Stage::kK, X_kv, inputs_.X_kv, before.W_K, now.W_K, before.b_K, now.b_K},
                         key_finish(kv_head), changes_.key_log);
}

void HeadUpdate::project_values(const SharedMatrix& X_kv, Index kv_head) {
  const auto& before = entry_or_empty(plan_.before().parameters.kv_heads, kv_head);
  const auto& now = plan_.now().parameters.kv_heads[static_cast<size_t>(kv_head)];
  const Projection p{Stage::kV, X_kv, inputs_.X_kv, before.W_V, now.W_V, before.b_V, now.b_V};
  if (plan_.same_switches() && p.unchanged()) return;
  forget_if_same(trace_.normed_V, trace_.V);
  changes_.values = update_value_norm(update_projection(p, trace_.V, changes_.value_log));
}

Change HeadUpdate::update_value_norm(const Change& change) {
  constexpr Stage kStage = Stage::kNormedV;
  if (!plan_.active(kStage)) return Plan::share(own(kStage), before(kStage), change);
  const Config& now = plan_.now().config;
  const bool same = same_value_norm(plan_.before().config, now);
  return plan_.write(kStage, head_, same ? by_rows(change) : Change::whole(), own(kStage),
                     changes_.value_log, [&](Matrix& values, const CellBlock& box) {
                       const auto rows = trace_.V->middleRows(box.row, box.rows);
                       auto result = values.middleRows(box.row, box.rows);
                       if (now.value_norm) {
                         normalise_by_rms(rows, Matrix(), now.head_norm_epsilon, result);
                       } else {
                         result = rows;
                       }
                     });
}

void HeadUpdate::attend() {
  const bool same =
      changes_.queries.is_none() && changes_.keys.is_none() && changes_.values.is_none();
  if (same && plan_.same_switches() && AttentionUpdate::same_sink(plan_, head_)) return;
  AttentionUpdate(plan_, head_, trace_, changes_).run();
}

}  // namespace attention
