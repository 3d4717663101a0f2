#pragma once

#include "app/base/json_cursor.h"
#include "app/document/model/model_document.h"
#include "app/files/session/json_writer.h"

namespace lab::files {

// What is detached of a model, as the member "set_aside" of its session (see model_session.h).

/// Writes it into the object that is open, unless it is empty.
void write_detached_edits(JsonWriter& out, const DetachedEdits& detached);

/// Reads it from `object` into `model`, whose texts and other edits were read; what fits the texts
/// has an effect. Older sessions give positions that the texts do not have, also of what is
/// switched off, and do not name their tokens: these get tokens without a text. Throws BadInput
/// naming a member that is wrong.
void read_detached_edits(const JsonCursor& object, ModelDocument& model);

/// Writes what is switched off of one text as the member "switched_off", unless it is nothing.
void write_switched_off(JsonWriter& out, const attention::network::Interventions& switched_off);
/// The edits in that member of `object`; none where there is no such member. Throws BadInput.
attention::network::Interventions read_switched_off(const JsonCursor& object,
                                                    const attention::network::Network& network);

}  // namespace lab::files
