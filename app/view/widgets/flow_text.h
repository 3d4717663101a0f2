#pragma once

#include <span>
#include <string>
#include <string_view>

#include "app/view/state/ui.h"
#include "app/view/widgets/text_run.h"

namespace lab::view {

/// Writes pieces side by side and wraps to the next line when one does not fit; lines after the
/// first are indented by `hanging`. Without `draws` it only measures the space needed.
class FlowText {
 public:
  /// Begins at the top left of `area`; `hanging` in pixels.
  FlowText(Ui& ui, const Rect& area, float hanging, bool draws);

  /// Prose, from where the line is: broken wherever Unicode permits. Blanks in it are `space` wide,
  /// as is the one in front of it when it is not the first of its line. Returns the layout, whose
  /// lines count from the one in which the prose begins; valid until the end of the frame.
  const TextLines& words(std::span<const TextRun> runs, float space);
  /// One piece, whole where a line has room for it, else in lines of its own, broken like prose;
  /// `gap` is the space in front of it when it is not the first of its line.
  void put(const ImFont* font, std::string_view text, figure::Rgb colour, float gap);
  /// A piece that can be clicked, underlined; `id` is its stable name. Returns true when it was
  /// clicked; ImGui::IsItemHovered is true when the pointer is on it.
  bool put_link(const std::string& id, const ImFont* font, std::string_view text,
                figure::Rgb colour, float gap);
  /// Ends the line; the next one begins `indent` pixels in.
  void new_line(float indent = 0);
  /// Leaves that many pixels free before the next line.
  void skip(float height) { y_ += height; }
  /// Reserves a strip of that height over the whole width.
  Rect take(float height);

  /// False when it only measures.
  bool draws() const { return draws_; }
  /// Where the current line begins.
  float y() const { return y_; }

 private:
  Rect next_bounds(const ImFont* font, std::string_view text, float gap);
  void put_lines(const ImFont* font, std::string_view text, figure::Rgb colour);

  Ui& ui_;
  Rect area_;
  float hanging_;
  bool draws_;
  float x_, y_, start_;
};

}  // namespace lab::view
