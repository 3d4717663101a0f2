#include "app/view/state/layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace lab::view {
namespace {

using attention::Stage;
using attention::StageSection;

constexpr float kTopBar = 46, kSentence = 87, kSecondSentence = 76, kStatus = 30;
constexpr float kLeft = 300, kRight = 330, kMargin = 10, kGap = 10;
constexpr float kSingleBelow = 640;  // width below which maps would be too narrow beside the left
constexpr float kFoldBelow = 1360;   // width from which on all three columns are side by side
constexpr float kSecondRow = 112;    // height of a second row of thumbnails
constexpr float kNarrowCard = 205;   // a card with a map must not be narrower

// A row of cards: its share of the height, and its least height.
struct RowShare {
  float share, least;
};
constexpr RowShare kHeadsRow{0.185f, 142}, kProjectionsRow{0.215f, 158}, kScoresRow{0.355f, 235},
    kInputsRow{0.215f, 158}, kOutputsRow{0.245f, 172};

// The share of a stage when `row` is split by weight, into as many lines as the narrowest card
// needs.
struct Share {
  Stage stage;
  float weight;
};

void arrange_line(std::vector<StageBounds>& bounds, Rect line, std::span<const Share> shares,
                  float gap) {
  float total = 0;
  for (const Share& share : shares) total += share.weight;
  const float room = line.w - gap * static_cast<float>(shares.size() - 1);
  for (const Share& share : shares) {
    const bool last = &share == &shares.back();
    const Rect rect = line.cut_left(last ? line.w : std::floor(room * share.weight / total));
    bounds.push_back({share.stage, rect});
    if (!last) line.cut_left(gap);
  }
}

// Returns the height used, gaps between lines included.
float arrange_row(std::vector<StageBounds>& bounds, const Rect& row, std::span<const Share> shares,
                  float scale) {
  const float gap = std::floor(kGap * scale);
  const auto fits = static_cast<std::size_t>((row.w + gap) / (kNarrowCard * scale + gap));
  const std::size_t per_line = std::clamp<std::size_t>(fits, 1, shares.size());
  const std::size_t lines = (shares.size() + per_line - 1) / per_line;
  const std::size_t even = (shares.size() + lines - 1) / lines;
  float y = row.y;
  for (std::size_t first = 0; first < shares.size(); first += even) {
    const auto count = std::min(even, shares.size() - first);
    arrange_line(bounds, {row.x, y, row.w, row.h}, shares.subspan(first, count), gap);
    y += row.h + gap;
  }
  return y - row.y - gap;
}

// Cards of one row belong together: inputs, projections, scores, and outputs.
struct CardRow {
  StageSection section;
  RowShare height;
};
constexpr CardRow kRows[] = {{StageSection::kInput, kInputsRow},
                             {StageSection::kProjection, kProjectionsRow},
                             {StageSection::kScores, kScoresRow},
                             {StageSection::kOutput, kOutputsRow}};

// The height of which the rows get their shares, so that those of plain attention fill `height`,
// also when some of them take more than their share because that is the least.
float height_to_share(float height, float scale) {
  constexpr std::array kPlain{kHeadsRow, kProjectionsRow, kScoresRow, kOutputsRow};
  float whole = height;
  for (std::size_t pass = 0; pass < kPlain.size(); ++pass) {
    float left = height, shares = 0;
    for (const RowShare& row : kPlain) {
      const bool is_least = row.least * scale > whole * row.share;
      is_least ? left -= row.least* scale : shares += row.share;
    }
    whole = shares > 0 ? std::max(0.0f, left / shares) : 0;
  }
  return whole;
}

float width_share(Stage stage) {
  switch (stage) {
    case Stage::kConcat:
      return 1.5f;
    case Stage::kHeadOutput:
    case Stage::kOutput:
      return 1.15f;
    default:
      return 1;
  }
}

// True when the stage has a card even if it is identical to the one before it.
bool is_always_shown(Stage stage) {
  const bool always_there = attention::stage_info(stage).switched_on == nullptr;
  return stage == Stage::kScaledScores || (always_there && !is_input(stage));
}

}  // namespace

bool has_card(const attention::Problem& problem, Stage stage) {
  return is_always_shown(stage) || (is_active(problem, stage) && !is_input(stage));
}

std::vector<Stage> shown_stages(const attention::Problem& problem) {
  std::vector<Stage> stages;
  for (const Stage stage : attention::kAllStages) {
    if (has_card(problem, stage)) stages.push_back(stage);
  }
  return stages;
}

WindowLayout window_layout(float width, float height, float scale, bool cross, float chat) {
  const auto px = [scale](float points) { return std::floor(points * scale + 0.5f); };
  WindowLayout layout;
  Rect rest{0, 0, width, height};
  layout.top_bar = rest.cut_top(px(kTopBar));
  layout.sentence = rest.cut_top(px(kSentence + (cross ? kSecondSentence : 0)) + chat);
  layout.status = rest.cut_bottom(px(kStatus));
  rest = rest.inset(px(kMargin));
  layout.single = width < kSingleBelow * scale;
  layout.folded = width < kFoldBelow * scale;
  if (layout.single) {
    layout.left = layout.centre = rest;
    return layout;
  }
  layout.left = rest.cut_left(px(kLeft));
  rest.cut_left(px(kGap));
  if (!layout.folded) {
    layout.right = rest.cut_right(px(kRight));
    rest.cut_right(px(kGap));
  }
  layout.centre = rest;
  return layout;
}

CentreLayout centre_layout(const Rect& centre, float scale, std::span<const Stage> stages,
                           int head_rows) {
  const float gap = std::floor(kGap * scale);
  const float whole = height_to_share(centre.h - 3 * gap, scale);
  const auto height = [&](RowShare row) {
    return std::floor(std::max(row.least * scale, whole * row.share));
  };
  const float second_row = std::floor(kSecondRow * scale);
  CentreLayout layout;
  Rect rest = centre;
  if (head_rows > 0) {
    layout.heads = rest.cut_top(height(kHeadsRow) + (head_rows > 1 ? second_row : 0));
    rest.cut_top(gap);
  }
  auto next = stages.begin();
  for (const CardRow& row : kRows) {
    std::vector<Share> shares;
    for (; next != stages.end() && stage_info(*next).section == row.section; ++next)
      shares.push_back({*next, width_share(*next)});
    if (shares.empty()) continue;
    const Rect line{rest.x, rest.y, rest.w, height(row.height)};
    rest.cut_top(arrange_row(layout.stages, line, shares, scale));
    rest.cut_top(gap);
  }
  layout.height = rest.y - gap - centre.y;
  return layout;
}

}  // namespace lab::view
