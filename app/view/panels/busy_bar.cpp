#include "app/figure/number_text.h"
#include "app/view/actions.h"
#include "app/view/panels/panels.h"
#include "app/view/widgets.h"

namespace lab {
namespace {

constexpr float kTrack = 90, kTrackHeight = 6;
// What is done sooner is not worth a word.
constexpr std::chrono::milliseconds kWorthTelling{200};

void progress_track(Ui& ui, const Rect& place) {
  const float height = ui.px(kTrackHeight);
  const Rect track{place.x, std::floor(place.y + (place.h - height) / 2), place.w, height};
  fill_rect(ui, track, ui.theme.line, height / 2);
  const auto done = static_cast<float>(ui.workspace.progress());
  fill_rect(ui, {track.x, track.y, std::max(height, track.w * done), height}, ui.theme.accent,
            height / 2);
}

}  // namespace

void busy_bar(Ui& ui, Rect& rect) {
  if (!ui.workspace.behind() || ui.workspace.behind_for() < kWorthTelling) return;
  const std::string text = "computing " + percent_text(ui.workspace.progress());
  const float button_width = text_width(ui, ui.fonts.small, "Stop") + ui.px(20);
  const float text_place = text_width(ui, ui.fonts.small, "computing 100 %");
  const Rect place = rect.cut_right(button_width);
  const Rect stop{place.x, place.y + ui.px(4), place.w, place.h - ui.px(8)};
  rect.cut_right(ui.px(10));
  const Rect track = rect.cut_right(ui.px(kTrack));
  rect.cut_right(ui.px(10));
  const Rect words = rect.cut_right(text_place);
  rect.cut_right(ui.px(16));
  if (button(ui, "button/stop", stop, "Stop")) action("edit.stop").run(ui);
  tooltip(ui, "Give up this edit and go back to what is shown");
  progress_track(ui, track);
  draw_text(ui, ui.fonts.small, words, text, ui.theme.text);
  ui.name("busy", words);
}

}  // namespace lab
