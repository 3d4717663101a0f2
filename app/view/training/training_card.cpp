#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include "app/base/wording.h"
#include "app/document/training/task_title.h"
#include "app/translation/words.h"
#include "app/view/maps/training_lines.h"
#include "app/view/session/training_actions.h"
#include "app/view/session/training_text.h"
#include "app/view/widgets/popup.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

using attention::Index;
using attention::training::TaskKind;
using attention::training::TrainedPositions;
using attention::training::TrainingOptions;

constexpr float kTrainingRow = 27, kTrainingValue = 22, kTrainingHeading = 42,
                kTrainingButtons = 40;
constexpr int kTrainingRows = 8;

// What a menu of the card offers: a text, whether it is chosen, and the options with it.
struct OfferedOptions {
  std::string id, text;
  bool chosen = false;
  TrainingOptions options;
};

// Draws the label of a row; returns the place of its value, `width` wide at the right.
Rect value_place(Ui& ui, Rect& content, std::string_view label, float width) {
  Rect row = content.cut_top(ui.px(kTrainingRow));
  const Rect place = row.cut_right(width);
  row.cut_right(ui.px(6));
  draw_text(ui, ui.fonts.text, row, label, ui.theme.text);
  const float spare = row.h - ui.px(kTrainingValue);
  return {place.x, place.y + std::floor(spare / 2), place.w, ui.px(kTrainingValue)};
}

Rect option_row(Ui& ui, Rect& content, const std::string& id, const std::string& label,
                const std::string& value, const std::vector<std::vector<OfferedOptions>>& groups) {
  const float widest = content.w * 0.75f;
  const Rect place =
      value_place(ui, content, label, std::min(widest, value_button_width(ui, value, true)));
  if (value_button(ui, "training/" + id, place, value, true)) open_popup("training/" + id);
  if (!begin_popup(ui, "training/" + id, place)) return place;
  for (const auto& group : groups) {
    if (&group != &groups.front()) ImGui::Separator();
    for (const OfferedOptions& offered : group)
      if (menu_item(ui, "training/" + id + "/" + offered.id, offered.text, {}, offered.chosen))
        use_training_options(ui, offered.options);
  }
  end_popup();
  return place;
}

// Numbers for one member of the options; those that would be refused are left out.
template <typename Member>
std::vector<OfferedOptions> offered_numbers(const TrainingOptions& now, const std::string& id,
                                            const Member& member, std::vector<Index> numbers,
                                            const std::function<std::string(Index)>& text) {
  std::vector<OfferedOptions> offered;
  const Index current = member(const_cast<TrainingOptions&>(now));
  if (std::ranges::find(numbers, current) == numbers.end()) numbers.push_back(current);
  std::ranges::sort(numbers);
  for (const Index number : numbers) {
    TrainingOptions changed = now;
    member(changed) = number;
    if (complaints(changed).empty())
      offered.push_back({id + std::to_string(number), text(number), number == current, changed});
  }
  return offered;
}

// The options with that many heads, which share the width evenly.
TrainingOptions with_heads(TrainingOptions options, Index heads) {
  options.heads = heads;
  options.d_k = std::max<Index>(2, options.d_model / heads);
  return options;
}

std::string counted(Index number) { return grouped(number); }

// A text has to be given first.
void text_items(Ui& ui, const Rect& place) {
  if (!begin_popup(ui, "training/task", place)) return;
  ImGui::Separator();
  if (menu_item(ui, "training/task/open", tr("Next word of a text file…"))) ask_training_text(ui);
  if (menu_item(ui, "training/task/paste", tr("Next word of the text in the clipboard")))
    paste_training_text(ui);
  end_popup();
}

