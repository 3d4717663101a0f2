#include "app/figure/stage_text.h"
#include "app/view/main_view.h"
#include "app/view/panels/panels.h"
#include "app/view/present.h"
#include "app/view/ring.h"
#include "app/view/widgets.h"
#include "app/words/words.h"

namespace lab {
namespace {

using attention::Stage;

constexpr float kMargin = 14, kGap = 12;
constexpr float kHeaderHeight = 30, kChipsHeight = 26, kBarHeight = 58;
constexpr float kButtonHeight = 30;
constexpr float kNarrowest = 700;  // below it Explain has no room beside the map

// What is shown, and where in the walk it stands.
void header(Ui& ui, Rect rect, std::size_t place, std::size_t count) {
  const std::string where =
      tr("Head {} of {}   ·   {} / {}",
         {std::to_string(ui.state.head + 1), std::to_string(ui.problem().config.n_heads),
          std::to_string(place + 1), std::to_string(count)});
  const std::string leave = tr("Leave  Esc");
  if (button(ui, "present/leave", rect.cut_right(button_width(ui, leave)), leave))
    toggle_present(ui);
  rect.cut_right(ui.px(12));
  draw_text(ui, ui.fonts.mono_small, rect, where, ui.theme.dim, TextAlign::kRight);
  draw_text(ui, ui.fonts.title, rect, ui.document().title, ui.theme.text);
}

// One segment a stage: click it, or drag over them, to go there.
void scrubber(Ui& ui, Rect rect, const std::vector<Stage>& stages) {
  const float gap = ui.px(4);
  const auto count = static_cast<float>(stages.size());
  const float width = (rect.w - gap * (count - 1)) / count;
  for (const Stage stage : stages) {
    const Rect segment = rect.cut_left(width);
    rect.cut_left(gap);
    const std::string id = "present/" + std::string(stage_name(stage));
    const bool clicked = click_area(ui, id, segment);
    const bool over = segment.contains(ImGui::GetIO().MousePos);
    if (clicked || (over && ImGui::IsMouseDragging(0))) {
      ui.select_stage(stage);
      ui.state.present.playing = false;
    }
    const Stage shown = ui.state.selection.stage;
    const Rgb colour = stage == shown  ? ui.theme.accent
                       : stage < shown ? ui.theme.dim
                                       : ui.theme.line;
    const Rect line{segment.x, segment.y + segment.h / 2 - ui.px(3), segment.w, ui.px(6)};
    fill_rect(ui, line, over ? ui.theme.accent : colour, ui.px(3));
    tooltip(ui, stage_title(stage));
  }
}

bool bar_button(Ui& ui, Rect& rect, const char* id, std::string_view label, ButtonLook look) {
  const Rect place = rect.cut_left(button_width(ui, label));
  rect.cut_left(ui.px(8));
  return button(ui, id, place, label, look);
}

void bar(Ui& ui, Rect rect, const std::vector<Stage>& stages) {
  fill_rect(ui, rect, ui.theme.card);
  fill_rect(ui, {rect.x, rect.y, rect.w, 1}, ui.theme.line);
  const float y = rect.y + std::floor((rect.h - ui.px(kButtonHeight)) / 2);
  rect = {rect.x + ui.px(kMargin), y, rect.w - 2 * ui.px(kMargin), ui.px(kButtonHeight)};
  const bool playing = ui.state.present.playing;
  if (bar_button(ui, rect, "present/back", tr("Back"), ButtonLook::kQuiet)) step_present(ui, -1);
  if (bar_button(ui, rect, "present/play", playing ? tr("Pause  P") : tr("Play  P"),
                 ButtonLook::kQuiet)) {
    toggle_playing(ui);
  }
  if (bar_button(ui, rect, "present/next", tr("Next"), ButtonLook::kActive)) step_present(ui, 1);
  rect.cut_left(ui.px(8));
  scrubber(ui, rect, stages);
}

}  // namespace

void present_view(Ui& ui, Rect rect) {
  run_present(ui);
  begin_part(ui, Part::kStatus);
  const auto stages = present_stages(ui.problem());
  const Stage stage = ui.state.selection.stage;
  const auto place = std::ranges::count_if(stages, [stage](Stage one) { return one < stage; });
  const Rect below = rect.cut_bottom(ui.px(kBarHeight));
  bar(ui, below, stages);
  message_above(ui, below);
  rect = rect.inset(ui.px(kMargin));
  begin_part(ui, Part::kTopBar);
  header(ui, rect.cut_top(ui.px(kHeaderHeight)), static_cast<std::size_t>(place), stages.size());
  rect.cut_top(ui.px(kGap));
  begin_part(ui, Part::kSentence);
  token_chips(ui, rect.cut_top(ui.px(kChipsHeight)));
  rect.cut_top(ui.px(kGap));
  if (rect.w > ui.px(kNarrowest)) {
    begin_part(ui, Part::kExplain);
    explain_card(ui, rect.cut_right(std::floor(rect.w * 0.36f)));
    rect.cut_right(ui.px(kGap));
  }
  begin_part(ui, Part::kStages);
  stage_card(ui, rect, stage);
}

}  // namespace lab
