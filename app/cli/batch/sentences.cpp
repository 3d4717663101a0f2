#include "app/cli/batch/sentences.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>

#include "app/base/bad_input.h"
#include "app/cli/arguments.h"
#include "app/document/batch/sentence_list.h"
#include "app/document/batch/sentences.h"
#include "app/document/commands/reducer.h"
#include "app/files/io/paths.h"

namespace lab::cli {
namespace {

constexpr const char* kGroup = "With several sentences";

void add_option_with(CLI::App& app, std::string& sentence, const std::string& help,
                     const char* type) {
  app.add_option("--sentence", sentence, help)->type_name(type)->group(kGroup);
}

std::string output_of_sentence(const std::string& output, bool folder, std::size_t number) {
  if (!folder) return files::numbered_path(output, number);
  return (std::filesystem::path(output) / ("sentence-" + std::to_string(number))).string();
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
  return fail(ErrorType::kUsage, "--sentence is " + in_quotes(sentence) + " but should be " +
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

Expected<void> write_sentences(const std::vector<std::string>& outputs, bool folders,
                               std::size_t count, const WriteSentence& write) {
  if (std::ranges::find(outputs, "-") != outputs.end())
    return fail(ErrorType::kUsage, "--sentence all writes a file for each sentence; -o - is one");
  for (std::size_t i = 1; i <= count; ++i) {
    const std::string number = std::to_string(i);
    std::vector<std::string> separate;
    separate.reserve(outputs.size());
    for (const std::string& output : outputs)
      separate.push_back(output_of_sentence(output, folders, i));
    if (auto written = write(number, std::move(separate)); !written)
      return fail(written.error().type, "sentence " + number + ": " + written.error().message);
  }
  return {};
}

}  // namespace lab::cli
