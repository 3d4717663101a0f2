#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "app/lessons/reading/rich_text.h"
#include "app/view/state/ui.h"
#include "app/view/widgets/text_run.h"

namespace lab::view {

/// Writes the text of lessons from top to bottom, its lines broken to fit. One that does not draw
/// finds out how much room is needed.
class RichFlow {
 public:
  /// Numbers in the text are those of `live`.
  RichFlow(Ui& ui, const Rect& area, const Snapshot& live, bool draws);

  /// All blocks of a text, with room between them; plain words in `colour`.
  void text(const lessons::RichText& text, figure::Rgb colour);
  /// A paragraph in one font.
  void words(std::string_view words, const ImFont* font, figure::Rgb colour);
  /// Takes a strip of that height over the whole width.
  Rect take(float height);
  /// Leaves some pixels free.
  void skip(float height) { y_ += height; }
  /// The same further in, up to the next call: what it writes is set in by `by` pixels.
  void set_in(float by) { left_ = area_.x + by; }

  bool draws() const { return draws_; }
  /// Where the next line begins.
  float y() const { return y_; }
  /// Width that lines have.
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
