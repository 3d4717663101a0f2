#include "app/view/sentence/batch_menu.h"

#include <imgui.h>

#include <algorithm>

#include "app/base/visible_text.h"
#include "app/document/batch/sentence_list.h"
#include "app/document/model/model_document.h"
#include "app/translation/words.h"
#include "app/view/editor/second_sentence.h"
#include "app/view/maps/model_heads.h"
#include "app/view/widgets/popup.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

// Texts of models are padded by their tokenizers, if at all.
bool takes_padding(const Ui& ui) { return !has_model(ui); }

constexpr float kListedWidth = 380;  // points
constexpr const char* kSentencesMenu = "menu/Sentences";

// Going from sentence to sentence is one step of Undo, whatever the number of keys.
void go_to_sentence(Ui& ui, std::size_t number) {
  if (number == current_sentence(ui.edited())) return;
  ui.queue(intent::ApplyMerged{GoToSentence{static_cast<int>(number)}, "go to sentence"});
}

// Of a conversation, what the user says first.
std::string text_in_list(const Document& document, std::size_t number) {
  const ModelDocument* const model = document.layer.model.get();
  const bool shown = number == current_sentence(document);
  if (model == nullptr) return sentence_text(document, number);
  const ModelText& text = shown ? model->text : model->batch.texts[number]->text;
  const auto& turns = text.chat.turns;
  const auto first = std::ranges::find(turns, kUserRole, &chat::Turn::role);
  return text.chat.on && first != turns.end() ? first->content : sentence_text(document, number);
}

std::string listed_sentence(const Ui& ui, std::size_t number) {
  const auto fits = [&ui](const std::string& line) {
    return text_width(ui, ui.fonts.text, line) <= ui.px(kListedWidth);
  };
  const std::string line =
      std::to_string(number + 1) + "   " + printable(text_in_list(ui.edited(), number));
  return fits(line) ? line : shortened(line, fits);
}

void sentences_menu(Ui& ui, const Rect& bounds) {
  if (!begin_popup(ui, kSentencesMenu, bounds)) return;
  for (std::size_t i = 0; i < sentence_count(ui); ++i) {
    const bool current = i == current_sentence(ui.edited());
    if (menu_item(ui, "sentences/" + std::to_string(i + 1), listed_sentence(ui, i), {}, current))
      go_to_sentence(ui, i);
    if (current && ImGui::IsWindowAppearing()) ImGui::SetScrollHereY();
  }
  ImGui::Separator();
  if (menu_item(ui, "sentences/add", tr("Add a sentence"), {}, false, can_add_sentence(ui)))
    add_sentence(ui);
  if (menu_item(ui, "sentences/remove", tr("Remove this sentence"), {}, false, has_batch(ui)))
    remove_sentence(ui);
  if (takes_padding(ui) && menu_item(ui, "sentences/pad", tr("Pad all to the longest"), {},
                                     has_padding(ui), can_pad(ui)))
    toggle_padding(ui);
  end_popup();
}

}  // namespace

std::size_t sentence_count(const Ui& ui) { return sentence_count(ui.edited()); }

bool has_batch(const Ui& ui) { return sentence_count(ui) > 1; }

bool can_add_sentence(const Ui& ui) {
  const ModelDocument* const model = ui.edited().layer.model.get();
  return model == nullptr || model->source->tokenizer != nullptr;
}

void add_sentence(Ui& ui) {
  const Document& document = ui.edited();
  ui.queue(intent::Apply{AddSentence{sentence_text(document, current_sentence(document))}});
  // What the encoder reads, where that is beside what the decoder reads.
  const bool second = has_model(ui) && is_cross(ui);
  ui.state.requests.ask(
      request::GiveKeyboard{second ? TextField::kKvSentence : TextField::kSentence});
  (second ? ui.state.kv_sentence : ui.state.sentence).caret = CaretTo::kAll;
}

void remove_sentence(Ui& ui) { ui.queue(intent::Apply{RemoveSentence{}}); }

void go_by_sentences(Ui& ui, int by) {
  const auto count = static_cast<int>(sentence_count(ui));
  const int next = (static_cast<int>(current_sentence(ui.edited())) + by % count + count) % count;
  go_to_sentence(ui, static_cast<std::size_t>(next));
}

bool can_pad(const Ui& ui) { return has_batch(ui) && takes_padding(ui); }

bool has_padding(const Ui& ui) { return ui.edited().batch.padded; }

void toggle_padding(Ui& ui) { ui.queue(intent::Apply{SetPadding{!has_padding(ui)}}); }

void batch_button(Ui& ui, Rect& rect) {
  std::string text = tr("1 sentence");
  if (has_batch(ui)) {
    const std::string number = std::to_string(current_sentence(ui.edited()) + 1);
    const std::string count = std::to_string(sentence_count(ui));
    text = tr("Sentence {} of {}", {number, count});
    if (text_button_width(ui, text) > rect.w) text = number + " / " + count;
  }
  if (text_button_width(ui, text) > rect.w) return;
  const Rect whole = rect;
  text_button(ui, rect, "button/sentences", text, kSentencesMenu);
  sentences_menu(ui, {whole.x, whole.y, whole.w - rect.w, whole.h});
}

}  // namespace lab::view
