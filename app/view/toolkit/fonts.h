#pragma once

#include <imgui.h>

#include <string>
#include <string_view>

#include "app/view/toolkit/box_text.h"

namespace lab::view {

/// Height of a line, ascent and descent, in ems: ImGui counts a font's size in lines.
inline constexpr float kSansLine = 1.21f;  ///< Inter
inline constexpr float kMonoLine = 1.32f;  ///< JetBrains Mono

/// The fonts with which ImGui draws the window's own texts. Token labels and formulas are drawn by
/// LabelCache, which supports every script.
struct Fonts {
  ImFont* text = nullptr;        ///< Inter
  ImFont* small = nullptr;       ///< Inter, secondary text
  ImFont* bold = nullptr;        ///< Inter SemiBold
  ImFont* title = nullptr;       ///< Inter SemiBold, larger
  ImFont* field = nullptr;       ///< Inter, larger: the sentence
  ImFont* words = nullptr;       ///< Inter, with every script, for text fields
  ImFont* mono = nullptr;        ///< JetBrains Mono, numbers
  ImFont* mono_small = nullptr;  ///< JetBrains Mono, shapes
  ImFont* mono_bold = nullptr;   ///< JetBrains Mono Bold, results
  ImFont* mono_tiny = nullptr;   ///< JetBrains Mono, numbers inside cells
  ImFont* mono_large = nullptr;  ///< the same inside large cells; only has the characters of
                                 ///< numbers
  ImFont* mono_huge = nullptr;   ///< the same inside still larger ones
};

/// Fills ImGui's atlas at `scale` with the glyphs that labels, formulas and `extra_text` need (the
/// sentence and other typed text, in whatever script), and with pictures of the characters that
/// `box` replaces, such as emoji; does nothing when it is filled so already. Must be called outside
/// a frame; the caller must upload the atlas again afterwards. Fonts that are not installed are
/// replaced by what fontconfig finds, or finally by ImGui's default font.
Fonts load_fonts(float scale, const std::string& extra_text, const BoxText& box);

/// True when `font` can show every character of `text`.
bool covers(const ImFont& font, std::string_view text);

/// True when `text` or `box` has a character that the font of the sentence box lacks but could
/// show.
bool needs_glyphs(const Fonts& fonts, const std::string& text, const BoxText& box);

}  // namespace lab::view
