#include "app/document/model/layer_command.h"

#include "app/base/bad_input.h"
#include "app/document/commands/reduce.h"
#include "app/document/listed_edits.h"
#include "app/document/model/adapter_gain.h"
#include "app/document/model/layer_name.h"
#include "app/document/model/model_batch.h"
#include "app/document/model/remap_edits.h"
#include "app/document/model/shown_layer.h"
#include "app/document/model/text_limit.h"
#include "app/document/training/training_document.h"
#include "core/network/absorb_layer.h"
#include "core/network/layer_matrix.h"

namespace lab {
namespace {

using attention::Index;
using attention::Matrix;
using attention::Stage;
using attention::network::Attention;
using attention::network::CellOverride;
using attention::network::EditedNetwork;
using attention::network::HeadPatch;
using attention::network::LayerId;

// True for the edits that a layer of a model can have. Others of its matrices are refused by
// absorb_layer(), which knows why.
bool is_layer_edit(const Command& command) {
  return std::visit(
      []<typename Edit>(const Edit& edit) {
        if constexpr (
            requires { edit.matrix; } || requires { edit.blocks; })
          return true;
        const ModelComponent part = edited_component(edit);
        return part == ModelComponent::kHeads || part == ModelComponent::kOverrides;
      },
      command);
}

Expected<void> check_count(const char* what, const LayerId& at, int head, Index count) {
  if (head >= 0 && head < count) return {};
  return fail(ErrorType::kBadInput, "there is no " + std::string(what) + " " +
                                        std::to_string(head) + " in layer " + layer_name(at) +
                                        ", which has 0 to " + std::to_string(count - 1));
}

// The first failure of the checks of the blocks.
template <typename Check>
Expected<void> for_each_block(const SetBlocks& command, Check check) {
  for (const SetBlock& block : command.blocks)
    if (auto fits = check(block); !fits) return fits;
  return {};
}

// A matrix that a layer of a model does not have is refused also where its number stays the same.
Expected<void> check_kept(const Command& command, const Attention& attention) {
  if (const auto* all = std::get_if<SetBlocks>(&command))
    return for_each_block(*all, [&](const SetBlock& one) { return check_kept(one, attention); });
  return std::visit(
      [&]<typename Edit>(const Edit& edit) -> Expected<void> {
        if constexpr (requires { edit.matrix; }) {
          if (layer_matrix_count(attention, edit.matrix.id) > 0) return {};
          if (auto other = matrix_of_other_layer(attention, edit.matrix.id); !other.empty())
            return fail(ErrorType::kBadInput, std::move(other));
          return fail(ErrorType::kBadInput,
                      std::string(attention::matrix_info(edit.matrix.id).name) +
                          " cannot be changed in a layer of a model");
        }
        return {};
      },
      command);
}

// The reducer counts heads from 1 in its messages.
Expected<void> check_heads(const Command& command, const LayerId& at, const Attention& attention) {
  if (const auto* all = std::get_if<SetBlocks>(&command))
    return for_each_block(*all,
                          [&](const SetBlock& one) { return check_heads(one, at, attention); });
  return std::visit(
      [&]<typename Edit>(const Edit& edit) -> Expected<void> {
        if constexpr (requires { edit.matrix; }) {
          const Index count = layer_matrix_count(attention, edit.matrix.id);
          if (auto other = matrix_of_other_layer(attention, edit.matrix.id); !other.empty())
            return fail(ErrorType::kBadInput, std::move(other));
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

// What is detached of a layer whose overrides are cleared is forgotten too.
void forget_detached(const Command& command, const LayerId& at, ModelDocument& document) {
  if (!std::holds_alternative<ClearOverrides>(command)) return;
  const auto there = [&](const auto& item) { return item.at == at; };
  std::erase_if(document.detached.edits.overrides, there);
  std::erase_if(document.detached.edits.patches, there);
  remap_edits(document);
}

// The layer with what `edited`, which edits its problem, makes of the model.
Document absorbed(const Document& layer, const Document& edited, const Command& command) {
  const ModelDocument& before = *layer.layer.model;
  const LayerId& at = layer.layer.at;
  const bool forgets =
      std::holds_alternative<ClearOverrides>(command) && cell_edit_count(before.detached.edits) > 0;
  if (same_problem(layer.problem, edited.problem) && !forgets) return layer;
  EditedNetwork network =
      absorb_layer({before.network, before.interventions}, at, layer.problem, edited.problem);
  auto changed = std::make_shared<ModelDocument>(before);
  changed->network = std::move(network.network);
  changed->interventions = std::move(network.interventions);
  forget_detached(command, at, *changed);
  Document result = edited;
  result.layer.model = std::move(changed);
  return result;
}

// True when `edit` replaces every number of a head that can be patched.
bool is_patch(const SetOverrides& edit, const Document& layer) {
  const Stage stage = edit.cell.stage;
  if (stage != Stage::kHeadOutput && stage != Stage::kWeights) return false;
  const attention::Shape shape = stage_shape(layer.problem, stage);
  return edit.cell.row == 0 && edit.cell.col == 0 && edit.values.rows() == shape.rows &&
         edit.values.cols() == shape.cols;
}

// What stands on single cells of the head is replaced too.
Document patched(const Document& layer, const SetOverrides& edit) {
  const LayerId& at = layer.layer.at;
  auto changed = std::make_shared<ModelDocument>(*layer.layer.model);
  const auto same = [&](const LayerId& layer_id, Stage stage, Index head) {
    return layer_id == at && stage == edit.cell.stage && head == edit.cell.head;
  };
  auto& all = changed->interventions;
  std::erase_if(all.patches,
                [&](const HeadPatch& patch) { return same(patch.at, patch.stage, patch.head); });
  std::erase_if(all.overrides, [&](const CellOverride& one) {
    return same(one.at, one.cell.stage, one.cell.head);
  });
  all.patches.push_back(
      {at, edit.cell.head, edit.cell.stage, attention::SharedMatrix(Matrix(edit.values))});
  return shown_layer(std::move(changed), at, &layer);
}

// Fails when the edit is of weights that the layer does not have.
Expected<void> check_weights(const ListedEdit& edit, const attention::network::Network& network) {
  if (edit.type != ListedEdit::Type::kWeights) return {};
  const Index count = layer_matrix_count(*find_attention(network, edit.at), edit.matrix);
  if (edit.head < count) return {};
  return fail(ErrorType::kBadInput, "layer " + layer_name(edit.at) + " has no " +
                                        matrix_label({edit.matrix, static_cast<int>(edit.head)}));
}

// Of layer `at`, while another one may be shown.
Expected<Document> switch_edit(const Document& layer, const LayerId& at,
                               const SwitchEdit& command) {
  const ModelDocument& model = *layer.layer.model;
  const auto matching = matching_edits(command, at);
  if (matching.empty())
    return fail(ErrorType::kBadInput, in_quotes(command.what) +
                                          " cannot be switched: “what” is \"mix\", \"stream\" or "
                                          "the name of a stage or a matrix");
  if (auto there = check_weights(matching.front(), model.network); !there)
    return tl::make_unexpected(there.error());
  ModelDocument changed = model;
  for (const ListedEdit& edit : matching) changed = with_switched(changed, edit, command.on);
  if (changed.switched_off == model.switched_off && changed.weights_off == model.weights_off)
    return layer;
  const attention::network::Tokens tokens = tokens_of(changed);
  return guarded([&] {
    validate(changed.interventions, changed.network, std::ssize(tokens.ids),
             std::ssize(tokens.encoder_ids));
    return shown_layer(std::make_shared<const ModelDocument>(std::move(changed)), layer.layer.at,
                       &layer);
  });
}

Expected<Document> edit_layer(const Document& layer, const Command& command) {
  const ModelDocument& model = *layer.layer.model;
  const LayerId& at = layer.layer.at;
  const Attention& attention = *find_attention(model.network, at);
  if (auto there = check_heads(command, at, attention); !there)
    return tl::make_unexpected(there.error());
  if (const auto* one = std::get_if<SwitchEdit>(&command)) return switch_edit(layer, at, *one);
  const auto edited = apply_by_hand(layer, command);
  if (!edited) return tl::make_unexpected(edited.error());
  if (const auto* block = std::get_if<SetOverrides>(&command); block && is_patch(*block, layer))
    return same_problem(layer.problem, edited->problem)
               ? layer
               : guarded([&] { return patched(layer, *block); });
  auto result = guarded([&] { return absorbed(layer, *edited, command); });
  if (!result) return result;
  if (auto kept = check_kept(command, attention); !kept) return tl::make_unexpected(kept.error());
  return result;
}

// A typed text; nothing of it when it is empty.
ModelText typed(const std::string& text) {
  return text.empty() ? ModelText() : ModelText{text, {}};
}

Expected<void> check_words(const std::optional<float>& new_token_scale) {
  if (!new_token_scale) return {};
  return fail(ErrorType::kBadInput,
              "the words of a model have their own vectors: leave out “new_word_scale”");
}

// with_texts() where there is memory for what is shown then.
Expected<ModelDocument> with_shown_texts(const ModelDocument& document, ModelText text,
                                         ModelText decoder_text) {
  auto changed = with_texts(document, std::move(text), std::move(decoder_text));
  if (!changed) return changed;
  if (auto fits = check_shown_memory(*changed, &document); !fits)
    return tl::make_unexpected(fits.error());
  return changed;
}

// Commands that are done to the whole model.

Expected<ModelDocument> edit_model(const ModelDocument& document, const SetSentence& command) {
  if (auto words = check_words(command.new_token_scale); !words)
    return tl::make_unexpected(words.error());
  if (document.network.encoder)
    return with_shown_texts(document, document.text, typed(command.text));
  ModelText text = typed(command.text);
  text.chat.turns = document.text.chat.turns;
  return with_shown_texts(document, std::move(text), {});
}

Expected<ModelDocument> edit_model(const ModelDocument& document, const SetChat& command) {
  auto text = with_chat(*document.source, document.text, command);
  if (!text) return tl::make_unexpected(text.error());
  return with_shown_texts(document, std::move(*text), document.decoder_text);
}

Expected<ModelDocument> edit_model(const ModelDocument& document, const SetKvSentence& command) {
  if (auto words = check_words(command.new_token_scale); !words)
    return tl::make_unexpected(words.error());
  if (document.network.encoder)
    return with_shown_texts(document, typed(command.text), document.decoder_text);
  return fail(ErrorType::kBadInput,
              "set_kv_sentence is for models with two stacks; this one reads a single text");
}

Expected<ModelDocument> edit_model(const ModelDocument& document, const TrainTo& command) {
  return at_step(document, command.branch, static_cast<std::uint64_t>(command.step));
}

template <typename Edit>
requires requires(const ModelDocument& document, const Edit& edit) { reduce(document, edit); }
Expected<ModelDocument> edit_model(const ModelDocument& document, const Edit& edit) {
  return reduce(document, edit);
}

template <typename Edit>
concept EditsWholeModel = requires(const ModelDocument& document, const Edit& edit) {
  edit_model(document, edit);
};

// A layer of which only the mix of its heads is known: what SetHeadMix needs of it.
Document with_mix_of(const ModelDocument& model, const LayerId& at, Index n_heads) {
  Document document;
  document.problem.config.n_heads = static_cast<int>(n_heads);
  document.problem.head_mix = layer_mix(model.interventions, at, n_heads);
  return document;
}

}  // namespace

bool is_of_whole_model(const Command& command) {
  return std::visit([]<typename Edit>(const Edit&) { return EditsWholeModel<Edit>; }, command);
}

Expected<ModelDocument> apply_to_model(const ModelDocument& model, const Command& command) {
  return std::visit(
      [&]<typename Edit>(const Edit& edit) -> Expected<ModelDocument> {
        if constexpr (EditsWholeModel<Edit>) return edit_model(model, edit);
        return model;
      },
      command);
}

Expected<void> check_edits_model(const Command& command) {
  if (is_of_whole_model(command) || is_layer_edit(command)) return {};
  return fail(ErrorType::kBadInput, command_name(command) +
                                        " cannot be done to a model; its texts, and the weights, "
                                        "heads and overrides of its layers can be edited");
}

Expected<Document> apply_in_layer(const Document& layer, const Command& command) {
  if (auto possible = check_edits_model(command); !possible)
    return tl::make_unexpected(possible.error());
  if (!is_of_whole_model(command)) return edit_layer(layer, command);
  const ModelDocument& before = *layer.layer.model;
  const auto edited = apply_to_model(before, command);
  if (!edited) return tl::make_unexpected(edited.error());
  const bool same_weights = attention::same_bits(edited->adapter_gain, before.adapter_gain);
  if (reads_the_same(*edited, before) && edited->batch == before.batch && same_weights)
    return layer;
  return guarded([&] {
    return shown_layer(std::make_shared<const ModelDocument>(*edited), layer.layer.at, &layer);
  });
}

Expected<Document> apply_at(const Document& layer, const Command& command,
                            const std::optional<LayerId>& at) {
  const auto* mix = std::get_if<SetHeadMix>(&command);
  if (!at || *at == layer.layer.at) return apply_in_layer(layer, command);
  if (mix != nullptr) return apply_to_head(layer, *at, *mix);
  // The stream before a convolution can be overridden, though the layer cannot be shown.
  const auto* edit = std::get_if<SwitchEdit>(&command);
  if (edit != nullptr && edit->what == "stream" && is_convolution(layer.layer.model->network, *at))
    return switch_edit(layer, *at, *edit);
  return guarded([&] { return shown_layer(layer.layer.model, *at); })
      .and_then([&](const Document& other) { return apply_in_layer(other, command); })
      .map([&](const Document& edited) {  // the current layer stays
        return shown_layer(edited.layer.model, layer.layer.at, &layer);
      });
}

Expected<Document> apply_to_head(const Document& layer, const LayerId& at,
                                 const SetHeadMix& command) {
  if (at == layer.layer.at) return apply_in_layer(layer, command);
  const ModelDocument& model = *layer.layer.model;
  const Attention* const attention = find_attention(model.network, at);
  if (attention == nullptr) return fail(ErrorType::kBadInput, without_attention(model.network, at));
  if (auto there = check_count("head", at, command.head, attention->n_heads); !there)
    return tl::make_unexpected(there.error());
  const Document before = with_mix_of(model, at, attention->n_heads);
  const auto after = reduce(before, command);
  if (!after) return tl::make_unexpected(after.error());
  if (after->problem.head_mix == before.problem.head_mix) return layer;
  auto changed = std::make_shared<ModelDocument>(model);
  set_layer_mix(after->problem.head_mix, at, changed->interventions);
  Document result = layer;
  result.layer.model = std::move(changed);
  result.layer.pending = true;
  return result;
}

}  // namespace lab
