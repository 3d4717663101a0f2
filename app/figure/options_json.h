#pragma once

#include <string>
#include <string_view>

#include "app/figure/figure_options.h"

namespace lab::figure {

/// How a figure looks, as the text of a JSON object: what it shows of one sentence (stage, heads,
/// cells, tokens, names, title, pins) and the theme are left out.
std::string look_text(const FigureOptions& options);

/// `options` with the look in `json`. Members that are missing or wrong, as other versions may
/// write them, stay as in `options`.
FigureOptions with_look(FigureOptions options, std::string_view json);

}  // namespace lab::figure
