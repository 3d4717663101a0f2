#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "app/figure/compose/label_layout.h"
#include "app/translation/words.h"
#include "app/view/cards/token_lines.h"
#include "app/view/focus/focus_ring.h"
#include "app/view/maps/heads.h"
#include "app/view/state/ui.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

using attention::Index;

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
  if (const auto own = std::ranges::find(heads, head); own != heads.end()) {
    *own = -1;
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
  const auto own = std::ranges::find(heads, head);
  const bool shown = own != heads.end();
  tooltip(ui, tile_help(head, shown));
  const figure::Rgb fill =
      shown ? figure::head_line_colour(static_cast<int>(own - heads.begin())) : ui.theme.button;
  fill_rect(ui, bounds, fill, ui.px(3));
  if (bounds.w < ui.px(12)) return;
  draw_text(ui, ui.fonts.mono_tiny, bounds, std::to_string(head + 1),
            shown ? figure::ink_on(fill) : ui.theme.dim, TextAlign::kCentre);
}

// The choice of lines to draw, at the right end of the card's heading.
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

// Its width.
float line_choice_width(const Ui& ui) {
  float width = 0;
  for (const LineChoice& choice : kChoices) width += choice_width(ui, tr(choice.label)) + ui.px(3);
  return width;
}

// The slider for the fraction of the weight that a query's lines add up to.
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

// The height of head_legend.
float head_legend_height(const Ui& ui) {
  return tile_pitch(ui) * static_cast<float>(tile_rows(ui));
}

// One tile per head, in the colour of its lines; a click shows or hides them.
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

constexpr float kTokenPoints = 11.5f, kSmallestPoints = 8.5f;
constexpr float kThickest = 6;                // of a line of weight 1
constexpr float kAroundTokensHeading = 34;    // between and around its name, formula and choice
constexpr std::size_t kMostTokenLines = 500;  // drawn at once
constexpr Index kMostNamed = 64;  // tokens of longer sentences are located by arithmetic

float row_centre(const Rect& area, Index i, Index count) {
  return area.y + area.h * (static_cast<float>(i) + 0.5f) / static_cast<float>(count);
}

// One of the two columns of tokens.
struct Column {
  Rect area;
  bool key = false;
  Index count = 0;
  Index marked = 0;
  std::string (*label)(const Document&, Index) = nullptr;
};

void choose(Ui& ui, const Column& column, Index index) {
  Selection& selection = ui.state.selection;
  (column.key ? selection.key : selection.query) = index;
  if (column.key && !has_key_columns(selection.stage)) selection.stage = attention::Stage::kWeights;
}

std::optional<TokenRef> point_at(Ui& ui, const Column& column) {
  const std::string id = column.key ? "tokens/key" : "tokens/query";
  const bool clicked = pointer_area(ui, id, column.area);
  const float pitch = column.area.h / static_cast<float>(column.count);
  for (Index i = 0; i < std::min(column.count, kMostNamed); ++i) {
    ui.name(id + "/" + std::to_string(i),
            {column.area.x, column.area.y + pitch * static_cast<float>(i), column.area.w, pitch});
  }
  const int step = focus_slider(ui, id, column.area, FocusArrows::kUpright);
  if (step != 0) choose(ui, column, std::clamp<Index>(column.marked + step, 0, column.count - 1));
  if (!ImGui::IsItemHovered()) return {};
  const auto at = static_cast<Index>((ImGui::GetIO().MousePos.y - column.area.y) / pitch);
  const Index index = std::clamp<Index>(at, 0, column.count - 1);
  if (clicked) choose(ui, column, index);
  const Selection& selection = ui.state.selection;
  const Cell cell = column.key ? Cell{selection.query, index} : Cell{index, selection.key};
  ui.state.hovered = HoveredCell{attention::Stage::kWeights, cell};
  return TokenRef{column.key, index};
}

// The most important labels, which are shown when not all fit: the one pointed at, the ends of the
// strongest lines, and the marked one. Each once.
std::vector<int> preferred_labels(const Column& column, std::optional<TokenRef> pointed_at,
                                  const std::vector<AttentionLine>& lines) {
  std::vector<int> preferred;
  const auto add = [&preferred](Index i) {
    if (std::ranges::find(preferred, static_cast<int>(i)) == preferred.end())
      preferred.push_back(static_cast<int>(i));
  };
  if (pointed_at && pointed_at->key == column.key) add(pointed_at->index);
  for (const AttentionLine& line : lines) add(column.key ? line.pair.col : line.pair.row);
  add(column.marked);
  return preferred;
}

// A label and the middle of its line.
struct LabelPosition {
  Index index = 0;
  float y = 0;
};

