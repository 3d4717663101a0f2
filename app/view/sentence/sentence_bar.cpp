#include <imgui.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "app/base/visible_text.h"
#include "app/document/model/model_document.h"
#include "app/document/splitting/unread_text.h"
#include "app/document/words/new_tokens.h"
#include "app/translation/words.h"
#include "app/view/editor/second_sentence.h"
#include "app/view/sentence/batch_menu.h"
#include "app/view/sentence/chat_turns.h"
#include "app/view/sentence/sentence_parts.h"
#include "app/view/session/training_actions.h"
#include "app/view/widgets/popup.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

constexpr float kBoxHeight = 36;
constexpr float kChipHeight = 24;
constexpr float kRowGap = 8;
constexpr const char* kSourceMenu = "menu/Source";
constexpr const char* kSharedMenu = "menu/SharedWords";

std::string count_text(std::size_t count) {
  return tr_count("{} token", "{} tokens", static_cast<long>(count));
}

void source_menu(Ui& ui, const Rect& bounds) {
  if (!begin_popup(ui, kSourceMenu, bounds)) return;
  const bool cross = is_cross(ui);
  if (menu_item(ui, "source/same", tr("this sentence (self-attention)"), {}, !cross) && cross)
    toggle_cross(ui);
  if (menu_item(ui, "source/second", tr("another sentence (cross-attention)"), {}, cross) && !cross)
    toggle_cross(ui);
  end_popup();
}

// The source of keys and values, if there is room for it.
void source_button(Ui& ui, Rect rect) {
  if (is_cross(ui)) return;
  for (const std::string& text :
       {tr("Keys and values: this sentence"), tr("Keys: this sentence"), tr("Keys")}) {
    if (text_button_width(ui, text) > rect.w) continue;
    const Rect whole = rect;
    text_button(ui, rect, "button/source", text, kSourceMenu);
    return source_menu(ui, {whole.x, whole.y, whole.w - rect.w, whole.h});
  }
}

std::string queries_text(const Ui& ui, std::size_t tokens) {
  return is_cross(ui) ? tr(" ·  {}, the queries", {count_text(tokens)})
                      : " ·  " + count_text(tokens);
}

constexpr std::size_t kDefaultCount = 888;  // as wide as any number with three digits

// The most room that how the sentence is split and the number of tokens usually take.
float default_notes_width(const Ui& ui) {
  return tokens_button_width(ui) + text_width(ui, ui.fonts.text, queries_text(ui, kDefaultCount));
}

// Says which characters of the sentence no token reads, if there are any; takes the left of `rect`.
void unread_text(Ui& ui, const SentenceState& box, const std::string& sentence,
                 const std::vector<Token>& tokens, Rect& rect) {
  if (box.text != sentence) return;
  const std::string note =
      unread_note(unread_characters(sentence, tokens, ui.document().splitting));
  if (note.empty()) return;
  const Rect bounds = rect.cut_left(std::clamp(text_width(ui, ui.fonts.text, note), 0.0f, rect.w));
  draw_text(ui, ui.fonts.text, bounds, note, ui.theme.danger);
  pointer_area(ui, "sentence/unread", bounds);
  tooltip(ui, tr("No token stands for it in this vocabulary: the text is read without it"));
  rect.cut_left(ui.px(16));
}

// After what is said of the text of a network that is trained.
void example_link(Ui& ui, Rect& rect) {
  const std::string text = tr("another example");
  const float width = text_width(ui, ui.fonts.text, text);
  if (width > rect.w) return;
  const Rect bounds = rect.cut_left(width);
  if (click_area(ui, "sentence/example", bounds)) another_example(ui);
  draw_text(ui, ui.fonts.text, bounds, text, is_pointed_at(ui) ? ui.theme.text : ui.theme.accent);
  rect.cut_left(ui.px(22));
}

// Without the name of the model, which the top bar has too, where there is no room for it.
std::string model_text(const Ui& ui, std::size_t tokens, bool named) {
  if (!named) return count_text(tokens);
  const ModelDocument& model = *ui.edited().layer.model;
  return tr("Tokens: {}", {printable(model.source->name)}) + " · " + count_text(tokens);
}

