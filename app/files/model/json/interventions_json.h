#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "app/files/session/json_writer.h"
#include "core/network/interventions.h"

namespace lab::files {

// What is done to a forward pass, as the members "gains", "overrides", "patches" and "stream" of a
// model's session (see model_session.h).

/// Writes those members that are not empty into the object that is open.
void write_interventions(JsonWriter& out, const attention::network::Interventions& interventions);

/// Reads them from `object`, whose members are called `path` followed by their names: "" or
/// "set_aside.". Throws BadInput naming a member that is wrong, or a layer or head that `network`
/// does not have. Rows and columns are not checked.
attention::network::Interventions read_interventions(const nlohmann::json& object,
                                                     const std::string& path,
                                                     const attention::network::Network& network);

}  // namespace lab::files
