#pragma once

#include <string>

namespace lab::figure {

/// True when a font family of that name, in letters of either case, is installed; the names that
/// stand for whatever is usual ("sans", "serif", "monospace") count. For another one, another font
/// is used.
bool is_font_family(const std::string& name);

}  // namespace lab::figure
