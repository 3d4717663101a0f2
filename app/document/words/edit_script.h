#pragma once

#include <string_view>
#include <vector>

#include "core/matrix.h"

namespace lab {

/// The shortest edit script that turns the words `old` into `now` by removing and inserting words:
/// for each old word its position in `now`, or −1 when it is removed. The positions of kept words
/// increase. Among equally short scripts, words at the beginning and then at the end are kept, and
/// of equal words the first. Takes time and memory for the product of the lengths of what differs.
std::vector<attention::Index> shortest_edit(const std::vector<std::string_view>& old,
                                            const std::vector<std::string_view>& now);

}  // namespace lab
