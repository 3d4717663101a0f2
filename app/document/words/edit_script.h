#pragma once

#include <string_view>
#include <vector>

#include "core/matrix.h"

namespace lab {

/// The shortest edit script that turns the tokens `old` into `now` by removing and inserting
/// tokens: for each old token its position in `now`, or −1 when it is removed. The positions of
/// kept tokens increase. Among equally short scripts, tokens at the beginning and then at the end
/// are kept, and of equal tokens the first. Takes time and memory for the product of the lengths of
/// what differs.
std::vector<attention::Index> shortest_edit(const std::vector<std::string_view>& old,
                                            const std::vector<std::string_view>& now);

}  // namespace lab
