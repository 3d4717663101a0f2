#include "app/document/commands/command.h"

#include "app/base/named.h"

namespace lab {

namespace {

constexpr std::array<std::string_view, 16> kMatrixNames = {"X",
                                                           "W_Q",
                                                           "W_K",
                                                           "W_V",
                                                           "W_O",
                                                           "b_Q",
                                                           "b_K",
                                                           "b_V",
                                                           "b_O",
                                                           "X_kv",
                                                           "position_table",
                                                           "gamma",
                                                           "beta",
                                                           "mask",
                                                           "score_bias",
                                                           "position_table_kv"};
constexpr std::array<std::string_view, 5> kSizeNames = {"d_model", "n_heads", "d_k", "d_v",
                                                        "n_kv_heads"};

}  // namespace

std::string_view matrix_name(MatrixId id) { return name_of_id(kMatrixNames, id); }

std::optional<MatrixId> matrix_from_name(std::string_view name) {
  return id_from_name<MatrixId>(kMatrixNames, name);
}

bool is_per_head(MatrixId id) {
  return id == MatrixId::kWQ || id == MatrixId::kBQ || is_per_kv_head(id);
}

bool is_per_kv_head(MatrixId id) {
  return id == MatrixId::kWK || id == MatrixId::kWV || id == MatrixId::kBK || id == MatrixId::kBV;
}

int matrix_count(const attention::Config& config, MatrixId id) {
  if (!is_per_head(id)) return 1;
  return is_per_kv_head(id) ? kv_head_count(config) : config.n_heads;
}

std::string_view size_name(SizeId id) { return name_of_id(kSizeNames, id); }

std::optional<SizeId> size_from_name(std::string_view name) {
  return id_from_name<SizeId>(kSizeNames, name);
}

}  // namespace lab
