#pragma once

#include <optional>
#include <string>

#include "app/document/document.h"
#include "app/files/session/session_view.h"
#include "app/handout/handout.h"

namespace lab::handout {

/// A page that opens with the session of `document`, and brings along the model that it is about.
/// Fails with kBadInput when the model is at a step of its training, has an adapter or is too large
/// for a page, and with kIo when its files cannot be read.
Expected<Handout> session_handout(const Document& document,
                                  const std::optional<files::SessionView>& view);

/// The same of a session of the model in `folder`, JSON text. The session names the place that the
/// model has in the page.
Expected<Handout> model_handout(const std::string& session, const std::string& folder);

/// A page that opens with what `source` means: a lesson, a session, a figure that embeds one, an
/// example, a model on an example text. Fails as lesson_handout(), session_handout() and opening
/// do.
Expected<Handout> handout_of(const std::string& source);

}  // namespace lab::handout
