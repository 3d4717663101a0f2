#pragma once

#include <string>

namespace lab {

/// `text` in the midst of other text: where it holds letters of a script that is written from right
/// to left, it stands between U+2068 and U+2069, so that what is around it keeps its order.
std::string isolated(const std::string& text);

/// "query → key", in this order on screen whatever the direction of the tokens.
std::string pair_text(const std::string& query, const std::string& key);

}  // namespace lab
