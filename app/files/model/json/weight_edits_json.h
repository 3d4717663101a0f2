#pragma once

#include "app/base/json_cursor.h"
#include "app/files/session/json_writer.h"
#include "core/network/network.h"

namespace lab::files {

// How the weights of a network differ from those of its model, as the member "weights" of a
// model's session (see model_session.h).

/// Writes the member into the object that is open, unless nothing differs.
void write_weight_edits(JsonWriter& out, const attention::network::Network& original,
                        const attention::network::Network& edited);

/// Edits `network` as `list` says. Throws BadInput naming what is wrong, or what the network does
/// not have.
void read_weight_edits(const JsonCursor& list, attention::network::Network& network);

}  // namespace lab::files
