#include "app/view/model/logit_lens.h"

#include <algorithm>
#include <array>

#include "app/explain/number_text.h"
#include "app/translation/words.h"
#include "app/view/maps/model_heads.h"
#include "app/view/maps/model_patches.h"
#include "app/view/maps/model_words.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

constexpr float kNarrowestWithLens = 520, kNarrowestLens = 170, kWidestLens = 280;

// How the answer would fare.
std::string answer_words(const Ui& ui, const RankedPrediction& answer) {
  const auto& [one, rank] = answer;
  return tr("the answer {}: probability {}, rank {}, logit {}",
            {piece_of(ui, one.id), explain::format_fixed(one.probability, 3), std::to_string(rank),
             explain::format_fixed(one.logit, 2)});
}

}  // namespace

float lens_column_width(const Ui& ui, float card_width) {
  const ModelDocument* const model = shown_model(ui);
  const bool self = ui.document().layer.at.sublayer == attention::network::Sublayer::kSelf;
  if (model == nullptr || !model->network.read_out || !self) return 0;
  // The tiles of A have its place, so that they are as large as those of B.
  if (card_width < ui.px(kNarrowestWithLens) || model_of_a(ui).document) return 0;
  return std::clamp(card_width * 0.3f, ui.px(kNarrowestLens), ui.px(kWidestLens));
}

void lens_heading(Ui& ui, const Rect& rect) {
  const std::string token = row_label(ui.document(), ui.state.selection.query);
  const std::array texts{tr("read out after each layer, at “{}”", {token}),
                         tr("read out after each layer"), tr("read out##lens")};
  draw_fitting(ui, ui.fonts.small, rect, texts, ui.theme.dim, TextAlign::kLeft);
}

void lens_row(Ui& ui, const Rect& rect, attention::Index layer) {
  ui.requested.lens = true;
  const auto& lens = ui.analysis.lens.value;
  // The first line is what would be read out before any layer.
  const auto line = static_cast<std::size_t>(layer) + 1;
  if (!lens || line >= lens->lines.size()) return;
  const Prediction& top = lens->lines[line].top;
  const auto& answer = ui.analysis.answer.value;
  const bool is_answer = answer && answer->token.prediction.id == top.id;
  if (click_area(ui, "lens/" + std::to_string(layer), rect))
    ui.queue(intent::GoToLayer{{attention::network::Sublayer::kSelf, layer}});
  if (is_pointed_at(ui))
    tooltip(ui, read_out_words(ui, top, layer + 1, ui.state.selection.query) + "\n" +
                    answer_words(ui, lens->lines[line].answer.token));
  Rect row = rect;
  row.cut_left(ui.px(12));
  draw_label(ui, row.cut_left(ui.px(72)), piece_of(ui, top.id), 12,
             is_answer ? ui.theme.selected : ui.theme.text, TextAlign::kRight, is_answer);
  row.cut_left(ui.px(8));
  draw_text(ui, ui.fonts.mono_small, row.cut_right(ui.px(36)),
            explain::format_fixed(top.probability, 2), ui.theme.dim, TextAlign::kRight);
  const float height = std::min(row.h * 0.5f, ui.px(9));
  const float share = std::clamp(top.probability, 0.0f, 1.0f);
  fill_rect(ui, {row.x, row.y + (row.h - height) / 2, std::max(ui.px(2), row.w * share), height},
            is_answer ? ui.theme.selected : ui.theme.accent, share > 0.03f ? ui.px(2.5f) : 0);
}

}  // namespace lab::view
