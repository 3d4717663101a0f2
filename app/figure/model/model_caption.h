#pragma once

#include <string>

#include "app/document/model/model_document.h"

namespace lab::figure {

struct Figure;
struct FigureOptions;
struct Look;

/// What a figure of a whole model is of, in words.
struct ModelCaption {
  std::string model;  ///< its name
  std::string text;   ///< what it reads; may be empty
  std::string edits;  ///< what was done to it: "L1H0 muted"; empty: nothing
};

/// That of a model with its texts, pieces where ids were entered, and its edits in words.
ModelCaption caption_of(const ModelDocument& document);

/// The line below the title: "words · “a small” · L1H0 muted".
std::string caption_text(const ModelCaption& caption);

/// Draws Figure::title, if there is one, and below it the caption, unless the options have a
/// title. Returns where what follows begins, from the top of the page.
double draw_heading(const ModelCaption& caption, const FigureOptions& options, const Look& look,
                    Figure& figure);

}  // namespace lab::figure
