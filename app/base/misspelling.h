#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lab {

/// The first name in `known` that `name` was probably meant to be: they differ only in case and
/// punctuation or, if the name is long enough to tell, in one or two letters. Empty when there is
/// none.
std::string suggested_name(std::string_view name, const std::vector<std::string>& known);

}  // namespace lab