void task_row(Ui& ui, Rect& content, const TrainingOptions& now) {
  std::vector<OfferedOptions> tasks;
  for (const TaskKind kind : attention::training::kAllTasks) {
    if (kind == TaskKind::kText && now.task.kind != kind) continue;
    TrainingOptions changed = now;
    if (kind != now.task.kind) changed.task = attention::training::usual_options(kind).task;
    tasks.push_back(
        {std::string(task_name(kind)), task_title(kind), kind == now.task.kind, changed});
  }
  const Rect place =
      option_row(ui, content, "task", tr("Task"), std::string(task_name(now.task.kind)), {tasks});
  text_items(ui, place);
  if (is_pointed_at(ui)) tooltip(ui, task_words(now.task.kind));
}

void shape_row(Ui& ui, Rect& content, const TrainingOptions& now) {
  const auto layers = offered_numbers(
      now, "layers", [](TrainingOptions& of) -> Index& { return of.layers; }, {1, 2, 3, 4},
      [](Index n) { return tr_count("{} layer", "{} layers", static_cast<long>(n)); });
  std::vector<OfferedOptions> heads;
  for (const Index count : {1, 2, 4, 8})
    heads.push_back({"heads" + std::to_string(count),
                     tr_count("{} head in each", "{} heads in each", static_cast<long>(count)),
                     count == now.heads, with_heads(now, count)});
  option_row(ui, content, "shape", tr("Layers × heads"),
             std::to_string(now.layers) + " × " + std::to_string(now.heads), {layers, heads});
}

void width_row(Ui& ui, Rect& content, const TrainingOptions& now) {
  std::vector<OfferedOptions> widths;
  for (const Index width : {16, 32, 64, 128}) {
    TrainingOptions changed = now;
    changed.d_model = width;
    changed = with_heads(changed, now.heads);
    if (complaints(changed).empty())
      widths.push_back({"d" + std::to_string(width),
                        std::to_string(width) + " · " + std::to_string(changed.d_k),
                        width == now.d_model, changed});
  }
  option_row(ui, content, "width", "d_model · d_k",
             std::to_string(now.d_model) + " · " + std::to_string(now.d_k), {widths});
}

void text_row(Ui& ui, Rect& content, const TrainingOptions& now) {
  const bool brackets = now.task.kind == TaskKind::kBrackets;
  const auto letters = offered_numbers(
      now, "vocabulary", [](TrainingOptions& of) -> Index& { return of.task.vocabulary; },
      brackets ? std::vector<Index>{1, 2, 3, 4} : std::vector<Index>{8, 16, 26, 52},
      [brackets](Index n) {
        return brackets
                   ? tr_count("{} kind of brackets", "{} kinds of brackets", static_cast<long>(n))
                   : tr("{} letters", {std::to_string(n)});
      });
  const auto lengths = offered_numbers(
      now, "length", [](TrainingOptions& of) -> Index& { return of.task.length; },
      {12, 16, 24, 32, 48}, [](Index n) { return tr("{} tokens long", {std::to_string(n)}); });
  option_row(ui, content, "text", tr("Vocabulary · length"),
             std::to_string(now.task.vocabulary) + " · " + std::to_string(now.task.length),
             {letters, lengths});
}

void rate_row(Ui& ui, Rect& content, const TrainingOptions& now) {
  std::vector<OfferedOptions> rates;
  for (const float rate : {0.0003f, 0.001f, 0.003f, 0.01f, 0.03f, 0.1f}) {
    TrainingOptions changed = now;
    changed.learning_rate = rate;
    rates.push_back({shortest(rate), shortest(rate), rate == now.learning_rate, changed});
  }
  option_row(ui, content, "rate", tr("Learning rate"), shortest(now.learning_rate), {rates});
}

void batch_row(Ui& ui, Rect& content, const TrainingOptions& now) {
  const auto sizes = offered_numbers(
      now, "batch", [](TrainingOptions& of) -> Index& { return of.batch; }, {8, 16, 32, 64, 128},
      counted);
  option_row(ui, content, "batch", tr("Batch"), std::to_string(now.batch), {sizes});
}

