#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>

namespace lab::files {

/// Turns a session of version `from`, which is older than this program's, into what this program
/// would have written. Throws BadInput, "path: what is wrong", where it is no session of that
/// version.
void bring_up_to_date(nlohmann::json& root, std::uint64_t from);

}  // namespace lab::files
