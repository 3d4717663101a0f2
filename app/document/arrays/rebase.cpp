#include "app/document/arrays/rebase.h"

#include <algorithm>
#include <cstring>
#include <tuple>
#include <vector>

#include "app/document/batch/sentences.h"
#include "app/document/words/dropped_numbers.h"
#include "app/translation/words.h"
#include "core/matrix_id.h"

namespace lab {
namespace {

using attention::Index;
using attention::Matrix;
using attention::Override;
using attention::Problem;
using attention::SharedMatrix;

using CellKey = std::tuple<attention::Stage, Index, Index, Index>;
using Overrides = std::map<CellKey, Override>;

CellKey key_of(const Override& cell) { return {cell.stage, cell.head, cell.row, cell.col}; }

Overrides by_cell(const std::vector<Override>& overrides) {
  Overrides cells;
  for (const Override& cell : overrides) cells.emplace(key_of(cell), cell);
  return cells;
}

std::vector<Override> listed(const Overrides& cells) {
  std::vector<Override> overrides;
  for (const auto& [key, cell] : cells) overrides.push_back(cell);
  return overrides;
}

// Those that `edited` has and `before` has not, or with another value.
std::vector<Override> added_overrides(const Problem& edited, const Problem& before) {
  const Overrides known = by_cell(before.overrides);
  std::vector<Override> added;
  for (const Override& cell : edited.overrides) {
    const auto found = known.find(key_of(cell));
    if (found == known.end() || !(found->second == cell)) added.push_back(cell);
  }
  return added;
}

std::vector<Override> remapped_overrides(const Problem& edited, const Problem& before,
                                         const Problem& now) {
  Overrides cells = by_cell(now.overrides);
  const Overrides kept = by_cell(edited.overrides);
  for (const Override& cell : before.overrides)
    if (!kept.contains(key_of(cell))) cells.erase(key_of(cell));
  for (const Override& cell : added_overrides(edited, before))
    cells.insert_or_assign(key_of(cell), cell);
  return listed(cells);
}

bool is_cell_of(const Problem& problem, const Override& cell) {
  const attention::Shape shape = stage_shape(problem, cell.stage);
  if (cell.row >= shape.rows || cell.col >= shape.cols) return false;
  if (cell.head >= problem.config.n_heads) return false;
  return !is_per_kv_head(cell.stage) || cell.head % heads_per_kv_head(problem.config) == 0;
}

bool holds_same_bits(const Matrix& a, const Matrix& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(float)) == 0;
}

bool same_rows(const Lexicon& a, const Lexicon& b) {
  return std::ranges::equal(a, b, [](const auto& one, const auto& other) {
    return one.first == other.first && one.second.size() == other.second.size() &&
           std::memcmp(one.second.data(), other.second.data(),
                       static_cast<std::size_t>(one.second.size()) * sizeof(float)) == 0;
  });
}

// The rows of `now`, and those that `edited` has of its own.
std::shared_ptr<const Lexicon> merged_rows(const Lexicon& edited, const Lexicon& before,
                                           const std::shared_ptr<const Lexicon>& now) {
  auto rows = std::make_shared<Lexicon>(*now);
  for (const auto& [key, row] : edited) {
    const auto known = before.find(key);
    const bool same =
        known != before.end() && known->second.size() == row.size() && known->second == row;
    if (!same) rows->insert_or_assign(key, row);
  }
  return rows;
}

bool same_cells(const SharedMatrix& a, const SharedMatrix& b) {
  if (a.empty() || b.empty()) return a.empty() == b.empty();
  return a.same_as(b) || holds_same_bits(*a, *b);
}

bool same_words(const Document& a, const Document& b) {
  return a.sentence == b.sentence && a.kv_sentence == b.kv_sentence && a.tokens == b.tokens &&
         a.kv_tokens == b.kv_tokens && a.splitting == b.splitting && a.lexicon == b.lexicon &&
         a.kv_lexicon == b.kv_lexicon && a.shared_tokens == b.shared_tokens &&
         same_cells(a.problem.embedding, b.problem.embedding) &&
         same_cells(a.problem.embedding_kv, b.problem.embedding_kv);
}

void copy_words(const Document& from, Document& to) {
  to.sentence = from.sentence, to.kv_sentence = from.kv_sentence;
  to.tokens = from.tokens, to.kv_tokens = from.kv_tokens;
  to.splitting = from.splitting;
  to.lexicon = from.lexicon, to.kv_lexicon = from.kv_lexicon;
  to.shared_tokens = from.shared_tokens;
  to.problem.embedding = from.problem.embedding;
  to.problem.embedding_kv = from.problem.embedding_kv;
}

bool same_edited_matrices(const Problem& a, const Problem& b) {
  return std::ranges::equal(
      matrices_of(a), matrices_of(b),
      [](const SharedMatrix* one, const SharedMatrix* other) { return one->same_as(*other); });
}

std::string list_of(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text += (text.empty() ? "" : ", ") + item;
  return text;
}

}  // namespace

