#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>

namespace lab::files {

/// Upgrades a session of version `from`, which is older than the current one, to the current
/// version. Throws BadInput, "path: what is wrong", when it is not a valid session of that version.
void bring_up_to_date(nlohmann::json& root, std::uint64_t from);

}  // namespace lab::files
