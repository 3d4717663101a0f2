#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "app/files/session/json_writer.h"
#include "app/files/session/model_view.h"

// The member "model" of a view:
//   { "tiles": "effect", "sorted": true, "chosen": ["L0H1"], "marked": ["L9H6"],
//     "answer": { "row": 4, "token": 262, "minus": 5 }, "pinned": [262, 5],
//     "pins": [ { "layer": "0", "stage": "weights", "head": 1, "row": 2, "col": 3 } ] }
// Each member is missing where nothing was chosen.

namespace lab::files {

/// The view in `object`, which `path` names. Throws BadInput as the readers of json_reading.h do.
ModelView read_model_view(const nlohmann::json& object, const std::string& path);

/// Writes that object to `out`.
void write_model_view(JsonWriter& out, const ModelView& view);

}  // namespace lab::files