// The labels that fit where their tokens are, the most important first.
std::vector<LabelPosition> labels_at_tokens(const Column& column, const std::vector<int>& preferred,
                                            float height) {
  const float pitch = column.area.h / static_cast<float>(column.count);
  const int stride = figure::label_stride(static_cast<int>(column.count), pitch, height);
  const std::vector<bool> chosen =
      figure::chosen_labels(static_cast<int>(column.count), stride, preferred);
  std::vector<LabelPosition> labels;
  for (Index i = 0; i < column.count; ++i)
    if (chosen[static_cast<std::size_t>(i)])
      labels.push_back({i, row_centre(column.area, i, column.count)});
  return labels;
}

// The requested labels alone, moved apart until none covers another.
std::vector<LabelPosition> labels_spread(const Column& column, std::vector<int> preferred,
                                         float height) {
  std::ranges::sort(preferred);
  std::vector<LabelPosition> labels;
  float least = column.area.y + height / 2;
  for (const int i : preferred) {
    labels.push_back({i, std::max(least, row_centre(column.area, i, column.count))});
    least = labels.back().y + height;
  }
  float most = column.area.bottom() - height / 2;
  for (std::size_t i = labels.size(); i-- > 0;) {
    labels[i].y = std::min(labels[i].y, most);
    most = labels[i].y - height;
  }
  return labels;
}

// Every end of a line and the marked token keep their labels, unless these would be more than a
// line away from their tokens.
std::vector<LabelPosition> label_positions(const Column& column, const std::vector<int>& preferred,
                                           float height) {
  std::vector<LabelPosition> at_tokens = labels_at_tokens(column, preferred, height);
  const bool all = std::ranges::all_of(preferred, [&at_tokens](int i) {
    return std::ranges::find(at_tokens, Index{i}, &LabelPosition::index) != at_tokens.end();
  });
  if (all) return at_tokens;
  std::vector<LabelPosition> apart = labels_spread(column, preferred, height);
  const bool near = std::ranges::all_of(apart, [&](const LabelPosition& label) {
    return std::abs(label.y - row_centre(column.area, label.index, column.count)) <= height;
  });
  return near ? apart : at_tokens;
}

// The weight of the line from the token that is pointed at to token `i`.
std::optional<float> weight_at(const Column& column, Index i,
                               const std::vector<AttentionLine>& lines) {
  const auto ends_here = [&](const AttentionLine& line) {
    return (column.key ? line.pair.col : line.pair.row) == i;
  };
  const auto found = std::ranges::find_if(lines, ends_here);
  return found == lines.end() ? std::nullopt : std::optional(found->pair.weight);
}

void draw_token(Ui& ui, const Column& column, const LabelPosition& label, float points,
                figure::Rgb colour, std::optional<float> weight) {
  const float height = ui.px(points + 4.5f);
  Rect bounds{column.area.x, label.y - height / 2, column.area.w, height};
  ui.name((column.key ? "tokens/label/key/" : "tokens/label/query/") + std::to_string(label.index),
          bounds);
  if (weight) {
    const std::string text = ui.number(*weight);
    const float width = text_width(ui, ui.fonts.mono_tiny, text);
    const Rect number = column.key ? bounds.cut_right(width) : bounds.cut_left(width);
    (column.key ? bounds.cut_right(ui.px(4)) : bounds.cut_left(ui.px(4)));
    draw_text(ui, ui.fonts.mono_tiny, number, text, ui.theme.text);
  }
  draw_label(ui, bounds, column.label(ui.document(), label.index), points, colour,
             column.key ? TextAlign::kLeft : TextAlign::kRight);
}

void draw_column(Ui& ui, const Column& column, std::optional<TokenRef> pointed_at,
                 const std::vector<AttentionLine>& lines) {
  const float pitch = column.area.h / static_cast<float>(column.count);
  const float points = std::clamp(pitch / ui.state.scale - 1, kSmallestPoints, kTokenPoints);
  const bool far = pointed_at && pointed_at->key != column.key;
  const bool one_head = ui.state.tokens.lines != TokenLines::kHeads;
  const std::vector<int> preferred = preferred_labels(column, pointed_at, lines);
  for (const LabelPosition& label : label_positions(column, preferred, ui.px(points + 1))) {
    const Index i = label.index;
    const bool near = pointed_at && pointed_at->key == column.key && pointed_at->index == i;
    const figure::Rgb colour = i == column.marked ? ui.theme.selected
                               : near             ? ui.theme.text
                                                  : ui.theme.dim;
    draw_token(ui, column, label, points, colour,
               far && one_head ? weight_at(column, i, lines) : std::nullopt);
  }
}

// How lines are drawn, so that many lines in a small space remain distinguishable.
struct Stroke {
  float thickest = 1;  // of a line of weight 1, in pixels
  float strength = 1;  // of its colour
};

Stroke stroke_of(const Ui& ui, float pitch, std::size_t lines) {
  constexpr float kRoomy = 8, kFew = 60, kFaintest = 0.3f;
  const float crowd = std::sqrt(kFew / std::max(kFew, static_cast<float>(lines)));
  return {ui.px(kThickest) * std::min(1.0f, pitch / ui.px(kRoomy)), std::max(kFaintest, crowd)};
}

