#include "app/files/model/model_session.h"

#include "app/files/open.h"
#include "app/tests/fuzz/input.h"
#include "app/tests/rooms.h"

// A session of a model that is accepted can be computed, and what is written of it reads back as
// the same. The model is the built-in induction, whatever the session names.

namespace lab::fuzz {

void try_input(std::string_view input) {
  const ModelChoice choice{assets_folder() + "/models/induction", true};
  const auto session = read_model_session(input, choice);
  if (!session) return must(!session.error().message.empty());
  attention::network::NetworkEvaluator evaluator;
  const ModelDocument& document = session->document;
  try {
    evaluator.evaluate(document.network, tokens_of(document), document.interventions);
  } catch (const std::invalid_argument& error) {
    return must(error.what()[0] != '\0');  // more tokens than the model has positions
  }
  const std::string written = write_model_session(document, session->weights, session->config);
  const auto again = read_model_session(written, choice);
  must(again.has_value());
  must(write_model_session(again->document, again->weights, again->config) == written);
}

}  // namespace lab::fuzz
