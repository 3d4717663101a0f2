#include <algorithm>
#include <array>

#include "app/document/words/detached_text.h"
#include "app/translation/words.h"
#include "app/view/focus/focus_ring.h"
#include "app/view/maps/follow_words.h"
#include "app/view/widgets/widgets.h"
#include "app/view/window/window_panels.h"

// The message about what was detached with a word, or dropped with a smaller size.

namespace lab::view {
namespace {

constexpr float kStripHeight = 34;

std::size_t detached_pins(const ViewState& state) { return state.words.pins.size(); }

// Nothing that is detached now needs a message any more.
void answer_detached(Ui& ui) {
  const std::size_t state = ui.workspace.history().state_id(), pins = detached_pins(ui.state);
  ui.state.detached = {{}, {}, ui.edited(), state, pins, {}, ui.edited(), state, pins};
}

DetachedReport report_of(const Ui& ui) {
  const DetachedMessage& message = ui.state.detached;
  DetachedReport report = detached_report(*message.before, ui.edited());
  report.dropped = message.dropped;  // also after the size grew again
  const std::size_t pins = detached_pins(ui.state);
  if (pins <= message.pins_before) return report;
  const std::size_t fresh = pins - message.pins_before;
  const NamedDetachedPins named = named_detached_pins(ui, fresh);
  report.add(tr_count("{} pin", "{} pins", static_cast<long>(fresh)), fresh, named.names,
             named.words);
  return report;
}

// Adds what the newest edit dropped; an undo drops nothing.
void note_dropped(Ui& ui) {
  DetachedMessage& message = ui.state.detached;
  if (ui.workspace.history().has_past(message.state))
    message.dropped.add(dropped_numbers(*message.now, ui.edited()));
}

// True for an edit that neither changes a sentence or a size nor detaches anything: the message
// is over.
bool is_another_edit(const Document& was, const Document& now) {
  return was.sentence == now.sentence && was.kv_sentence == now.kv_sentence &&
         was.splitting == now.splitting && was.detached == now.detached &&
         same_sizes(was.problem.config, now.problem.config);
}

// True when an undo went back to where the message began or before: what it detaches was
// detached there, and redo brings it back.
bool is_undone(const Ui& ui) {
  const History& history = ui.workspace.history();
  const DetachedMessage& message = ui.state.detached;
  return history.state_id() == message.state_before ||
         (!history.has_past(message.state) && !history.has_past(message.state_before));
}

// Returns the keyboard to the sentence box after an edit of the sentence.
void return_to_sentence(Ui& ui) {
  const DetachedMessage& message = ui.state.detached;
  if (message.before->sentence == message.now->sentence) return;
  ui.state.requests.ask(request::GiveKeyboard{TextField::kSentence});
}

void undo_all(Ui& ui) {
  const DetachedMessage& message = ui.state.detached;
  if (ui.workspace.history().has_past(message.state_before)) {
    ui.queue(intent::BackTo{message.state_before});
  } else {
    ui.queue(intent::Undo{});
  }
}

}  // namespace

void follow_detached(Ui& ui) {
  DetachedMessage& message = ui.state.detached;
  if (!message.before) return answer_detached(ui);
  const std::size_t state = ui.workspace.history().state_id(), pins = detached_pins(ui.state);
  if (state == message.state && pins == message.pins) return;
  const bool edited = state != message.state;
  if (edited && (is_undone(ui) || is_another_edit(*message.now, ui.edited())))
    return answer_detached(ui);
  if (edited) note_dropped(ui);
  const DetachedReport report = report_of(ui);
  if (report.empty()) return answer_detached(ui);
  message.text = detached_text(report);
  message.short_text = detached_note(report);
  message.now = ui.edited();
  message.state = state;
  message.pins = pins;
}

float detached_strip_height(const Ui& ui) {
  return ui.state.detached.text.empty() ? 0 : ui.px(kStripHeight);
}

void detached_strip(Ui& ui, const Rect& rect) {
  if (ui.state.detached.text.empty()) return;
  begin_panel(ui, "status");
  ui.name("detached", rect);
  fill_rect(ui, rect, ui.theme.card);
  fill_rect(ui, {rect.x, rect.y, rect.w, std::max(1.0f, ui.px(1.5f))}, ui.theme.accent);
  Rect line{rect.x + ui.px(14), rect.y, rect.w - ui.px(28), rect.h};
  const auto next_button = [&](const char* id, const std::string& label) {
    const Rect bounds = line.cut_right(button_width(ui, label));
    line.cut_right(ui.px(8));
    return button(ui, id, {bounds.x, bounds.y + ui.px(5), bounds.w, bounds.h - ui.px(9)}, label);
  };
  const std::array texts{ui.state.detached.text, ui.state.detached.short_text};
  const bool answered = next_button("detached/ok", tr("OK"));
  const bool undone = next_button("detached/undo", tr("Undo"));
  const bool fits = std::ranges::any_of(
      texts, [&](const auto& text) { return text_width(ui, ui.fonts.text, text) <= line.w; });
  if (fits) {
    draw_fitting(ui, ui.fonts.text, line, texts, ui.theme.text, TextAlign::kLeft);
  } else {
    draw_text(ui, ui.fonts.text, line, texts[1], ui.theme.text);
  }
  pointer_area(ui, "detached/text", line);
  tooltip(ui, texts[0]);
  if (undone || answered) return_to_sentence(ui);
  if (undone) undo_all(ui);
  if (answered) answer_detached(ui);
}

}  // namespace lab::view
