#pragma once

#include <string>
#include <string_view>

namespace lab::tokenizer {

/// `bytes` as text: U+FFFD stands for each longest beginning of a character that is cut short, and
/// for each byte that begins none (Unicode 16, section 3.9, “U+FFFD Substitution of Maximal
/// Subparts”).
std::string lossy_utf8(std::string_view bytes);

}  // namespace lab::tokenizer
