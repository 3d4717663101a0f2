#pragma once

#include <string>
#include <vector>

#include "core/tests/random_problem.h"

namespace attention::test {

/// Makes random edits of every kind to one small problem, which stays valid.
class RandomEditor {
 public:
  /// The same seed makes the same edits.
  explicit RandomEditor(std::uint64_t seed);

  /// The problem as it is now.
  const Problem& problem() const { return problem_; }
  /// Makes one edit, sometimes several at once.
  void edit();
  /// What the last edit was, for messages.
  const std::string& name() const { return name_; }
  /// The number of kinds of edit.
  static size_t types();

 private:
  struct Type;
  static const std::vector<Type>& all_types();

  Config& config() { return problem_.config; }
  Parameters& parameters() { return problem_.parameters; }
  template <typename Entries>
  auto& any(Entries& entries);
  void cell(SharedMatrix& matrix);
  void row(SharedMatrix& matrix);
  void optional(SharedMatrix& matrix, Index rows, Index cols);

  void cell_of_embedding();
  void row_of_embedding();
  void cell_of_embedding_kv();
  void cell_of_W_Q();
  void cell_of_W_K();
  void cell_of_W_V();
  void several_columns_of_W_Q();
  void cell_of_W_O();
  void bias_of_queries();
  void bias_of_keys();
  void bias_of_values();
  void bias_of_output();
  void gamma_and_beta();
  void cell_of_position_table();
  void mask_rules();
  void allowed();
  void cell_of_allowed();
  void bias();
  void head_bias();
  void relative();
  void rotary_frequencies();
  void head_norm();
  void norm_of_queries();
  void norm_of_keys();
  void sink();
  void score_cap();
  void scale();
  void temperature();
  void biases_switch();
  void positions();
  void rotary();
  void dropout();
  void residual_and_layer_norm();
  void head_mix();
  void put_override();
  void change_override();
  void remove_override();
  void second_sentence();
  void tokens();
  void kv_heads();
  void heads();
  void sizes();
  void undo();
  void nothing() {}

  void remake();
  void drop_what_does_not_fit();
  bool fits(const Override& o) const;

  PortableRandom random_;
  Problem problem_;
  std::vector<Problem> past_;
  std::string name_;
};

}  // namespace attention::test
