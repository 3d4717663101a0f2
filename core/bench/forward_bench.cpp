// Times of the core: whole forward passes, single edits, one explanation.
// Names give the sizes as seq_len x d_model x n_heads; d_k = d_v = d_model / n_heads.

#include <benchmark/benchmark.h>

#include <functional>
#include <string>

#include "core/evaluator.h"
#include "core/explain.h"
#include "core/initialise.h"

namespace {

using attention::Evaluator;
using attention::filled;
using attention::FillKind;
using attention::Matrix;
using attention::Problem;
using attention::SharedMatrix;
using attention::Stage;

struct Sizes {
  int seq_len, d_model, n_heads;
  std::string text() const {
    return std::to_string(seq_len) + "x" + std::to_string(d_model) + "x" + std::to_string(n_heads);
  }
};

Problem make_problem(const Sizes& sizes) {
  Problem problem;
  problem.config.d_model = problem.config.d_out = sizes.d_model;
  problem.config.n_heads = sizes.n_heads;
  problem.config.d_k = problem.config.d_v = sizes.d_model / sizes.n_heads;
  problem.X = SharedMatrix(filled(FillKind::kNormal, {sizes.seq_len, sizes.d_model}, 1));
  std::uint64_t seed = 2;
  const auto weights = [&](attention::Index rows, attention::Index cols) {
    return SharedMatrix(filled(FillKind::kXavier, {rows, cols}, seed++));
  };
  for (int h = 0; h < sizes.n_heads; ++h) {
    const int d_k = problem.config.d_k;
    problem.parameters.heads.push_back({weights(sizes.d_model, d_k),
                                        weights(sizes.d_model, d_k),
                                        weights(sizes.d_model, d_k),
                                        {},
                                        {},
                                        {}});
  }
  problem.parameters.W_O = weights(sizes.n_heads * problem.config.d_v, sizes.d_model);
  return problem;
}

void forward(benchmark::State& state, const Sizes& sizes) {
  const Problem problem = make_problem(sizes);
  for (auto _ : state) {
    Evaluator evaluator;
    benchmark::DoNotOptimize(evaluator.evaluate(problem).output.identity());
  }
}

// One cell of one matrix, then everything that depends on it.
void edit(benchmark::State& state, const Sizes& sizes,
          const std::function<SharedMatrix&(Problem&)>& matrix) {
  Problem problem = make_problem(sizes);
  Evaluator evaluator;
  evaluator.evaluate(problem);
  for (auto _ : state) {
    matrix(problem).edit([](Matrix& values) { values(0, 0) += 0.001f; });
    benchmark::DoNotOptimize(evaluator.evaluate(problem).output.identity());
  }
}

void explain_weight(benchmark::State& state, const Sizes& sizes) {
  const Problem problem = make_problem(sizes);
  Evaluator evaluator;
  const attention::Trace& trace = evaluator.evaluate(problem);
  for (auto _ : state) {
    benchmark::DoNotOptimize(explain(problem, trace, Stage::kWeights, 1, 7, 3));
  }
}

void register_forward(const Sizes& sizes) {
  benchmark::RegisterBenchmark(("forward/" + sizes.text()).c_str(), forward, sizes)
      ->Threads(1)
      ->Unit(benchmark::kMicrosecond);
}

void register_edit(const std::string& name, const Sizes& sizes,
                   const std::function<SharedMatrix&(Problem&)>& matrix) {
  benchmark::RegisterBenchmark(("edit_" + name + "/" + sizes.text()).c_str(), edit, sizes, matrix)
      ->Unit(benchmark::kMicrosecond);
}

void register_edits(const Sizes& sizes) {
  register_edit("W_Q", sizes,
                [](Problem& p) -> SharedMatrix& { return p.parameters.heads[0].W_Q; });
  register_edit("W_O", sizes, [](Problem& p) -> SharedMatrix& { return p.parameters.W_O; });
  register_edit("X", sizes, [](Problem& p) -> SharedMatrix& { return p.X; });
}

}  // namespace

int main(int argc, char** argv) {
  for (const Sizes& sizes : {Sizes{11, 8, 2}, {64, 512, 8}, {128, 512, 8}, {512, 512, 8}}) {
    register_forward(sizes);
  }
  register_edits({11, 32, 4});
  register_edits({128, 512, 8});
  const Sizes sentence{11, 32, 4};
  benchmark::RegisterBenchmark(("explain/weights/" + sentence.text()).c_str(), explain_weight,
                               sentence);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
