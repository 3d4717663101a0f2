#include "core/layer/evaluator.h"

#include <algorithm>
#include <bitset>

#include "core/layer/stages.h"
#include "core/layer/staleness/update.h"

namespace attention {
namespace {

// Fewer multiply-adds than this take less time than waking another thread.
constexpr Index kWorthSharing = 200'000;

// Multiply-adds of the products of a full computation, roughly: of one projection, of the attention
// of one head, of the output, and in all.
struct Work {
  Index project, attend, output, all;
};

Work work_of(const Problem& problem) {
  const Config& config = problem.config;
  const Index queries = problem.seq_len(), keys = problem.kv_len(), heads = config.n_heads;
  const Index features = config.d_k + config.d_v;
  const Index project = std::max(queries, keys) * features / 2 * config.d_model;
  const Index attend = queries * keys * features;
  const Index output = queries * heads * config.d_v * config.d_out;
  const Index projections = heads + 2 * kv_head_count(config);
  return {project, attend, output, projections * project + heads * attend + output};
}

// Of the heads that share keys and values, only the first keeps the handles during the update.
void give_to_first_of_group(const Config& before, const Config& now, Trace& trace) {
  const Index sharing = heads_per_kv_head(now);
  const bool regrouped = heads_per_kv_head(before) != sharing;
  if (sharing == 1 && !regrouped) return;
  for (Index h = 0; h < std::ssize(trace.heads); ++h) {
    if (h % sharing == 0 && !regrouped) continue;
    HeadTrace& head = trace.heads[static_cast<size_t>(h)];
    for (const Stage stage : kAllStages)
      if (is_per_kv_head(stage)) stage_matrix(head, stage) = {};
  }
}

// The other heads of each group get the handles of the first.
void share_in_groups(const Config& config, Trace& trace, std::vector<HeadChanges>& changes) {
  const Index sharing = heads_per_kv_head(config);
  if (sharing == 1) return;
  for (Index h = 0; h < std::ssize(trace.heads); ++h) {
    if (h % sharing == 0) continue;
    const auto self = static_cast<size_t>(h), first = static_cast<size_t>(h / sharing * sharing);
    for (const Stage stage : kAllStages)
      if (is_per_kv_head(stage))
        stage_matrix(trace.heads[self], stage) = stage_matrix(trace.heads[first], stage);
    changes[self].keys = changes[first].keys;
    changes[self].values = changes[first].values;
  }
}

// Updates all heads: first the projections, which are independent of each other, then head by head
// the stages computed from them.
class AllHeads {
 public:
  AllHeads(const Plan& plan, const InputChanges& inputs, const RotaryTable& rotary, Trace& trace,
           std::vector<HeadChanges>& changes)
      : plan_(plan), inputs_(inputs), rotary_(rotary), trace_(trace), changes_(changes) {}

  // Queries, keys and values of all heads, numbered one after the other.
  Index projections() const { return n_heads() + 2 * kv_head_count(plan_.now().config); }

  void project(Index task) const {
    const Config& config = plan_.now().config;
    const Index kv_heads = kv_head_count(config), sharing = heads_per_kv_head(config);
    if (task < n_heads()) return head(task).project_queries(trace_.X);
    const Index kv_head = (task - n_heads()) % kv_heads;
    if (task < n_heads() + kv_heads) {
      head(kv_head * sharing).project_keys(trace_.X_kv, kv_head);
    } else {
      head(kv_head * sharing).project_values(trace_.X_kv, kv_head);
    }
  }

  // What follows Q and K where all heads are normalised together.
  void finish_together(ThreadPool& pool) const {
    const Config& config = plan_.now().config;
    const Index kv_heads = kv_head_count(config), sharing = heads_per_kv_head(config);
    const RowsOfHeads queries = rows_of(Stage::kQ, 1, &HeadChanges::queries);
    const RowsOfHeads keys = rows_of(Stage::kK, sharing, &HeadChanges::keys);
    pool.run(n_heads() + kv_heads, [&](Index task) {
      if (task < n_heads()) return head(task).finish_queries(queries);
      const Index kv_head = task - n_heads();
      head(kv_head * sharing).finish_keys(keys, kv_head);
    });
  }

  void attend(Index task) const { head(task).attend(); }

 private:
  // Of every `step`-th head.
  RowsOfHeads rows_of(Stage stage, Index step, Change HeadChanges::*change) const {
    RowsOfHeads all;
    all.mean_squares.setZero(stage_shape(plan_.now(), stage).rows);
    for (Index h = 0; h < n_heads(); h += step) {
      const auto i = static_cast<size_t>(h);
      all.change = either(all.change, changes_[i].*change);
      add_mean_squares(*stage_matrix(trace_.heads[i], stage), n_heads() / step, all.mean_squares);
    }
    return all;
  }

