#pragma once

#include <string>
#include <string_view>

#include "app/view/state/ui.h"

namespace lab::view {

/// How a stretch of text is drawn, and where its lines may be broken.
enum class RunLook {
  kFont,      ///< by ImGui, in a font; broken wherever Unicode permits
  kCode,      ///< the same on a box; whole while it fits into a line
  kNumber,    ///< the same without a box
  kEmphasis,  ///< slanted, by Pango: ImGui has no such face
  kFormula,   ///< by Pango, with W_K and x^{ij} set lower and higher; broken at blanks only
};

/// A stretch of a paragraph in one look.
struct TextRun {
  std::string text;              ///< UTF-8
  const ImFont* font = nullptr;  ///< unless Pango draws it
  figure::Rgb colour{};
  RunLook look = RunLook::kFont;
};

/// What a line shows of `piece`: everything but the characters that only control line breaks. A
/// soft hyphen shows as a hyphen where it ends the part and the line is broken there (`at_break`).
std::string visible_text(std::string_view piece, bool at_break);

/// Width in pixels of `piece`, a part of the text of `run`, in the look of the run.
float run_width(const Ui& ui, const TextRun& run, std::string_view piece);

/// Draws `piece` at the left edge of `line`. Text in a font is shortened to the line's width.
void draw_run(Ui& ui, const TextRun& run, std::string_view piece, Rect line);

}  // namespace lab::view
