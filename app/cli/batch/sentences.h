#pragma once

#include <functional>
#include <string>
#include <vector>

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
/// The same for a trained model.
Expected<ModelDocument> at_sentence(const ModelDocument& document, const std::string& sentence);

/// The same without the others and without padding. Precondition: `sentence` is not empty.
Expected<Document> only_sentence(const Document& document, const std::string& sentence);

/// Writes the files of one sentence, whose number from 1 is `sentence`, to `outputs`.
using WriteSentence =
    std::function<Expected<void>(const std::string& sentence, std::vector<std::string> outputs)>;

/// Calls `write` for each of `count` sentences, with names of files such as "OUT-1.svg" for the
/// output OUT.svg, or of folders such as "OUT/sentence-1". Fails with kUsage when an output is
/// standard output, and as `write` does, naming the sentence.
Expected<void> write_sentences(const std::vector<std::string>& outputs, bool folders,
                               std::size_t count, const WriteSentence& write);

}  // namespace lab::cli
