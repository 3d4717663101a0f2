#include "app/document/analysis/predictions.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/base/bad_input.h"
#include "app/document/model/layer_name.h"
#include "app/document/model/token_name.h"

namespace lab {
namespace {

using attention::Index;
using attention::Matrix;
using attention::RowVector;
using attention::network::NetworkTrace;
using attention::network::StackTrace;
using attention::network::Sublayer;

Expected<std::vector<Index>> masked_positions(const ModelDocument& document) {
  const ModelSource& model = *document.source;
  if (!model.tokenizer)
    return fail(ErrorType::kUsage, "without a tokenizer.json it is not known which id is masked");
  const auto name = mask_token(model);
  if (!name) return fail(ErrorType::kBadInput, "the tokenizer has neither [MASK] nor <mask>");
  const std::uint32_t mask = *model.tokenizer->id_of(*name);
  const std::vector<std::uint32_t> ids = tokens_of(document).ids;
  std::vector<Index> positions;
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (ids[i] == mask) positions.push_back(static_cast<Index>(i));
  if (!positions.empty()) return positions;
  return fail(ErrorType::kUsage, "this model fills gaps: write " + *name +
                                     " in the text where it should predict a token");
}

// The probabilities of all tokens.
class Softmax {
 public:
  explicit Softmax(const RowVector& logits)
      : logits_(logits),
        largest_(logits.maxCoeff()),
        sum_((logits.cast<double>().array() - largest_).exp().sum()) {}

  Prediction prediction_of(std::uint32_t id) const {
    const double probability = std::exp(logits_(id) - largest_) / sum_;
    return {id, static_cast<float>(probability), logits_(id)};
  }

 private:
  const RowVector& logits_;
  double largest_, sum_;
};

// The first part of a stack whose output is not finite; empty when there is none.
std::string first_not_finite(const StackTrace& stack, Sublayer sublayer) {
  const std::string of = sublayer == Sublayer::kEncoder ? " of the encoder" : "";
  if (!stack.blocks.empty() && !stack.blocks.front().input->allFinite())
    return "the embedding" + of;
  for (std::size_t layer = 0; layer < stack.blocks.size(); ++layer) {
    const bool last = layer + 1 == stack.blocks.size();
    const Matrix& output = *(last ? stack.last : stack.blocks[layer + 1].input);
    if (!output.allFinite()) return "layer " + layer_name({sublayer, static_cast<Index>(layer)});
  }
  return stack.final.allFinite() ? "" : "the final norm" + of;
}

}  // namespace

std::string first_not_finite(const NetworkTrace& trace) {
  std::string source;
  if (trace.encoder) source = first_not_finite(*trace.encoder, Sublayer::kEncoder);
  return source.empty() ? first_not_finite(trace.stack, Sublayer::kSelf) : source;
}

std::vector<Prediction> predictions_of(const RowVector& logits,
                                       const std::vector<std::uint32_t>& ids) {
  const Softmax softmax(logits);
  std::vector<Prediction> result;
  result.reserve(ids.size());
  for (const std::uint32_t id : ids) result.push_back(softmax.prediction_of(id));
  return result;
}

Prediction prediction_of(const RowVector& logits, std::uint32_t id) {
  return Softmax(logits).prediction_of(id);
}

std::vector<std::uint32_t> likeliest_tokens(const RowVector& logits, std::size_t count) {
  std::vector<std::uint32_t> ids(static_cast<std::size_t>(logits.size()));
  std::iota(ids.begin(), ids.end(), 0U);
  count = std::min(count, ids.size());
  const auto likelier = [&](std::uint32_t a, std::uint32_t b) {
    return logits(a) != logits(b) ? logits(a) > logits(b) : a < b;
  };
  if (count == ids.size())
    std::sort(ids.begin(), ids.end(), likelier);
  else
    std::partial_sort(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(count), ids.end(),
                      likelier);
  ids.resize(count);
  return ids;
}

std::vector<Prediction> most_probable(const RowVector& logits, Index top) {
  return predictions_of(logits, likeliest_tokens(logits, static_cast<std::size_t>(top)));
}

std::uint32_t likeliest_token(const RowVector& logits) {
  const float* const first = logits.data();
  return static_cast<std::uint32_t>(std::max_element(first, first + logits.size()) - first);
}

Prediction likeliest(const RowVector& logits) {
  return prediction_of(logits, likeliest_token(logits));
}

Index rank_of(const RowVector& logits, std::uint32_t id) {
  return 1 + (logits.array() > logits(id)).count();
}

Expected<void> check_read_out(const ModelDocument& document) {
  if (document.network.read_out) return {};
  return fail(ErrorType::kBadInput, in_quotes(document.source->folder) +
                                        " was saved without a read-out, so it predicts nothing");
}

Expected<std::vector<Index>> predicting_rows(const ModelDocument& document) {
  if (auto there = check_read_out(document); !there) return tl::make_unexpected(there.error());
  if (!document.source->causal) return masked_positions(document);
  return std::vector<Index>{std::ssize(tokens_of(document).ids) - 1};
}

Expected<void> check_finite(const NetworkTrace& trace, Index row, const RowVector& logits) {
  if (logits.allFinite()) return {};
  const std::string source = first_not_finite(trace);
  return fail(ErrorType::kBadInput, "the logits of row " + std::to_string(row) +
                                        " are NaN or infinite, so they are no answer; " +
                                        (source.empty() ? "the read-out" : source) +
                                        " is the first that gives such numbers");
}

Expected<void> check_row(const ModelPass& pass, Index row) {
  if (auto there = check_read_out(pass.document); !there) return there;
  const Index rows = pass.trace.stack.n();
  if (row >= 0 && row < rows) return {};
  return fail(ErrorType::kBadInput,
              "there is no row " + std::to_string(row) + "; the text has " + std::to_string(rows));
}

Expected<RowVector> logits_of_row(const ModelPass& pass, Index row) {
  if (auto there = check_row(pass, row); !there) return tl::make_unexpected(there.error());
  const Matrix& final = pass.trace.stack.final;
  RowVector logits = attention::network::logits(pass.network(), final.row(row), pass.pool);
  if (auto finite = check_finite(pass.trace, row, logits); !finite)
    return tl::make_unexpected(finite.error());
  return logits;
}

Expected<std::vector<PredictionsAt>> predictions(const ModelPass& pass, Index top) {
  const auto positions = predicting_rows(pass.document);
  if (!positions) return tl::make_unexpected(positions.error());
  std::vector<PredictionsAt> result;
  for (const Index row : *positions) {
    const auto logits = logits_of_row(pass, row);
    if (!logits) return tl::make_unexpected(logits.error());
    result.push_back({row, most_probable(*logits, top)});
  }
  return result;
}

}  // namespace lab
