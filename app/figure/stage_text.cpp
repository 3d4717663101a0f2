#include "app/figure/stage_text.h"

namespace lab {

using attention::Stage;

namespace {

std::string projection(const char* matrix, bool biased) {
  const std::string name = matrix;
  std::string text = "X W<sup>" + name + "</sup>";
  if (biased) text += " + b<sup>" + name + "</sup>";
  return text;
}

std::string scaling(const attention::Config& config) {
  std::string text = config.scale ? "÷ √d<sub>k</sub>" : "";
  if (config.temperature != 1.0f) text += text.empty() ? "÷ T" : " ÷ T";
  return text.empty() ? "not scaled" : text;
}

std::string masking(const attention::Problem& problem) {
  std::string text = problem.bias.empty() ? "" : "+ bias";
  const bool masked = problem.config.mask != attention::MaskKind::kNone || !problem.allowed.empty();
  if (masked) text += text.empty() ? "−∞ where forbidden" : ", −∞ where forbidden";
  return text;
}

// "head 1 | head 2 | head 3", shortened for many heads.
std::string side_by_side(int n_heads) {
  constexpr int kMostNamed = 4;
  if (n_heads > kMostNamed) return "head 1 | … | head " + std::to_string(n_heads);
  std::string text = "head 1";
  for (int head = 2; head <= n_heads; ++head) text += " | head " + std::to_string(head);
  return text;
}

}  // namespace

std::string stage_title(Stage stage) {
  switch (stage) {
    case Stage::kScores:
      return "Scores";
    case Stage::kScaledScores:
      return "Scaled";
    case Stage::kMaskedScores:
      return "Masked";
    case Stage::kWeights:
      return "Weights";
    case Stage::kHeadOutput:
      return "Head output";
    case Stage::kConcat:
      return "Concat";
    case Stage::kOutput:
      return "Output";
    default:
      return std::string(stage_name(stage));
  }
}

std::string stage_formula(const attention::Problem& problem, Stage stage) {
  const auto& first = problem.parameters.heads.front();
  switch (stage) {
    case Stage::kX:
      return "embeddings";
    case Stage::kQ:
      return projection("Q", !first.b_Q.empty());
    case Stage::kK:
      return projection("K", !first.b_K.empty());
    case Stage::kV:
      return projection("V", !first.b_V.empty());
    case Stage::kScores:
      return "Q K<sup>T</sup>";
    case Stage::kScaledScores:
      return scaling(problem.config);
    case Stage::kMaskedScores:
      return masking(problem);
    case Stage::kWeights:
      return "softmax";
    case Stage::kHeadOutput:
      return "weights · V";
    case Stage::kConcat:
      return side_by_side(problem.config.n_heads);
    case Stage::kOutput:
      return problem.parameters.b_O.empty() ? "concat · W<sup>O</sup>"
                                            : "concat · W<sup>O</sup> + b<sup>O</sup>";
  }
  return {};
}

std::string shape_text(attention::Shape shape) {
  return std::to_string(shape.rows) + "×" + std::to_string(shape.cols);
}

}  // namespace lab
