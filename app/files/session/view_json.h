#pragma once

#include <string>
#include <vector>

#include "app/base/json_cursor.h"
#include "app/files/session/json_writer.h"
#include "app/files/session/session_view.h"

namespace lab::files {

/// The view in the member "view" of a session, where heads count from 1. A session opens whatever
/// its view holds: what is not understood is skipped, with a sentence in `notes`. Its member
/// "model" is that of a trained model:
///   { "tiles": "effect", "sorted": true, "chosen": ["L0H1"], "marked": ["L9H6"],
///     "answer": { "row": 4, "token": 262, "minus": 5 }, "pinned": [262, 5],
///     "pins": [ { "layer": "0", "stage": "weights", "head": 1, "row": 2, "col": 3 } ] }
/// Each member is missing where nothing was chosen.
SessionView read_view(const JsonCursor& object, std::vector<std::string>& notes);

/// Writes that member to `out`.
void write_view(JsonWriter& out, const SessionView& view);

}  // namespace lab::files
