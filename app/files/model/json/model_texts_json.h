#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/base/json_cursor.h"
#include "app/document/model/model_document.h"
#include "app/files/session/json_writer.h"

namespace lab::files {

// The texts of a model in its session (see model_session.h): "text", "decoder_text" and "types",
// what is done to their numbers, and the other texts as its member "batch".

/// The names of the members that belong to a text: those above, "overrides", "patches", "stream",
/// "set_aside" and "switched_off".
std::vector<std::string_view> members_of_text();

/// Writes "text", "decoder_text" and "types" into the object that is open.
void write_texts(JsonWriter& out, const ModelDocument& document);

/// Reads them from `object`. Adds to `notes` where the tokenizer gives other tokens now. Throws
/// BadInput naming a member that is wrong. Precondition: `document` has its source and its network.
void read_texts(const JsonCursor& object, ModelDocument& document, std::vector<std::string>& notes);

/// Checks what is done to the numbers of the texts of `document`, and reads what is detached of
/// them. Throws BadInput as above.
void read_cell_edits(const JsonCursor& object, ModelDocument& document);

/// Writes the member "batch", unless there is a single text.
void write_model_batch(JsonWriter& out, const ModelDocument& document);

/// Reads the member "batch" into `document`, which must have its source and its network already:
/// {"current": 2, "sentences": [{"text": …, "overrides": …}, {}]}. Sentences count from 1; the
/// current one is that of the session, and its place is empty. Throws BadInput as above.
void read_model_batch(const JsonCursor& batch, ModelDocument& document,
                      std::vector<std::string>& notes);

}  // namespace lab::files
