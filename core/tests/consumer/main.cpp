#include <iostream>

#include "core/layer/evaluator.h"

int main() {
  attention::Problem problem;  // one head, three tokens, d_model = d_k = d_v = d_out = 8
  problem.embedding = attention::SharedMatrix(attention::Matrix::Identity(3, 8));
  const attention::SharedMatrix W(attention::Matrix::Identity(8, 8));
  problem.parameters = {{{W, {}}}, {{W, W, {}, {}}}, W, {}, {}, {}};
  attention::Evaluator evaluator;
  std::cout << *evaluator.evaluate(problem).heads[0].weights << '\n';
}