void draw_line(Ui& ui, ImVec2 from, ImVec2 to, const AttentionLine& line, Stroke stroke) {
  const float weight = line.pair.weight, bend = (to.x - from.x) * 0.45f;
  const float alpha = stroke.strength * std::clamp(0.18f + 1.1f * weight, 0.0f, 1.0f);
  const int steps = static_cast<int>(std::clamp(std::abs(to.y - from.y) / 5, 8.0f, 32.0f));
  ui.canvas().AddBezierCubic(from, {from.x + bend, from.y}, {to.x - bend, to.y}, to,
                             pack(line.colour, alpha), std::max(1.0f, stroke.thickest * weight),
                             steps);
}

// The strongest last, on top.
void draw_lines(Ui& ui, const Rect& between, const std::vector<AttentionLine>& lines, Index rows,
                Index cols) {
  const std::size_t count = std::min(lines.size(), kMostTokenLines);
  const Stroke stroke = stroke_of(ui, between.h / static_cast<float>(std::max(rows, cols)), count);
  for (std::size_t i = count; i-- > 0;) {
    const attention::Pair& pair = lines[i].pair;
    draw_line(ui, {between.x, row_centre(between, pair.row, rows)},
              {between.right(), row_centre(between, pair.col, cols)}, lines[i], stroke);
  }
}

void draw_remark(Ui& ui, const Rect& between, const std::string& text, float y) {
  const float width = std::min(text_width(ui, ui.fonts.small, text) + ui.px(10), between.w);
  const float top = std::clamp(y - ui.px(9), between.y, between.bottom() - ui.px(18));
  const Rect bounds{between.x + (between.w - width) / 2, top, width, ui.px(18)};
  fill_rect(ui, bounds, ui.theme.card, ui.px(4), 0.9f);
  draw_text(ui, ui.fonts.small, bounds, text, ui.theme.text, TextAlign::kCentre);
}

// What the picture does not show, below the lines or beside the query that has none.
void draw_remarks(Ui& ui, const Rect& between, const attention::Matrix& weights, Index query,
                  std::size_t lines) {
  if (lines > kMostTokenLines)
    return draw_remark(
        ui, between, tr("{} of {} lines", {std::to_string(kMostTokenLines), std::to_string(lines)}),
        between.bottom());
  if (!attends_to_nothing(weights, query)) return;
  draw_remark(ui, between, tr("looks at no key"), row_centre(between, query, weights.rows()));
}

void draw_body(Ui& ui, Rect content) {
  const auto& weights = *ui.trace().heads[static_cast<std::size_t>(ui.state.head)].weights;
  const Selection& selected = ui.state.selection;
  const float gap = ui.px(7), width = std::floor(content.w * 0.29f);
  const Column queries{content.cut_left(width), false, weights.rows(), selected.query, row_label};
  const Column keys{content.cut_right(width), true, weights.cols(), selected.key, key_label};
  const auto query = point_at(ui, queries), key = point_at(ui, keys);
  const std::optional<TokenRef> pointed_at = query ? query : key;
  const std::vector<AttentionLine> lines = token_lines(ui, pointed_at);
  const Rect between{content.x + gap, content.y, content.w - 2 * gap, content.h};
  draw_lines(ui, between, lines, weights.rows(), weights.cols());
  draw_column(ui, queries, pointed_at, lines);
  draw_column(ui, keys, pointed_at, lines);
  const Index looking = query ? query->index : selected.query;
  draw_remarks(ui, between, weights, looking, lines.size());
}

std::string token_formula(Ui& ui, const Rect& rect) {
  const bool one_head = ui.state.tokens.lines != TokenLines::kHeads;
  const std::string head = one_head ? own_head_note(ui, "tokens", rect) : std::string();
  return head.empty() ? tr("query → key") : head;
}

void tokens_card(Ui& ui, const Rect& rect) {
  const std::string name = tr("Tokens"), formula = token_formula(ui, rect);
  const float heading = text_width(ui, ui.fonts.bold, name) + formula_width(ui, formula) +
                        line_choice_width(ui) + ui.px(kAroundTokensHeading);
  Rect content = card(ui, rect, name, rect.w > heading ? formula : "");
  line_choice(ui, {content.x, rect.y + ui.px(8), content.w, ui.px(20)});
  if (ui.state.tokens.lines == TokenLines::kHeads)
    head_legend(ui, content.cut_bottom(head_legend_height(ui)));
  share_slider(ui, content.cut_bottom(ui.px(20)));
  if (content.h < ui.px(30)) return;
  draw_body(ui, content);
}

}  // namespace

extern constexpr PanelInfo kTokensPanel{.name = "tokens",
                                        .region = PanelRegion::kLeft,
                                        .draw = tokens_card,
                                        .height = {.least = 188, .share = 1},
                                        .widgets = "card/tokens tokens/"};

}  // namespace lab::view
