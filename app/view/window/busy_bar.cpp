#include "app/base/visible_text.h"
#include "app/explain/number_text.h"
#include "app/translation/words.h"
#include "app/view/actions/actions.h"
#include "app/view/session/get_model.h"
#include "app/view/session/model_download.h"
#include "app/view/widgets/widgets.h"
#include "app/view/window/window_panels.h"

namespace lab::view {
namespace {

constexpr float kTrack = 90, kTrackHeight = 6, kWidestText = 260;
// Shorter work is not reported.
constexpr std::chrono::milliseconds kWorthReporting{200};

// The background work: a file being read or written, an evaluation, or a model that
// arrives.
struct Work {
  std::string name;
  double progress = 0;  // 0: unknown
  bool can_stop = true;
  std::string hint;  // of the button that stops it
};

Work work_of(const ModelDownload& download) {
  const DownloadStatus now = download.status();
  const double share = now.plan.size > 0
                           ? static_cast<double>(now.received) / static_cast<double>(now.plan.size)
                           : 0;
  return {tr("downloading {}", {printable(download.name())}), share, true,
          tr("Stop it: what has arrived is kept")};
}

std::optional<Work> background_work(const Ui& ui) {
  if (ui.jobs.busy() && ui.jobs.running_for() >= kWorthReporting)
    return Work{ui.jobs.name(), ui.jobs.progress(), ui.jobs.can_stop(), tr("Cancel it")};
  if (ui.workspace.behind() && ui.workspace.behind_for() >= kWorthReporting)
    return Work{tr("computing"), ui.workspace.progress(), true,
                tr("Cancel this edit and return to what is shown")};
  if (is_downloading(ui.state)) return work_of(*ui.state.get_model.download);
  return std::nullopt;
}

void progress_track(Ui& ui, const Rect& bounds, double progress) {
  const float height = ui.px(kTrackHeight);
  const Rect track{bounds.x, std::floor(bounds.y + (bounds.h - height) / 2), bounds.w, height};
  fill_rect(ui, track, ui.theme.line, height / 2);
  const float done = track.w * static_cast<float>(progress);
  fill_rect(ui, {track.x, track.y, std::max(height, done), height}, ui.theme.accent, height / 2);
}

void stop_button(Ui& ui, Rect& rect, const Work& work) {
  const std::string stop = tr("Stop");
  const float width = text_width(ui, ui.fonts.small, stop) + ui.px(20);
  const Rect bounds = rect.cut_right(width);
  rect.cut_right(ui.px(10));
  if (button(ui, "button/stop", {bounds.x, bounds.y + ui.px(4), width, bounds.h - ui.px(8)}, stop))
    action("edit.stop").execute(ui);
  tooltip(ui, work.hint);
}

}  // namespace

void busy_bar(Ui& ui, Rect& rect) {
  const auto work = background_work(ui);
  if (!work) return;
  if (work->can_stop) stop_button(ui, rect, *work);
  if (work->progress > 0) {
    progress_track(ui, rect.cut_right(ui.px(kTrack)), work->progress);
    rect.cut_right(ui.px(10));
    // Uses the final width, so that nothing beside it moves.
    const Rect bounds = rect.cut_right(text_width(ui, ui.fonts.small, "100 %"));
    rect.cut_right(ui.px(6));
    draw_text(ui, ui.fonts.small, bounds, explain::percent_text(work->progress), ui.theme.text);
  }
  const float wide = text_width(ui, ui.fonts.small, work->name);
  const Rect words = rect.cut_right(std::min(wide, ui.px(kWidestText)));
  rect.cut_right(ui.px(16));
  draw_text(ui, ui.fonts.small, words, work->name, ui.theme.text);
  ui.name("busy", words);
}

}  // namespace lab::view