Rebase::Rebase(const Document& before, const Document& now)
    : before_(before),
      now_(now),
      same_sizes_(lab::same_sizes(before.problem.config, now.problem.config) &&
                  before.batch.sentences.size() == now.batch.sentences.size() &&
                  before.problem.seq_len() == now.problem.seq_len() &&
                  before.problem.kv_len() == now.problem.kv_len() &&
                  before.problem.cross() == now.problem.cross()) {}

// --- batches

struct Rebase::AtSentence {
  AtSentence(const Document& old_version, const Document& new_version, const Batch& batch)
      : before(seen_as(old_version, batch)),
        now(sharing_matrices(seen_as(new_version, batch), before)),
        rebase(before, now) {}

  Document before, now;
  Rebase rebase;
};

Rebase::~Rebase() = default;

namespace {

bool is_seen_alike(const Batch& a, const Batch& b) {
  return a.sentences.size() != b.sentences.size() ||
         (a.current == b.current && a.padded == b.padded);
}

// The other sentences are the new ones, unless their words were edited; what belongs to these
// stays.
Batch remapped_batch(const Batch& edited, const Batch& before, const Batch& now) {
  if (edited.sentences.size() != now.sentences.size()) return edited;
  Batch result = edited;
  for (std::size_t i = 0; i < result.sentences.size(); ++i) {
    if (edited.sentences[i].tokens != before.sentences[i].tokens) continue;
    result.sentences[i] = now.sentences[i];
    result.sentences[i].detached = edited.sentences[i].detached;
  }
  return result;
}

}  // namespace

Document Rebase::of_batch(const Document& edited) {
  std::unique_ptr<AtSentence>& at_sentence =
      at_sentences_[{edited.batch.current, edited.batch.padded}];
  if (!at_sentence) at_sentence = std::make_unique<AtSentence>(before_, now_, edited.batch);
  return at_sentence->rebase(edited);
}

Document Rebase::operator()(const Document& edited) {
  if (same_document(edited, before_)) return now_;
  if (same_sizes_ && !is_seen_alike(edited.batch, before_.batch)) return of_batch(edited);
  if (!same_sizes_ || !lab::same_sizes(edited.problem.config, before_.problem.config))
    return refitted(edited);
  Document result = remapped(edited);
  try {
    attention::validate(result.problem);
  } catch (const std::invalid_argument&) {
    return refitted(edited);
  }
  return result;
}

Document Rebase::remapped(const Document& edited) {
  Document result = edited;
  if (edited.title == before_.title) result.title = now_.title;
  result.batch = remapped_batch(edited.batch, before_.batch, now_.batch);
  if (edited.problem.config == before_.problem.config) {
    result.problem.config = now_.problem.config;
  } else if (edited.problem.config.mask == before_.problem.config.mask) {
    result.problem.config.mask = now_.problem.config.mask;
  }
  if (same_words(edited, before_))
    copy_words(now_, result);
  else
    remap_words(edited, result);
  remap_matrices(edited, result);
  result.problem.overrides = remapped_overrides(edited.problem, before_.problem, now_.problem);
  return result;
}

