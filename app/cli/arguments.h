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

// Parsing of command-line values. Every function here fails with kUsage and a message that says
// what was expected.

namespace lab::cli {

/// All of `text` read as an integer; nothing if it is not one.
std::optional<int> whole_number(std::string_view text);
/// All of `text` read as a finite number; nothing if it is not one.
std::optional<float> finite_number(std::string_view text);

/// Help text of --stage, whose default is weights.
inline constexpr const char* kStageHelp =
    "X, Q, K, V, scores, scaled_scores, masked_scores, weights,\n"
    "head_output, concat or output (weights); with positions, also\n"
    "embedding, position, rotated_Q, rotated_K; with a second\n"
    "sentence, X_kv, embedding_kv, position_kv; normed_Q, normed_K,\n"
    "normed_V, capped_scores, dropped_weights, residual, layer_norm;\n"
    "in DeBERTa content_to_position, position_to_content,\n"
    "summed_scores";

/// The stage of that name.
Expected<attention::Stage> parse_stage(const std::string& name);

/// Fails if the document does not have the stage, for example because it uses no positions or has
/// no second sentence.
Expected<void> check_stage(attention::Stage stage, const Document& document);

/// Converts a head as users write it, 1 … n_heads, or by its name where heads have names, to an
/// index, 0 … n_heads − 1; the first head if `text` is empty.
Expected<attention::Index> parse_head(const std::string& text, const Document& document,
                                      const std::string& option = "--head");

/// Parses the theme of a figure, "light" or "dark". Returns true for dark.
Expected<bool> parse_theme(const std::string& name);
/// Fails unless least ≤ `value` ≤ most; NaN fails too. `option` is named in the message.
Expected<void> check_between(const char* option, double value, double least, double most);
/// Fails if --digits is not a number of decimals that a reader can choose, 2 to 6.
Expected<void> check_digits(int digits);
/// The theme of the window: "light", "dark" or "high-contrast".
Expected<figure::ThemeId> parse_window_theme(const std::string& name);
/// The language of the window: "en" or "de".
Expected<Language> parse_language(const std::string& name);

/// Width and height in pixels.
struct PixelSize {
  int width = 0;
  int height = 0;
};
/// Parses "1600x1000". Both sides must be within the limits of a window.
Expected<PixelSize> parse_pixel_size(const std::string& text);

}  // namespace lab::cli
