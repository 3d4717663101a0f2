#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lab {

/// The name among `known` that `name` was probably meant to be: it differs in capitals and
/// punctuation only, or, where the name is long enough to tell, in a letter or two. Empty when
/// there is none.
std::string meant_name(std::string_view name, const std::vector<std::string>& known);

}  // namespace lab
