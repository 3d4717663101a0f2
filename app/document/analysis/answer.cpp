#include "app/document/analysis/answer.h"

#include "app/document/model/token_name.h"

namespace lab {

using attention::Index;
using attention::Matrix;
using attention::RowVector;
using attention::network::Answer;

namespace {

RankedPrediction ranked(const RowVector& logits, std::uint32_t id) {
  return {prediction_of(logits, id), rank_of(logits, id)};
}

}  // namespace

Answer AskedAnswer::answer() const {
  if (!minus) return {row, token.prediction.id};
  return {row, token.prediction.id, minus->prediction.id};
}

float AskedAnswer::logit() const {
  const float logit = token.prediction.logit;
  return minus ? logit - minus->prediction.logit : logit;
}

std::optional<std::uint32_t> token_called(const ModelSource& model, const std::string& text,
                                          const RowVector& logits) {
  if (!model.tokenizer) return std::nullopt;
  std::optional<std::uint32_t> best;
  for (std::uint32_t id = 0; id < logits.size(); ++id) {
    const bool better = !best || logits(id) > logits(*best);
    if (better && is_called(text, token_label(model, id), token_text(model, id))) best = id;
  }
  return best;
}

AskedAnswer asked_answer(const RowVector& logits, const Answer& answer) {
  AskedAnswer asked{answer.row, ranked(logits, answer.token)};
  if (answer.minus) asked.minus = ranked(logits, *answer.minus);
  return asked;
}

std::vector<LensLine> lens_lines(const Matrix& logits, const Answer& answer) {
  std::vector<LensLine> lines;
  for (Index i = 0; i < logits.rows(); ++i) {
    const RowVector row = logits.row(i);
    lines.push_back({likeliest(row), asked_answer(row, answer)});
  }
  return lines;
}

}  // namespace lab
