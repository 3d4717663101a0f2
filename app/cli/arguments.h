#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "app/document/document.h"
#include "app/document/error.h"
#include "app/files/paths.h"
#include "core/trace.h"

// Reading what was written on the command line. Everything here fails with kUsage and a message
// that says what would have been right.

namespace lab {

/// The whole of `text` as a number, or nothing.
std::optional<int> whole_number(std::string_view text);
/// The whole of `text` as a finite number, or nothing.
std::optional<float> finite_number(std::string_view text);

/// The stage of that name.
Expected<attention::Stage> parse_stage(const std::string& name);

/// Head 1 … n_heads as a person writes it → 0 … n_heads − 1.
Expected<attention::Index> parse_head(const std::string& text, const Document& document);

/// "light" or "dark" → true for dark.
Expected<bool> parse_theme(const std::string& name);

/// Width and height in pixels.
struct PixelSize {
  int width = 0;
  int height = 0;
};
/// "1600x1000", both within what a window can be.
Expected<PixelSize> parse_pixel_size(const std::string& text);

}  // namespace lab
