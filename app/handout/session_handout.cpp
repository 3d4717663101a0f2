#include "app/handout/session_handout.h"

#include <nlohmann/json.hpp>

#include "app/base/bad_input.h"
#include "app/document/model/model_document.h"
#include "app/files/document_session.h"
#include "app/files/opened_model.h"
#include "app/handout/lesson_handout.h"

namespace lab::handout {

Expected<Handout> model_handout(const std::string& session, const std::string& folder) {
  Handout given;
  const auto place = add_model(given, folder);
  if (!place) return tl::make_unexpected(place.error());
  nlohmann::ordered_json json = nlohmann::ordered_json::parse(session);
  json["model"]["folder"] = *place;
  given.session = json.dump();
  return given;
}

Expected<Handout> session_handout(const Document& document,
                                  const std::optional<files::SessionView>& view) {
  const auto& model = document.layer.model;
  if (model && model->source->training)
    return fail(ErrorType::kBadInput,
                "a network that is being trained cannot be handed out; save it as a model, and "
                "hand out that");
  if (model && !model->source->adapter.empty())
    return fail(ErrorType::kBadInput,
                "a model with an adapter cannot be handed out; a page brings along whole models");
  const auto session = files::document_session(document, view);
  if (!session) return tl::make_unexpected(session.error());
  if (model) return model_handout(*session, model->source->folder);
  Handout given;
  given.session = *session;
  return given;
}

Expected<Handout> handout_of(const std::string& source) {
  if (lessons::is_lesson(source)) return lessons::open_lesson(source).and_then(lesson_handout);
  return files::open_anything(source).and_then(
      [](const files::Opened& opened) { return session_handout(opened.document, opened.view); });
}

}  // namespace lab::handout
