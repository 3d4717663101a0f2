#pragma once

#include <string>

#include "app/base/error.h"
#include "app/document/document.h"
#include "app/document/model/model_document.h"

namespace CLI {
class App;
}

namespace lab::cli {

/// Adds --sentence, for verbs that show one sentence.
void add_sentence_option(CLI::App& app, std::string& sentence);
/// The same for verbs that also take all; `all` says what these write then.
void add_sentences_option(CLI::App& app, std::string& sentence, const std::string& all);

/// What --sentence says for every sentence.
inline constexpr const char* kAllSentences = "all";

/// The number that `sentence` ("2") means among `count` sentences, from 0. Fails with kUsage for
/// anything else.
Expected<std::size_t> parse_sentence(const std::string& sentence, std::size_t count);

/// The document at that sentence; at the one that it shows if `sentence` is empty. Fails as
/// parse_sentence() does, and with kBadInput where the sentence does not fit.
Expected<Document> at_sentence(const Document& document, const std::string& sentence);
Expected<ModelDocument> at_sentence(const ModelDocument& document, const std::string& sentence);

/// The same without the others and without padding. Precondition: `sentence` is not empty.
Expected<Document> only_sentence(const Document& document, const std::string& sentence);

}  // namespace lab::cli
