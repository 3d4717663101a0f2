#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/base/error.h"
#include "core/matrix.h"

namespace lab {

/// Before a token that is written like a number: "token:7".
inline constexpr std::string_view kTokenMark = "token:";

/// True for a whole number, which always means a position, also where a token is written so.
bool is_position(std::string_view text);

/// The positions in a sentence that `text` chooses, ascending: words (every token that is that
/// word), positions from 0 and ranges of positions, separated by commas: "2-7, animal". A whole
/// number is always a position; "token:7" are the tokens "7". Empty when `text` is blank. Fails
/// with kUsage and a message that names what is wrong. `labels`: the tokens.
Expected<std::vector<attention::Index>> chosen_tokens(std::string_view text,
                                                      const std::vector<std::string>& labels);

}  // namespace lab
