#include "app/cli/model/predictions.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/base/bad_input.h"

namespace lab::cli {
namespace {

using attention::Index;
using attention::Matrix;

// The rows whose logits are wanted, and the position that each predicts.
struct WantedRow {
  Index row, position;
};

Expected<std::vector<WantedRow>> masked_places(const ModelRun& run) {
  if (!run.model->tokenizer)
    return fail(ErrorKind::kUsage, "without a tokenizer.json it is not known which id is masked");
  for (const char* name : {"[MASK]", "<mask>"}) {
    const auto mask = run.model->tokenizer->id_of(name);
    if (!mask) continue;
    std::vector<WantedRow> places;
    for (std::size_t i = 0; i < run.tokens.ids.size(); ++i)
      if (run.tokens.ids[i] == *mask)
        places.push_back({static_cast<Index>(i), static_cast<Index>(i)});
    if (!places.empty()) return places;
    return fail(ErrorKind::kUsage, "this model fills gaps: write " + std::string(name) +
                                       " in the text where it should predict a token");
  }
  return fail(ErrorKind::kBadInput, "the tokenizer has neither [MASK] nor <mask>");
}

Expected<std::vector<WantedRow>> places_of(const ModelRun& run) {
  if (!run.network().read_out)
    return fail(ErrorKind::kBadInput, in_quotes(run.model->folder) +
                                          " was saved without a read-out, so it predicts nothing");
  const auto n = static_cast<Index>(run.tokens.ids.size());
  if (run.model->description.causal) return std::vector<WantedRow>{{n - 1, n}};
  return masked_places(run);
}

std::vector<Prediction> top_of(const attention::RowVector& logits, Index top) {
  std::vector<std::uint32_t> ids(static_cast<std::size_t>(logits.size()));
  std::iota(ids.begin(), ids.end(), 0U);
  const auto count = std::min<std::size_t>(ids.size(), static_cast<std::size_t>(top));
  std::partial_sort(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(count), ids.end(),
                    [&](std::uint32_t a, std::uint32_t b) {
                      return logits(a) != logits(b) ? logits(a) > logits(b) : a < b;
                    });
  const double largest = logits.maxCoeff();
  const double sum = (logits.cast<double>().array() - largest).exp().sum();
  std::vector<Prediction> result;
  for (std::size_t i = 0; i < count; ++i) {
    const float logit = logits(ids[i]);
    result.push_back({ids[i], static_cast<float>(std::exp(logit - largest) / sum), logit});
  }
  return result;
}

}  // namespace

Expected<std::vector<PredictionsAt>> predictions(ModelRun& run, Index top) {
  const auto places = places_of(run);
  if (!places) return tl::make_unexpected(places.error());
  const Matrix& final = run.trace().stack.final;
  std::vector<PredictionsAt> result;
  for (const WantedRow& place : *places) {
    const Matrix row =
        attention::network::logits(run.network(), final.row(place.row), run.evaluator.pool());
    result.push_back({place.position, top_of(row.row(0), top)});
  }
  if (auto readable = files::check_readable(*run.model); !readable)
    return tl::make_unexpected(readable.error());
  return result;
}

}  // namespace lab::cli
