#include "app/view/maps/model_words.h"

#include <algorithm>
#include <utility>

#include "app/document/model/token_name.h"
#include "app/document/training/training_document.h"
#include "app/translation/words.h"
#include "app/view/maps/model_heads.h"

namespace lab::view {
namespace {

// The text that a model reads and continues.
const ModelText& continued_text(const ModelDocument& model) {
  return model.network.encoder ? model.decoder_text : model.text;
}

// The same as it was typed; empty for a decoder that has only begun.
std::optional<std::string> typed_text(const ModelDocument& model) {
  const ModelText& text = continued_text(model);
  const bool begins = model.network.encoder && text.ids.size() == 1;
  return !text.text && begins ? std::string() : text.text;
}

// True when a turn of that role ends the conversation that the model reads; also without one.
bool is_turn_of(const ModelDocument& model, std::string_view role) {
  const ModelChat& chat = model.text.chat;
  return !chat.on || chat.turns.back().role == role;
}

// The text that the model goes on with, as it was typed, with these tokens at its end.
Expected<std::string> text_with(const ModelDocument& model,
                                const std::vector<std::uint32_t>& added) {
  return model.source->tokenizer->decode_added(continued_text(model).ids, added, true)
      .map([&](const std::string& text) { return *typed_text(model) + text; });
}

// True when the model says what comes next, and its text was typed.
bool continues(const Ui& ui) {
  const ModelDocument* const model = edited_model(ui);
  // A sentence that is typed is that of the layer that is shown.
  return model != nullptr && model->source->causal && typed_text(*model) && !ui.kept &&
         !is_of_encoder(ui.edited()) && model->source->tokenizer != nullptr &&
         !answers_each_token(*model);
}

}  // namespace

std::string piece_of(const Ui& ui, std::uint32_t id) {
  return token_label(*shown_model(ui)->source, id);
}

void choose_answer(Ui& ui, std::uint32_t id) {
  auto& answer = ui.state.model.answer;
  const auto& predictions = ui.analysis.predictions.value;
  const attention::Index row =
      is_of_encoder(ui.document()) && predictions ? predictions->row : ui.state.selection.query;
  const attention::network::Answer chosen{.row = row, .token = id};
  const bool again = answer && answer->row == chosen.row && answer->token == chosen.token;
  answer = again ? std::nullopt : std::optional(chosen);
}

void compare_answer(Ui& ui, std::uint32_t id) {
  const auto& shown = ui.analysis.answer.value;
  auto& answer = ui.state.model.answer;
  if (!answer && shown) answer = shown->answer();
  if (!answer || answer->token == id) return;
  if (answer->minus == id)
    answer->minus.reset();
  else
    answer->minus = id;
}

void toggle_pin(Ui& ui, std::uint32_t id) {
  auto& pinned = ui.state.model.pinned;
  if (std::erase(pinned, id) == 0) pinned.push_back(id);
}

bool is_pinned(const Ui& ui, std::uint32_t id) {
  return std::ranges::find(ui.state.model.pinned, id) != ui.state.model.pinned.end();
}

std::vector<std::uint32_t> matching_tokens(const ModelSource& model, const std::string& text) {
  std::vector<std::uint32_t> ids;
  if (text.empty() || !model.tokenizer) return ids;
  const auto add = [&](std::uint32_t id) {
    if (std::ranges::find(ids, id) == ids.end()) ids.push_back(id);
  };
  if (const auto own = model.tokenizer->id_of(text)) add(*own);
  for (const std::string& spelt : {" " + text, text})
    if (const auto cut = model.tokenizer_of(true)->encode(spelt, {.add_special = false});
        cut && !cut->empty())
      add(cut->front().id);
  return ids;
}

bool can_mask(const Ui& ui) {
  const ModelDocument* const model = edited_model(ui);
  if (model == nullptr || ui.kept || model->source->causal || !mask_token(*model->source) ||
      model->text.chat.on)
    return false;
  const auto& tokens = ui.edited().tokens;
  const auto row = static_cast<std::size_t>(ui.state.selection.query);
  return row < tokens.size() && !tokens[row].bytes.empty();
}

void mask_selected_token(Ui& ui) {
  if (!can_mask(ui)) return;
  const Document& document = ui.edited();
  const auto row = static_cast<std::size_t>(ui.state.selection.query);
  const tokenizer::TextRange position = document.tokens[row].bytes;
  std::string text = document.sentence;
  text.replace(position.first, position.size(), *mask_token(*document.layer.model->source));
  ui.queue(intent::Apply{SetSentence{std::move(text)}, {}, {}, [] { return tr("Mask a token"); }});
}

bool can_append(const Ui& ui) { return continues(ui) && is_turn_of(*edited_model(ui), kUserRole); }

bool can_go_on(const Ui& ui) {
  return continues(ui) && (can_append(ui) || is_turn_of(*edited_model(ui), kAssistantRole));
}

void ask_go_on(Ui& ui) {
  ui.state.side_tab = SideTab::kExplain;
  ui.state.requests.ask(request::BringIntoView{"next/go_on"});
  ui.state.requests.ask(request::OpenPopup{"next/go_on"});
}

Expected<Command> command_to_add(const ModelDocument& model, const ModelText& prompt,
                                 const std::vector<std::uint32_t>& added) {
  if (!model.text.chat.on)
    return text_with(model, added).map([](std::string&& text) -> Command {
      return SetSentence{std::move(text)};
    });
  return with_answer(*model.source, model.text, prompt, added)
      .map([](std::vector<chat::Turn>&& turns) -> Command {
        return SetChat{{}, std::move(turns)};
      });
}

void append_token(Ui& ui, std::uint32_t id) {
  const ModelDocument& model = *edited_model(ui);
  std::vector<std::uint32_t> added{id};
  if (model.text.chat.on && ends_of_answer(*model.source) == added) added.clear();
  auto command = command_to_add(model, model.text, added);
  if (!command) return;
  ui.queue(intent::Apply{std::move(*command), {}, {}, [] { return tr("Append a token"); }});
}

}  // namespace lab::view
