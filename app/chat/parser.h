#pragma once

#include <string_view>
#include <vector>

#include "app/chat/syntax.h"

namespace lab::chat {

/// The statements of a template. Throws BadInput with the line of what is wrong or not supported.
std::vector<Statement> parse_template(std::string_view source);

}  // namespace lab::chat
