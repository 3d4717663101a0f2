#include <array>

#include "app/explain/number_text.h"
#include "app/translation/words.h"
#include "app/view/maps/compare.h"
#include "app/view/maps/metrics_cache.h"
#include "app/view/widgets/popup.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

constexpr float kCompareButtonHeight = 26;
constexpr std::array kCompareRanges{0.01f, 0.1f, 0.2f, 0.5f, 1.0f, 2.0f, 5.0f, 10.0f};

struct ViewChoice {
  CompareView view;
  const char* label;
  const char* id;
  const char* help;
};

constexpr std::array kViews{
    ViewChoice{CompareView::kA, "A", "compare/a",
               tr_later("The state that was kept   (hold F3 to see it for a moment)")},
    ViewChoice{CompareView::kB, "B", "compare/b", tr_later("The state that is being edited")},
    ViewChoice{CompareView::kDifference, "B − A", "compare/difference",
               tr_later("How much each number changed, in the cards of the stages   Ctrl+Shift+D")},
};

CompareView shown_view(const CompareState& compare) {
  return compare.held ? CompareView::kA : compare.view;
}

void view_buttons(Ui& ui, Rect& row) {
  for (const ViewChoice& choice : kViews) {
    const Rect bounds = row.cut_left(button_width(ui, choice.label));
    const bool on = shown_view(ui.state.compare) == choice.view;
    if (button(ui, choice.id, bounds, choice.label, on ? ButtonLook::kActive : ButtonLook::kQuiet))
      show_compared(ui, choice.view);
    tooltip(ui, tr(choice.help));
    row.cut_left(ui.px(4));
  }
}

std::string range_text(float end) { return "±" + explain::format_significant(end, 2); }

void range_items(Ui& ui) {
  CompareState& compare = ui.state.compare;
  const bool locked = compare.range.has_value();
  const auto follow = [&](const char* id, const std::string& name, bool one) {
    if (!menu_item(ui, id, name, {}, !locked && compare.one_range == one)) return;
    compare.range.reset();
    compare.one_range = one;
  };
  follow("compare/range/own", tr("each stage its own"), false);
  follow("compare/range/one", tr("one for all stages"), true);
  for (const float end : kCompareRanges) {
    const std::string text = range_text(end);
    if (menu_item(ui, "compare/range/" + text, tr("locked at {}", {text}), {},
                  compare.range == end))
      compare.range = end;
  }
}

std::string range_button_text(Ui& ui) {
  const CompareState& compare = ui.state.compare;
  if (!compare.range && !compare.one_range) return tr("own ranges");
  const std::string text = range_text(compared_range(ui, attention::Stage::kOutput).hi);
  return compare.range ? tr("{} locked", {text}) : text;
}

void range_button(Ui& ui, Rect& row) {
  if (!ui.state.compare.shows_difference()) return;
  row.cut_left(ui.px(8));
  const std::string text = range_button_text(ui);
  const std::vector<std::string> widest{text, tr("own ranges"),
                                        tr("{} locked", {range_text(0.01f)})};
  const Rect bounds = row.cut_left(value_button_width(ui, widest, true));
  if (value_button(ui, "compare/range", bounds, text, true)) open_popup("compare/range");
  tooltip(ui, tr("The range of the colours of the differences"));
  if (!begin_popup(ui, "compare/range", bounds)) return;
  range_items(ui);
  end_popup();
}

// Small shares are written with two digits.
std::string share_text(double share) {
  constexpr double kSmall = 0.1;
  return share < kSmall ? explain::format_significant(static_cast<float>(100 * share), 2) + " %"
                        : explain::percent_text(share);
}

std::string summary(Ui& ui) {
  if (const std::string words = different_words(ui); !words.empty())
    return tr("Compared word by word · {}", {words});
  const ComparedStage output = compared_stage(ui, attention::Stage::kOutput, 0);
  if (!output.fits()) return tr("Output: {}", {mismatch_text(output)});
  const double moved = ui.metrics.norm(*output.a, *output.b);
  const double whole = (*output.a)->cast<double>().norm();
  const std::string length = explain::format_significant(static_cast<float>(moved), 3);
  if (whole > 0 && std::isfinite(moved / whole))
    return tr("Output moved ‖B − A‖ {} · {} of ‖A‖", {length, share_text(moved / whole)});
  return tr("Output moved ‖B − A‖ {}", {length});
}

// 0 while nothing is compared.
float compare_bar_height(Ui& ui, const Rect&) { return ui.state.compare.a ? ui.px(42) : 0; }

void compare_bar(Ui& ui, const Rect& rect) {
  if (!ui.state.compare.a) return;
  card_surface(ui, rect, true);
  Rect row = rect.inset(ui.px(8));
  row.cut_left(ui.px(4));
  const std::string end = tr("End##comparing");
  if (button(ui, "compare/end", row.cut_right(button_width(ui, end)), end))
    return toggle_comparing(ui);
  tooltip(ui, tr("Stop comparing and go on with B   Ctrl+D"));
  row.cut_right(ui.px(8));
  row.h = ui.px(kCompareButtonHeight);
  view_buttons(ui, row);
  range_button(ui, row);
  row.cut_left(ui.px(12));
  const std::string text = summary(ui);
  ui.name("compare/summary", row);
  draw_text(ui, ui.fonts.text, row, text, ui.theme.text);
}

}  // namespace

extern constexpr PanelInfo kComparePanel{.name = "compare",
                                         .region = PanelRegion::kAboveCentre,
                                         .draw = compare_bar,
                                         .preferred_height = compare_bar_height};

}  // namespace lab::view
