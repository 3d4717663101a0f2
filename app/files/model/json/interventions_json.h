#pragma once

#include "app/base/json_cursor.h"
#include "app/files/session/json_writer.h"
#include "core/network/interventions.h"

namespace lab::files {

// What is done to a forward pass, as the members "gains", "overrides", "patches" and "stream" of a
// model's session (see model_session.h).

/// Writes those members that are not empty into the object that is open.
void write_interventions(JsonWriter& out, const attention::network::Interventions& interventions);

/// Reads them from `object`. Throws BadInput naming a member that is wrong, or a layer or head that
/// `network` does not have. Rows and columns are not checked.
attention::network::Interventions read_interventions(const JsonCursor& object,
                                                     const attention::network::Network& network);

}  // namespace lab::files
