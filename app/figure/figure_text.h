#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/figure/figure.h"
#include "app/figure/text_image.h"

namespace lab {

/// The face of Pango's text that a face of figures is drawn with.
TextFace text_face(shape::Face face);

/// Width in points of `text` on one line at `size` points, without markup.
double text_width(std::string_view text, shape::Face face, double size);

/// Width in points of a figure's text, along its baseline.
double text_width(const shape::Text& text);

/// `text` if it is at most `width` points wide, else its beginning and "…"; "" where not even that
/// fits.
std::string shortened(const std::string& text, shape::Face face, double size, double width);

/// Width in points of the widest of `texts`.
double widest(const std::vector<std::string>& texts, shape::Face face, double size);

}  // namespace lab
