#include "app/document/words/dropped_numbers.h"

#include <algorithm>
#include <array>

#include "app/document/commands/command.h"
#include "app/document/commands/reduce.h"

namespace lab {

using attention::Config;
using attention::Index;
using attention::SharedMatrix;

namespace {

std::array<int, 6> sizes_of(const Config& config) {
  return {config.d_model, config.n_heads, config.d_k,
          config.d_v,     config.d_out,   attention::kv_head_count(config)};
}

bool shrinks(const Config& before, const Config& after) {
  const auto was = sizes_of(before), is = sizes_of(after);
  return !std::ranges::equal(was, is, std::less_equal());
}

// Counts differences matrix by matrix.
class Differences {
 public:
  void add(MatrixRef ref, const attention::MatrixView& was, const attention::MatrixView& again) {
    if (was.rows() != again.rows() || was.cols() != again.cols()) return;
    const Index count = (was.array() != again.array()).count();
    if (count > 0) found_.add({{matrix_in_text(ref)}, count});
  }
  void add(MatrixRef ref, const SharedMatrix& was, const SharedMatrix& again) {
    if (was.version() != again.version()) add(ref, *was, *again);
  }
  const DroppedNumbers& found() const { return found_; }

 private:
  DroppedNumbers found_;
};

void add_words(Differences& differences, MatrixRef ref, const Lexicon& was, const Lexicon& again) {
  for (const auto& [key, row] : was) {
    const auto found = again.find(key);
    if (found != again.end()) differences.add(ref, row, found->second);
  }
}

DroppedNumbers differences(const Document& before, const Document& again) {
  Differences all;
  const auto& was = before.problem;
  add_words(all, {MatrixId::kX, 0}, *before.lexicon, *again.lexicon);
  add_words(all, {MatrixId::kXKv, 0}, *before.kv_lexicon, *again.kv_lexicon);
  for_each_parameter(was.parameters, [&](const auto& info, Index head, const SharedMatrix& matrix) {
    const MatrixRef ref{info.id, static_cast<int>(head)};
    all.add(ref, matrix, matrix_of(again.problem, info.id, head));
  });
  all.add({MatrixId::kPositionTable, 0}, was.position_table, again.problem.position_table);
  all.add({MatrixId::kPositionTableKv, 0}, was.position_table_kv, again.problem.position_table_kv);
  return all.found();
}

}  // namespace

void DroppedNumbers::add(const DroppedNumbers& later) {
  count += later.count;
  for (const std::string& name : later.matrices)
    if (std::ranges::find(matrices, name) == matrices.end()) matrices.push_back(name);
}

bool same_sizes(const Config& a, const Config& b) { return sizes_of(a) == sizes_of(b); }

DroppedNumbers dropped_numbers(const Document& before, const Document& after) {
  const Config &was = before.problem.config, &is = after.problem.config;
  if (!shrinks(was, is)) return {};
  return differences(before, resized(after, was));
}

}  // namespace lab
