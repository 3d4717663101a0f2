#include "app/document/training/training_curves.h"

#include <algorithm>

namespace lab {
namespace {

using attention::training::CurvePoint;
using attention::training::HeadMeasures;
using StepHistory = attention::training::History;
using attention::training::MeasuredPoint;

// True when the first numbers of the curves are still those of the history.
bool goes_on(const StepHistory& history, const TrainingCurves& curves) {
  const std::size_t taken = curves.steps.size(), measured = curves.measured_steps.size();
  const auto is_step = [](std::uint64_t step, int known) {
    return step == static_cast<std::uint64_t>(known);
  };
  if (taken > history.curve().size() || measured > history.measured().size()) return false;
  if (taken > 0 && !is_step(history.curve()[taken - 1].step, curves.steps.back())) return false;
  return measured == 0 ||
         is_step(history.measured()[measured - 1].step, curves.measured_steps.back());
}

void append(const CurvePoint& point, TrainingCurves& curves) {
  curves.steps.push_back(static_cast<int>(point.step));
  curves.loss.push_back(point.loss);
  curves.known_loss.push_back(point.known_loss);
  curves.gradient.push_back(point.gradient_norm);
}

void append(const MeasuredPoint& point, TrainingCurves& curves) {
  curves.measured_steps.push_back(static_cast<int>(point.step));
  curves.heads.resize(point.heads.size());
  for (std::size_t i = 0; i < point.heads.size(); ++i) {
    const HeadMeasures& of = point.heads[i];
    HeadCurves& to = curves.heads[i];
    to.induction.push_back(static_cast<float>(of.scores.induction));
    to.previous.push_back(static_cast<float>(of.scores.previous));
    to.first.push_back(static_cast<float>(of.scores.first));
    to.duplicate.push_back(static_cast<float>(of.scores.duplicate));
    to.self.push_back(of.self);
    to.entropy.push_back(of.entropy);
    to.gradient.push_back(i < point.head_gradients.size() ? point.head_gradients[i] : 0.0f);
  }
  curves.position_loss.push_back(point.position_loss);
}

}  // namespace

void append_new(const StepHistory& history, TrainingCurves& curves) {
  if (!goes_on(history, curves)) {
    TrainingCurves empty;
    empty.run = curves.run;
    empty.branch = curves.branch;
    curves = std::move(empty);
  }
  for (std::size_t i = curves.steps.size(); i < history.curve().size(); ++i)
    append(history.curve()[i], curves);
  for (std::size_t i = curves.measured_steps.size(); i < history.measured().size(); ++i)
    append(history.measured()[i], curves);
}

int index_at(const std::vector<int>& steps, std::uint64_t step) {
  const auto after = std::ranges::upper_bound(steps, static_cast<int>(step));
  return static_cast<int>(after - steps.begin()) - 1;
}

}  // namespace lab
