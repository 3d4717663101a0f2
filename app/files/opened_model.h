#pragma once

#include <optional>
#include <string>

#include "app/files/model/catalogue.h"
#include "app/files/model/model_session.h"
#include "app/files/open.h"

// Trained models as documents of the window.

namespace lab::files {

/// True when `source` means a model: its folder, its config.json, its name (see list_models()), a
/// session of one, or a figure that embeds such a session. Files and examples come before names.
bool is_model_source(const std::string& source);

/// The model of the catalogue that `source` names and that is not on this machine; null for
/// anything else.
const CatalogueModel* missing_model(const std::string& source);

/// True when the weights of the model that `source` means are more than a window opens before it
/// shows itself.
bool is_large_model(const std::string& source);

/// The first layer of the model that `source` means, on `text` if it is given, else on that of the
/// session, else on an example text; a session of a model opens at the layer that it showed.
/// The document is pending (see ModelLayer). `choice` is for sessions. Reports its progress to
/// `watch`, which may be null, and throws attention::WorkStopped as it says. Fails as open_model()
/// and open_model_session() do, and with kBadInput when the model cannot read the text.
Expected<Opened> open_model_source(const std::string& source,
                                   const std::optional<std::string>& text = {},
                                   const ModelChoice& choice = {},
                                   attention::WorkWatch* watch = nullptr);

/// The same, or open_whole() when `source` means no model.
Expected<Opened> open_anything(const std::string& source, attention::WorkWatch* watch = nullptr,
                               const ModelChoice& choice = {});

}  // namespace lab::files
