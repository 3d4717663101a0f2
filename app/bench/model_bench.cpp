// How long a model of GPT-2's sizes (550 MB, random weights) takes from its folder to the first
// numbers of layer 0, and how much memory of its own the program needs for that; the pages of the
// mapped file are not counted:
//
//   cmake --preset release && cmake --build --preset release --target model-bench
//   build/release/bin/model-bench

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>

#include "app/bench/random_gpt2.h"
#include "app/files/model/model_folder.h"
#include "core/network/network_evaluator.h"

namespace lab {
namespace {

using attention::network::Network;
using attention::network::NetworkEvaluator;
using attention::network::Tokens;

void open_until_layer_0(benchmark::State& state) {
  const RandomGpt2 folder(Gpt2Sizes{});
  double most = 0;
  for (auto _ : state) {
    const double before = own_megabytes();
    const auto model = files::open_model(folder.path());
    if (!model) std::exit(EXIT_FAILURE);
    Network first = model->network;
    first.stack.blocks.resize(1);
    NetworkEvaluator evaluator;
    Tokens tokens;
    tokens.ids = {11, 22, 33, 44, 55, 66, 77, 88, 99, 111, 222, 333};
    benchmark::DoNotOptimize(evaluator.evaluate(first, tokens).stack.head_weights(0, 0).sum());
    most = std::max(most, own_megabytes() - before);
  }
  state.counters["own_MB"] = most;
}

BENCHMARK(open_until_layer_0)
    ->Name("model/open_until_layer_0/12x768x12")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
}  // namespace lab

BENCHMARK_MAIN();
