#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "app/base/error.h"
#include "app/document/document.h"
#include "app/files/session/session_view.h"
#include "core/numerics/work_watch.h"

// The session of any document, made by hand or a layer of a trained model.

namespace lab::files {

/// What saving writes: write_session(), or for a layer of a trained model the session of the model,
/// which says that this layer is shown. Reads all weights for their hash; fails with kIo when
/// they cannot be read.
Expected<std::string> document_session(const Document& document,
                                       const std::optional<SessionView>& view = {});

/// What saving at `path` writes there. The run of a model that is trained here is saved beside it,
/// see run_folder_of_session(). Fails with kIo when that cannot be written.
Expected<std::string> save_document(const Document& document, const std::string& path,
                                    const std::optional<SessionView>& view = {});

/// The same for a figure to embed; empty when it would be longer than kLongestEmbedded, or the
/// weights of the model cannot be read.
std::string embedded_document_session(const Document& document);

/// The same without hashes, for a journal, which must be written at once.
std::string journal_session(const Document& document);
/// Reads what journal_session() wrote, whatever became of the model's files. Fails as
/// read_session() and read_model_session() do.
Expected<Document> read_journal_session(std::string_view json,
                                        attention::WorkWatch* watch = nullptr);

}  // namespace lab::files
