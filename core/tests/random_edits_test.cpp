// Thousands of random edits: after each the incremental trace equals a full computation bit for
// bit, and the evaluator did no more and reported no less than the edit asked for.

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "core/evaluator.h"
#include "core/tests/matrix_compare.h"
#include "core/tests/random_problem.h"

namespace attention::test {
namespace {

// The heads that an edit must touch; nothing when that is not known beforehand.
using Touched = std::optional<std::set<int>>;

constexpr int kMostHeads = 4;

// Makes random edits to one problem that stays valid.
class Editor {
 public:
  explicit Editor(std::uint64_t seed) : random_(seed) {
    Config config;
    config.d_model = 5;
    config.n_heads = 3;
    config.d_k = 3;
    config.d_v = config.d_out = 4;
    problem_ = random_problem(config, 4, 0, random_);
  }

  const Problem& problem() const { return problem_; }

  Touched edit() {
    past_.push_back(problem_);
    if (past_.size() > 20) past_.erase(past_.begin());
    const Choice& choice = kChoices[static_cast<size_t>(
        random_below(static_cast<Index>(std::size(kChoices)), random_))];
    name_ = choice.name;
    return (this->*choice.make)();
  }

  const std::string& name() const { return name_; }

 private:
  struct Choice {
    const char* name;
    Touched (Editor::*make)();
  };

  Touched none() const { return std::set<int>{}; }
  Touched all() const {
    std::set<int> heads;
    for (int h = 0; h < problem_.config.n_heads; ++h) heads.insert(h);
    return heads;
  }

  Config& config() { return problem_.config; }
  int head() { return static_cast<int>(random_below(config().n_heads, random_)); }
  HeadParameters& parameters(int h) { return problem_.parameters.heads[static_cast<size_t>(h)]; }

  void cell(SharedMatrix& matrix) {
    const float value = random_.normal();
    matrix.edit([&](Matrix& values) {
      values(random_below(values.rows(), random_), random_below(values.cols(), random_)) = value;
    });
  }

  // Gives the optional matrix, changes a cell of it, or takes it away.
  void optional(SharedMatrix& matrix, Index rows, Index cols) {
    if (matrix.empty()) {
      matrix = SharedMatrix(random_matrix(rows, cols, random_));
    } else if (random_bool(random_)) {
      cell(matrix);
    } else {
      matrix = {};
    }
  }

  Touched nothing() { return none(); }
  Touched cell_of_X() { return cell(problem_.X), all(); }

  Touched cell_of_W() {
    const int h = head();
    SharedMatrix* const choices[] = {&parameters(h).W_Q, &parameters(h).W_K, &parameters(h).W_V};
    cell(*choices[random_below(3, random_)]);
    return std::set<int>{h};
  }

  Touched bias_of_head() {
    const int h = head();
    switch (random_below(3, random_)) {
      case 0:
        optional(parameters(h).b_Q, 1, config().d_k);
        break;
      case 1:
        optional(parameters(h).b_K, 1, config().d_k);
        break;
      default:
        optional(parameters(h).b_V, 1, config().d_v);
    }
    return std::set<int>{h};
  }

  Touched cell_of_W_O() { return cell(problem_.parameters.W_O), none(); }
  Touched bias_of_output() { return optional(problem_.parameters.b_O, 1, config().d_out), none(); }

  Touched mask() {
    config().mask = config().mask == MaskKind::kNone ? MaskKind::kCausal : MaskKind::kNone;
    return all();
  }

  Touched allowed() {
    const bool give = problem_.allowed.empty() || random_bool(random_);
    const Index rows = problem_.seq_len(), cols = problem_.kv_len();
    problem_.allowed = give ? SharedMatrix(random_mask(rows, cols, 0.6, random_)) : SharedMatrix();
    return all();
  }

  Touched bias() { return optional(problem_.bias, problem_.seq_len(), problem_.kv_len()), all(); }

  Touched scale() {
    config().scale = !config().scale;
    return config().d_k == 1 ? none() : all();
  }

  Touched temperature() {
    const float values[] = {0.5f, 1.0f, 2.0f};
    const float before = config().temperature;
    config().temperature = values[random_below(3, random_)];
    return config().temperature == before ? none() : all();
  }

  // Masks and additive biases have the shape of the scores and go when that changes.
  Touched key_values() {
    problem_.allowed = problem_.bias = {};
    const bool give = problem_.X_kv.empty() || random_bool(random_);
    const Index kv_len = 1 + random_below(6, random_);
    problem_.X_kv =
        give ? SharedMatrix(random_matrix(kv_len, config().d_model, random_)) : SharedMatrix();
    return all();
  }

  Touched tokens() {
    problem_.allowed = problem_.bias = {};
    problem_.X =
        SharedMatrix(random_matrix(1 + random_below(6, random_), config().d_model, random_));
    return all();
  }

  void new_W_O() {
    problem_.parameters.W_O =
        SharedMatrix(random_matrix(config().n_heads * config().d_v, config().d_out, random_));
  }

  Touched add_head() {
    if (config().n_heads == kMostHeads) return none();
    problem_.parameters.heads.push_back(random_head(config(), random_));
    new_W_O_for(config().n_heads + 1);
    return std::set<int>{config().n_heads - 1};
  }

