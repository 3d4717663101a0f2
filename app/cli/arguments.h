#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "app/base/error.h"
#include "app/document/document.h"
#include "app/figure/colour/theme_name.h"
#include "app/files/io/paths.h"
#include "app/translation/words.h"
#include "core/layer/trace.h"

// Reading what was written on the command line. Everything here fails with kUsage and a message
// that says what would have been right.

namespace lab::cli {

/// The whole of `text` as a number, or nothing.
std::optional<int> whole_number(std::string_view text);
/// The whole of `text` as a finite number, or nothing.
std::optional<float> finite_number(std::string_view text);

/// What the help says of --stage, whose default is weights.
inline constexpr const char* kStageHelp =
    "X, Q, K, V, scores, scaled_scores, masked_scores, weights,\n"
    "head_output, concat or output (weights); with positions also\n"
    "embedding, position, rotated_Q, rotated_K; with a second\n"
    "sentence X_kv, embedding_kv, position_kv; dropped_weights,\n"
    "residual, layer_norm";

/// The stage of that name.
Expected<attention::Stage> parse_stage(const std::string& name);

/// Fails when the document has no such stage: no positions are added, there is no second sentence.
Expected<void> check_stage(attention::Stage stage, const Document& document);

/// Head 1 … n_heads as a person writes it → 0 … n_heads − 1.
Expected<attention::Index> parse_head(const std::string& text, const Document& document);

/// The theme of a figure: "light" or "dark" → true for dark.
Expected<bool> parse_theme(const std::string& name);
/// Fails when the value of `option` does not lie between the two, and when it is NaN.
Expected<void> check_between(const char* option, double value, double least, double most);
/// The theme of the window: "light", "dark" or "high-contrast".
Expected<figure::ThemeId> parse_window_theme(const std::string& name);
/// The language of the window: "en" or "de".
Expected<Language> parse_language(const std::string& name);

/// Width and height in pixels.
struct PixelSize {
  int width = 0;
  int height = 0;
};
/// "1600x1000", both within what a window can be.
Expected<PixelSize> parse_pixel_size(const std::string& text);

}  // namespace lab::cli
