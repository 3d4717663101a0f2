#pragma once

#include <optional>
#include <string>

#include "app/document/document.h"
#include "app/figure/figure.h"
#include "core/trace.h"

namespace lab {

/// How the range of a map is found.
enum class RangeRule { kAutomatic, kShared, kFixed };

/// What a figure is a picture of.
enum class FigureKind {
  kMap,       ///< one stage of one head
  kHeads,     ///< one stage of every head, as a grid; of a stage that is one for all heads, that
  kPipeline,  ///< every stage of one head
};

/// What a figure shows and how; the same for the window and the command line.
struct FigureOptions {
  FigureKind kind = FigureKind::kMap;
  attention::Stage stage = attention::Stage::kWeights;  ///< not of kPipeline
  attention::Index head = 0;                            ///< from 0; not of kHeads
  std::optional<Palette> palette;                       ///< nothing: default_palette of the stage
  RangeRule range_rule = RangeRule::kAutomatic;         ///< kShared: one range for all heads
  Range range;                                          ///< for kFixed
  bool annotate = false;                                ///< values inside the cells
  int decimals = 2;          ///< of those values, or significant digits …
  bool significant = false;  ///< … when this is set
  double width_mm = 89;
  double dpi = 300;
  double font_size = 7;              ///< points
  std::optional<std::string> title;  ///< nothing: the stage's own title; empty: none
  bool dark = false;
};

/// Lays out the figure that `options` describe. Labels are thinned where they would collide.
/// Throws std::out_of_range when there is no such head.
Figure stage_figure(const Document& document, const attention::Trace& trace,
                    const FigureOptions& options);

/// How wide a picture may become for the numbers in its cells, in millimetres.
inline constexpr double kWidestForNumbers = 1000;

/// The least width, in whole millimetres from options.width_mm to `most_mm`, at which every map has
/// room for the numbers in its cells; nothing when there is none.
std::optional<double> width_for_numbers(const Document& document, const attention::Trace& trace,
                                        FigureOptions options, double most_mm);

}  // namespace lab
