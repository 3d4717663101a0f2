#pragma once

#include <string>
#include <string_view>
#include <vector>

// The text of a template as tokens.

namespace lab::chat {

enum class TokenType {
  kText,         ///< is printed as it is
  kOutputBegin,  ///< {{
  kOutputEnd,
  kBlockBegin,  ///< {%
  kBlockEnd,
  kName,
  kString,  ///< its text is what it says, without quotes
  kWhole,
  kReal,
  kOperator,
  kEnd,  ///< of the template
};

struct Token {
  TokenType type = TokenType::kEnd;
  std::string text;
  int line = 1;
};

/// The tokens of `source`, the last of which is kEnd. Blanks before a block on its line and the end
/// of line after it are left out, as is one end of line at the end: trim_blocks and lstrip_blocks
/// of Jinja, which transformers sets. Throws BadInput with the line.
std::vector<Token> tokens_of_template(std::string_view source);

/// "line 3: " before a message about a template.
std::string at_line(int line);

}  // namespace lab::chat
