#include "app/cli/model/predictions.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/base/bad_input.h"
#include "app/document/model/layer_name.h"

namespace lab::cli {
namespace {

using attention::Index;
using attention::Matrix;
using attention::network::Sublayer;

Expected<std::vector<Index>> masked_places(const ModelRun& run) {
  if (!run.model->tokenizer)
    return fail(ErrorKind::kUsage, "without a tokenizer.json it is not known which id is masked");
  for (const char* name : {"[MASK]", "<mask>"}) {
    const auto mask = run.model->tokenizer->id_of(name);
    if (!mask) continue;
    std::vector<Index> places;
    for (std::size_t i = 0; i < run.tokens.ids.size(); ++i)
      if (run.tokens.ids[i] == *mask) places.push_back(static_cast<Index>(i));
    if (!places.empty()) return places;
    return fail(ErrorKind::kUsage, "this model fills gaps: write " + std::string(name) +
                                       " in the text where it should predict a token");
  }
  return fail(ErrorKind::kBadInput, "the tokenizer has neither [MASK] nor <mask>");
}

// The probabilities of all tokens.
class Softmax {
 public:
  explicit Softmax(const attention::RowVector& logits)
      : logits_(logits),
        largest_(logits.maxCoeff()),
        sum_((logits.cast<double>().array() - largest_).exp().sum()) {}

  Prediction prediction_of(std::uint32_t id) const {
    const double probability = std::exp(logits_(id) - largest_) / sum_;
    return {id, static_cast<float>(probability), logits_(id)};
  }

 private:
  const attention::RowVector& logits_;
  double largest_, sum_;
};

// The first part of a stack whose output is not finite; empty when there is none.
std::string first_not_finite(const attention::network::StackTrace& stack, Sublayer sublayer) {
  const std::string of = sublayer == Sublayer::kEncoder ? " of the encoder" : "";
  if (!stack.blocks.empty() && !stack.blocks.front().input.allFinite()) return "the embedding" + of;
  for (std::size_t layer = 0; layer < stack.blocks.size(); ++layer) {
    const bool last = layer + 1 == stack.blocks.size();
    const Matrix& output = last ? stack.last : stack.blocks[layer + 1].input;
    if (!output.allFinite()) return "layer " + layer_name({sublayer, static_cast<Index>(layer)});
  }
  return stack.final.allFinite() ? "" : "the final norm" + of;
}

std::string first_not_finite(const ModelRun& run) {
  const auto& [stack, encoder] = run.trace();
  std::string part;
  if (encoder) part = first_not_finite(*encoder, Sublayer::kEncoder);
  if (part.empty()) part = first_not_finite(stack, Sublayer::kSelf);
  return part.empty() ? "the read-out" : part;
}

}  // namespace

Expected<void> check_finite(const ModelRun& run, Index row, const attention::RowVector& logits) {
  if (logits.allFinite()) return {};
  return fail(ErrorKind::kBadInput, "the logits of row " + std::to_string(row) +
                                        " are NaN or infinite, so they are no answer; " +
                                        first_not_finite(run) +
                                        " is the first that gives such numbers");
}

Expected<std::vector<Index>> predicting_rows(const ModelRun& run) {
  if (!run.network().read_out)
    return fail(ErrorKind::kBadInput, in_quotes(run.model->folder) +
                                          " was saved without a read-out, so it predicts nothing");
  if (run.model->causal) return std::vector<Index>{std::ssize(run.tokens.ids) - 1};
  return masked_places(run);
}

Prediction prediction_of(const attention::RowVector& logits, std::uint32_t id) {
  return Softmax(logits).prediction_of(id);
}

std::vector<Prediction> most_probable(const attention::RowVector& logits, Index top) {
  std::vector<std::uint32_t> ids(static_cast<std::size_t>(logits.size()));
  std::iota(ids.begin(), ids.end(), 0U);
  const auto count = std::min<std::size_t>(ids.size(), static_cast<std::size_t>(top));
  std::partial_sort(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(count), ids.end(),
                    [&](std::uint32_t a, std::uint32_t b) {
                      return logits(a) != logits(b) ? logits(a) > logits(b) : a < b;
                    });
  const Softmax softmax(logits);
  std::vector<Prediction> result;
  for (std::size_t i = 0; i < count; ++i) result.push_back(softmax.prediction_of(ids[i]));
  return result;
}

Expected<std::vector<PredictionsAt>> predictions(ModelRun& run, Index top) {
  const auto places = predicting_rows(run);
  if (!places) return tl::make_unexpected(places.error());
  const Matrix& final = run.trace().stack.final;
  std::vector<PredictionsAt> result;
  for (const Index row : *places) {
    const Matrix logits =
        attention::network::logits(run.network(), final.row(row), run.evaluator.pool());
    if (auto finite = check_finite(run, row, logits.row(0)); !finite)
      return tl::make_unexpected(finite.error());
    result.push_back({row, most_probable(logits.row(0), top)});
  }
  if (auto readable = files::check_readable(*run.model); !readable)
    return tl::make_unexpected(readable.error());
  return result;
}

}  // namespace lab::cli
