#include "app/document/commands/between.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/document/commands/reduce.h"

namespace lab {
namespace {

using attention::Config;
using attention::Matrix;
using attention::Problem;

float between(float from, float to, double share) {
  if (std::isfinite(from) && std::isfinite(to))
    return static_cast<float>(std::lerp(double{from}, double{to}, share));
  return share < 0.5 ? from : to;
}

void mix_matrix(Document& mixed, const Document& from, const Document& to, MatrixRef ref,
                double share) {
  if (matrix_of(from, ref).same_as(matrix_of(to, ref))) return;
  const Matrix a = shown_numbers(from, ref), b = shown_numbers(to, ref);
  if (a.rows() != b.rows() || a.cols() != b.cols() || same_numbers(a, b)) return;
  Matrix values = a;
  for (attention::Index i = 0; i < a.size(); ++i)
    values.data()[i] = between(a.data()[i], b.data()[i], share);
  editable_matrix(mixed, ref) = attention::SharedMatrix(std::move(values));
}

void mix_config(Config& mixed, const Config& from, const Config& to, double share) {
  for (float Config::*number :
       {&Config::temperature, &Config::dropout_rate, &Config::rotary_base, &Config::rotary_scale,
        &Config::layer_norm_epsilon, &Config::head_norm_epsilon})
    mixed.*number = between(from.*number, to.*number, share);
  const bool both_capped = from.score_cap > 0 && to.score_cap > 0;  // there is nothing below a cap
  if (both_capped) mixed.score_cap = between(from.score_cap, to.score_cap, share);
}

void mix_heads(Problem& mixed, const Problem& from, const Problem& to, double share) {
  if (from.head_mix == to.head_mix) return;
  const auto heads = static_cast<std::size_t>(mixed.config.n_heads);
  const auto scale = [](const Problem& problem, std::size_t head) {
    return problem.head_mix.empty() ? 1.0f : problem.head_mix[head].scale;
  };
  mixed.head_mix.resize(heads);
  for (std::size_t head = 0; head < heads; ++head)
    mixed.head_mix[head].scale = between(scale(from, head), scale(to, head), share);
}

const attention::Override* find_cell(const Problem& problem, const attention::Override& like) {
  const auto found = std::ranges::find_if(problem.overrides, [&](const attention::Override& o) {
    return o.stage == like.stage && o.head == like.head && o.row == like.row && o.col == like.col;
  });
  return found == problem.overrides.end() ? nullptr : &*found;
}

void mix_overrides(Problem& mixed, const Problem& from, const Problem& to, double share) {
  for (attention::Override& cell : mixed.overrides) {
    const auto* a = find_cell(from, cell);
    const auto* b = find_cell(to, cell);
    if (a != nullptr && b != nullptr) cell.value = between(a->value, b->value, share);
  }
}

bool same_shapes(const Problem& a, const Problem& b) {
  const auto sizes = [](const Config& c) {
    return std::array{c.d_model, c.n_heads, kv_head_count(c), c.d_k, c.d_v, c.d_out};
  };
  return sizes(a.config) == sizes(b.config) && a.seq_len() == b.seq_len() &&
         a.kv_len() == b.kv_len() && a.cross() == b.cross();
}

}  // namespace

Expected<void> check_between(const Document& from, const Document& to) {
  if (same_shapes(from.problem, to.problem)) return {};
  return fail(
      ErrorType::kUsage,
      "the two states differ in size or in the number of tokens and cannot be interpolated");
}

Expected<Document> between(const Document& from, const Document& to, double share) {
  if (auto fits = check_between(from, to); !fits) return tl::make_unexpected(fits.error());
  if (share <= 0) return from;
  if (share >= 1) return to;
  Document mixed = share < 0.5 ? from : to;
  for (const attention::MatrixInfo& info : attention::kMatrixInfos) {
    const MatrixId id = info.id;
    // The mask cannot be interpolated.
    if (id == MatrixId::kMask || (id == MatrixId::kXKv && !mixed.problem.cross())) continue;
    for (int head = 0; head < matrix_count(mixed.problem.config, id); ++head)
      mix_matrix(mixed, from, to, {id, head}, share);
  }
  mix_config(mixed.problem.config, from.problem.config, to.problem.config, share);
  mix_heads(mixed.problem, from.problem, to.problem, share);
  mix_overrides(mixed.problem, from.problem, to.problem, share);
  return mixed;
}

}  // namespace lab
