#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/lessons/reading/rich_text.h"
#include "app/view/state/ui.h"
#include "app/view/widgets/text_run.h"

namespace lab::view {

/// A link on the screen, with one rectangle for each line that it covers.
struct PlacedLink {
  const lessons::TextSpan* span = nullptr;
  std::vector<Rect> parts;
};

/// Writes the text of lessons and of the guide from top to bottom with wrapped lines. Without
/// `draws` it only measures the space needed.
class RichFlow {
 public:
  /// Numbers in the text are those of `live`.
  RichFlow(Ui& ui, const Rect& area, const Snapshot& live, bool draws);

  /// Writes all blocks of a text, with space between them; plain words in `colour`.
  void text(const lessons::RichText& text, figure::Rgb colour);
  /// Writes one block, without space below it.
  void block(const lessons::TextBlock& block, figure::Rgb colour);
  /// From now on, draws links whose target `accepts` in the accent colour and all others as plain
  /// text.
  void mark_links(std::function<bool(const std::string&)> accepts) { marks_ = std::move(accepts); }
  /// The links that were drawn so far, in reading order.
  const std::vector<PlacedLink>& links() const { return links_; }
  /// Writes a paragraph in one font.
  void words(std::string_view words, const ImFont* font, figure::Rgb colour);
  /// Reserves a strip of that height over the whole width.
  Rect take(float height);
  /// Leaves that many pixels free.
  void skip(float height) { y_ += height; }
  /// Indents what follows by `by` pixels, until the next call.
  void set_in(float by) { left_ = area_.x + by; }

  /// False when it only measures.
  bool draws() const { return draws_; }
  /// Where the next line begins.
  float y() const { return y_; }
  /// The width of the lines.
  float width() const { return area_.right() - left_; }

 private:
  std::vector<TextRun> runs_of(const std::vector<lessons::TextSpan>& spans, figure::Rgb colour,
                               bool heading) const;
  // A paragraph of those spans, and its width on a single line.
  void paragraph_of(const std::vector<lessons::TextSpan>& spans, figure::Rgb colour, bool heading);
  float width_of(const std::vector<lessons::TextSpan>& spans, bool heading) const;
  void note_link(const lessons::TextSpan& span, const Rect& rect);
  void code(const lessons::TextBlock& block);
  void formula(const lessons::TextBlock& block, figure::Rgb colour);
  void table(const lessons::TextBlock& block, figure::Rgb colour);
  void table_row(const lessons::TextRow& row, std::span<const float> widths, figure::Rgb colour,
                 bool head);
  std::vector<float> column_widths(const lessons::TextBlock& block) const;
  const TextLines& paragraph(std::span<const TextRun> runs, float space);

  Ui& ui_;
  Rect area_;
  const Snapshot& live_;
  bool draws_;
  float left_, y_;
  std::function<bool(const std::string&)> marks_;
  std::vector<PlacedLink> links_;
};

}  // namespace lab::view
