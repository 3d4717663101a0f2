// How long a model takes for each token that it adds to a text:
//
//   cmake --preset release && cmake --build --preset release --target generation-bench
//   MODEL=smollm2.gguf build/release/bin/generation-bench
//
// `kept` keeps keys and values, as predict --generate and the window do; `anew` computes the whole
// text for every token. MODEL in the environment is a model; without it, one of GPT-2's sizes with
// random weights is used. THREADS is how many; 1 unless given. generation_peer.py takes turns with
// llama.cpp.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>

#include "app/bench/random_gpt2.h"
#include "app/document/analysis/predictions.h"
#include "app/files/model/model_folder.h"
#include "core/network/generation/continuation.h"

namespace lab {
namespace {

using attention::RowVector;
using attention::network::Continuation;
using attention::network::Network;
using attention::network::NetworkEvaluator;
using attention::network::Tokens;

constexpr int kAdded = 64;

int threads() {
  const char* const given = std::getenv("THREADS");
  return given == nullptr ? 1 : std::max(1, std::atoi(given));
}

const files::Model& model() {
  static std::optional<RandomGpt2> random;
  static const files::Model opened = [] {
    const char* const given = std::getenv("MODEL");
    if (given == nullptr) random.emplace(Gpt2Sizes{});
    auto result = files::open_model(given != nullptr ? std::string(given) : random->path());
    if (!result) std::exit(EXIT_FAILURE);
    return std::move(*result);
  }();
  return opened;
}

Tokens prompt() {
  Tokens tokens;
  tokens.ids = {1, 504, 3575, 282, 4649, 314};
  return tokens;
}

// Adds the likeliest token `count` times, with the logits that next(tokens) gives; the first
// logits, of the prompt, are not timed.
template <typename Next>
void add_tokens(benchmark::State& state, int count, Next next) {
  Tokens tokens = prompt();
  state.PauseTiming();
  RowVector logits = next(tokens);
  state.ResumeTiming();
  for (int i = 0; i < count; ++i) {
    tokens.ids.push_back(likeliest_token(logits));
    logits = next(tokens);
  }
  benchmark::DoNotOptimize(logits.sum());
}

void report(benchmark::State& state, int count) {
  state.counters["tokens_per_second"] =
      benchmark::Counter(static_cast<double>(count), benchmark::Counter::kIsIterationInvariantRate);
}

void kept(benchmark::State& state) {
  const Network& network = model().network;
  Continuation continuation(threads());
  for (auto _ : state)
    add_tokens(state, kAdded,
               [&](const Tokens& tokens) { return continuation.logits(network, tokens); });
  report(state, kAdded);
}

void anew(benchmark::State& state) {
  const Network& network = model().network;
  NetworkEvaluator evaluator(threads());
  for (auto _ : state)
    add_tokens(state, kAdded, [&](const Tokens& tokens) {
      const auto& trace = evaluator.evaluate(network, tokens);
      return RowVector(
          attention::network::logits(network, trace.stack.final.bottomRows(1), evaluator.pool())
              .row(0));
    });
  report(state, kAdded);
}

BENCHMARK(kept)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();
BENCHMARK(anew)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();

}  // namespace
}  // namespace lab

BENCHMARK_MAIN();
