#include "app/document/analysis/answer.h"

#include "app/document/model/token_name.h"

namespace lab {

using attention::Index;
using attention::Matrix;
using attention::RowVector;
using attention::network::Answer;

namespace {

RankedPrediction ranked(const RowVector& logits, const Prediction& prediction) {
  return {prediction, rank_of(logits, prediction.id)};
}

// The probabilities of all tokens are summed only once.
LensLine lens_line(const RowVector& logits, const Answer& answer) {
  const std::vector<Prediction> found = predictions_of(
      logits, {likeliest_token(logits), answer.token, answer.minus.value_or(answer.token)});
  LensLine line{found[0], {answer.row, ranked(logits, found[1])}};
  if (answer.minus) line.answer.minus = ranked(logits, found[2]);
  return line;
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
  return lens_line(logits, answer).answer;
}

std::vector<LensLine> lens_lines(const Matrix& logits, const Answer& answer) {
  std::vector<LensLine> lines;
  for (Index i = 0; i < logits.rows(); ++i) lines.push_back(lens_line(logits.row(i), answer));
  return lines;
}

}  // namespace lab
