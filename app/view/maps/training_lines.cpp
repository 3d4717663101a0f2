#include "app/view/maps/training_lines.h"

#include <algorithm>
#include <cmath>

#include "app/translation/words.h"
#include "app/view/maps/model_heads.h"

namespace lab::view {
namespace {

using figure::ModelCurve;
using figure::ModelCurves;

const TrainingPosition* training_in(const ModelDocument* model) {
  return model == nullptr ? nullptr : training_of(*model);
}

// The numbers of a head that the curves of that kind show.
const std::vector<float>& values_of(const HeadCurves& head, CurveType type) {
  switch (type) {
    case CurveType::kInduction:
      return head.induction;
    case CurveType::kPrevious:
      return head.previous;
    case CurveType::kFirst:
      return head.first;
    case CurveType::kEntropy:
      return head.entropy;
    case CurveType::kGradient:
      return head.gradient;
  }
  return head.induction;
}

// The step at which the first head that becomes an induction head is half way to the most that it
// scores.
std::optional<int> birth_of_induction(const TrainingCurves& curves) {
  constexpr float kInduces = 0.5f;
  std::optional<int> first;
  for (const HeadCurves& head : curves.heads) {
    if (head.induction.empty()) continue;
    const float most = *std::ranges::max_element(head.induction);
    if (most < kInduces) continue;
    const auto half =
        std::ranges::find_if(head.induction, [&](float score) { return score >= most / 2; });
    const auto index = static_cast<std::size_t>(half - head.induction.begin());
    const int step = curves.measured_steps[index];
    if (!first || step < *first) first = step;
  }
  return first;
}

// Only the heads that stand out have a label.
bool stands_out(const std::vector<float>& values, CurveType type) {
  constexpr float kMuch = 0.3f;
  if (type == CurveType::kGradient || type == CurveType::kEntropy) return true;
  return !values.empty() && *std::ranges::max_element(values) >= kMuch;
}

// The loss of what can be known, as a share of that of guessing: it fits between 0 and 1.
ModelCurve loss_line(const TrainingCurves& data, attention::Index vocabulary) {
  const float guess = std::log(static_cast<float>(std::max<attention::Index>(vocabulary, 2)));
  ModelCurve line{.name = "known_loss / ln " + std::to_string(vocabulary),
                  .label = tr("loss ÷ log {}", {std::to_string(vocabulary)}),
                  .steps = data.steps,
                  .values = data.known_loss,
                  .muted = true};
  for (float& value : line.values) value /= guess;
  return line;
}

void add_heads(const ModelDocument& model, const TrainingState& state, const HeadRef& focused,
               ModelCurves& curves) {
  for (std::size_t i = 0; i < state.data.heads.size(); ++i) {
    const std::string name = name_of_head(*head_of_line(model, i));
    const std::vector<float>& values = values_of(state.data.heads[i], state.curves);
    const bool accent = head_of_line(model, i) == focused;
    const bool labelled = accent || stands_out(values, state.curves);
    curves.curves.push_back({name + " " + kCurveNames[static_cast<std::size_t>(state.curves)],
                             labelled ? name : "", state.data.measured_steps, values, accent,
                             false});
  }
}

std::string title_of_curves(CurveType type) {
  switch (type) {
    case CurveType::kInduction:
      return tr("Induction scores while training");
    case CurveType::kPrevious:
      return tr("Attention to the token before while training");
    case CurveType::kFirst:
      return tr("Attention to the first token while training");
    case CurveType::kEntropy:
      return tr("Entropy of each head while training");
    case CurveType::kGradient:
      return tr("Gradient of each head while training");
  }
  return {};
}

ModelCurves make_lines(const ModelDocument& model, const TrainingState& state,
                       const HeadRef& focused) {
  const TrainingPosition& position = *training_of(model);
  ModelCurves curves;
  curves.caption = figure::caption_of(model);
  curves.title = title_of_curves(state.curves);
  curves.last = std::max(1, state.data.steps.empty() ? 1 : state.data.steps.back());
  add_heads(model, state, focused, curves);
  if (state.curves != CurveType::kGradient) {
    curves.curves.push_back(loss_line(state.data, position.run->task().vocabulary()));
  } else {
    for (const ModelCurve& line : curves.curves)
      for (const float value : line.values)
        if (std::isfinite(value)) curves.high = std::max(curves.high, value);
  }
  if (const auto birth = birth_of_induction(state.data)) {
    curves.marked = birth;
    curves.mark = tr("an induction head is born");
  }
  return curves;
}

}  // namespace

const TrainingPosition* shown_training(const Ui& ui) { return training_in(shown_model(ui)); }
const TrainingPosition* edited_training(const Ui& ui) { return training_in(edited_model(ui)); }
bool is_training_document(const Ui& ui) { return edited_training(ui) != nullptr; }

const ModelCurves& training_lines(Ui& ui) {
  TrainingState& state = ui.state.training;
  const TrainingPosition& position = *shown_training(ui);
  position.run->update(position.branch, state.data);
  const CurvesKey key{position.run.get(), position.branch,  position.run->version(),
                      state.curves,       focused_head(ui), language()};
  if (state.lines && state.lines_of == key) return *state.lines;
  state.lines_of = key;
  state.lines =
      std::make_shared<const ModelCurves>(make_lines(*shown_model(ui), state, focused_head(ui)));
  return *state.lines;
}

std::optional<HeadRef> head_of_line(const ModelDocument& model, std::size_t line) {
  const auto& blocks = model.network.stack.blocks;
  const auto heads = static_cast<std::size_t>(blocks.front().attention.n_heads);
  if (line >= blocks.size() * heads) return std::nullopt;
  return HeadRef{{attention::network::Sublayer::kSelf, static_cast<attention::Index>(line / heads)},
                 static_cast<attention::Index>(line % heads)};
}

}  // namespace lab::view
