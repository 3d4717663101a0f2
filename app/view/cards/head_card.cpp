#include <array>
#include <cmath>
#include <utility>

#include "app/base/text_direction.h"
#include "app/base/wording.h"
#include "app/document/batch/batch_means.h"
#include "app/explain/number_text.h"
#include "app/translation/words.h"
#include "app/view/editor/cell_editor.h"
#include "app/view/maps/heads.h"
#include "app/view/maps/metrics_cache.h"
#include "app/view/sentence/batch_menu.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

constexpr float kHeadRowHeight = 25;

// The bounds of a value at the right of its row.
Rect value_bounds(Ui& ui, Rect& row, float width) {
  const Rect box = row.cut_right(std::min(width, row.w * 0.66f));
  return {box.x, box.y + ui.px(2), box.w, box.h - ui.px(4)};
}

void label(Ui& ui, const Rect& row, std::string_view text) {
  const Rect bounds{row.x, row.y, row.w - ui.px(6), row.h};
  draw_text(ui, fitting_font(ui, text, bounds.w), bounds, text, ui.theme.text);
}

void value_row(Ui& ui, Rect row, const char* name, const std::string& value,
               const std::string& help) {
  click_area(ui, "metric/" + std::string(name), row);
  tooltip(ui, help);
  const figure::TextRequest request = label_request(ui, value, 13);
  const Rect box =
      value_bounds(ui, row, static_cast<float>(ui.labels.metrics(request).advance) + ui.px(18));
  fill_rect(ui, box, ui.theme.button, ui.px(5));
  draw_label(ui, {box.x + ui.px(9), box.y, box.w - ui.px(18), box.h}, value, 13, ui.theme.text,
             TextAlign::kCentre);
  label(ui, row, tr(name));
}

double metric(Ui& ui, HeadOrder type) {
  const Measured layer = measured(ui);
  return ui.metrics.metric(type, layer.problem, layer.trace, ui.state.head);
}

bool has_means(const Ui& ui) { return has_batch(ui) && ui.kept == nullptr; }

// " · mean 0.41" over all sentences of a batch, once it is known; else nothing.
std::string batch_mean(Ui& ui, double HeadMeans::*measure) {
  if (!has_means(ui)) return {};
  const auto* means = ui.means.of(ui.document());
  if (means == nullptr) return {};
  const double mean = (*means)[static_cast<std::size_t>(ui.state.head)].*measure;
  return " · " + tr("mean {}", {ui.number(mean)});
}

// What a row says of a measure, with its mean where there are several sentences.
std::string batch_help(Ui& ui, std::string help) {
  if (!has_means(ui)) return help;
  return help + "\n" +
         tr("mean: over the {} sentences, without padding", {std::to_string(sentence_count(ui))});
}

void enabled_row(Ui& ui, Rect row) {
  const bool on = !head_mix(ui.document(), focused_head(ui)).mute;
  const std::string text = on ? tr("on") : tr("off");
  const Rect bounds = value_bounds(ui, row, value_button_width(ui, text, false));
  if (value_button(ui, "head/enabled", bounds, text, false)) toggle_mutes(ui, {focused_head(ui)});
  tooltip(ui, tr("Off: the head is muted, nothing of it goes into the output   M"));
  label(ui, row, tr("Head enabled"));
}

void head_scale_row(Ui& ui, Rect row) {
  const float scale = head_mix(ui.document(), focused_head(ui)).scale;
  const Rect bounds = value_bounds(ui, row, ui.px(76));
  fill_rect(ui, bounds, ui.theme.button, ui.px(5));
  if (ui.kept) {
    draw_text(ui, ui.fonts.mono, bounds, ui.number(scale), ui.theme.dim, TextAlign::kCentre);
  } else {
    number_field(ui, "head/scale", bounds, ui.number(scale), shortest(scale),
                 ui.state.heads.scale_text);
    tooltip(ui, tr("What the head's output is multiplied by"));
  }
  label(ui, row, tr("Scale##of a head"));
}

