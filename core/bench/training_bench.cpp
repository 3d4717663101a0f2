#include "core/bench/problems.h"

#include <benchmark/benchmark.h>

#include "core/training/history.h"

namespace attention::bench {
namespace {

using training::Trainer;
using training::TrainingOptions;

void train(benchmark::State& state, const TrainingOptions& options, int threads) {
  Trainer trainer(options);
  ThreadPool pool(threads);
  trainer.step(pool);
  for (auto _ : state) benchmark::DoNotOptimize(trainer.step(pool).loss);
  state.counters["steps/s"] = benchmark::Counter(1, benchmark::Counter::kIsIterationInvariantRate);
}

// What heads do, on the held-out examples.
void measure(benchmark::State& state) {
  Trainer trainer(TrainingOptions{});
  for (auto _ : state) benchmark::DoNotOptimize(trainer.measure_heads().data());
}

// The states of 4 000 steps, with curves and measures of each.
void history(benchmark::State& state) {
  Trainer trainer(TrainingOptions{});
  const training::SharedState start = trainer.state();
  for (auto _ : state) {
    training::History history;
    for (std::uint64_t step = 0; step <= 4000; ++step) {
      training::TrainingState next = *start;
      next.step = step;
      history.keep(std::make_shared<training::TrainingState>(std::move(next)));
      history.add(training::CurvePoint{step, 1, 1, 1});
      history.add(training::MeasuredPoint{step, std::vector<training::HeadMeasures>(8),
                                          std::vector<float>(8), std::vector<float>(24)});
    }
    state.counters["MB"] = static_cast<double>(history.bytes()) / 1e6;
    state.counters["states"] = static_cast<double>(history.states().size());
  }
}

}  // namespace

void register_training() {
  constexpr auto kUnit = benchmark::kMillisecond;
  TrainingOptions with_mlp, rotary;
  with_mlp.mlp = true;
  rotary.positions = training::TrainedPositions::kRotary;
  for (const int threads : {1, 2}) {
    const auto add = [&](const std::string& name, const TrainingOptions& options) {
      benchmark::RegisterBenchmark(
          ("train/" + name + "/threads:" + std::to_string(threads)).c_str(), train, options,
          threads)
          ->Unit(kUnit)
          ->UseRealTime();
    };
    add("attention_only", {});
    add("mlp", with_mlp);
    add("rotary", rotary);
  }
  benchmark::RegisterBenchmark("train/measure_heads", measure)->Unit(kUnit);
  benchmark::RegisterBenchmark("train/history", history)->Iterations(1)->Unit(kUnit);
}

}  // namespace attention::bench
