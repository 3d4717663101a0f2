#include "app/document/model/model_command.h"

#include "app/base/bad_input.h"
#include "app/document/commands/layered_line.h"
#include "app/document/commands/reducer.h"
#include "app/document/model/layer_document.h"
#include "app/document/model/layer_name.h"
#include "core/network/absorb_layer.h"
#include "core/network/layer_matrix.h"
#include "core/network/layer_problem.h"

namespace lab {
namespace {

using attention::Index;
using attention::network::Attention;
using attention::network::EditedNetwork;
using attention::network::LayerPlace;
using attention::network::NetworkEvaluator;
using attention::network::NetworkTrace;

// What the command is called in its line.
std::string name_of(const Command& command) {
  return std::visit([]<typename Edit>(const Edit&) { return std::string(Edit::kName); }, command);
}

// True for the edits that a layer of a model can have. Others of its matrices are refused by
// absorb_layer(), which knows why.
bool is_layer_edit(const Command& command) {
  return std::visit(
      []<typename Edit>(const Edit& edit) {
        if constexpr (requires { edit.matrix; }) return true;
        const ModelPart part = edited_part(edit);
        return part == ModelPart::kHeads || part == ModelPart::kOverrides;
      },
      command);
}

Expected<void> check_count(const char* what, const LayerPlace& at, int head, Index count) {
  if (head >= 0 && head < count) return {};
  return fail(ErrorKind::kBadInput, "there is no " + std::string(what) + " " +
                                        std::to_string(head) + " in layer " + layer_name(at) +
                                        ", which has 0 to " + std::to_string(count - 1));
}

// A matrix that a layer of a model does not have is refused also where its number stays the same.
Expected<void> check_kept(const Command& command, const Attention& attention) {
  return std::visit(
      [&]<typename Edit>(const Edit& edit) -> Expected<void> {
        if constexpr (requires { edit.matrix; }) {
          if (layer_matrix_count(attention, edit.matrix.id) > 0) return {};
          return fail(ErrorKind::kBadInput,
                      std::string(attention::matrix_info(edit.matrix.id).name) +
                          " cannot be changed in a layer of a model");
        }
        return {};
      },
      command);
}

// The reducer counts heads from 1 in its messages.
Expected<void> check_heads(const Command& command, const LayerPlace& at,
                           const Attention& attention) {
  return std::visit(
      [&]<typename Edit>(const Edit& edit) -> Expected<void> {
        if constexpr (requires { edit.matrix; }) {
          const Index count = layer_matrix_count(attention, edit.matrix.id);
          if (!is_per_head(edit.matrix.id)) return {};
          const bool of_keys = is_per_kv_head(edit.matrix.id);
          return check_count(of_keys ? "key and value head" : "head", at, edit.matrix.head, count);
        } else if constexpr (requires { edit.cell; }) {
          return is_per_head(edit.cell.stage)
                     ? check_count("head", at, edit.cell.head, attention.n_heads)
                     : Expected<void>();
        } else if constexpr (requires { edit.head; }) {
          return check_count("head", at, edit.head, attention.n_heads);
        }
        return {};
      },
      command);
}

// What is set aside of a layer whose overrides are cleared is forgotten too.
void forget_aside(const Command& command, const LayerPlace& at, ModelDocument& document) {
  if (!std::holds_alternative<ClearOverrides>(command)) return;
  const auto there = [&](const auto& item) { return item.at == at; };
  std::erase_if(document.set_aside.overrides, there);
  std::erase_if(document.set_aside.patches, there);
}

Expected<ModelDocument> edit_layer(const ModelDocument& document, const LayerPlace& at,
                                   const Command& command, NetworkEvaluator& evaluator) {
  const Attention* const attention = find_attention(document.network, at);
  if (attention == nullptr)
    return fail(ErrorKind::kBadInput, "the model has no layer " + in_quotes(layer_name(at)));
  if (auto there = check_heads(command, at, *attention); !there)
    return tl::make_unexpected(there.error());
  const auto shown = guarded([&] {
    const attention::network::Tokens tokens = tokens_of(document);
    const NetworkTrace& trace =
        evaluator.evaluate(document.network, tokens, document.interventions);
    const attention::Problem layer =
        layer_problem(document.network, trace, document.interventions, at, evaluator.pool());
    return layer_document(*document.source, tokens, layer, at);
  });
  if (!shown) return tl::make_unexpected(shown.error());
  const auto edited = apply(*shown, command);
  if (!edited) return tl::make_unexpected(edited.error());
  auto absorbed_document = guarded([&] {
    EditedNetwork absorbed = absorb_layer({document.network, document.interventions}, at,
                                          shown->problem, edited->problem);
    ModelDocument changed = document;
    changed.network = std::move(absorbed.network);
    changed.interventions = std::move(absorbed.interventions);
    forget_aside(command, at, changed);
    return changed;
  });
  if (!absorbed_document) return absorbed_document;
  if (auto kept = check_kept(command, *attention); !kept) return tl::make_unexpected(kept.error());
  return absorbed_document;
}

// A typed text; nothing of it when it is empty.
ModelText typed(const std::string& text) {
  return text.empty() ? ModelText() : ModelText{text, {}};
}

Expected<ModelDocument> edit_text(const ModelDocument& document, const SetSentence& command) {
  if (document.network.encoder) return with_texts(document, document.text, typed(command.text));
  return with_texts(document, typed(command.text), {});
}

Expected<ModelDocument> edit_text(const ModelDocument& document, const SetKvSentence& command) {
  if (document.network.encoder)
    return with_texts(document, typed(command.text), document.decoder_text);
  return fail(ErrorKind::kBadInput,
              "set_kv_sentence is for models with two stacks; this one reads a single text");
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
    return fail(ErrorKind::kBadInput,
                "Not a command: “layer” must be the name of a layer, from 0, such as \"3\", "
                "\"cross.0\" or \"encoder.1\", not " +
                    in_quotes(*read->layer));
  return ModelCommand{layer, std::move(read->command)};
}

Expected<ModelDocument> apply(const ModelDocument& document, const ModelCommand& command,
                              NetworkEvaluator& evaluator) {
  const auto edit_one = [&](const auto& edit) -> Expected<ModelDocument> {
    if (command.layer)
      return fail(ErrorKind::kBadInput, name_of(edit) + " is not of one layer: leave out “layer”");
    if (edit.new_word_scale)
      return fail(ErrorKind::kBadInput,
                  "the words of a model have their own vectors: leave out "
                  "“new_word_scale”");
    return edit_text(document, edit).and_then([&](const ModelDocument& changed) {
      return computable(changed, evaluator);
    });
  };
  if (const auto* text = std::get_if<SetSentence>(&command.command)) return edit_one(*text);
  if (const auto* text = std::get_if<SetKvSentence>(&command.command)) return edit_one(*text);
  if (!is_layer_edit(command.command))
    return fail(ErrorKind::kBadInput, name_of(command.command) +
                                          " cannot be done to a model; its texts, and the weights, "
                                          "heads and overrides of its layers can be edited");
  const std::optional<LayerPlace> at = command.layer ? command.layer : document.layer;
  if (!at) return fail(ErrorKind::kBadInput, "in which layer? Add \"layer\": \"0\", the first one");
  return edit_layer(document, *at, command.command, evaluator);
}

}  // namespace lab
