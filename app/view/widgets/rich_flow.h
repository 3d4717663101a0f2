#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "app/lessons/reading/rich_text.h"
#include "app/view/state/ui.h"
#include "app/view/widgets/text_run.h"

namespace lab::view {

/// Writes the text of lessons from top to bottom with wrapped lines. Without `draws` it only
/// measures the space needed.
class RichFlow {
 public:
  /// Numbers in the text are those of `live`.
  RichFlow(Ui& ui, const Rect& area, const Snapshot& live, bool draws);

  /// Writes all blocks of a text, with space between them; plain words in `colour`.
  void text(const lessons::RichText& text, figure::Rgb colour);
  /// Writes a paragraph in one font.
  void words(std::string_view words, const ImFont* font, figure::Rgb colour);
  /// Reserves a strip of that height over the whole width.
  Rect take(float height);
  /// Leaves that many pixels free.
  void skip(float height) { y_ += height; }
  /// Indents what follows by `by` pixels, until the next call.
  void set_in(float by) { left_ = area_.x + by; }

  bool draws() const { return draws_; }
  /// Where the next line begins.
  float y() const { return y_; }
  /// The width of the lines.
  float width() const { return area_.right() - left_; }

 private:
  std::vector<TextRun> runs_of(const std::vector<lessons::TextSpan>& spans, figure::Rgb colour,
                               bool heading) const;
  void block(const lessons::TextBlock& block, figure::Rgb colour);
  void code(const lessons::TextBlock& block);
  void formula(const lessons::TextBlock& block, figure::Rgb colour);
  void paragraph(std::span<const TextRun> runs, float space);

  Ui& ui_;
  Rect area_;
  const Snapshot& live_;
  bool draws_;
  float left_, y_;
};

}  // namespace lab::view
