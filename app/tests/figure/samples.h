#pragma once

#include <string>
#include <vector>

#include "app/document/document.h"
#include "app/figure/compose/stage_figure.h"
#include "app/figure/figure.h"
#include "app/tests/rooms.h"
#include "core/layer/evaluator.h"

namespace lab {

/// A document and its evaluated trace.
struct Sample {
  std::string name;
  Document document;
  attention::Trace trace;
};

/// `sentence` with `heads` heads of 4 features, d_model 8.
Sample sample(const std::string& name, const std::string& sentence, int heads = 3,
              bool causal = false);

/// The sentence of eleven words about an animal and a street.
Sample street();

/// Documents of every awkward kind: one token, 64 tokens, long words, many scripts, a mask,
/// cross-attention, one head, NaN.
std::vector<Sample> samples();

/// The figure of a sample.
Figure figure_of(const Sample& sample, const FigureOptions& options);

/// A page of 200 × 100 points with nothing on it.
Figure page();

/// The same with one shape on it.
Figure page_with(const Shape& shape);

/// Text of 10 points at (50, 40).
shape::Text text_of(const std::string& text);

/// The shapes of one kind, in painting order.
template <typename Type>
std::vector<Type> shapes_of(const Figure& figure) {
  std::vector<Type> found;
  for (const Shape& shape : figure.shapes)
    if (const Type* type = std::get_if<Type>(&shape)) found.push_back(*type);
  return found;
}

/// The texts of all shapes::Text.
std::vector<std::string> texts_of(const Figure& figure);

/// A PNG read back by Cairo.
struct Picture {
  int width = 0, height = 0;
  std::vector<Rgb> pixels;
  Rgb at(int x, int y) const { return pixels.at(static_cast<std::size_t>(y * width + x)); }
};

/// Reads PNG bytes; an empty picture when they are none.
Picture decoded(const std::string& png);

}  // namespace lab
