#pragma once

#include <string>
#include <string_view>

#include "app/base/error.h"

namespace lab {

/// The text of a file as UTF-8 with lines that end in "\n", whatever wrote it: a byte order mark is
/// left out, UTF-16 with one is converted, and "\r\n" and "\r" become "\n". Fails with kBadInput
/// and the place of the first byte that is not text.
Expected<std::string> decoded_text(std::string_view bytes);

}  // namespace lab
