#pragma once

#include <string>

namespace lab::figure {

/// True when a font family of that name (in any case) is installed; generic names ("sans", "serif",
/// "monospace") count. A family that is not installed is replaced by another.
bool is_font_family(const std::string& name);

}  // namespace lab::figure
