// Times of the core: forward passes, the matrix products in them, single edits, explanations.
// Names give the sizes as seq_len x d_model x n_heads.

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <functional>

#include "core/analysis/cost.h"
#include "core/bench/problems.h"
#include "core/explain/explain.h"
#include "core/gradient/layer_gradient.h"
#include "core/layer/evaluator.h"
#include "core/layer/stages.h"
#include "core/numerics/freed_memory.h"
#include "core/numerics/kernels.h"
#include "core/solve/solver.h"

namespace attention::bench {
namespace {

// Every stage of another sentence of the same length, with an evaluator that was used before, as in
// a running program.
void forward(benchmark::State& state, const Sizes& sizes, int threads) {
  Problem problems[2] = {make_problem(sizes), {}};
  problems[1] = problems[0];
  problems[1].embedding = make_problem(sizes, 2).embedding;
  Evaluator evaluator(threads);
  evaluator.evaluate(problems[0]);
  size_t turn = 1;
  for (auto _ : state) {
    benchmark::DoNotOptimize(evaluator.evaluate(problems[turn]).output.version());
    turn = 1 - turn;
  }
}

// The same with a new evaluator, which must allocate all its memory.
void first_forward(benchmark::State& state, const Sizes& sizes) {
  const Problem problem = make_problem(sizes);
  for (auto _ : state) {
    Evaluator evaluator;
    benchmark::DoNotOptimize(evaluator.evaluate(problem).output.version());
  }
}

// Only the matrix products of a forward pass, into matrices that exist already.
void products(benchmark::State& state, const Sizes& sizes) {
  const Problem problem = make_problem(sizes);
  Evaluator evaluator;
  Trace trace = evaluator.evaluate(problem);
  const Index d_v = problem.config.d_v;
  Matrix Q = *trace.heads[0].Q, scores = *trace.heads[0].scores, output = *trace.output;
  for (auto _ : state) {
    for (Index h = 0; h < problem.config.n_heads; ++h) {
      const HeadTrace& head = trace.heads[static_cast<size_t>(h)];
      const KeyValueParameters& kv = problem.kv_parameters(h);
      project(*trace.X, *problem.parameters.heads[static_cast<size_t>(h)].W_Q, Matrix(), Q);
      project(*trace.X, *kv.W_K, Matrix(), Q);
      project(*trace.X, *kv.W_V, Matrix(), Q);
      attention_scores(*head.Q, *head.K, scores);
      mix_values(*head.weights, *head.V, Q);
      kernels().multiply_add(block_of(*head.head_output),
                             block_of(problem.parameters.W_O->middleRows(h * d_v, d_v)),
                             slot_of(output));
      benchmark::ClobberMemory();
    }
  }
}

// One cell of one matrix, copied on write as in a document, then everything that depends on it.
void edit(benchmark::State& state, const Sizes& sizes,
          const std::function<SharedMatrix&(Problem&)>& matrix) {
  Problem problem = make_problem(sizes);
  Evaluator evaluator;
  evaluator.evaluate(problem);
  for (auto _ : state) {
    matrix(problem).edit([](Matrix& values) { values(3, 1) += 0.001f; });
    benchmark::DoNotOptimize(evaluator.evaluate(problem).output.version());
  }
}

void explain_cell(benchmark::State& state, const Sizes& sizes, Stage stage) {
  const Problem problem = make_problem(sizes);
  Evaluator evaluator;
  const Trace& trace = evaluator.evaluate(problem);
  for (auto _ : state) {
    benchmark::DoNotOptimize(explain(problem, trace, stage, 1, 7, 3));
  }
}

// One cell of a stage by everything that it is computed from.
void gradient_of_cell(benchmark::State& state, const Sizes& sizes, Stage stage) {
  const Problem problem = make_problem(sizes);
  Evaluator evaluator;
  const Trace& trace = evaluator.evaluate(problem);
  const Seed seed = cell_seed(problem, stage, 1, 7, 3);
  GradientEvaluator gradients;
  for (auto _ : state) {
    benchmark::DoNotOptimize(gradients.evaluate(problem, trace, seed).embedding.data());
  }
}

// A step of dragging a weight there and back: X and the queries' and keys' weights of the head are
// free, and with `kept` a row of weights keeps its values.
void drag(benchmark::State& state, const Sizes& sizes, Stage stage, bool kept) {
  const Problem problem = make_problem(sizes);
  Evaluator evaluator;
  const Trace& trace = evaluator.evaluate(problem);
  SolveRequest request{{{stage, 1, 7, 3, 0.2f}}, free_rows(problem, MatrixId::kX, 0)};
  for (const MatrixId id : {MatrixId::kWQ, MatrixId::kWK, MatrixId::kWV})
    for (const FreeRow& row : free_rows(problem, id, 1)) request.free.push_back(row);
  if (kept)
    for (const TargetCell& cell : kept_row(problem, trace, Stage::kWeights, 1, 5))
      request.targets.push_back(cell);
  Solver solver(problem, request);
  int turn = 0, steps = 0;
  for (auto _ : state) {
    turn = (turn + 1) % 40;
    solver.want(0, 0.1f + 0.02f * static_cast<float>(std::abs(20 - turn)));
    solver.run();
    const Solution solution = solver.solution();
    if (!solution.reached) state.SkipWithError("not reached");
    steps += solution.steps;
  }
  state.counters["steps"] = benchmark::Counter(steps, benchmark::Counter::kAvgIterations);
}

// Resident bytes of this process.
double resident_bytes() {
  std::ifstream in("/proc/self/statm");
  double pages = 0;
  in >> pages >> pages;
  return pages * static_cast<double>(sysconf(_SC_PAGESIZE));
}

// The memory of an evaluator after a forward pass and an edit, divided by the size of its stages.
void memory(benchmark::State& state, const Sizes& sizes) {
  Problem problem = make_problem(sizes);
  const auto stages = static_cast<double>(cost_of(problem).bytes.at(sizes.seq_len));
  double taken = 0;
  for (auto _ : state) {
    const double before = resident_bytes();
    Evaluator evaluator;
    evaluator.evaluate(problem);
    problem.parameters.heads[0].W_Q.edit([](Matrix& values) { values(3, 1) += 0.001f; });
    evaluator.evaluate(problem);
    taken = resident_bytes() - before;
  }
  state.counters["stages_MB"] = stages / 1e6;
  state.counters["taken_MB"] = taken / 1e6;
  state.counters["ratio"] = taken / stages;
}

void register_forward(const Sizes& sizes) {
  for (const int threads : {1, 2}) {
    const std::string name = "forward/" + sizes.text() + "/threads:" + std::to_string(threads);
    benchmark::RegisterBenchmark(name.c_str(), forward, sizes, threads)
        ->UseRealTime()
        ->Unit(benchmark::kMicrosecond);
  }
  benchmark::RegisterBenchmark(("first_forward/" + sizes.text()).c_str(), first_forward, sizes)
      ->Unit(benchmark::kMicrosecond);
  benchmark::RegisterBenchmark(("products/" + sizes.text()).c_str(), products, sizes)
      ->Unit(benchmark::kMicrosecond);
}

void register_edit(const std::string& name, const Sizes& sizes,
                   const std::function<SharedMatrix&(Problem&)>& matrix) {
  benchmark::RegisterBenchmark(("edit_" + name + "/" + sizes.text()).c_str(), edit, sizes, matrix)
      ->Unit(benchmark::kMicrosecond);
}

void register_edits(const Sizes& sizes) {
  register_edit("X", sizes, [](Problem& p) -> SharedMatrix& { return p.embedding; });
  register_edit("W_Q", sizes,
                [](Problem& p) -> SharedMatrix& { return p.parameters.heads[0].W_Q; });
  register_edit("W_K", sizes,
                [](Problem& p) -> SharedMatrix& { return p.parameters.kv_heads[0].W_K; });
  register_edit("W_V", sizes,
                [](Problem& p) -> SharedMatrix& { return p.parameters.kv_heads[0].W_V; });
  register_edit("W_O", sizes, [](Problem& p) -> SharedMatrix& { return p.parameters.W_O; });
}

void register_explanations(const Sizes& sizes) {
  for (const Stage stage :
       {Stage::kQ, Stage::kScores, Stage::kWeights, Stage::kHeadOutput, Stage::kOutput}) {
    const std::string name = "explain/" + std::string(stage_name(stage)) + "/" + sizes.text();
    benchmark::RegisterBenchmark(name.c_str(), explain_cell, sizes, stage)
        ->Unit(benchmark::kMicrosecond);
  }
}

void register_gradients(const Sizes& sizes) {
  for (const Stage stage : {Stage::kWeights, Stage::kOutput}) {
    const std::string name = "gradient/" + std::string(stage_name(stage)) + "/" + sizes.text();
    benchmark::RegisterBenchmark(name.c_str(), gradient_of_cell, sizes, stage)
        ->Unit(benchmark::kMicrosecond);
  }
}

void register_drags(const Sizes& sizes) {
  for (const Stage stage : {Stage::kWeights, Stage::kOutput})
    for (const bool kept : {false, true}) {
      const std::string name = "solve/" + std::string(stage_name(stage)) +
                               (kept ? "_keeping_a_row/" : "/") + sizes.text();
      benchmark::RegisterBenchmark(name.c_str(), drag, sizes, stage, kept)
          ->Unit(benchmark::kMicrosecond);
    }
}

void register_all() {
  benchmark::RegisterBenchmark(("memory/" + Sizes{1024, 768, 12}.text()).c_str(), memory,
                               Sizes{1024, 768, 12})
      ->Iterations(1)
      ->Unit(benchmark::kMillisecond);
  for (const Sizes& sizes : kAllSizes) register_forward(sizes);
  register_edits({11, 32, 4});
  register_edits({128, 512, 8});
  register_explanations({11, 32, 4});
  register_explanations({1024, 768, 12});
  register_gradients({11, 32, 4});
  register_gradients({128, 512, 8});
  register_drags({11, 32, 4});
  register_networks();
  register_training();
}

}  // namespace
}  // namespace attention::bench

int main(int argc, char** argv) {
  attention::keep_freed_memory();
  benchmark::AddCustomContext("instruction_set", attention::kernels().instruction_set);
  benchmark::AddCustomContext("products", attention::product_library());
  attention::bench::register_all();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
