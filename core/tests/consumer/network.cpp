#include <iostream>

#include "core/network/network_evaluator.h"

using namespace attention::network;
using attention::Matrix;
using attention::SharedMatrix;

StoredMatrix random_weights(int rows, int cols) {
  return StoredMatrix(SharedMatrix(Matrix(Matrix::Random(rows, cols))));
}

int main() {
  Block block;  // one causal head of 8 features, and an MLP
  block.attention = {.head_dim = 8, .score_factor = 0.35f, .causal = true};
  block.attention.projections = {{random_weights(8, 24), {}}};  // Q, K and V side by side
  block.attention.key.first = 8, block.attention.value.first = 16;
  block.attention.output = {random_weights(8, 8), {}};
  block.mlp.up = {random_weights(8, 32), {}}, block.mlp.down = {random_weights(32, 8), {}};
  Network network{
      .stack = {.embedding = {.tokens = random_weights(50, 8)}, .blocks = {block, block}}};
  NetworkEvaluator evaluator;
  const Interventions mute{.gains = {{.at = {.layer = 1}, .head = 0, .gain = 0}}};
  std::cout << evaluator.evaluate(network, {.ids = {4, 8, 15}}, mute).stack.head_weights(0, 0)
            << '\n';
}