void seed_row(Ui& ui, Rect& content, const TrainingOptions& now) {
  std::vector<OfferedOptions> seeds;
  for (std::uint64_t seed = 1; seed <= 9; ++seed) {
    TrainingOptions changed = now;
    changed.seed = seed;
    seeds.push_back({std::to_string(seed), std::to_string(seed), seed == now.seed, changed});
  }
  option_row(ui, content, "seed", tr("Seed"), std::to_string(now.seed), {seeds});
}

void kind_row(Ui& ui, Rect& content, const TrainingOptions& now) {
  const auto with = [&](bool mlp, TrainedPositions positions) {
    TrainingOptions changed = now;
    changed.mlp = mlp;
    changed.positions = positions;
    return changed;
  };
  const bool learned = now.positions == TrainedPositions::kLearned;
  const std::vector<OfferedOptions> mlps{
      {"attention", tr("attention only"), !now.mlp, with(false, now.positions)},
      {"mlp", tr("attention and MLP"), now.mlp, with(true, now.positions)}};
  const std::vector<OfferedOptions> positions{
      {"learned", tr("learned positions"), learned, with(now.mlp, TrainedPositions::kLearned)},
      {"rotary", tr("rotary positions"), !learned, with(now.mlp, TrainedPositions::kRotary)}};
  const std::string value = (now.mlp ? tr("MLP") : tr("attention##blocks")) + " · " +
                            (learned ? tr("learned") : tr("rotary"));
  option_row(ui, content, "kind", tr("Blocks"), value, {mlps, positions});
}

void training_buttons(Ui& ui, Rect row) {
  row.cut_top(ui.px(6));
  row.h = ui.px(26);
  const bool on = ui.state.training.wanted;
  const std::string labels[] = {on ? tr("Pause") : tr("Train"), tr("Step"), tr("Start over")};
  const float width = std::max(button_width(ui, tr("Pause")), button_width(ui, tr("Train")));
  if (button(ui, "training/run", row.cut_left(width), labels[0],
             on ? ButtonLook::kSelected : ButtonLook::kActive))
    toggle_training(ui);
  tooltip(ui, on ? tr("Stop after this step (F8)") : tr("Take steps until you pause (F8)"));
  row.cut_left(ui.px(8));
  if (button(ui, "training/step", row.cut_left(button_width(ui, labels[1])), labels[1]))
    take_training_step(ui);
  tooltip(ui, tr("Take one step (Shift+F8)"));
  const Rect over = row.cut_right(button_width(ui, labels[2]));
  if (button(ui, "training/over", over, labels[2],
             ui.state.training.next ? ButtonLook::kActive : ButtonLook::kQuiet))
    start_over(ui);
  tooltip(ui, ui.state.training.next
                  ? tr("Begin again at step 0, with the options that you chose")
                  : tr("Begin again at step 0; the same options give the same numbers"));
}

float training_card_height(Ui& ui, const Rect&) {
  if (!is_training_document(ui)) return 0;
  return ui.px(kTrainingHeading + kTrainingButtons) + kTrainingRows * ui.px(kTrainingRow);
}

void training_card(Ui& ui, const Rect& rect) {
  const TrainingOptions now = next_options(ui);
  const std::string note =
      ui.state.training.next ? tr("for the next start") : tr("from random numbers");
  Rect content = card(ui, rect, tr("Training"), {}, note);
  task_row(ui, content, now);
  shape_row(ui, content, now);
  width_row(ui, content, now);
  text_row(ui, content, now);
  kind_row(ui, content, now);
  rate_row(ui, content, now);
  batch_row(ui, content, now);
  seed_row(ui, content, now);
  training_buttons(ui, content);
}

}  // namespace

extern constexpr PanelInfo kTrainingPanel{.name = "training",
                                          .place = PanelPlace::kLeft,
                                          .draw = training_card,
                                          .wanted = training_card_height,
                                          .of_edited = true,
                                          .widgets = "training/"};

}  // namespace lab::view