  Index n_heads() const { return std::ssize(trace_.heads); }

  HeadUpdate head(Index h) const {
    const auto i = static_cast<size_t>(h);
    return {plan_, inputs_, rotary_, h, trace_.heads[i], changes_[i]};
  }

  const Plan& plan_;
  const InputChanges& inputs_;
  const RotaryTable& rotary_;
  Trace& trace_;
  std::vector<HeadChanges>& changes_;
};

void add(const std::vector<Recomputation>& log, std::vector<Recomputation>& all) {
  all.insert(all.end(), log.begin(), log.end());
}

void add(const HeadChanges& head, std::vector<Recomputation>& all) {
  add(head.query_log, all);
  add(head.key_log, all);
  add(head.value_log, all);
  add(head.attention_log, all);
}

void clear(HeadChanges& head) {
  head.queries = head.keys = head.values = head.output = {};
  for (auto* log : {&head.query_log, &head.key_log, &head.value_log, &head.attention_log}) {
    log->clear();
  }
}

using HeadSet = std::bitset<Limits::kHeads>;

HeadSet heads_of(const Config& config, const Recomputation& recomputed) {
  HeadSet heads;
  if (!is_per_head(recomputed.stage)) return heads;
  const Index sharing = is_per_kv_head(recomputed.stage) ? heads_per_kv_head(config) : 1;
  for (Index h = recomputed.head; h < recomputed.head + sharing; ++h)
    heads.set(static_cast<size_t>(h));
  return heads;
}

// The parts of one stage of a head follow each other.
int count_stages(const std::vector<Recomputation>& parts) {
  int count = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    const bool again =
        i > 0 && parts[i].stage == parts[i - 1].stage && parts[i].head == parts[i - 1].head;
    if (!again) ++count;
  }
  return count;
}

// Completes the report from the parts that were computed.
void summarise(const Config& config, EvaluationReport& done) {
  HeadSet heads;
  done.stages = count_stages(done.parts);
  done.output = false;
  for (const Recomputation& recomputed : done.parts) {
    heads |= heads_of(config, recomputed);
    done.output = done.output || recomputed.stage == Stage::kOutput;
  }
  done.heads.clear();
  for (int h = 0; h < config.n_heads; ++h) {
    if (heads.test(static_cast<size_t>(h))) done.heads.push_back(h);
  }
}

}  // namespace

void Evaluator::update_rotary_table(const Problem& problem) {
  const Config &before = last_.config, &now = problem.config;
  if (now.positions != Positions::kRotary) return;
  const Index positions = std::max(problem.seq_len(), problem.kv_len());
  const bool fresh =
      before.positions == now.positions && before.d_k == now.d_k &&
      before.rotary_base == now.rotary_base && before.rotary_pairs == now.rotary_pairs &&
      before.rotary_scale == now.rotary_scale && last_.rotary_first == problem.rotary_first &&
      last_.rotary_frequencies.same_as(problem.rotary_frequencies) &&
      rotary_.cosines.rows() >= positions;
  if (!fresh) rotary_ = rotary_table(problem, positions);
}

void Evaluator::update(const Problem& problem, WorkWatch* watch) {
  const Plan plan(last_, problem);
  const Work work = work_of(problem);
  ThreadPool alone(1);
  ThreadPool& pool = work.all < kWorthSharing ? alone : pool_;
  expect_work(watch, work.all);
  give_to_first_of_group(last_.config, problem.config, trace_);
  update_rotary_table(problem);
  report_.parts.clear();
  const InputChanges inputs = update_inputs(plan, trace_, report_.parts);

  trace_.heads.resize(problem.parameters.heads.size());
  changes_.resize(trace_.heads.size());
  for (HeadChanges& head : changes_) clear(head);
  const AllHeads heads(plan, inputs, rotary_, trace_, changes_);
  pool.run(heads.projections(), [&](Index task) {
    heads.project(task);
    report_work(watch, work.project);
  });
  if (normalises_jointly(problem.config)) heads.finish_together(pool);
  share_in_groups(problem.config, trace_, changes_);
  pool.run(std::ssize(trace_.heads), [&](Index task) {
    heads.attend(task);
    report_work(watch, work.attend);
  });
  for (const HeadChanges& head : changes_) add(head, report_.parts);

  OutputUpdate(plan, changes_, trace_, parts_, pool, report_.parts, watch).run(inputs.X);
  summarise(problem.config, report_);
}

void Evaluator::reset() {
  last_ = {};
  trace_ = {};
  report_ = {};
  parts_.clear();
}

const Trace& Evaluator::evaluate(const Problem& problem, WorkWatch* watch) {
  validate(problem);
  try {
    update(problem, watch);
    last_ = problem;
  } catch (...) {
    reset();
    throw;
  }
  return trace_;
}

}  // namespace attention
