#pragma once

#include <string>
#include <string_view>

namespace lab::lessons {

/// What a number of a trained model is called for people, "knock-out", in the language of the
/// process; empty for other names. See model_value().
std::string quantity_title(std::string_view name);

}  // namespace lab::lessons
