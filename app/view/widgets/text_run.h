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

/// What is seen of a part of a text in a line: no characters that only say where a line may end. A
/// soft hyphen at the end of a broken line is seen.
std::string seen_text(std::string_view part, bool at_break);

/// Width in pixels of `part`, a part of the text of `run`, in the look of the run.
float run_width(const Ui& ui, const TextRun& run, std::string_view part);

/// Draws it at the left of `line`, no wider than that.
void draw_run(Ui& ui, const TextRun& run, std::string_view part, Rect line);

}  // namespace lab::view