// Beside the text of a trained model: whose tokens they are, how many, and the list of sentences.
void model_notes(Ui& ui, Rect rect) {
  chat_switch(ui, rect);
  unread_text(ui, ui.state.sentence, ui.document().sentence, ui.document().tokens, rect);
  const float gap = ui.px(16);
  const bool named = text_width(ui, ui.fonts.text, model_text(ui, kDefaultCount, true)) + gap +
                         text_button_width(ui, tr("1 sentence")) <=
                     rect.w;
  const std::string text = model_text(ui, ui.document().tokens.size(), named);
  draw_text(ui, ui.fonts.text, rect, text, ui.theme.dim);
  ui.name("sentence/count", rect);
  const float used = text_width(ui, ui.fonts.text, text);
  const float default_width = text_width(ui, ui.fonts.text, model_text(ui, kDefaultCount, named));
  rect.cut_left(std::max(used, default_width) + gap);
  batch_button(ui, rect);
  rect.cut_left(ui.px(14));
  if (ui.edited().layer.model->source->training) example_link(ui, rect);
}

// Beside the first box: how it is split, the number of tokens, and the source of the keys. Each
// menu starts at the same place whatever the others say, where there is room.
void token_notes(Ui& ui, Rect rect) {
  if (ui.edited().layer.model) return model_notes(ui, rect);
  unread_text(ui, ui.state.sentence, ui.document().sentence, ui.document().tokens, rect);
  const Rect whole = rect;
  tokens_button(ui, rect);
  const std::string count = queries_text(ui, ui.document().tokens.size());
  const float width = text_width(ui, ui.fonts.text, count);
  if (width > rect.w) return;
  draw_text(ui, ui.fonts.text, rect, count, ui.theme.dim);
  ui.name("sentence/count", {rect.x, rect.y, width, rect.h});
  const float used = whole.w - rect.w + width;
  rect = whole;
  rect.cut_left(std::max(used, default_notes_width(ui)) + ui.px(22));
  batch_button(ui, rect);
  rect.cut_left(ui.px(14));
  source_button(ui, rect);
}

const SentenceOf kQuerySentence{
    "sentence",
    TextField::kSentence,
    true,
    [](ViewState& state) -> SentenceState& { return state.sentence; },
    [](const Document& document) -> const std::string& { return document.sentence; },
    [](const Document& document) -> const std::vector<Token>& { return document.tokens; },
    [](const Document& document, std::string text) -> Command {
      const ModelLayer& layer = document.layer;
      if (layer.model && layer.at.sublayer == attention::network::Sublayer::kEncoder)
        return SetKvSentence{std::move(text)};
      return with_fitting_scale(document, SetSentence{std::move(text)});
    }};

const SentenceOf kKvSentence{
    "kv_sentence",
    TextField::kKvSentence,
    false,
    [](ViewState& state) -> SentenceState& { return state.kv_sentence; },
    [](const Document& document) -> const std::string& { return document.kv_sentence; },
    [](const Document& document) -> const std::vector<Token>& { return document.kv_tokens; },
    [](const Document& document, std::string text) -> Command {
      return with_fitting_scale(document, SetKvSentence{std::move(text)});
    }};

void shared_words_menu(Ui& ui, const Rect& bounds) {
  if (!begin_popup(ui, kSharedMenu, bounds)) return;
  const bool shared = shares_words(ui), apart = words_apart(ui.edited()) > 0;
  if (menu_item(ui, "shared_words/on", tr("Equal words share one vector"), {}, shared && !apart))
    ui.queue(intent::Apply{SetSharedTokens{true}});
  if (menu_item(ui, "shared_words/off", tr("Each sentence has its own vectors"), {}, !shared))
    ui.queue(intent::Apply{SetSharedTokens{false}});
  end_popup();
}

// Whether equal words share their vectors, if there is room for it.
void shared_words_button(Ui& ui, Rect rect) {
  const std::size_t apart = words_apart(ui.edited());
  std::vector<std::string> texts = {tr("Own vectors")};
  if (shares_words(ui)) {
    texts = {tr("Equal words share vectors"), tr("Shared vectors")};
    const std::string note =
        " · " + tr_count("{} word apart", "{} words apart", static_cast<long>(apart));
    if (apart > 0) texts = {texts[0] + note, texts[1] + note, texts[1]};
  }
  for (const std::string& text : texts) {
    if (text_width(ui, ui.fonts.text, text) + ui.px(18) > rect.w) continue;
    const Rect whole = rect;
    text_button(ui, rect, "button/shared_words", text, kSharedMenu);
    return shared_words_menu(ui, {whole.x, whole.y, whole.w - rect.w, whole.h});
  }
}

