#include <cmath>

#include "app/figure/direction.h"
#include "app/figure/number_text.h"
#include "app/view/panels/panels.h"
#include "app/view/widgets.h"
#include "core/metrics.h"

namespace lab {
namespace {

constexpr float kRowHeight = 26;
constexpr int kRows = 4;

void value_row(Ui& ui, Rect& content, std::string_view label, const std::string& value,
               std::string_view help) {
  Rect row = content.cut_top(ui.px(kRowHeight));
  const std::string id = "metric/" + std::string(label);
  click_area(ui, id, row);
  tooltip(ui, help);
  const TextRequest request = label_request(ui, value, 13);
  const auto width =
      std::min(static_cast<float>(ui.labels.metrics(request).advance) + ui.px(18), row.w * 0.62f);
  const Rect box = row.cut_right(width);
  fill_rect(ui, {box.x, box.y + ui.px(2), box.w, box.h - ui.px(4)}, ui.theme.button, ui.px(5));
  draw_label(ui, box.inset(ui.px(9)), value, 13, ui.theme.text, TextAlign::kCentre);
  draw_text(ui, ui.fonts.text, row, label, ui.theme.text);
}

std::string entropy_text(const attention::Matrix& weights) {
  const auto most = std::log(static_cast<float>(std::max<attention::Index>(1, weights.cols())));
  return format_fixed(static_cast<float>(attention::mean_entropy(weights)), 2) + " / " +
         format_fixed(most, 2) + " nats";
}

}  // namespace

float head_card_height(const Ui& ui) { return ui.px(42) + kRows * ui.px(kRowHeight); }

void head_card(Ui& ui, const Rect& rect) {
  const int head = ui.state.head;
  const auto& weights = *ui.trace().heads[static_cast<std::size_t>(head)].weights;
  Rect content = card(ui, rect, "Head " + std::to_string(head + 1), "at a glance");
  const auto pair = attention::strongest_pair(weights, true);
  const Document& document = ui.document();
  value_row(ui, content, "Mean entropy", entropy_text(weights),
            "How spread out the rows are: 0 looks at one token, ln n at all alike");
  value_row(ui, content, "Strongest pair",
            pair_text(row_label(document, pair.row), key_label(document, pair.col)) + " " +
                format_fixed(pair.weight, 2),
            "The largest weight off the diagonal");
  value_row(ui, content, "On the diagonal",
            format_fixed(static_cast<float>(attention::diagonal_weight(weights)), 2),
            "Mean weight that a token gives itself");
  const double shift = attention::output_shift_without_head(ui.problem(), ui.trace(), head);
  value_row(ui, content, "If removed, output moves",
            "‖Δ‖ " + format_fixed(static_cast<float>(shift), 2),
            "Length of this head's share of the output");
}

}  // namespace lab
