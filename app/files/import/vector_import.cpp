#include "app/files/import/vector_import.h"

#include <set>

#include "app/base/bad_input.h"
#include "app/base/wording.h"
#include "app/document/commands/reducer.h"
#include "app/translation/words.h"

namespace lab::files {
namespace {

using attention::Index;
using attention::Matrix;

// "“a”, “b” and 3 more".
std::string some_of(const std::vector<std::string>& words) {
  constexpr std::size_t kShown = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(words.size(), kShown); ++i)
    text += (i == 0 ? "" : ", ") + in_quotes(words[i]);
  if (words.size() <= kShown) return text;
  return tr("{} and {} more", {text, grouped(static_cast<Index>(words.size() - kShown))});
}

std::vector<std::string> notes_of(const WordVectors& vectors, const std::string& name) {
  std::vector<std::string> notes;
  if (!vectors.missing.empty())
    notes.push_back(
        vectors.missing.size() == 1
            ? tr("{} is not in {} and keeps its vector", {some_of(vectors.missing), name})
            : tr("{} are not in {} and keep theirs", {some_of(vectors.missing), name}));
  if (!vectors.lowered.empty())
    notes.push_back(
        vectors.lowered.size() == 1
            ? tr("{} has the vector of the word in lower case", {some_of(vectors.lowered)})
            : tr("{} have the vector of the word in lower case", {some_of(vectors.lowered)}));
  return notes;
}

// The rows of the words; other rows are unchanged.
Matrix with_vectors(Matrix rows, const std::vector<Token>& tokens, const WordVectors& vectors) {
  for (Index i = 0; i < rows.rows(); ++i) {
    const auto found = vectors.rows.find(tokens[static_cast<std::size_t>(i)].text);
    if (found != vectors.rows.end()) rows.row(i) = found->second;
  }
  return rows;
}

void add_sentences(const Document& document, const WordVectors& vectors, Import& import) {
  const attention::Problem& problem = document.problem;
  add_blocks({MatrixId::kX, 0}, with_vectors(*problem.embedding, document.tokens, vectors),
             import.commands);
  if (!problem.cross()) return;
  add_blocks({MatrixId::kXKv, 0}, with_vectors(*problem.embedding_kv, document.kv_tokens, vectors),
             import.commands);
}

}  // namespace

std::vector<std::string> words_in_use(const Document& document) {
  std::set<std::string> words;
  for (const auto& tokens : {document.tokens, document.kv_tokens})
    for (const Token& token : tokens) words.insert(token.text);
  return {words.begin(), words.end()};
}

std::string vector_misfit_text(const Document& document, const WordVectors& vectors,
                               const std::string& name) {
  return tr("{} has vectors of {} numbers, d_model is {}",
            {name, grouped(vectors.dimension), grouped(document.problem.config.d_model)});
}

Expected<Import> import_vectors(const Document& document, const WordVectors& vectors,
                                const std::string& name, bool resize) {
  if (vectors.rows.empty())
    return fail(ErrorType::kBadInput, tr("none of the words of the sentence is in {}: {}",
                                         {name, some_of(vectors.missing)}));
  Import import{{}, notes_of(vectors, name)};
  if (vectors.dimension == document.problem.config.d_model) {
    add_sentences(document, vectors, import);
    return import;
  }
  if (!resize) return fail(ErrorType::kBadInput, vector_misfit_text(document, vectors, name));
  import.commands.emplace_back(SetSize{SizeId::kDModel, static_cast<int>(vectors.dimension)});
  const Expected<Document> resized = lab::apply(document, import.commands.front());
  if (!resized)
    return fail(resized.error().type,
                tr("{}, and cannot change: {}",
                   {vector_misfit_text(document, vectors, name), resized.error().message}));
  add_sentences(*resized, vectors, import);
  return import;
}

}  // namespace lab::files
