#include "app/document/model/model_command.h"

#include "app/base/bad_input.h"
#include "app/document/commands/command.h"
#include "app/document/model/layer_command.h"
#include "app/document/model/layer_name.h"
#include "app/document/model/shown_layer.h"

namespace lab {
namespace {

using attention::network::LayerId;
using attention::network::NetworkEvaluator;
using attention::network::NetworkTrace;

Expected<ModelDocument> edit_layer(const ModelDocument& document, const LayerId& at,
                                   const Command& command, NetworkEvaluator& evaluator) {
  if (find_attention(document.network, at) == nullptr)
    return fail(ErrorType::kBadInput, without_attention(document.network, at));
  const auto shown = guarded([&] {
    const NetworkTrace& trace =
        evaluator.evaluate(document.network, tokens_of(document), document.interventions);
    return completed_layer(shown_layer(std::make_shared<const ModelDocument>(document), at), trace,
                           evaluator.pool());
  });
  if (!shown) return tl::make_unexpected(shown.error());
  return apply_in_layer(*shown, command).map([](const Document& edited) {
    return *edited.layer.model;
  });
}

// `document`, unless the model cannot read its texts: they may have more tokens than it has
// positions for.
Expected<ModelDocument> computable(const ModelDocument& document, NetworkEvaluator& evaluator) {
  return guarded([&] {
    evaluator.evaluate(document.network, tokens_of(document), document.interventions);
    return document;
  });
}

}  // namespace

std::string to_json_line(const ModelCommand& command) {
  std::optional<std::string> layer;
  if (command.layer) layer = layer_name(*command.layer);
  return to_json_line(LayeredLine{std::move(layer), command.command});
}

Expected<ModelCommand> model_command_from_json_line(std::string_view line) {
  auto read = layered_line_from_json(line);
  if (!read) return tl::make_unexpected(read.error());
  const auto layer = read->layer ? layer_from_name(*read->layer) : std::nullopt;
  if (read->layer && !layer)
    return fail(ErrorType::kBadInput,
                "Not a command: “layer” must be the name of a layer, from 0, such as \"3\", "
                "\"cross.0\" or \"encoder.1\", not " +
                    in_quotes(*read->layer));
  return ModelCommand{layer, std::move(read->command)};
}

Expected<ModelDocument> apply(const ModelDocument& document, const ModelCommand& command,
                              NetworkEvaluator& evaluator) {
  if (is_of_whole_model(command.command)) {
    if (command.layer)
      return fail(ErrorType::kBadInput,
                  command_name(command.command) + " is not of one layer: leave out “layer”");
    return apply_to_model(document, command.command).and_then([&](const ModelDocument& changed) {
      return computable(changed, evaluator);
    });
  }
  if (auto possible = check_edits_model(command.command); !possible)
    return tl::make_unexpected(possible.error());
  const std::optional<LayerId> at = command.layer ? command.layer : document.layer;
  if (!at) return fail(ErrorType::kBadInput, "in which layer? Add \"layer\": \"0\", the first one");
  return edit_layer(document, *at, command.command, evaluator);
}

}  // namespace lab
