#include "app/files/document_session.h"

#include "app/base/bad_input.h"
#include "app/document/model/shown_layer.h"
#include "app/files/file_formats.h"
#include "app/files/model/model_session.h"
#include "app/files/session/session.h"
#include "app/files/training/run_folder.h"

namespace lab::files {
namespace {

// The model with the current layer.
ModelDocument looked_at(const Document& document) {
  ModelDocument model = *document.layer.model;
  model.layer = document.layer.at;
  return model;
}

// The same with the run of its model in another folder.
Document with_folder(const Document& document, std::string folder) {
  auto source = std::make_shared<ModelSource>(*document.layer.model->source);
  source->folder = std::move(folder);
  auto model = std::make_shared<ModelDocument>(*document.layer.model);
  model->source = std::move(source);
  Document moved = document;
  moved.layer.model = std::move(model);
  return moved;
}

// A run that was saved is there, not where the window keeps it meanwhile.
Document in_saved_folder(const Document& document) {
  const auto& model = document.layer.model;
  const auto* const training =
      model && model->source->training ? &*model->source->training : nullptr;
  const std::string folder = training != nullptr ? training->run->saved_in() : std::string();
  return folder.empty() ? document : with_folder(document, folder);
}

}  // namespace

Expected<std::string> document_session(const Document& document,
                                       const std::optional<SessionView>& view) {
  if (!document.layer.model) return write_session(document, view);
  ModelSession session;
  session.document = looked_at(document);
  if (session.document.source->training) return write_model_session(session.document, {}, {}, view);
  session.model = std::dynamic_pointer_cast<const Model>(session.document.source);
  if (!session.model) return fail(ErrorType::kFailed, "this model was not opened from a folder");
  if (auto hashed = add_hashes(session); !hashed) return tl::make_unexpected(hashed.error());
  return write_model_session(session.document, session.weights, session.config, view);
}

Expected<std::string> save_document(const Document& document, const std::string& path,
                                    const std::optional<SessionView>& view) {
  const auto& model = document.layer.model;
  if (!model || !model->source->training) return document_session(document, view);
  const Document saved = with_folder(document, run_folder_of_session(path));
  const ModelSource* const source = saved.layer.model->source.get();
  TrainingRun& run = *source->training->run;
  const std::uint64_t taken = run.taken();
  RunFolder folder(source->folder);
  if (auto done = folder.save(run, SavedStates::kAll); !done)
    return tl::make_unexpected(done.error());
  run.note_saved(source->folder, taken);
  return document_session(saved, view);
}

std::string embedded_document_session(const Document& document) {
  const auto session = document_session(in_saved_folder(document));
  return session && session->size() <= kLongestEmbedded ? *session : std::string();
}

std::string journal_session(const Document& document) {
  if (!document.layer.model) return write_session(document);
  return write_model_session(looked_at(document), {});
}

Expected<Document> read_journal_session(std::string_view text, attention::WorkWatch* watch) {
  if (file_type(text) != FileType::kModelSession) return read_session(text, watch);
  return read_model_session(text, {.folder = {}, .changed = true}, watch)
      .and_then([](const ModelSession& session) {
        return guarded([&] {
          const auto at =
              session.document.layer.value_or(nearest_layer(session.document.network, {}));
          return shown_layer(std::make_shared<const ModelDocument>(session.document), at);
        });
      });
}

}  // namespace lab::files
