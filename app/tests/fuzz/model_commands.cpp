#include <algorithm>

#include "app/document/model/model_command.h"
#include "app/files/model/model_session.h"
#include "app/tests/fuzz/input.h"
#include "app/tests/rooms.h"

// A command on a model that is accepted reads back as it is written, and leaves a model that can be
// computed and saved.

namespace lab::fuzz {
namespace {

ModelDocument small_model() {
  auto model = open_model("induction");
  must(model.has_value());
  auto document =
      make_model_document(std::make_shared<const Model>(std::move(*model)), {"a b c a b", {}});
  must(document.has_value());
  return *document;
}

void try_line(std::string_view line, ModelDocument& document) {
  const auto command = model_command_from_json_line(line);
  if (!command) return must(!command.error().message.empty());
  const std::string written = to_json_line(*command);
  const auto again = model_command_from_json_line(written);
  must(again.has_value() && to_json_line(*again) == written);
  attention::network::NetworkEvaluator evaluator;
  auto changed = lab::apply(document, *command, evaluator);
  if (!changed) return must(!changed.error().message.empty());
  document = std::move(*changed);
  try {
    evaluator.evaluate(document.network, tokens_of(document), document.interventions);
  } catch (const std::invalid_argument& error) {
    return must(error.what()[0] != '\0');  // more tokens than the model has positions
  }
  must(read_model_session(write_model_session(document, {}), {"", true}).has_value());
}

}  // namespace

void try_input(std::string_view input) {
  static const ModelDocument kStart = small_model();
  ModelDocument document = kStart;
  constexpr int kMostLines = 3;
  for (int i = 0; i < kMostLines && !input.empty(); ++i) {
    const std::size_t end = std::min(input.find('\n'), input.size());
    try_line(input.substr(0, end), document);
    input.remove_prefix(std::min(end + 1, input.size()));
  }
}

}  // namespace lab::fuzz
