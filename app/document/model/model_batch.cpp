#include "app/document/model/model_batch.h"

#include <algorithm>
#include <utility>

#include "app/document/batch/batch.h"
#include "app/document/batch/sentence_list.h"
#include "app/document/model/model_document.h"
#include "app/translation/words.h"

namespace lab {
namespace {

using attention::network::Interventions;

Interventions without_gains(Interventions all) {
  all.gains.clear();
  return all;
}

// `edits` beside the gains that there are.
void replace_cell_edits(Interventions& all, Interventions edits) {
  edits.gains = std::move(all.gains);
  all = std::move(edits);
}

// The document with its text in the list too, which has a place for it then.
ModelDocument with_text_in_list(ModelDocument document) {
  ModelBatch& batch = document.batch;
  batch.texts.resize(sentence_count(document));
  batch.texts[batch.current] = std::make_shared<const WaitingText>(waiting_text(document));
  return document;
}

// Shows number `number` of the list, in which all texts are.
ModelDocument with_text_shown(ModelDocument document, std::size_t number) {
  const std::shared_ptr<const WaitingText> shown =
      std::exchange(document.batch.texts[number], nullptr);
  document.batch.current = number;
  if (document.batch.texts.size() == 1) document.batch = {};
  return with_waiting_text(std::move(document), *shown);
}

}  // namespace

WaitingText waiting_text(const ModelDocument& document) {
  return {document.text,
          document.decoder_text,
          document.types,
          without_gains(document.interventions),
          without_gains(document.switched_off),
          document.detached};
}

ModelDocument with_waiting_text(ModelDocument document, WaitingText shown) {
  document.text = std::move(shown.text);
  document.decoder_text = std::move(shown.decoder_text);
  document.types = std::move(shown.types);
  replace_cell_edits(document.interventions, std::move(shown.edits));
  replace_cell_edits(document.switched_off, std::move(shown.switched_off));
  document.detached = std::move(shown.detached);
  return document;
}

bool shows_the_same_text(const ModelDocument& a, const ModelDocument& b) {
  return a.batch.current == b.batch.current && a.batch.texts.size() == b.batch.texts.size();
}

Expected<ModelDocument> reduce(const ModelDocument& document, const AddSentence& command) {
  if (auto room = check_room_for_sentence(sentence_count(document)); !room)
    return tl::make_unexpected(room.error());
  // A decoder begins with the model's first token, or else as it did.
  ModelText decoder = document.source->decoder_start ? ModelText() : document.decoder_text;
  // A copy of a conversation is one, too.
  const bool copies = document.text.chat.on && command.text == document.text.text;
  const auto added = make_model_document(document.source,
                                         copies                 ? document.text
                                         : command.text.empty() ? ModelText()
                                                                : ModelText{command.text, {}},
                                         std::move(decoder));
  if (!added) return tl::make_unexpected(added.error());
  ModelDocument changed = with_text_in_list(document);
  const std::size_t number = document.batch.current + 1;
  changed.batch.texts.insert(changed.batch.texts.begin() + static_cast<std::ptrdiff_t>(number),
                             std::make_shared<const WaitingText>(waiting_text(*added)));
  return with_text_shown(std::move(changed), number);
}

Expected<ModelDocument> reduce(const ModelDocument& document, const RemoveSentence&) {
  if (auto several = check_several_sentences(sentence_count(document)); !several)
    return tl::make_unexpected(several.error());
  ModelDocument changed = document;
  auto& texts = changed.batch.texts;
  texts.erase(texts.begin() + static_cast<std::ptrdiff_t>(document.batch.current));
  return with_text_shown(std::move(changed), std::min(document.batch.current, texts.size() - 1));
}

Expected<ModelDocument> reduce(const ModelDocument& document, const GoToSentence& command) {
  if (auto there = check_sentence(command.sentence, sentence_count(document)); !there)
    return tl::make_unexpected(there.error());
  const auto number = static_cast<std::size_t>(command.sentence);
  if (number == document.batch.current) return document;
  return with_text_shown(with_text_in_list(document), number);
}

Expected<ModelDocument> reduce(const ModelDocument&, const SetPadding&) {
  return fail(ErrorType::kBadInput,
              tr("a model reads each sentence at its own length: there is nothing to pad"));
}

}  // namespace lab
