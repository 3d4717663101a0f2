#include <algorithm>
#include <array>

#include "app/explain/number_text.h"
#include "app/translation/words.h"
#include "app/view/maps/model_heads.h"
#include "app/view/session/model_texts.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

using attention::network::HeadScores;

constexpr float kExploreRow = 21, kExploreHeading = 42, kExploreButtons = 32;
constexpr std::size_t kShownPairs = 12;

struct ScoreName {
  const char* name;
  const char* meaning;
  float HeadScores::*score;
};
constexpr std::array kScoreNames{
    ScoreName{tr_later("previous"), tr_later("Mean weight on the token before"),
              &HeadScores::previous},
    ScoreName{tr_later("induction"), tr_later("Mean weight on what followed an equal token"),
              &HeadScores::induction},
    ScoreName{tr_later("first"), tr_later("Mean weight on the first token"), &HeadScores::first},
    ScoreName{tr_later("duplicate"), tr_later("Mean weight on an equal token before"),
              &HeadScores::duplicate}};

const ExploredHead* explored_head(const Ui& ui) {
  const auto& found = ui.analysis.exploration.value;
  if (!found || !ui.state.model.explored) return nullptr;
  const auto head = std::ranges::find(found->heads, focused_head(ui), &ExploredHead::at);
  return head == found->heads.end() ? nullptr : &*head;
}

void score_row(Ui& ui, Rect row, const HeadScores& scores) {
  const float width = row.w / static_cast<float>(kScoreNames.size());
  for (const ScoreName& one : kScoreNames) {
    Rect bounds = row.cut_left(width);
    click_area(ui, "explore/" + std::string(one.name), bounds);
    tooltip(ui, tr(one.meaning));
    draw_text(ui, ui.fonts.small, bounds.cut_top(bounds.h / 2), tr(one.name), ui.theme.dim);
    draw_text(ui, ui.fonts.mono, bounds, explain::format_fixed(scores.*one.score, 2),
              ui.theme.text);
  }
}

// "… the ⟨cat⟩ sat" on the left, what it attends to on the right.
void pair_row(Ui& ui, Rect row, const Exploration& found, const AttendedPair& pair,
              std::size_t number) {
  const ModelSource& source = *shown_model(ui)->source;
  const auto context = [&](attention::Index at, attention::Index around) {
    return context_of(source, *found.ids, at, around, around);
  };
  click_area(ui, "explore/pair/" + std::to_string(number), row);
  tooltip(ui, context(pair.query, 6) + "\n→ " + context(pair.key, 6));
  draw_text(ui, ui.fonts.mono_small, row.cut_right(ui.px(38)),
            explain::format_fixed(pair.weight, 2), ui.theme.text, TextAlign::kRight);
  row.cut_right(ui.px(6));
  const Rect query = row.cut_left(row.w * 0.5f - ui.px(9));
  draw_label(ui, query, context(pair.query, 1), 11.5f, ui.theme.text, TextAlign::kRight);
  draw_text(ui, ui.fonts.small, row.cut_left(ui.px(18)), "→", ui.theme.dim, TextAlign::kCentre);
  draw_label(ui, row, context(pair.key, 1), 11.5f, ui.theme.text, TextAlign::kLeft);
}

void pair_rows(Ui& ui, Rect& content) {
  const Exploration& found = *ui.analysis.exploration.value;
  const ExploredHead* const head = explored_head(ui);
  if (head == nullptr) return;
  score_row(ui, content.cut_top(ui.px(2 * kExploreRow - 6)), head->scores);
  content.cut_top(ui.px(6));
  if (head->pairs.empty())
    draw_text(ui, ui.fonts.text, content.cut_top(ui.px(kExploreRow)),
              tr("It attends to nothing in particular."), ui.theme.dim);
  for (std::size_t i = 0; i < std::min(kShownPairs, head->pairs.size()); ++i)
    if (content.h >= ui.px(kExploreRow))
      pair_row(ui, content.cut_top(ui.px(kExploreRow)), found, head->pairs[i], i);
}

std::size_t explore_rows(const Ui& ui) {
  const ExploredHead* const head = explored_head(ui);
  if (head == nullptr) return 1;
  return 2 + std::clamp<std::size_t>(head->pairs.size(), 1, kShownPairs);
}

float explore_height(Ui& ui, const Rect&) {
  if (!shown_model(ui)->source->tokenizer) return 0;
  return ui.px(kExploreHeading + kExploreButtons) +
         static_cast<float>(explore_rows(ui)) * ui.px(kExploreRow);
}

void explore_buttons(Ui& ui, Rect row) {
  struct Choice {
    const char* id;
    const char* name;
    void (*run)(Ui&);
  };
  constexpr std::array kChoices{
      Choice{"explore/open", tr_later("Open a text…"), ask_explored_text},
      Choice{"explore/paste", tr_later("Paste##a text"), paste_explored_text},
      Choice{"explore/sample", tr_later("The guide##as a text"), explore_guide}};
  for (const Choice& choice : kChoices) {
    const std::string label = tr(choice.name);
    const float width = button_width(ui, label);
    if (width > row.w) return;
    if (button(ui, choice.id, row.cut_left(width), label)) choice.run(ui);
    row.cut_left(ui.px(6));
  }
}

// How much was read.
std::string exploration_note(const Ui& ui) {
  const auto& entry = ui.analysis.exploration;
  if (!ui.state.model.explored || !entry.value) return {};
  if (entry.current && entry.progress < 1) return explain::percent_text(entry.progress);
  return tr("{} tokens", {std::to_string(entry.value->read)});
}

void explore_card(Ui& ui, const Rect& rect) {
  ModelState& state = ui.state.model;
  Rect content = card(ui, rect, tr("What does {} do?", {name_of_head(focused_head(ui))}),
                      state.explored ? state.explored_name : std::string(), exploration_note(ui));
  explore_buttons(ui, content.cut_bottom(ui.px(kExploreButtons - 6)));
  if (!state.explored)
    return draw_text(ui, ui.fonts.text, content.cut_top(ui.px(kExploreRow)),
                     tr("Its strongest pairs in a longer text:"), ui.theme.dim);
  ExplorationRequest preferred_height;
  preferred_height.text = state.explored;
  ui.requested.exploration = preferred_height;
  const auto& entry = ui.analysis.exploration;
  if (entry.current && !entry.error.empty())
    return draw_text(ui, ui.fonts.text, content.cut_top(ui.px(kExploreRow)), tr(entry.error),
                     ui.theme.danger);
  if (!entry.value)
    return draw_text(ui, ui.fonts.text, content.cut_top(ui.px(kExploreRow)), tr("computing"),
                     ui.theme.dim);
  pair_rows(ui, content);
}

}  // namespace

extern constexpr PanelInfo kExplorePanel{.name = "explore",
                                         .region = PanelRegion::kRight,
                                         .of = PanelOf::kModel,
                                         .draw = explore_card,
                                         .preferred_height = explore_height,
                                         .widgets = "explore/"};

}  // namespace lab::view
