#include "app/view/cards/token_controls.h"

#include <algorithm>
#include <array>
#include <string>

#include "app/translation/words.h"
#include "app/view/cards/token_lines.h"
#include "app/view/focus/focus_ring.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

constexpr float kLeastShare = 0.1f, kShareStep = 0.05f;
constexpr float kTile = 20, kLowTile = 14, kTileGap = 2;
constexpr int kTilesPerRow = 12;

struct LineChoice {
  TokenLines lines;
  const char* label;
  const char* help;
};

constexpr std::array kChoices{
    LineChoice{TokenLines::kHeads, tr_later("heads"),
               tr_later("Lines of the selected query, a colour for each head")},
    LineChoice{TokenLines::kAll, tr_later("all"),
               tr_later("Lines of every query in the focused head")},
    LineChoice{TokenLines::kQuery, tr_later("query"),
               tr_later("Lines of the selected query in the focused head")},
};

int tile_rows(const Ui& ui) {
  const int heads = ui.problem().config.n_heads;
  return heads <= kTilesPerRow ? 1 : heads <= 2 * kTilesPerRow ? 2 : 3;
}

// Many heads have lower tiles, so that there is enough room for the lines.
float tile_pitch(const Ui& ui) { return ui.px((tile_rows(ui) > 1 ? kLowTile : kTile) + kTileGap); }

// Gives the head the colour of its number, or any free one; removes its colour if it has one.
void toggle_lines(Ui& ui, int head) {
  auto& heads = ui.state.tokens.heads;
  if (const auto shown = std::ranges::find(heads, head); shown != heads.end()) {
    *shown = -1;
    return;
  }
  const int count = ui.problem().config.n_heads;
  const auto is_free = [count](int other) { return other < 0 || other >= count; };
  const auto default_head = heads.begin() + head % figure::kLineColours;
  const auto slot = is_free(*default_head) ? default_head : std::ranges::find_if(heads, is_free);
  if (slot != heads.end()) *slot = head;
}

float choice_width(const Ui& ui, const std::string& label) {
  return std::ceil(text_width(ui, ui.fonts.small, label)) + ui.px(12);
}

std::string tile_help(int head, bool shown) {
  const std::string number = std::to_string(head + 1);
  return shown ? tr("Hide the lines of head {}", {number})
               : tr("Show the lines of head {} ({} heads at once)",
                    {number, std::to_string(figure::kLineColours)});
}

void tile(Ui& ui, const Rect& bounds, int head) {
  if (click_area(ui, "tokens/head/" + std::to_string(head + 1), bounds)) toggle_lines(ui, head);
  const auto& heads = ui.state.tokens.heads;
  const auto found = std::ranges::find(heads, head);
  const bool shown = found != heads.end();
  tooltip(ui, tile_help(head, shown));
  const figure::Rgb fill =
      shown ? figure::head_line_colour(static_cast<int>(found - heads.begin())) : ui.theme.button;
  fill_rect(ui, bounds, fill, ui.px(3));
  if (bounds.w < ui.px(12)) return;
  draw_text(ui, ui.fonts.mono_tiny, bounds, std::to_string(head + 1),
            shown ? figure::ink_on(fill) : ui.theme.dim, TextAlign::kCentre);
}

}  // namespace

void line_choice(Ui& ui, const Rect& heading) {
  float right = heading.right();
  for (const LineChoice& choice : kChoices) {
    const std::string label = tr(choice.label);
    const float width = choice_width(ui, label);
    const Rect bounds{right - width, heading.y, width, heading.h};
    if (click_area(ui, "tokens/lines/" + std::string(choice.label), bounds))
      ui.state.tokens.lines = choice.lines;
    tooltip(ui, tr(choice.help));
    const bool on = ui.state.tokens.lines == choice.lines;
    const figure::Rgb quiet = ImGui::IsItemHovered() ? ui.theme.button_hover : ui.theme.button;
    fill_rect(ui, bounds, on ? ui.theme.accent : quiet, ui.px(5));
    draw_text(ui, ui.fonts.small, bounds, label, on ? ui.theme.on_accent : ui.theme.text,
              TextAlign::kCentre);
    right -= width + ui.px(3);
  }
}

float line_choice_width(const Ui& ui) {
  float width = 0;
  for (const LineChoice& choice : kChoices) width += choice_width(ui, tr(choice.label)) + ui.px(3);
  return width;
}

void share_slider(Ui& ui, Rect row) {
  TokensState& tokens = ui.state.tokens;
  const std::string text =
      tr("Lines for {} % of the weight", {std::to_string(std::lround(tokens.share * 100))});
  const float widest = text_width(ui, ui.fonts.small, tr("Lines for {} % of the weight", {"100"}));
  const float width = std::max(ui.px(164), widest + ui.px(6));
  draw_text(ui, ui.fonts.small, row.cut_left(width), text, ui.theme.dim);
  if (row.w < ui.px(30)) return;
  pointer_area(ui, "tokens/share", row);
  tooltip(ui, tr("How much of a query's weight its lines add up to, the strongest first"));
  const Rect track{row.x + ui.px(6), row.y + row.h / 2, row.w - ui.px(12), 1};
  if (ImGui::IsItemActive()) {
    const float at = std::clamp((ImGui::GetIO().MousePos.x - track.x) / track.w, 0.0f, 1.0f);
    tokens.share = std::round((kLeastShare + (1 - kLeastShare) * at) * 100) / 100;
  }
  const int steps = focus_slider(ui, "tokens/share", row, FocusArrows::kAcross);
  tokens.share =
      std::clamp(tokens.share + kShareStep * static_cast<float>(steps), kLeastShare, 1.0f);
  const bool live = is_pointed_at(ui) || ImGui::IsItemActive();
  fill_rect(ui, {track.x, track.y - ui.px(1), track.w, std::max(1.0f, ui.px(1.5f))}, ui.theme.line);
  const float at = track.x + track.w * (tokens.share - kLeastShare) / (1 - kLeastShare);
  ui.canvas().AddCircleFilled({at, track.y}, ui.px(4.5f),
                              pack(live ? ui.theme.accent : ui.theme.dim));
}

float head_legend_height(const Ui& ui) {
  return tile_pitch(ui) * static_cast<float>(tile_rows(ui));
}

void head_legend(Ui& ui, const Rect& area) {
  const int heads = ui.problem().config.n_heads, rows = tile_rows(ui);
  const int per_row = (heads + rows - 1) / rows;
  const float gap = ui.px(kTileGap);
  const float width = std::min(ui.px(kTile), (area.w + gap) / static_cast<float>(per_row) - gap);
  for (int head = 0; head < heads; ++head) {
    const int row = head / per_row;
    const auto col = static_cast<float>(head % per_row), line = static_cast<float>(row);
    tile(ui,
         {area.x + col * (width + gap), area.y + line * tile_pitch(ui) + gap, width,
          tile_pitch(ui) - gap},
         head);
  }
}

}  // namespace lab::view
