#pragma once

#include <string>

#include "app/document/model/model_document.h"
#include "app/document/words/detached_text.h"

namespace lab {

/// What `after` has detached and `before` has not; nothing when they show different texts of a
/// batch.
DetachedReport detached_edits_report(const ModelDocument& before, const ModelDocument& after);

/// What a person should know after an edit: that overrides or patches were detached, returned, or
/// were cleared while they were detached. Empty when none of this happened.
std::string detached_edits_text(const ModelDocument& before, const ModelDocument& after);

}  // namespace lab
