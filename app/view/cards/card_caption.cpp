#include "app/view/cards/stage_card.h"

#include "app/explain/stage_text.h"
#include "app/translation/words.h"
#include "app/view/cards/heads_views.h"
#include "app/view/maps/sensitivity.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

using attention::Stage;

// True when `caption` fits beside the name of the stage in a card that is `width` wide.
bool has_room_for(const Ui& ui, const std::string& caption, float width, Stage stage) {
  constexpr float kAroundCaption = 42;  // margins of the card, and between name and caption
  const float name = text_width(ui, ui.fonts.bold, explain::stage_title(stage));
  return formula_width(ui, caption) <= width - name - ui.px(kStageButtons + kAroundCaption);
}

// What the card of several heads shows, in as many words as fit.
std::string fitting_view_text(const Ui& ui, float width, Stage stage) {
  std::string text = heads_view_text(ui);
  return has_room_for(ui, text, width, stage) ? text : short_heads_view_text(ui);
}

// "L1H0 | … | L1H11": the heads of a trained model have names.
std::string heads_side_by_side(const Ui& ui) {
  const int last = ui.problem().config.n_heads - 1;
  std::string text = head_title(ui.document(), 0);
  if (last > 1) text += " | …";
  return last == 0 ? text : text + " | " + head_title(ui.document(), last);
}

// The formula of the stage in fewer words; empty if there are none.
std::string short_formula_of(const Ui& ui, Stage stage) {
  const attention::Config& config = ui.problem().config;
  const bool mask_alone = stage == Stage::kMaskedScores && ui.problem().bias.empty() &&
                          config.positions != attention::Positions::kAlibi;
  if (mask_alone) return tr("+ mask");
  if (stage == Stage::kConcat && config.n_heads > 2)
    return tr("head 1 | … | head {}", {std::to_string(config.n_heads)});
  return {};
}

// The formula of the stage in as many words as fit; nothing rather than a part of it.
std::string fitting_formula_of(const Ui& ui, float width, Stage stage) {
  if (stage == Stage::kConcat && ui.document().layer.model) {
    std::string heads = heads_side_by_side(ui);
    return has_room_for(ui, heads, width, stage) ? heads : std::string();
  }
  for (std::string formula :
       {explain::stage_formula(ui.problem(), stage), short_formula_of(ui, stage)})
    if (has_room_for(ui, formula, width, stage)) return formula;
  return {};
}

// What the derivatives are, in as many letters as fit.
std::string fitting_sensitivity_formula(const Ui& ui, float width, Stage stage) {
  for (std::string formula : sensitivity_formulas(ui, stage))
    if (has_room_for(ui, formula, width, stage)) return formula;
  return {};
}

}  // namespace

std::string card_caption(const Ui& ui, Stage stage, bool together, float width) {
  if (shows_sensitivity(ui)) return fitting_sensitivity_formula(ui, width, stage);
  return together ? fitting_view_text(ui, width, stage) : fitting_formula_of(ui, width, stage);
}

}  // namespace lab::view
