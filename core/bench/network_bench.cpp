#include "core/bench/problems.h"

#include <benchmark/benchmark.h>

#include <cmath>
#include <string>

#include "core/embedding.h"
#include "core/network/attribution.h"

namespace attention::bench {
namespace {

using namespace network;

constexpr Index kLayers = 12, kHeads = 12, kModel = 768, kVocabulary = 50257;

StoredMatrix random_weights(Index rows, Index cols, float size) {
  return StoredMatrix(SharedMatrix(Matrix(size * Matrix::Random(rows, cols))));
}

Linear random_linear(Index in, Index out) {
  return {random_weights(in, out, 1.7f / std::sqrt(static_cast<float>(in))),
          random_weights(1, out, 0.1f)};
}

Norm random_norm() {
  return {.weight = random_weights(1, kModel, 1), .bias = random_weights(1, kModel, 0.1f)};
}

network::Block random_block() {
  network::Block block;
  Attention& attention = block.attention;
  attention.n_heads = attention.n_kv_heads = kHeads;
  attention.head_dim = kModel / kHeads;
  attention.score_factor = 0.125f;
  attention.causal = true;
  attention.projections = {random_linear(kModel, 3 * kModel)};
  attention.query = {0, 0, attention.head_dim};
  attention.key = {0, kModel, attention.head_dim};
  attention.value = {0, 2 * kModel, attention.head_dim};
  attention.output = random_linear(kModel, kModel);
  block.mlp.up = random_linear(kModel, 4 * kModel);
  block.mlp.down = random_linear(4 * kModel, kModel);
  block.mlp.activation = Activation::kGeluTanh;
  block.attention_norms.before = random_norm();
  block.mlp_norms.before = random_norm();
  return block;
}

// Made once: it takes 500 MB.
const Network& gpt2() {
  static const Network made = [] {
    Network network;
    network.stack.embedding.tokens = random_weights(kVocabulary, kModel, 0.2f);
    network.stack.embedding.positions = random_weights(1024, kModel, 0.1f);
    for (Index layer = 0; layer < kLayers; ++layer) network.stack.blocks.push_back(random_block());
    network.stack.final_norm = random_norm();
    network.read_out.emplace();
    network.read_out->tokens.W = network.stack.embedding.tokens.transposed();
    return network;
  }();
  return made;
}

Tokens random_tokens(Index n, std::uint32_t seed) {
  Tokens tokens;
  for (Index i = 0; i < n; ++i)
    tokens.ids.push_back((seed + static_cast<std::uint32_t>(i) * 7919U) % kVocabulary);
  return tokens;
}

// Other tokens of the same length each time, and the logits of all of them.
void forward_network(benchmark::State& state, Index n, int threads) {
  NetworkEvaluator evaluator(threads);
  std::uint32_t seed = 0;
  evaluator.evaluate(gpt2(), random_tokens(n, seed));
  for (auto _ : state) {
    const NetworkTrace& trace = evaluator.evaluate(gpt2(), random_tokens(n, ++seed));
    benchmark::DoNotOptimize(logits(gpt2(), trace.stack.final, evaluator.pool()).data());
  }
}

// The same without the logits.
void hidden_states(benchmark::State& state, Index n, int threads) {
  NetworkEvaluator evaluator(threads);
  std::uint32_t seed = 0;
  evaluator.evaluate(gpt2(), random_tokens(n, seed));
  for (auto _ : state)
    benchmark::DoNotOptimize(
        evaluator.evaluate(gpt2(), random_tokens(n, ++seed)).stack.final.data());
}

// A head of layer `layer` is muted and sounds again.
void edit_network(benchmark::State& state, Index n, Index layer, int threads) {
  NetworkEvaluator evaluator(threads);
  const Tokens tokens = random_tokens(n, 1);
  evaluator.evaluate(gpt2(), tokens);
  float gain = 0;
  for (auto _ : state) {
    const Interventions interventions{.gains = {{{Sublayer::kSelf, layer}, 3, gain}}};
    benchmark::DoNotOptimize(evaluator.evaluate(gpt2(), tokens, interventions).stack.final.data());
    gain = 1 - gain;
  }
}

void knock_out(benchmark::State& state, Index n, int threads) {
  gpt2();
  for (auto _ : state)
    benchmark::DoNotOptimize(
        knock_out_map(gpt2(), random_tokens(n, 1), {}, {n - 1, 5}, threads).data());
}

std::string name_of(const std::string& what, Index n, int threads) {
  return "network/" + what + "/" + std::to_string(n) + "/threads:" + std::to_string(threads);
}

}  // namespace

void register_networks() {
  constexpr auto kUnit = benchmark::kMillisecond;
  for (const int threads : {1, 2}) {
    for (const Index n : {16, 32, 128}) {
      benchmark::RegisterBenchmark(name_of("forward", n, threads).c_str(), forward_network, n,
                                   threads)
          ->Unit(kUnit)
          ->UseRealTime();
      benchmark::RegisterBenchmark(name_of("hidden", n, threads).c_str(), hidden_states, n, threads)
          ->Unit(kUnit)
          ->UseRealTime();
    }
    for (const Index layer : {0, 6, 11})
      benchmark::RegisterBenchmark(
          name_of("edit_layer_" + std::to_string(layer), 32, threads).c_str(), edit_network, 32,
          layer, threads)
          ->Unit(kUnit)
          ->UseRealTime();
    benchmark::RegisterBenchmark(name_of("knock_out", 16, threads).c_str(), knock_out, 16, threads)
        ->Unit(kUnit)
        ->UseRealTime();
  }
}

}  // namespace attention::bench