void entropy_row(Ui& ui, Rect row) {
  const double entropy = metric(ui, HeadOrder::kEntropy);
  const attention::Index keys = measured(ui).problem.kv_len();
  const std::string most = ui.number(std::log(static_cast<double>(std::max<long>(1, keys))));
  const std::string mean = batch_mean(ui, &HeadMeans::entropy);
  const std::string share = explain::percent_text(attention::entropy_share(entropy, keys));
  value_row(
      ui, row, tr_later("Mean entropy"),
      mean.empty() ? tr("{} / {} nats · {}", {ui.number(entropy), most, share})
                   : tr("{} nats", {ui.number(entropy)}) + mean,
      batch_help(ui, tr("How spread out the rows are: 0 looks at one token, ln n at all equally")));
}

void strongest_row(Ui& ui, Rect row) {
  const float weight = ui.metrics.strongest(measured(ui).trace, ui.state.head).weight;
  const std::string number = weight == 0 ? "" : " " + ui.number(weight);
  value_row(ui, row, tr_later("Off-diagonal peak"), strongest_text(ui, ui.state.head) + number,
            tr("The largest weight off the diagonal"));
}

void similar_row(Ui& ui, Rect row) {
  const auto similar = ui.metrics.similar(measured(ui).trace, ui.state.head);
  value_row(
      ui, row, tr_later("Most alike"),
      similar ? head_in_text(ui.document(), similar->head) + " · " + ui.number(similar->cosine)
              : tr("no other head"),
      tr("The head whose weights are most like this one's: cosine of the angle between them"));
}

void shift_row(Ui& ui, Rect row) {
  const bool silent = attention::head_gain(ui.problem(), ui.state.head) == 0;
  const auto [problem, trace] = measured(ui);
  const std::string share = explain::percent_text(ui.metrics.share(problem, trace, ui.state.head));
  const std::string mean = batch_mean(ui, &HeadMeans::shift);
  const std::string moved =
      "‖Δ‖ " + ui.number(metric(ui, HeadOrder::kShift)) + (mean.empty() ? " · " + share : mean);
  value_row(ui, row, tr_later("If muted, output moves"), silent ? tr("it is silent") : moved,
            batch_help(ui, tr("Length of this head's part of the output, and as a share of the "
                              "output's length")));
}

template <HeadOrder type>
void mean_row(Ui& ui, Rect row) {
  constexpr bool kDiagonal = type == HeadOrder::kDiagonal, kPrevious = type == HeadOrder::kPrevious;
  value_row(ui, row,
            kDiagonal   ? tr_later("On the diagonal")
            : kPrevious ? tr_later("Previous token")
                        : tr_later("First token"),
            ui.number(metric(ui, type)) + batch_mean(ui, kDiagonal   ? &HeadMeans::diagonal
                                                         : kPrevious ? &HeadMeans::previous
                                                                     : &HeadMeans::first),
            batch_help(ui, kDiagonal   ? tr("Mean weight that a token gives itself")
                           : kPrevious ? tr("Mean weight that a token gives the one before it")
                                       : tr("Mean weight that a token gives the first one")));
}

using RowOf = void (*)(Ui& ui, Rect row);

constexpr std::array<RowOf, 9> kHeadRows{enabled_row,
                                         head_scale_row,
                                         entropy_row,
                                         strongest_row,
                                         mean_row<HeadOrder::kDiagonal>,
                                         mean_row<HeadOrder::kPrevious>,
                                         mean_row<HeadOrder::kFirst>,
                                         similar_row,
                                         shift_row};

float head_card_height(Ui& ui, const Rect&) {
  return ui.px(42) + static_cast<float>(kHeadRows.size()) * ui.px(kHeadRowHeight);
}

void head_card(Ui& ui, const Rect& rect) {
  Rect content = card(ui, rect, head_title(ui.document(), ui.state.head), tr("at a glance"));
  for (const RowOf row : kHeadRows) row(ui, content.cut_top(ui.px(kHeadRowHeight)));
}

}  // namespace

extern constexpr PanelInfo kHeadPanel{.name = "head",
                                      .region = PanelRegion::kRight,
                                      .draw = head_card,
                                      .preferred_height = head_card_height};

}  // namespace lab::view
