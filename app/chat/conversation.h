#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

// What is said to a model, and the text that its chat template makes of it.

namespace lab::chat {

/// What one side of a conversation says.
struct Turn {
  std::string role;  ///< "system", "user", "assistant"
  std::string content;
  bool operator==(const Turn&) const = default;
};

/// What a model is told, and whether it is to answer.
struct Conversation {
  std::vector<Turn> turns;
  bool add_generation_prompt = true;  ///< the text ends where the assistant's next turn begins
  bool operator==(const Conversation&) const = default;
};

/// A part of a rendered text that comes from one place.
struct RenderedPart {
  std::size_t begin = 0, end = 0;   ///< its bytes, from begin to before end
  std::optional<std::size_t> turn;  ///< whose content it is; unset: the template's
  bool operator==(const RenderedPart&) const = default;
};

/// True when none of the bytes from `begin` to before `end` of a text with these parts is of a
/// turn.
bool is_of_template(const std::vector<RenderedPart>& parts, std::size_t begin, std::size_t end);

/// A conversation as the text that a model reads.
struct Rendered {
  std::string text;
  std::vector<RenderedPart> parts;  ///< all of the text, in order; neighbours differ
};

}  // namespace lab::chat
