#include "app/document/words/carry_cells.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "app/document/words/carried_line.h"
#include "core/layer/stage_info.h"

namespace lab {

using attention::Axis;
using attention::Index;
using attention::Matrix;
using attention::Override;
using attention::Problem;
using attention::SharedMatrix;

namespace {

bool has_cell(const Problem& problem, const Override& o) {
  if (o.row < 0 || o.col < 0) return false;
  if (o.stage == attention::Stage::kXKv && !problem.cross()) return false;
  const attention::Config& config = problem.config;
  const int sharing = is_per_kv_head(o.stage) ? heads_per_kv_head(config) : 1;
  const attention::Shape shape = stage_shape(problem, o.stage);
  return o.head < config.n_heads && o.head % sharing == 0 && o.row < shape.rows &&
         o.col < shape.cols;
}

class Carrier {
 public:
  Carrier(Document& document, const FollowedWords& words)
      : document_(document), queries_(words.queries), keys_(words.keys) {}

  void carry() {
    const SetAside& old = *document_.set_aside;
    Problem& problem = document_.problem;
    carry_pairs(problem.allowed, 1, old.mask, now_.mask);
    carry_pairs(problem.bias, 0, old.bias, now_.bias);
    carry_overrides(problem);
    forget_unused_words();
    if (now_ == old) return;
    document_.set_aside = now_.empty() ? nothing_aside() : std::make_shared<const SetAside>(now_);
  }

 private:
  // A matrix with a number for each pair; `absent` in every other cell.
  void carry_pairs(SharedMatrix& matrix, float absent, const std::vector<PairCell>& old,
                   std::vector<PairCell>& aside) {
    const bool still = queries_.still() && keys_.still();
    if (matrix.empty() && old.empty()) return;
    Matrix values = still ? Matrix() : Matrix::Constant(queries_.tokens(), keys_.tokens(), absent);
    bool is_absent = true;
    const auto put = [&](Index row, Index col, float value) {
      const Index i = queries_.position(row), j = keys_.position(col);
      if (i < 0 || j < 0) return aside.push_back({row, col, value});
      values(i, j) = value;
      is_absent = false;
    };
    for (Index i = 0; !still && i < matrix->rows(); ++i) {
      for (Index j = 0; j < matrix->cols(); ++j) {
        const float value = (*matrix)(i, j);
        if (!attention::same_bits(value, absent))
          put(queries_.of_token(i), keys_.of_token(j), value);
      }
    }
    for (const auto& [row, col, value] : old)
      put(queries_.of_place(row), keys_.of_place(col), value);
    std::ranges::sort(aside, {}, [](const PairCell& c) { return std::pair(c.row, c.col); });
    if (!still) matrix = is_absent ? SharedMatrix() : SharedMatrix(std::move(values));
    for (const PairCell& cell : aside) {
      queries_.use(cell.row);
      keys_.use(cell.col);
    }
  }

  CarriedLine* side_of(Axis axis) {
    if (axis == Axis::kQueries) return &queries_;
    return axis == Axis::kKeys ? &keys_ : nullptr;
  }

  // Gives both coordinates of an override a new value: map(side, value) where it stands for a word.
  template <typename Map>
  Override mapped(Override o, Map&& map) {
    const attention::StageInfo& info = attention::stage_info(o.stage);
    if (CarriedLine* side = side_of(info.rows)) o.row = map(*side, o.row);
    if (CarriedLine* side = side_of(info.cols)) o.col = map(*side, o.col);
    return o;
  }

  void carry_overrides(Problem& problem) {
    std::vector<Override> kept;
    const auto put = [&](const Override& place) {
      const Override cell = mapped(place, [](auto& side, Index at) { return side.position(at); });
      if (has_cell(problem, cell)) return kept.push_back(cell);
      mapped(place, [](auto& side, Index at) { return side.use(at), at; });
      now_.overrides.push_back(place);
    };
    for (const Override& o : problem.overrides)
      put(mapped(o, [](auto& side, Index at) { return side.of_token(at); }));
    for (const Override& o : document_.set_aside->overrides)
      put(mapped(o, [](auto& side, Index at) { return side.of_place(at); }));
    problem.overrides = std::move(kept);
  }

  void forget_unused_words() {
    std::tie(now_.queries, now_.keys) = keep_used(queries_, keys_, document_.problem.cross());
    for (auto* cells : {&now_.mask, &now_.bias}) {
      for (PairCell& cell : *cells) {
        cell.row = queries_.renumbered(cell.row);
        cell.col = keys_.renumbered(cell.col);
      }
    }
    for (Override& o : now_.overrides)
      o = mapped(o, [](auto& side, Index at) { return side.renumbered(at); });
  }

  Document& document_;
  CarriedLine queries_, keys_;
  SetAside now_;
};

}  // namespace

std::shared_ptr<const SetAside> nothing_aside() {
  static const auto kNothing = std::make_shared<const SetAside>();
  return kNothing;
}

WordLine query_line(const Document& document) {
  return word_line(document.tokens, document.set_aside->queries);
}

WordLine key_line(const Document& document) {
  return word_line(key_tokens(document), document.set_aside->keys);
}

void carry_cells(Document& document, const FollowedWords& words) {
  Carrier(document, words).carry();
}

void carry_cells(Document& document) {
  carry_cells(document, {unmoved(query_line(document)), unmoved(key_line(document))});
}

namespace {

template <typename Forget>
void forget_aside(Document& document, Forget&& forget) {
  if (document.set_aside->empty()) return;
  SetAside rest = *document.set_aside;
  forget(rest);
  if (rest == *document.set_aside) return;
  document.set_aside = std::make_shared<const SetAside>(std::move(rest));
  carry_cells(document);
}

}  // namespace

void forget_aside_mask(Document& document) {
  forget_aside(document, [](SetAside& aside) { aside.mask.clear(); });
}

void forget_aside_bias(Document& document) {
  forget_aside(document, [](SetAside& aside) { aside.bias.clear(); });
}

void forget_aside_overrides(Document& document) {
  forget_aside(document, [](SetAside& aside) { aside.overrides.clear(); });
}

}  // namespace lab
