#pragma once

#include <md4c.h>

#include <string>
#include <string_view>
#include <vector>

// The text of a paragraph, a heading or an item: emphasis, code, formulas, links, line ends.

namespace lab::web {

/// A call of one of MD_PARSER's functions within a block.
struct InlineEvent {
  enum class Type { kText, kEnter, kLeave };
  Type type = Type::kText;
  MD_TEXTTYPE text_type = MD_TEXT_NORMAL;
  MD_SPANTYPE span = MD_SPAN_EM;
  std::string_view text = {};    ///< of kText; part of the source, except for line ends
  std::string_view target = {};  ///< of a link
};

/// The events of a text whose lines are parts of the source, without the blanks at their beginning.
/// Follows CommonMark 0.30 with formulas between dollar signs; links with references and autolinks
/// stay text.
std::vector<InlineEvent> inline_events(const std::vector<std::string_view>& lines);

}  // namespace lab::web
