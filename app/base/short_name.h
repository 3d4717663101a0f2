#pragma once

#include <string>
#include <string_view>

namespace lab {

/// A name for a file from the first words of `text`: letters and digits of any script in lower
/// case, with dashes between words: "the-animal-didnt-cross-the". At most five words and about 40
/// bytes; empty when there are none.
std::string short_name(std::string_view text);

}  // namespace lab
