#pragma once

#include "app/base/json_cursor.h"
#include "app/files/session/json_writer.h"
#include "core/network/interventions.h"
#include "core/network/network.h"

namespace lab::files {

// What is done to a forward pass, as the members "gains", "overrides", "patches" and "stream" of a
// model's session (see model_session.h).

/// Writes those members that are not empty into the object that is open.
void write_interventions(JsonWriter& out, const attention::network::Interventions& interventions);

/// Reads them from `object`. Throws BadInput naming a member that is wrong, or a layer or head that
/// `network` does not have. Rows and columns are not checked.
attention::network::Interventions read_interventions(const JsonCursor& object,
                                                     const attention::network::Network& network);

// How the weights of a network differ from those of its model, as the member "weights" of a
// model's session (see model_session.h).

/// Writes the member into the object that is open, unless nothing differs.
void write_weight_edits(JsonWriter& out, const attention::network::Network& original,
                        const attention::network::Network& edited);

/// Edits `network` as `list` says. Throws BadInput naming what is wrong, or what the network does
/// not have.
void read_weight_edits(const JsonCursor& list, attention::network::Network& network);

}  // namespace lab::files
