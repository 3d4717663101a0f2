#include "app/cli/batch/sentence_argument.h"

#include <CLI/CLI.hpp>

#include "app/base/bad_input.h"
#include "app/cli/arguments.h"
#include "app/document/batch/sentence_list.h"
#include "app/document/batch/sentences.h"
#include "app/document/commands/reducer.h"

namespace lab::cli {
namespace {

constexpr const char* kGroup = "With several sentences";

void add_option_with(CLI::App& app, std::string& sentence, const std::string& help,
                     const char* type) {
  app.add_option("--sentence", sentence, help)->type_name(type)->group(kGroup);
}

}  // namespace

void add_sentence_option(CLI::App& app, std::string& sentence) {
  add_option_with(app, sentence, "which sentence, from 1 (the one that the session shows)", "N");
}

void add_sentences_option(CLI::App& app, std::string& sentence, const std::string& all) {
  add_option_with(app, sentence,
                  "which sentence, from 1 (the one that the session shows);\nall: " + all, "N|all");
}

Expected<std::size_t> parse_sentence(const std::string& sentence, std::size_t count) {
  const auto number = whole_number(sentence);
  if (number && *number >= 1 && static_cast<std::size_t>(*number) <= count)
    return static_cast<std::size_t>(*number) - 1;
  return fail(ErrorKind::kUsage, "--sentence is " + in_quotes(sentence) + " but should be " +
                                     (count == 1 ? "1: there is only one"
                                                 : "a number from 1 to " + std::to_string(count)));
}

Expected<Document> at_sentence(const Document& document, const std::string& sentence) {
  if (sentence.empty()) return document;
  return parse_sentence(sentence, sentence_count(document)).and_then([&](std::size_t number) {
    return apply(document, GoToSentence{static_cast<int>(number)});
  });
}

Expected<ModelDocument> at_sentence(const ModelDocument& document, const std::string& sentence) {
  if (sentence.empty()) return document;
  return parse_sentence(sentence, sentence_count(document)).and_then([&](std::size_t number) {
    return reduce(document, GoToSentence{static_cast<int>(number)});
  });
}

Expected<Document> only_sentence(const Document& document, const std::string& sentence) {
  const auto number = parse_sentence(sentence, sentence_count(document));
  if (!number) return tl::make_unexpected(number.error());
  return all_sentences(document).map(
      [&](const std::vector<Document>& all) { return all[*number]; });
}

}  // namespace lab::cli
