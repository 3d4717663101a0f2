#include <algorithm>
#include <cmath>
#include <functional>

#include "app/document/model/token_name.h"
#include "app/explain/sensitivity_text.h"
#include "app/translation/words.h"
#include "app/view/editor/edit_block.h"
#include "app/view/editor/uncommitted_edit.h"
#include "app/view/maps/model_heads.h"
#include "app/view/maps/sensitivity.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

using attention::Index;

constexpr float kModelContributorRow = 21, kModelContributorsTop = 44,
                kModelContributorsSection = 20;
constexpr std::size_t kFewContributors = 5;

// A line of the list: what moves the answer, by how much, and where it leads.
struct ModelContributor {
  std::string name;
  float by = 0;
  std::function<void(Ui&)> go;
};

void keep_largest(std::vector<ModelContributor>& contributors) {
  // Layers without attention have heads that are NaN.
  std::erase_if(contributors,
                [](const ModelContributor& one) { return one.by == 0 || std::isnan(one.by); });
  std::ranges::stable_sort(contributors, std::ranges::greater(),
                           [](const ModelContributor& one) { return std::abs(one.by); });
  if (contributors.size() > kFewContributors) contributors.resize(kFewContributors);
}

std::vector<ModelContributor> heads_of(const ModelGradient& gradient) {
  std::vector<ModelContributor> contributors;
  for (const HeadMap& map : gradient.heads)
    for (Index layer = 0; layer < map.values.rows(); ++layer)
      for (Index head = 0; head < map.values.cols(); ++head) {
        const HeadRef position{{map.sublayer, layer}, head};
        contributors.push_back({name_of_head(position), map.values(layer, head),
                                [position](Ui& ui) { go_to_head(ui, position); }});
      }
  keep_largest(contributors);
  return contributors;
}

// "·Mary (3)", of the stack that is shown or of the other one.
std::vector<ModelContributor> tokens_of_text(const Ui& ui, const ModelGradient& gradient) {
  const attention::network::Tokens texts = tokens_of(*shown_model(ui));
  std::vector<ModelContributor> contributors;
  for (const TokenGradient& token : gradient.tokens) {
    const auto& ids = token.of_encoder ? texts.encoder_ids : texts.ids;
    const auto position = static_cast<std::size_t>(token.row);
    if (position >= ids.size()) continue;
    contributors.push_back({token_label(*shown_model(ui)->source, ids[position]) + " (" +
                                std::to_string(token.row) + ")",
                            token.times_input, [row = token.row](Ui& on) {
                              on.state.selection.key = std::min(row, on.problem().kv_len() - 1);
                            }});
  }
  keep_largest(contributors);
  return contributors;
}

// The cursor is kept within the matrix when it is shown.
void go_to_number(Ui& ui, const WeightSensitivity& one) {
  leave_field(ui);
  const attention::Sensitivity& number = one.number;
  const auto* attention = find_attention(shown_model(ui)->network, one.at);
  const Index sharing =
      is_per_kv_head(number.matrix) ? attention->n_heads / attention->n_kv_heads : 1;
  const Index head = is_per_head(number.matrix) ? number.head * sharing : ui.state.head;
  go_to_head(ui, {one.at, head});
  show_matrix(ui, number.matrix);
  ui.state.edit.cursor = {number.row, number.col};
}

std::string name_of_number(const WeightSensitivity& one) {
  const attention::Sensitivity& number = one.number;
  const std::string head = is_per_head(number.matrix) ? "H" + std::to_string(number.head) : "";
  return sublayer_prefix(one.at.sublayer) + "L" + std::to_string(one.at.layer) + head + " " +
         std::string(matrix_name(number.matrix)) + " [" + std::to_string(number.row) + ", " +
         std::to_string(number.col) + "]";
}

std::vector<ModelContributor> numbers_of_layers(const ModelGradient& gradient) {
  std::vector<ModelContributor> contributors;
  for (const WeightSensitivity& one : gradient.numbers)
    contributors.push_back(
        {name_of_number(one), one.number.derivative, [one](Ui& ui) { go_to_number(ui, one); }});
  return contributors;
}

// A part of the list, with what it is ordered by.
struct ContributorSection {
  const char* id;
  std::string title;
  std::vector<ModelContributor> contributors;
};

std::vector<ContributorSection> sections_of(const Ui& ui, const ModelGradient& gradient) {
  return {{"heads", tr("Heads, by |d / d gain|"), heads_of(gradient)},
          {"tokens", tr("Tokens, by |gradient × input|"), tokens_of_text(ui, gradient)},
          {"numbers", tr("Weights and biases, by |derivative|"), numbers_of_layers(gradient)}};
}

void model_contributor_row(Ui& ui, Rect row, const std::string& id,
                           const ModelContributor& contributor) {
  if (click_area(ui, id, row)) contributor.go(ui);
  const bool pointed = is_pointed_at(ui);
  if (pointed) fill_rect(ui, row, ui.theme.button, ui.px(4));
  row = {row.x + ui.px(4), row.y, row.w - ui.px(8), row.h};
  const std::string by = explain::signed_text(contributor.by);
  draw_text(ui, ui.fonts.mono, row.cut_right(ui.px(72)), by, ui.theme.text, TextAlign::kRight);
  row.cut_right(ui.px(6));
  draw_label(ui, row, contributor.name, 11.5f, pointed ? ui.theme.text : ui.theme.dim,
             TextAlign::kLeft);
}

// That of the heads leads to their tiles, which then show the same numbers.
void section_title(Ui& ui, const Rect& row, std::string_view id, const std::string& title) {
  const bool of_heads = id == "heads";
  if (of_heads && click_area(ui, "movers/tiles", row))
    ui.state.model.tiles = TileView::kSensitivity;
  const bool pointed = of_heads && is_pointed_at(ui);
  if (of_heads) tooltip(ui, tr("Show this of every head in the tiles"));
  draw_text(ui, ui.fonts.small, row, title, pointed ? ui.theme.accent : ui.theme.dim);
}

bool lists_model_contributors(const Ui& ui) {
  return ui.state.sensitivity.on && ui.analysis.gradient.value != nullptr &&
         ui.sensitivity.problem.empty();
}

float model_contributors_height(Ui& ui, const Rect&) {
  if (!lists_model_contributors(ui)) return 0;
  float height = kModelContributorsTop;
  for (const ContributorSection& section : sections_of(ui, *ui.analysis.gradient.value))
    height += kModelContributorsSection +
              kModelContributorRow * static_cast<float>(section.contributors.size());
  return ui.px(height);
}

void model_contributors_card(Ui& ui, const Rect& rect) {
  if (!lists_model_contributors(ui)) return;
  Rect content = card(ui, rect, tr("Moves it most"), tr("derivatives, per +1"));
  for (const auto& [id, title, contributors] : sections_of(ui, *ui.analysis.gradient.value)) {
    section_title(ui, content.cut_top(ui.px(kModelContributorsSection)), id, title);
    for (std::size_t i = 0; i < contributors.size(); ++i)
      model_contributor_row(ui, content.cut_top(ui.px(kModelContributorRow)),
                            std::string("movers/") + id + "/" + std::to_string(i + 1),
                            contributors[i]);
  }
}

}  // namespace

extern constexpr PanelInfo kModelContributorsPanel{.name = "model_movers",
                                                   .region = PanelRegion::kRight,
                                                   .of = PanelOf::kModel,
                                                   .draw = model_contributors_card,
                                                   .preferred_height = model_contributors_height};

}  // namespace lab::view
