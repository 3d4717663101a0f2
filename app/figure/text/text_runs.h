#pragma once

#include <string>
#include <vector>

#include "app/figure/figure.h"

namespace lab::figure {

/// A segment of a text that is set in one style.
struct TextRun {
  std::string text;
  double size = 1;  ///< as a multiple of the size of the text
  double rise = 0;  ///< of its baseline, as a multiple of the size of the text
  bool italic = false, bold = false;
};

/// The segments of `text` in order, with its markup resolved: sup, sub, small, big, i and b; of
/// other elements only the content is used. Malformed markup is taken as plain text.
std::vector<TextRun> text_runs(const shape::Text& text);

/// A segment of a text that is either emoji or not.
struct EmojiRun {
  std::u32string text;
  bool emoji = false;
};

/// The segments of `text` in order. Emoji are the characters that Unicode shows in colour by
/// default, and those followed by U+FE0F, each with everything joined to it.
std::vector<EmojiRun> emoji_runs(const std::u32string& text);

}  // namespace lab::figure