  Touched remove_last_head() {
    if (config().n_heads == 1) return none();
    problem_.parameters.heads.pop_back();
    new_W_O_for(config().n_heads - 1);
    return none();
  }

  void new_W_O_for(int n_heads) {
    config().n_heads = n_heads;
    new_W_O();
  }

  Touched remove_first_head() {
    if (config().n_heads == 1) return none();
    problem_.parameters.heads.erase(problem_.parameters.heads.begin());
    new_W_O_for(config().n_heads - 1);
    return all();
  }

  Touched sizes() {
    config().d_model = 1 + static_cast<int>(random_below(6, random_));
    config().d_k = 1 + static_cast<int>(random_below(5, random_));
    config().d_v = 1 + static_cast<int>(random_below(5, random_));
    config().d_out = 1 + static_cast<int>(random_below(5, random_));
    const Config kept = config();
    problem_ = random_problem(kept, problem_.seq_len(), 0, random_);
    return all();
  }

  // Takes back some of the last edits, as undo does: old identities come again.
  Touched undo() {
    problem_ = past_[static_cast<size_t>(random_below(std::ssize(past_), random_))];
    return std::nullopt;
  }

  static constexpr Choice kChoices[] = {
      {"nothing", &Editor::nothing},
      {"cell of X", &Editor::cell_of_X},
      {"cell of W", &Editor::cell_of_W},
      {"cell of W", &Editor::cell_of_W},
      {"bias of a head", &Editor::bias_of_head},
      {"cell of W_O", &Editor::cell_of_W_O},
      {"b_O", &Editor::bias_of_output},
      {"mask", &Editor::mask},
      {"allowed", &Editor::allowed},
      {"bias", &Editor::bias},
      {"scale", &Editor::scale},
      {"temperature", &Editor::temperature},
      {"X_kv", &Editor::key_values},
      {"tokens", &Editor::tokens},
      {"add a head", &Editor::add_head},
      {"remove the last head", &Editor::remove_last_head},
      {"remove the first head", &Editor::remove_first_head},
      {"sizes", &Editor::sizes},
      {"undo", &Editor::undo},
  };

  PortableRandom random_;
  Problem problem_;
  std::vector<Problem> past_;
  std::string name_;
};

template <typename Visit>
void for_each_matrix(const Problem& problem, const Trace& trace, Visit visit) {
  for (const Stage stage : kAllStages) {
    if (stage == Stage::kX) continue;
    for (Index h = 0; h < head_count(trace, stage); ++h) {
      visit(stage, h, stage_matrix(problem, trace, stage, h));
    }
  }
}

std::set<const void*> identities(const Problem& problem, const Trace& trace) {
  std::set<const void*> all;
  for_each_matrix(problem, trace,
                  [&](Stage, Index, const SharedMatrix& m) { all.insert(m.identity()); });
  return all;
}

void expect_equals_full_computation(const Problem& problem, const Trace& trace) {
  Evaluator fresh;
  fresh.evaluate(problem);
  ASSERT_EQ(trace.heads.size(), fresh.trace().heads.size());
  for_each_matrix(problem, trace, [&](Stage stage, Index h, const SharedMatrix& found) {
    EXPECT_TRUE(all_identical(*found, *stage_matrix(problem, fresh.trace(), stage, h)))
        << stage_name(stage) << " of head " << h;
  });
}

// Each computed stage has an identity that no result had before, and nothing else has.
void expect_stage_count(const Problem& problem, const Trace& before, const Evaluator& evaluator) {
  int computed = 0;
  const std::set<const void*> old = identities(problem, before);
  for (const void* identity : identities(problem, evaluator.trace())) {
    computed += old.contains(identity) ? 0 : 1;
  }
  EXPECT_EQ(evaluator.recomputed().stages, computed);
}

void expect_untouched_heads_kept(const Problem& problem, const Trace& before,
                                 const Evaluator& evaluator) {
  const std::vector<int>& touched = evaluator.recomputed().heads;
  for_each_matrix(problem, evaluator.trace(), [&](Stage stage, Index h, const SharedMatrix& now) {
    if (!is_per_head(stage) || std::count(touched.begin(), touched.end(), h) > 0) return;
    EXPECT_TRUE(now.same_as(stage_matrix(problem, before, stage, h)))
        << stage_name(stage) << " of untouched head " << h;
  });
}

class RandomEdits : public testing::TestWithParam<int> {};

TEST_P(RandomEdits, EqualAFullComputationBitForBit) {
  Editor editor(static_cast<std::uint64_t>(GetParam()));
  Evaluator evaluator;
  evaluator.evaluate(editor.problem());
  for (int step = 0; step < 600 && !HasFailure(); ++step) {
    const Trace before = evaluator.trace();
    const Touched touched = editor.edit();
    SCOPED_TRACE("step " + std::to_string(step) + ": " + editor.name());
    evaluator.evaluate(editor.problem());
    expect_equals_full_computation(editor.problem(), evaluator.trace());
    expect_stage_count(editor.problem(), before, evaluator);
    expect_untouched_heads_kept(editor.problem(), before, evaluator);
    const std::vector<int>& heads = evaluator.recomputed().heads;
    if (touched) {
      EXPECT_EQ(std::set<int>(heads.begin(), heads.end()), *touched);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomEdits, testing::Range(1, 11));

}  // namespace
}  // namespace attention::test
