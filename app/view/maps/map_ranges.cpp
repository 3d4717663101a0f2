#include "app/view/maps/map_ranges.h"

#include "app/translation/words.h"
#include "app/view/maps/values_cache.h"

namespace lab::view {
namespace {

using attention::Stage;

const attention::SharedMatrix& values_of(const Ui& ui, Stage stage, int head) {
  return stage_matrix(ui.problem(), ui.trace(), stage, head);
}

MapRanges& ranges_of(Ui& ui) { return ui.state.inspection.ranges; }

figure::Range own_range(Ui& ui, Stage stage, int head, RangeEnds ends) {
  const attention::SharedMatrix& values = values_of(ui, stage, head);
  return ends == RangeEnds::kRobust ? ui.values.robust_range(values, stage)
                                    : ui.values.range(values, stage);
}

figure::Range range_of_all_heads(Ui& ui, Stage stage, RangeEnds ends) {
  figure::Range range = own_range(ui, stage, ui.state.head, ends);
  const int heads = is_per_head(stage) ? ui.problem().config.n_heads : 0;
  for (int head = 0; head < heads; ++head)
    range = figure::united(range, own_range(ui, stage, head, ends));
  return range;
}

// A stage that did not exist when the ranges were fixed keeps its first range.
figure::Range fixed_range(Ui& ui, Stage stage) {
  auto& ends = ranges_of(ui).ends;
  const auto found = ends.find(stage);
  if (found != ends.end()) return found->second;
  return ends[stage] = range_of_all_heads(ui, stage, RangeEnds::kAutomatic);
}

figure::Range ends_of(Ui& ui, Stage stage, RangeEnds ends) {
  if (ends == RangeEnds::kShared) return range_of_all_heads(ui, stage, ends);
  return ends == RangeEnds::kFixed ? fixed_range(ui, stage)
                                   : own_range(ui, stage, ui.state.head, ends);
}

bool exists(const Ui& ui, Stage stage) {
  return values_of(ui, stage, ui.state.head).shape() != attention::Shape{};
}

void remember_ends(Ui& ui, Stage stage) {
  if (!exists(ui, stage)) return;
  figure::Range range = shown_range(ui, stage);
  range.spread = figure::Spread::kLinear;
  ranges_of(ui).ends[stage] = range;
}

std::string ends_note(Stage stage, RangeEnds ends, const figure::Range& range) {
  switch (ends) {
    case RangeEnds::kShared:
      return tr("shared");
    case RangeEnds::kRobust:
      return "2–98 %";
    case RangeEnds::kFixed:
      return tr("fixed");
    default:
      return holds_weights(stage) && range.lo == 0 && range.hi < figure::kSmallWeights ? tr("0…max")
                                                                                       : "";
  }
}

}  // namespace

figure::Range shown_range(Ui& ui, Stage stage) {
  const RangeChoice choice = ranges_of(ui).of(stage);
  figure::Range range = ends_of(ui, stage, choice.ends);
  range.spread = choice.spread;
  return range;
}

figure::Range range_of_heads(Ui& ui, Stage stage) {
  const RangeChoice choice = ranges_of(ui).of(stage);
  figure::Range range = choice.ends == RangeEnds::kFixed
                            ? fixed_range(ui, stage)
                            : range_of_all_heads(ui, stage, choice.ends);
  range.spread = choice.spread;
  return range;
}

figure::Range heads_together_range(Ui& ui, const attention::SharedMatrix& weights,
                                   bool difference) {
  const RangeChoice choice = ranges_of(ui).of(Stage::kWeights);
  figure::Range range = difference ? figure::weights_difference_range(*weights)
                        : choice.ends == RangeEnds::kFixed ? fixed_range(ui, Stage::kWeights)
                        : choice.ends == RangeEnds::kRobust
                            ? ui.values.robust_range(weights, Stage::kWeights)
                            : ui.values.range(weights, Stage::kWeights);
  range.spread = choice.spread;
  return range;
}

std::vector<std::string> range_notes(const Ui& ui, Stage stage, const figure::Range& range) {
  const RangeChoice choice = ui.state.inspection.ranges.of(stage);
  std::vector<std::string> notes;
  if (std::string note = ends_note(stage, choice.ends, range); !note.empty())
    notes.push_back(std::move(note));
  if (choice.spread != figure::Spread::kLinear)
    notes.emplace_back(choice.spread == figure::Spread::kSquareRoot ? "√" : "log");
  return notes;
}

void choose_range(Ui& ui, Stage stage, RangeChoice choice) {
  if (choice.ends == RangeEnds::kFixed) remember_ends(ui, stage);
  ranges_of(ui).own[stage] = choice;
}

void choose_all_ranges(Ui& ui, RangeChoice choice) {
  if (choice.ends == RangeEnds::kFixed)
    for (const Stage stage : attention::kAllStages) remember_ends(ui, stage);
  ranges_of(ui).own.clear();
  ranges_of(ui).all = choice;
}

void follow_all_ranges(Ui& ui, Stage stage) { ranges_of(ui).own.erase(stage); }

void fix_range(Ui& ui, Stage stage, float lo, float hi) {
  choose_range(ui, stage, {RangeEnds::kFixed, ranges_of(ui).of(stage).spread});
  ranges_of(ui).ends[stage] = {lo, hi};
}

void use_shown_range(const Ui& ui, Stage stage, figure::FigureOptions& figure) {
  const RangeChoice choice = ui.state.inspection.ranges.of(stage);
  constexpr figure::RangeRule kRules[] = {figure::RangeRule::kAutomatic, figure::RangeRule::kShared,
                                          figure::RangeRule::kRobust, figure::RangeRule::kFixed};
  figure.range_rule = kRules[static_cast<std::size_t>(choice.ends)];
  // Ends that are fixed are those of the numbers, not of what moves one.
  if (ui.state.sensitivity.on && choice.ends == RangeEnds::kFixed)
    figure.range_rule = figure::RangeRule::kAutomatic;
  figure.spread = choice.spread;
  const auto& ends = ui.state.inspection.ranges.ends;
  const auto fixed = ends.find(stage);
  if (fixed != ends.end()) figure.range = fixed->second;
}

}  // namespace lab::view