// Beside the second box: what it is for, whether its words are those of the first, and a button to
// return to one sentence.
void kv_notes(Ui& ui, Rect rect) {
  const bool of_model = ui.edited().layer.model != nullptr;
  if (!of_model) {
    const Rect close = rect.cut_right(ui.px(26));
    if (button(ui, "button/one_sentence",
               {close.x, close.y + ui.px(5), close.w, close.h - ui.px(10)}, "×"))
      toggle_cross(ui);
    tooltip(ui, tr("Keys and values come from the first sentence again"));
  }
  unread_text(ui, ui.state.kv_sentence, ui.document().kv_sentence, ui.document().kv_tokens, rect);
  const std::string note =
      tr("keys and values ·  {}", {count_text(ui.document().kv_tokens.size())});
  draw_text(ui, ui.fonts.text, rect, note, ui.theme.dim);
  rect.cut_left(text_width(ui, ui.fonts.text, note) + ui.px(22));
  if (!of_model) shared_words_button(ui, rect);
}

// Beside a box whose text is refused: why, and how to go on.
void refusal_notes(Ui& ui, const SentenceOf& of, Rect rect) {
  SentenceState& state = of.state(ui.state);
  if (state.beginning) {
    const std::string label = tr("Cut it");
    const Rect bounds = rect.cut_right(button_width(ui, label));
    rect.cut_right(ui.px(10));
    if (button(ui, of.name + "/cut",
               {bounds.x, bounds.y + ui.px(5), bounds.w, bounds.h - ui.px(10)}, label)) {
      state.text = *state.beginning;  // the document may be that already
      state.box = ui.state.box_text.encode(state.text);
      ui.queue(intent::Apply{of.command(ui.edited(), state.text)});
    }
    tooltip(ui, tr("Keep as much of its beginning as the model reads"));
  }
  draw_text(ui, ui.fonts.text, rect, state.refusal, ui.theme.danger);
  pointer_area(ui, of.name + "/refusal", rect);
  tooltip(ui, state.refusal);
}

// One sentence: its box with the notes beside it, and its chips below, which mark their characters
// in the box.
void sentence_rows(Ui& ui, Rect& rect, const SentenceOf& of, void (*notes)(Ui&, Rect),
                   std::optional<attention::Index> (*chips)(Ui&, const Rect&)) {
  Rect box = rect.cut_top(ui.px(kBoxHeight));
  Rect side = box.cut_right(notes_width(ui, rect.w));
  sentence_box(ui, of, box);
  side.cut_left(ui.px(14));
  if (of.state(ui.state).refusal.empty())
    notes(ui, side);
  else
    refusal_notes(ui, of, side);
  if (&of == &kQuerySentence) chat_refusal(ui, rect);
  rect.cut_top(ui.px(kRowGap));
  const auto pointed = chips(ui, rect.cut_top(ui.px(kChipHeight)));
  if (pointed) mark_token(ui, of, box, static_cast<std::size_t>(*pointed));
  rect.cut_top(ui.px(kRowGap));
}

// The turns of a conversation with the notes beside them, and the chips below.
void conversation_rows(Ui& ui, Rect& rect, float room) {
  Rect turns = rect.cut_top(ui.px(kBoxHeight) + room);
  Rect side = turns.cut_right(notes_width(ui, rect.w));
  ui.name("sentence", turns);
  chat_turns(ui, turns);
  side = side.cut_top(ui.px(kBoxHeight));
  side.cut_left(ui.px(14));
  token_notes(ui, side);
  chat_refusal(ui, rect);
  rect.cut_top(ui.px(kRowGap));
  token_chips(ui, rect.cut_top(ui.px(kChipHeight)));
  rect.cut_top(ui.px(kRowGap));
}

// The text box, how it is split into tokens, and one chip per token.
void sentence_bar(Ui& ui, const Rect& whole) {
  fill_rect(ui, whole, ui.theme.card);
  fill_rect(ui, {whole.x, whole.bottom() - 1, whole.w, 1}, ui.theme.line);
  Rect rect{whole.x + ui.px(14), whole.y + ui.px(9), whole.w - ui.px(28), whole.h - ui.px(18)};
  if (is_chat(ui)) return conversation_rows(ui, rect, turns_room(ui, whole.w));
  sentence_rows(ui, rect, kQuerySentence, token_notes, token_chips);
  if (is_cross(ui)) sentence_rows(ui, rect, kKvSentence, kv_notes, key_chips);
}

}  // namespace

extern constexpr PanelInfo kSentencePanel{
    .name = "sentence",
    .region = PanelRegion::kSentence,
    .draw = sentence_bar,
    .of_edited = true,
    .entrance = [](const ViewState& state) -> std::string {
      if (state.present.on) return "chip/" + std::to_string(state.selection.query);
      return state.chat.on ? "chat/turn/0/text" : "sentence";
    },
    .has_keys =
        [](const ViewState& state) {
          return state.sentence.active || state.kv_sentence.active || state.chat.active.has_value();
        }};

}  // namespace lab::view
