#include "app/files/problem/document_format.h"

#include <algorithm>
#include <array>
#include <set>

#include "app/base/names.h"
#include "app/document/batch/sentences.h"
#include "app/document/commands/layer_switches.h"
#include "app/files/io/paths.h"
#include "app/files/problem/batch_file.h"
#include "app/files/problem/multihead_file.h"
#include "app/files/problem/problem_file.h"
#include "app/files/session/session.h"
#include "app/translation/words.h"

namespace lab::files {
namespace {

constexpr std::array<std::string_view, 2> kLayoutNames = {"problem", "multihead"};

using Sentences = std::vector<Document>;

Sentences sentences_of(const Document& document) {
  const auto all = all_sentences(document);
  return all ? *all : Sentences{document};
}

// True when every row belongs to a token of a sentence.
bool are_in_use(const Lexicon& lexicon, const Sentences& sentences,
                std::vector<Token> Document::*tokens) {
  std::set<std::string_view> keys;
  for (const Document& one : sentences)
    for (const Token& token : one.*tokens) keys.insert(token.key);
  return std::ranges::all_of(lexicon, [&](const auto& row) { return keys.contains(row.first); });
}

std::vector<std::string> typed_texts(const Sentences& sentences) {
  std::vector<std::string> texts;
  for (const Document& one : sentences) texts.insert(texts.end(), {one.sentence, one.kv_sentence});
  return texts;
}

// What a batch has that tensors of all sentences have no place for.
void add_lost_of_batch(const Document& document, const Sentences& sentences,
                       std::vector<std::string>& lost) {
  if (sentences.size() < 2) return;
  const auto overrides = [](const Document& one) { return !one.problem.overrides.empty(); };
  if (std::ranges::any_of(sentences, overrides)) lost.emplace_back(tr("overridden numbers"));
  if (document.batch.padded) lost.emplace_back(tr("that sentences are padded"));
}

// "a, b and c" of one part or more.
std::string list_text(const std::vector<std::string>& parts) {
  std::string text;
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) text += (i == 0 ? "" : ", ") + parts[i];
  return text.empty() ? parts.back() : tr("{} and {}", {text, parts.back()});
}

std::string lost_text(const std::vector<std::string>& parts) {
  if (parts.empty()) return {};
  return tr("such a file does not keep {}; a .json does", {list_text(parts)});
}

// What reading the tensors back would not restore.
std::string lost_in_problem(const Document& document, const TensorFile& file) {
  const auto again = document_from_tensors(file, document.title);
  if (!again) return tr("such a file cannot be opened again: {}", {again.error().message});
  std::vector<std::string> lost;
  const Sentences sentences = sentences_of(document);
  if (typed_texts(sentences_of(*again)) != typed_texts(sentences))
    lost.emplace_back(tr("the sentence as it was typed"));
  if (!are_in_use(*document.lexicon, sentences, &Document::tokens) ||
      !are_in_use(*document.kv_lexicon, sentences, &Document::kv_tokens))
    lost.emplace_back(tr("vectors of words that are not in the sentence"));
  if (again->dimensions != document.dimensions) lost.emplace_back(tr("the names of dimensions"));
  if (again->problem.config.head_build != document.problem.config.head_build)
    lost.emplace_back(tr("that heads are columns of one matrix"));
  if (document.problem.cross() && document.shared_tokens)
    lost.emplace_back(tr("that equal words share one vector"));
  const auto removed = [](const Document& one) { return !one.detached->empty(); };
  if (std::ranges::any_of(sentences, removed))
    lost.emplace_back(tr("what belongs to removed words"));
  if (document.switched_off != SwitchedOff{}) lost.emplace_back(tr("edits that are switched off"));
  add_lost_of_batch(document, sentences, lost);
  return lost_text(lost);
}

bool has_switches(const attention::Problem& problem) {
  const attention::Config& config = problem.config;
  bool is_any_on = false;
  for (const VariantGroup group : {VariantGroup::kHeads, VariantGroup::kOutput})
    for_each_switch(group, [&](const LayerSwitch& record, auto) {
      if (record.on != &attention::Config::biases && config.*record.on) is_any_on = true;
    });
  return config.mask.any() || !problem.allowed.empty() || !problem.bias.empty() ||
         config.positions != attention::Positions::kNone || config.dropout_rate > 0 ||
         config.score_cap > 0 || is_any_on || !config.scale || config.temperature != 1.0f ||
         !problem.head_mix.empty() || !problem.overrides.empty();
}

std::string lost_in_multihead(const Document& document) {
  std::vector<std::string> lost = {tr("the sentence"), tr("its embeddings")};
  if (has_switches(document.problem))
    lost.emplace_back(tr("what is switched on besides weights and biases (masks, positions, …)"));
  return lost_text(lost);
}

Expected<WrittenDocument> encoded(const TensorFile& file, std::string_view ending,
                                  std::string lost) {
  if (ending == ".safetensors") return WrittenDocument{write_safetensors(file), std::move(lost)};
  auto bytes = write_npz(file);
  if (!bytes) return tl::make_unexpected(bytes.error());
  return WrittenDocument{std::move(*bytes), std::move(lost)};
}

}  // namespace

std::optional<TensorLayout> tensor_layout_from_name(std::string_view name) {
  return id_from_name<TensorLayout>(kLayoutNames, name);
}

bool is_document_ending(std::string_view ending) {
  return ending == ".json" || is_problem_ending(ending);
}

Expected<WrittenDocument> write_document(const Document& document, std::string_view ending,
                                         TensorLayout layout,
                                         const std::optional<SessionView>& view) {
  if (!is_problem_ending(ending)) return WrittenDocument{write_session(document, view), {}};
  if (layout == TensorLayout::kMultihead) {
    const auto file = multihead_tensors(document);
    if (!file) return tl::make_unexpected(file.error());
    return encoded(*file, ending, lost_in_multihead(document));
  }
  const auto file = document.batch.sentences.size() > 1
                        ? batch_tensors(document)
                        : Expected<TensorFile>(problem_tensors(document));
  if (!file) return tl::make_unexpected(file.error());
  return encoded(*file, ending, lost_in_problem(document, *file));
}

}  // namespace lab::files
