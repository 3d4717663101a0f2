#pragma once

#include <string>

#include "app/document/model/model_document.h"
#include "app/document/words/aside_text.h"

namespace lab {

/// What `after` has set aside and `before` has not; nothing when they show different texts of a
/// batch.
AsideNews aside_edits_news(const ModelDocument& before, const ModelDocument& after);

/// What a person should know after an edit: that overrides or patches were set aside, returned, or
/// were cleared while they were set aside. Empty when none of this happened.
std::string set_aside_news(const ModelDocument& before, const ModelDocument& after);

}  // namespace lab
