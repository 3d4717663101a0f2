#pragma once

#include <string>
#include <vector>

namespace lab::figure {

/// A part of a text that is either emoji or not.
struct EmojiRun {
  std::u32string text;
  bool emoji = false;
};

/// The parts of `text` in order. Emoji are the characters that Unicode shows in colour by default,
/// and those followed by U+FE0F, each with everything joined to it.
std::vector<EmojiRun> emoji_runs(const std::u32string& text);

}  // namespace lab::figure
