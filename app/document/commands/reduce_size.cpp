#include <algorithm>

#include "app/document/commands/reduce.h"
#include "app/translation/words.h"
#include "core/initialise.h"
#include "core/layer/head_build.h"

namespace lab {
namespace {

using attention::Config;
using attention::HeadBuild;
using attention::Index;
using attention::Matrix;
using attention::Parameters;
using attention::RowVector;
using attention::Shape;
using attention::SharedMatrix;

// The largest number of key and value heads up to `requested` that n_heads query heads can share; 0
// (one for each) when that is n_heads.
int fitting_kv_heads(int n_heads, int requested) {
  int fitting = std::min(requested, n_heads);
  while (fitting > 1 && n_heads % fitting != 0) --fitting;
  return fitting == n_heads ? 0 : fitting;
}

Config with_size(Config config, const SetSize& command) {
  switch (command.size) {
    case SizeId::kDModel:
      if (config.d_out == config.d_model) config.d_out = command.value;
      config.d_model = command.value;
      break;
    case SizeId::kHeads:
      config.n_heads = command.value;
      if (config.n_kv_heads != 0) {
        config.n_kv_heads = fitting_kv_heads(config.n_heads, config.n_kv_heads);
      }
      break;
    case SizeId::kDK:
      config.d_k = command.value;
      break;
    case SizeId::kDV:
      config.d_v = command.value;
      break;
    case SizeId::kKvHeads:
      config.n_kv_heads = command.value == config.n_heads ? 0 : command.value;
      break;
  }
  return config;
}

// The sizes of split heads follow from d_model and their number.
Expected<Config> split_evenly(const Config& config) {
  const bool sensible = config.n_heads >= 1 && config.d_model >= 1;
  const auto split = sensible ? split_config(config) : std::optional(config);
  if (split) return *split;
  return fail(ErrorType::kBadInput,
              tr("d_model {} cannot be split among {} heads: it must be a multiple of their "
                 "number; or give each head its own matrices",
                 {std::to_string(config.d_model), std::to_string(config.n_heads)}));
}

Expected<Config> changed_config(const Config& old, const SetSize& command) {
  const Config config = with_size(old, command);
  if (old.head_build == HeadBuild::kSeparate || config == old) return config;
  if (command.size == SizeId::kDK || command.size == SizeId::kDV) {
    return fail(ErrorType::kBadInput, tr("{} is d_model / n_heads while heads are split; change "
                                         "those, or give each head its own matrices",
                                         {size_name(command.size)}));
  }
  return split_evenly(config);
}

// Fails when `config` cannot be computed for this document.
Expected<void> check_sizes(const Document& document, const Config& config) {
  if (auto fits = check_config(config); !fits) return fits;
  const auto words = static_cast<attention::Index>(
      std::max(document.lexicon->size(), document.kv_lexicon->size()));
  if (auto fits = check_lexicon(words, config.d_model); !fits) return fits;
  return check_scores(config.n_heads, document.problem.seq_len(), document.problem.kv_len());
}

Expected<Document> with_sizes(const Document& document, const Config& config) {
  if (config == document.problem.config) return document;
  if (const auto fits = check_sizes(document, config); !fits) {
    return tl::make_unexpected(fits.error());
  }
  return resized(document, config);
}

// The seed of all numbers added by a change of size.
constexpr std::uint64_t kGrowthSeed = 1;

// Copies the block that both share, from the top left corner.
template <typename From, typename To>
void copy_common(const From& from, To&& to) {
  const Index rows = std::min(from.rows(), to.rows());
  const Index cols = std::min(from.cols(), to.cols());
  to.topLeftCorner(rows, cols) = from.topLeftCorner(rows, cols);
}

void resize_weight(SharedMatrix& weight, Shape shape, MatrixId id, int head) {
  if (weight.shape() == shape) return;
  Matrix resized =
      attention::filled(attention::FillType::kXavier, shape, matrix_seed(kGrowthSeed, id, head));
  copy_common(*weight, resized);
  weight = SharedMatrix(std::move(resized));
}

// For biases and tables: new numbers are `filler`, and an absent matrix stays absent.
void resize_with(SharedMatrix& matrix, Shape shape, float filler = 0) {
  if (matrix.empty() || matrix.shape() == shape) return;
  Matrix resized = Matrix::Constant(shape.rows, shape.cols, filler);
  copy_common(*matrix, resized);
  matrix = SharedMatrix(std::move(resized));
}

void resize_matrix(SharedMatrix& matrix, const attention::MatrixInfo& info, const Config& config,
                   int head) {
  const Shape shape = parameter_shape(config, info.id);
  if (info.required) {
    resize_weight(matrix, shape, info.id, head);
  } else {
    resize_with(matrix, shape, info.absent);
  }
}

// Keeps the d_v rows of W_O that belong to each head with their head.
void resize_W_O(SharedMatrix& W_O, const Config& old, const Config& config) {
  const Shape shape{Index{config.n_heads} * config.d_v, config.d_out};
  if (W_O.shape() == shape) return;
  Matrix resized = attention::filled(attention::FillType::kXavier, shape,
                                     matrix_seed(kGrowthSeed, MatrixId::kWO, 0));
  for (Index head = 0; head < std::min(old.n_heads, config.n_heads); ++head) {
    copy_common(W_O->middleRows(head * old.d_v, old.d_v),
                resized.middleRows(head * config.d_v, config.d_v));
  }
  W_O = SharedMatrix(std::move(resized));
}

// Keeps the factors of each head with its head, where there are some for each; `first_of(head)` is
// the head that it was before, or −1.
template <typename Before>
void resize_head_norm(SharedMatrix& norm, int old_d_k, int d_k, int heads, Before first_of) {
  if (norm.empty()) return;
  Matrix resized = Matrix::Ones(1, Index{heads} * d_k);
  for (int head = 0; head < heads; ++head)
    if (const int before = first_of(head); before >= 0)
      copy_common(norm->middleCols(Index{before} * old_d_k, old_d_k),
                  resized.middleCols(Index{head} * d_k, d_k));
  norm = SharedMatrix(std::move(resized));
}

void resize_head_norms(Parameters& parameters, const Config& old, const Config& config) {
  if (!config.head_norm_joint) return;
  const int kv_heads = kv_head_count(config);
  const bool same = old.d_k == config.d_k && old.n_heads == config.n_heads;
  if (same && kv_head_count(old) == kv_heads) return;
  resize_head_norm(parameters.norm_Q, old.d_k, config.d_k, config.n_heads,
                   [&](int head) { return head < old.n_heads ? head : -1; });
  resize_head_norm(parameters.norm_K, old.d_k, config.d_k, kv_heads, [&](int head) {
    if (old.n_heads == config.n_heads)
      return kv_head_of(old, head * (config.n_heads / kv_heads));  // as regroup() does
    return head < kv_head_count(old) ? head : -1;
  });
}

// Each key and value head gets the matrices that the first of its query heads used.
void regroup(Parameters& parameters, const Config& old, const Config& config) {
  const int count = kv_head_count(config), sharing = config.n_heads / count;
  std::vector<attention::KeyValueParameters> regrouped;
  regrouped.reserve(static_cast<std::size_t>(count));
  for (int head = 0; head < count; ++head) {
    regrouped.push_back(parameters.kv_heads[kv_head_of(old, head * sharing)]);
  }
  parameters.kv_heads = std::move(regrouped);
}

void resize_heads(Parameters& parameters, const Config& old, const Config& config) {
  const bool same_heads = old.n_heads == config.n_heads;
  if (same_heads && kv_head_count(old) != kv_head_count(config)) regroup(parameters, old, config);
  parameters.heads.resize(config.n_heads);
  parameters.kv_heads.resize(kv_head_count(config));
}

// True when split heads are split again from the same matrix, because it keeps its size.
bool is_split_again(const Config& old, const Config& config) {
  const auto split = attention::HeadBuild::kSplit;
  return old.head_build == split && config.head_build == split && old.d_model == config.d_model &&
         old.n_heads != config.n_heads && old.n_kv_heads == 0 && config.n_kv_heads == 0;
}

void resize_parameters(Parameters& parameters, const Config& old, const Config& config) {
  if (is_split_again(old, config)) {
    parameters = attention::split(attention::join(parameters, old), config);
    return;
  }
  resize_heads(parameters, old, config);
  resize_W_O(parameters.W_O, old, config);
  resize_head_norms(parameters, old, config);
  const auto resize = [&](const attention::MatrixInfo& info, Index head, SharedMatrix& matrix) {
    resize_matrix(matrix, info, config, static_cast<int>(head));
  };
  for_each_parameter(parameters, resize);
}

// Rows keep the columns that both share; new columns are those of the default embedding.
Lexicon resized_lexicon(const Lexicon& lexicon, const Document& document) {
  Lexicon resized;
  for (const auto& [key, row] : lexicon) {
    RowVector longer = default_row(document, key);
    copy_common(row, longer);
    resized.emplace(key, std::move(longer));
  }
  return resized;
}

void resize_lexicon(std::shared_ptr<const Lexicon>& lexicon, const Document& document) {
  lexicon = std::make_shared<const Lexicon>(resized_lexicon(*lexicon, document));
}

void resize_dimensions(std::vector<std::string>& names, int d_model) {
  if (names.empty()) return;
  const std::size_t named = names.size();
  names.resize(d_model);
  for (std::size_t d = named; d < names.size(); ++d) names[d] = std::to_string(d);
}

// Everything that has a column for each feature of an embedding.
void resize_embeddings(Document& document, int d_model) {
  attention::Problem& problem = document.problem;
  resize_lexicon(document.lexicon, document);
  resize_lexicon(document.kv_lexicon, document);
  problem.embedding = SharedMatrix(embed_tokens(document));
  if (problem.cross()) problem.embedding_kv = SharedMatrix(embed_kv_tokens(document));
  resize_with(problem.position_table, {problem.position_table->rows(), d_model});
  resize_with(problem.position_table_kv, {problem.position_table_kv->rows(), d_model});
  resize_dimensions(document.dimensions, d_model);
}

void resize_head_mix(std::vector<attention::HeadMix>& all, int n_heads) {
  if (all.empty()) return;
  all.resize(static_cast<std::size_t>(n_heads));
  const attention::HeadMix unchanged;
  if (std::ranges::all_of(all, [&](const auto& mix) { return mix == unchanged; })) all.clear();
}

}  // namespace

Expected<Document> reduce(const Document& document, const SetSize& command) {
  const auto config = changed_config(document.problem.config, command);
  if (!config) return tl::make_unexpected(config.error());
  return with_sizes(document, *config);
}

Expected<Document> reduce(const Document& document, const SetHeadBuild& command) {
  Config config = document.problem.config;
  config.head_build = command.build;
  if (command.build == HeadBuild::kSplit) {
    const auto split = split_evenly(config);
    if (!split) return tl::make_unexpected(split.error());
    config = *split;
  }
  return with_sizes(document, config);
}

Document resized(const Document& document, const Config& config) {
  const Config& old = document.problem.config;
  Document changed = document;
  changed.problem.config = config;
  resize_parameters(changed.problem.parameters, old, config);
  if (config.d_model != old.d_model) resize_embeddings(changed, config.d_model);
  if (config.n_heads != old.n_heads) {
    resize_head_mix(changed.problem.head_mix, config.n_heads);
    resize_head_mix(changed.switched_off.head_mix, config.n_heads);
  }
  make_fit(changed);
  return changed;
}

}  // namespace lab
