#include "app/view/training/training_words.h"

#include <algorithm>

namespace lab::view {

const std::vector<float>& values_of(const HeadCurves& head, CurveKind kind) {
  switch (kind) {
    case CurveKind::kInduction:
      return head.induction;
    case CurveKind::kPrevious:
      return head.previous;
    case CurveKind::kFirst:
      return head.first;
    case CurveKind::kEntropy:
      return head.entropy;
    case CurveKind::kGradient:
      return head.gradient;
  }
  return head.induction;
}

std::optional<int> birth_of_induction(const TrainingCurves& curves) {
  constexpr float kInduces = 0.3f;
  std::optional<int> first;
  for (const HeadCurves& head : curves.heads) {
    if (head.induction.empty()) continue;
    const float most = *std::ranges::max_element(head.induction);
    if (most < kInduces) continue;
    const auto half =
        std::ranges::find_if(head.induction, [&](float score) { return score >= most / 2; });
    const int step =
        curves.measured_steps.at(static_cast<std::size_t>(half - head.induction.begin()));
    if (!first || step < *first) first = step;
  }
  return first;
}

}  // namespace lab::view