void Rebase::remap_words(const Document& edited, Document& result) const {
  result.lexicon = merged_rows(*edited.lexicon, *before_.lexicon, now_.lexicon);
  result.kv_lexicon = merged_rows(*edited.kv_lexicon, *before_.kv_lexicon, now_.kv_lexicon);
  result.problem.embedding = SharedMatrix(embed_tokens(result));
  if (result.problem.cross()) result.problem.embedding_kv = SharedMatrix(embed_kv_tokens(result));
}

void Rebase::remap_matrices(const Document& edited, Document& result) {
  const auto was = matrices_of(before_.problem), is = matrices_of(now_.problem),
             own = matrices_of(edited.problem);
  if (was.size() != is.size() || was.size() != own.size()) return;
  std::size_t index = 0;
  for_each_matrix(result.problem,
                  [&](const attention::MatrixInfo& info, Index, SharedMatrix& matrix) {
                    const std::size_t at = index++;
                    const bool of_words =
                        info.id == attention::MatrixId::kX || info.id == attention::MatrixId::kXKv;
                    if (!of_words) matrix = merged(*own[at], *was[at], *is[at]);
                  });
}

SharedMatrix Rebase::merged(const SharedMatrix& edited, const SharedMatrix& before,
                            const SharedMatrix& now) {
  if (edited.same_as(before)) return now;
  if (now.same_as(before) || edited.shape() != before.shape() || edited.shape() != now.shape())
    return edited;
  SharedMatrix& known = merged_[{edited.version(), now.version()}];
  if (!known.empty()) return known;
  Matrix numbers = *now;
  for (Index i = 0; i < numbers.size(); ++i)
    if (!attention::same_bits(edited->data()[i], before->data()[i]))
      numbers.data()[i] = edited->data()[i];
  return known = SharedMatrix(std::move(numbers));
}

Document Rebase::refitted(const Document& edited) const {
  Document result = now_;
  Problem& problem = result.problem;
  if (problem.config.n_heads == edited.problem.config.n_heads)
    problem.head_mix = edited.problem.head_mix;
  Overrides cells = by_cell(problem.overrides);
  for (const Override& cell : added_overrides(edited.problem, before_.problem))
    if (is_cell_of(problem, cell)) cells.insert_or_assign(key_of(cell), cell);
  problem.overrides = listed(cells);
  result.switched_off = edited.switched_off;
  if (problem.config.n_heads != edited.problem.config.n_heads) result.switched_off.head_mix.clear();
  std::erase_if(result.switched_off.overrides,
                [&](const Override& cell) { return !is_cell_of(problem, cell); });
  return result;
}

std::string Rebase::lost(const Document& edited) const {
  const bool fits = same_sizes_ && lab::same_sizes(edited.problem.config, before_.problem.config);
  if (fits || same_document(edited, before_)) return {};
  std::vector<std::string> items;
  const auto added = added_overrides(edited.problem, before_.problem);
  const auto homeless = std::ranges::count_if(
      added, [&](const Override& cell) { return !is_cell_of(now_.problem, cell); });
  if (homeless > 0) items.push_back(tr_count("{} override", "{} overrides", homeless));
  if (!same_edited_matrices(edited.problem, before_.problem)) items.push_back(tr("edited numbers"));
  if (edited.tokens != before_.tokens || edited.kv_tokens != before_.kv_tokens)
    items.push_back(tr("edited words"));
  if (items.empty()) return {};
  return tr("The arrays have other sizes now, and no place for: {}", {list_of(items)});
}

Document sharing_matrices(Document now, const Document& before) {
  if (same_rows(*now.lexicon, *before.lexicon)) now.lexicon = before.lexicon;
  if (same_rows(*now.kv_lexicon, *before.kv_lexicon)) now.kv_lexicon = before.kv_lexicon;
  const auto was = matrices_of(before.problem);
  if (was.size() != matrices_of(now.problem).size()) return now;
  std::size_t index = 0;
  for_each_matrix(now.problem, [&](const attention::MatrixInfo&, Index, SharedMatrix& matrix) {
    const SharedMatrix& known = *was[index++];
    if (!matrix.empty() && holds_same_bits(*matrix, *known)) matrix = known;
  });
  return now;
}

}  // namespace lab
