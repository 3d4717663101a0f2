#include "app/document/words/remap_cells.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "app/document/words/edit_follower.h"

namespace lab {

using attention::Axis;
using attention::Index;
using attention::Matrix;
using attention::Override;
using attention::Problem;
using attention::SharedMatrix;

namespace {

// Which line rows and columns stand for: a layer made by hand has one sublayer.
bool is_of_keys(attention::network::Sublayer, Axis axis) { return axis == Axis::kKeys; }

bool has_cell(const Problem& problem, const Override& o) {
  if (o.row < 0 || o.col < 0) return false;
  if (o.stage == attention::Stage::kXKv && !problem.cross()) return false;
  const attention::Config& config = problem.config;
  const int sharing = is_per_kv_head(o.stage) ? heads_per_kv_head(config) : 1;
  const attention::Shape shape = stage_shape(problem, o.stage);
  return o.head < config.n_heads && o.head % sharing == 0 && o.row < shape.rows &&
         o.col < shape.cols;
}

class Remapper {
 public:
  Remapper(Document& document, const FollowedLines& words)
      : document_(document), edits_(words.queries, words.keys, is_of_keys) {}

  void remap() {
    const Detached& old = *document_.detached;
    Problem& problem = document_.problem;
    remap_pairs(problem.allowed, 1, old.mask, now_.mask);
    remap_pairs(problem.bias, 0, old.bias, now_.bias);
    edits_.remap(problem.overrides, old.overrides, now_.overrides,
                 [&](const Override& o) { return has_cell(problem, o); });
    edits_.remap(document_.switched_off.overrides, old.switched_off, now_.switched_off,
                 [&](const Override& o) { return has_cell(problem, o); });
    forget_unused_tokens();
    if (now_ == old) return;
    document_.detached = now_.empty() ? nothing_detached() : std::make_shared<const Detached>(now_);
  }

 private:
  // A matrix with a number for each pair; `absent` in every other cell.
  void remap_pairs(SharedMatrix& matrix, float absent, const std::vector<PairCell>& old,
                   std::vector<PairCell>& detached) {
    RemappedLine &queries = edits_.first(), &keys = edits_.second();
    const bool still = queries.still() && keys.still();
    if (matrix.empty() && old.empty()) return;
    Matrix values = still ? Matrix() : Matrix::Constant(queries.tokens(), keys.tokens(), absent);
    bool is_absent = true;
    const auto put = [&](Index row, Index col, float value) {
      const Index i = queries.position(row), j = keys.position(col);
      if (i < 0 || j < 0) return detached.push_back({row, col, value});
      values(i, j) = value;
      is_absent = false;
    };
    for (Index i = 0; !still && i < matrix->rows(); ++i) {
      for (Index j = 0; j < matrix->cols(); ++j) {
        const float value = (*matrix)(i, j);
        if (!attention::same_bits(value, absent)) put(queries.of_token(i), keys.of_token(j), value);
      }
    }
    for (const auto& [row, col, value] : old) put(queries.of_index(row), keys.of_index(col), value);
    std::ranges::sort(detached, {}, [](const PairCell& c) { return std::pair(c.row, c.col); });
    if (!still) matrix = is_absent ? SharedMatrix() : SharedMatrix(std::move(values));
    for (const PairCell& cell : detached) {
      queries.use(cell.row);
      keys.use(cell.col);
    }
  }

  void forget_unused_tokens() {
    RemappedLine &queries = edits_.first(), &keys = edits_.second();
    std::tie(now_.queries, now_.keys) = keep_used(queries, keys, document_.problem.cross());
    for (auto* cells : {&now_.mask, &now_.bias}) {
      for (PairCell& cell : *cells) {
        cell.row = queries.renumbered(cell.row);
        cell.col = keys.renumbered(cell.col);
      }
    }
    edits_.renumber(now_.overrides);
    edits_.renumber(now_.switched_off);
  }

  Document& document_;
  EditFollower edits_;
  Detached now_;
};

}  // namespace

std::shared_ptr<const Detached> nothing_detached() {
  static const auto kNothing = std::make_shared<const Detached>();
  return kNothing;
}

TokenLine query_line(const Document& document) {
  return token_line(document.tokens, document.detached->queries);
}

TokenLine key_line(const Document& document) {
  return token_line(key_tokens(document), document.detached->keys);
}

void remap_cells(Document& document, const FollowedLines& words) {
  Remapper(document, words).remap();
}

void remap_cells(Document& document) {
  remap_cells(document, {unmoved(query_line(document)), unmoved(key_line(document))});
}

namespace {

template <typename Forget>
void forget_detached(Document& document, Forget&& forget) {
  if (document.detached->empty()) return;
  Detached rest = *document.detached;
  forget(rest);
  if (rest == *document.detached) return;
  document.detached = std::make_shared<const Detached>(std::move(rest));
  remap_cells(document);
}

}  // namespace

void forget_detached_mask(Document& document) {
  forget_detached(document, [](Detached& detached) { detached.mask.clear(); });
}

void forget_detached_bias(Document& document) {
  forget_detached(document, [](Detached& detached) { detached.bias.clear(); });
}

void forget_detached_overrides(Document& document) {
  forget_detached(document, [](Detached& detached) { detached.overrides.clear(); });
}

}  // namespace lab
