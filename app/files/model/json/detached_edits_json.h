#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "app/document/model/model_document.h"
#include "app/files/session/json_writer.h"

namespace lab::files {

// What is detached of a model, as the member "set_aside" of its session (see model_session.h).

/// Writes it into the object that is open, unless it is empty.
void write_detached_edits(JsonWriter& out, const DetachedEdits& detached);

/// Reads it from `object` into `model`, whose texts and other edits were read; what fits the texts
/// has an effect. The members of `object` are called `path` followed by their names: "" or
/// "batch.sentences[1].". Older sessions give positions that the texts do not have, also of what is
/// switched off, and do not name their tokens: these get tokens without a text. Throws BadInput
/// naming a member that is wrong.
void read_detached_edits(const nlohmann::json& object, const std::string& path,
                         ModelDocument& model);

}  // namespace lab::files
