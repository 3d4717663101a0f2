#include "app/document/batch/sentence_list.h"

#include <algorithm>

#include "app/document/document.h"
#include "app/document/model/model_document.h"
#include "app/document/model/text_tokens.h"
#include "app/translation/words.h"

namespace lab {

std::size_t sentence_count(const Document& document) {
  if (document.layer.model) return sentence_count(*document.layer.model);
  return std::max<std::size_t>(1, document.batch.sentences.size());
}

std::size_t sentence_count(const ModelDocument& document) {
  return std::max<std::size_t>(1, document.batch.texts.size());
}

std::size_t current_sentence(const Document& document) {
  return document.layer.model ? current_sentence(*document.layer.model) : document.batch.current;
}

std::size_t current_sentence(const ModelDocument& document) { return document.batch.current; }

std::string sentence_text(const Document& document, std::size_t number) {
  if (document.layer.model) return sentence_text(*document.layer.model, number);
  const bool shown = number == current_sentence(document);
  return shown ? document.sentence : document.batch.sentences.at(number).text;
}

std::string sentence_text(const ModelDocument& document, std::size_t number) {
  const bool shown = number == current_sentence(document);
  return readable_text(*document.source,
                       shown ? document.text : document.batch.texts.at(number)->text);
}

Expected<void> check_room_for_sentence(std::size_t count) {
  if (count < kMostSentences) return {};
  return fail(ErrorType::kBadInput,
              tr("a batch has at most {} sentences", {std::to_string(kMostSentences)}));
}

Expected<void> check_several_sentences(std::size_t count) {
  if (count > 1) return {};
  return fail(ErrorType::kBadInput, tr("this is the only sentence"));
}

Expected<void> check_sentence(int number, std::size_t count) {
  if (number >= 0 && static_cast<std::size_t>(number) < count) return {};
  return fail(ErrorType::kBadInput, tr("there is no sentence {}; the last one is {}",
                                       {std::to_string(number + 1), std::to_string(count)}));
}

}  // namespace lab
