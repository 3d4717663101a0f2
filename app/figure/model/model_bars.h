#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/figure/figure.h"
#include "app/figure/figure_options.h"
#include "app/figure/model/model_caption.h"

// Probabilities as bars: of the next tokens, or of what each layer would answer.

namespace lab::figure {

/// One bar.
struct ModelBar {
  std::string label;  ///< in muted letters at the left: "L3"; may be empty
  std::string token;  ///< before the bar
  float probability = 0;
  std::optional<float> before{};  ///< outlined: before the edits
  bool accent = false;            ///< the answer
  std::string note;               ///< in muted letters at the right; may be empty
};

/// A figure of bars below each other, the probability after each.
struct ModelBars {
  ModelCaption caption;
  std::string title;
  std::string note_heading;  ///< above the notes; may be empty
  std::vector<ModelBar> bars;
};

/// The figure of `bars`; those of the largest probability fill the width. Of the options only those
/// about the look count: numbers, size, letters, title.
Figure model_bars_figure(const ModelBars& bars, const FigureOptions& options);

}  // namespace lab::figure
