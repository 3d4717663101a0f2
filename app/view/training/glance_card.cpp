#include <algorithm>
#include <array>
#include <memory>
#include <string>

#include "app/document/training/training_document.h"
#include "app/translation/words.h"
#include "app/view/maps/model_heads.h"
#include "app/view/widgets/widgets.h"
#include "core/analysis/metrics.h"
#include "core/training/head_measures.h"

namespace lab::view {

// What is said of the focused head, which takes some time to compute.
struct HeadGlance {
  std::shared_ptr<const ModelDocument> of;
  HeadRef head;
  std::string reads_from;  // "K of L0H1 · 0.77"; empty: there is no earlier head
  HeadRef source;
  bool has_losses = false;  // not while steps are taken
  std::optional<float> loss, muted;
};

namespace {

using attention::training::ComposedHead;

constexpr float kGlanceRow = 26, kGlanceHeading = 44;
constexpr int kGlanceRows = 3;

// The strongest of the three compositions, with its letter.
std::pair<float, char> strongest_of(const ComposedHead& one) {
  const auto& [query, key, value] = one.composition;
  return std::max({std::pair{query, 'Q'}, std::pair{key, 'K'}, std::pair{value, 'V'}});
}

void read_source(const Ui& ui, const ModelDocument& model, HeadGlance& glance) {
  const auto all =
      attention::training::compositions(model.network, {glance.head.at.layer, glance.head.head});
  const auto best = std::ranges::max_element(
      all, {}, [](const ComposedHead& one) { return strongest_of(one).first; });
  if (best == all.end()) return;
  glance.source = {{attention::network::Sublayer::kSelf, best->head.layer}, best->head.head};
  const auto [score, letter] = strongest_of(*best);
  glance.reads_from =
      std::string(1, letter) + " ← " + name_of_head(glance.source) + " · " + ui.number(score);
}

// Computed once for each model and head, and not while steps are taken.
const HeadGlance& glance_at(Ui& ui) {
  auto& kept = ui.state.training.glance;
  const auto& model = ui.document().layer.model;
  const HeadRef head = focused_head(ui);
  const bool rests = !ui.trainer.running();
  if (kept && kept->of == model && kept->head == head && (kept->has_losses || !rests)) return *kept;
  HeadGlance glance{model, head, {}, {}, rests, {}, {}};
  read_source(ui, *model, glance);
  if (rests) {
    glance.loss = known_loss_of_text(*model, model->interventions);
    glance.muted = known_loss_of_text(*model, with_muted(model->interventions, head.at, head.head));
  }
  kept = std::make_shared<const HeadGlance>(std::move(glance));
  return *kept;
}

void glance_row(Ui& ui, const Rect& row, const std::string& label, const std::string& value) {
  labelled_value(ui, row, label, value, ui.theme.text);
}

std::string strongest_text(const Ui& ui) {
  const auto& weights = *ui.trace().heads[static_cast<std::size_t>(ui.state.head)].weights;
  const auto pair = attention::strongest_pair(weights, true);
  return row_label(ui.document(), pair.row) + " → " + key_label(ui.document(), pair.col) + " " +
         ui.number(pair.weight);
}

float glance_height(Ui& ui, const Rect&) {
  return ui.px(kGlanceHeading) + kGlanceRows * ui.px(kGlanceRow);
}

void glance_card(Ui& ui, const Rect& rect) {
  Rect content = card(ui, rect, name_of_head(focused_head(ui)), {}, tr("at a glance"));
  const HeadGlance& glance = glance_at(ui);
  glance_row(ui, content.cut_top(ui.px(kGlanceRow)), tr("Strongest pair"), strongest_text(ui));
  const Rect reads = content.cut_top(ui.px(kGlanceRow));
  if (!glance.reads_from.empty() && click_area(ui, "glance/source", reads))
    go_to_head(ui, glance.source);
  tooltip(ui, tr("How much of what it reads is what that head writes, from 0 to 1 (composition)"));
  glance_row(ui, reads, tr("Reads from"),
             glance.reads_from.empty() ? tr("the embedding") : glance.reads_from);
  const bool known = glance.loss && glance.muted;
  const Rect loss = content.cut_top(ui.px(kGlanceRow));
  glance_row(ui, loss, tr("If muted, loss"),
             known ? ui.number(*glance.loss) + " → " + ui.number(*glance.muted) : "—");
  if (known) ui.name("glance/loss", loss);
}

}  // namespace

extern constexpr PanelInfo kGlancePanel{.name = "glance",
                                        .region = PanelRegion::kRight,
                                        .of = PanelOf::kTraining,
                                        .draw = glance_card,
                                        .preferred_height = glance_height,
                                        .widgets = "glance/"};

}  // namespace lab::view
