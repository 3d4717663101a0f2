#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "app/figure/figure.h"
#include "app/figure/text/text_image.h"

namespace lab::figure {

/// The request with which Pango draws a text of a figure, at `scale` pixels per point; the writer
/// applies the angle.
TextRequest text_request(const shape::Text& text, const std::string& family, double scale);

/// Measures the text of a figure. Caches its results; copies share the cache, so they must be used
/// from one thread at a time. Lengths are in points.
class TextRuler {
 public:
  /// Measures text in this family (see Figure).
  explicit TextRuler(std::string family = {});

  /// The font family.
  const std::string& family() const { return family_; }
  /// Width of `text` on one line at `size` points, without markup.
  double width(std::string_view text, shape::Face face, double size) const;
  /// Width of a text of a figure, along its baseline.
  double width(const shape::Text& text) const;
  /// Width of the widest of `texts`.
  double widest(const std::vector<std::string>& texts, shape::Face face, double size) const;
  /// `text` if it is at most `width` points wide, else its beginning followed by "…"; empty when
  /// not even that fits.
  std::string shortened(const std::string& text, shape::Face face, double size, double width) const;

 private:
  std::string family_;
  std::shared_ptr<std::unordered_map<std::string, double>> known_;  // widths at 1 point
};

/// The most lines of a figure's title.
inline constexpr std::size_t kMostTitleLines = 4;

/// `text` wrapped into lines at most `width` points wide: broken between words, also in scripts
/// without spaces, and within a word that is too long for a line. Text beyond `most_lines` lines is
/// cut off and replaced by "…".
std::vector<std::string> wrapped(const TextRuler& ruler, const std::string& text, shape::Face face,
                                 double size, double width,
                                 std::size_t most_lines = kMostTitleLines);

/// True when a font family of that name (in any case) is installed; generic names ("sans", "serif",
/// "monospace") count. A family that is not installed is replaced by another.
bool is_font_family(const std::string& name);

}  // namespace lab::figure
