#include "app/document/batch/batch_means.h"

#include <algorithm>

#include "app/document/batch/sentence_list.h"
#include "app/document/batch/sentences.h"
#include "app/document/commands/reducer.h"
#include "app/document/model/shown_layer.h"
#include "core/analysis/metrics.h"
#include "core/layer/evaluator.h"

namespace lab {
namespace {

using attention::Index;
using attention::Matrix;
using attention::Problem;
using attention::SharedMatrix;
using attention::Trace;

// Sums over sentences; the previous token is counted apart, because a single token has none.
struct Sums {
  std::vector<HeadMeans> heads;
  double with_previous = 0;
};

void add_sentence(const Problem& problem, const Trace& trace, Sums& sums) {
  for (std::size_t h = 0; h < sums.heads.size(); ++h) {
    const attention::Matrix& weights = *trace.heads[h].weights;
    HeadMeans& head = sums.heads[h];
    head.entropy += attention::mean_entropy(weights);
    head.diagonal += attention::diagonal_weight(weights);
    head.previous += attention::previous_token_weight(weights);
    head.first += attention::first_token_weight(weights);
    head.shift +=
        attention::output_shift_without_head(problem, trace, static_cast<attention::Index>(h));
  }
  if (problem.seq_len() > 1) ++sums.with_previous;
}

std::vector<HeadMeans> means_of(Sums sums, double count) {
  for (HeadMeans& head : sums.heads) {
    for (double* value : {&head.entropy, &head.diagonal, &head.first, &head.shift}) *value /= count;
    head.previous /= std::max(1.0, sums.with_previous);
  }
  return std::move(sums.heads);
}

Sums no_sums(const Document& document) {
  return {std::vector<HeadMeans>(static_cast<std::size_t>(document.problem.config.n_heads)), 0};
}

// Of the layer that is shown, after a forward pass of the whole model for each text.
Expected<std::vector<HeadMeans>> model_means(const Document& document,
                                             attention::WorkWatch* watch) {
  attention::network::NetworkEvaluator network(1);
  attention::Evaluator evaluator(1);
  Sums sums = no_sums(document);
  const auto count = static_cast<int>(sentence_count(document));
  for (int number = 0; number < count; ++number) {
    auto at = apply(document, GoToSentence{number});
    if (!at) return tl::make_unexpected(at.error());
    const ModelDocument& model = *at->layer.model;
    const attention::network::NetworkTrace& trace =
        network.evaluate(model.network, tokens_of(model), model.interventions, watch);
    const Document layer =
        at->layer.pending ? completed_layer(*at, trace, network.pool()) : *std::move(at);
    add_sentence(layer.problem, evaluator.evaluate(layer.problem, watch), sums);
  }
  return means_of(std::move(sums), count);
}

Index real_length(const Document& document, const std::vector<Token>& tokens) {
  return std::ssize(without_padding(document.batch, tokens));
}

SharedMatrix first_of(const SharedMatrix& matrix, Index rows, Index cols) {
  if (matrix.empty()) return matrix;
  return SharedMatrix(Matrix(
      matrix->topLeftCorner(std::min(rows, matrix->rows()), std::min(cols, matrix->cols()))));
}

SharedMatrix first_rows(const SharedMatrix& matrix, Index rows) {
  return matrix.empty() ? matrix : first_of(matrix, rows, matrix->cols());
}

}  // namespace

Expected<std::vector<HeadMeans>> batch_means(const Document& document,
                                             attention::WorkWatch* watch) {
  if (document.layer.model) return model_means(document, watch);
  const auto sentences = all_sentences(document);
  if (!sentences) return tl::make_unexpected(sentences.error());
  attention::Evaluator evaluator(1);
  Sums sums = no_sums(document);
  for (const Document& one : *sentences)
    add_sentence(one.problem, evaluator.evaluate(one.problem, watch), sums);
  return means_of(std::move(sums), static_cast<double>(sentences->size()));
}

const std::vector<HeadMeans>* BatchMeans::of(const Document& document) {
  settle();
  if (!asked_ || !same_document(*asked_, document)) {
    asked_ = document;
    waiting_ = true;
  }
  if (waiting_ && !running_.busy()) start();
  const auto heads = static_cast<std::size_t>(document.problem.config.n_heads);
  const bool fits = answered_ && answered_->size() == heads && answered_at_ == document.layer.at;
  return fits ? &*answered_ : nullptr;
}

void BatchMeans::start() {
  waiting_ = false;
  running_at_ = asked_->layer.at;
  watch_.reset();
  const auto work = [this, document = *asked_] {
    try {
      const auto means = batch_means(document, &watch_);
      return means ? std::optional(*means) : std::nullopt;
    } catch (const std::exception&) {
      return std::optional<Means>();  // stopped, or too large: there are none
    }
  };
  running_.start(work, on_ready_);
}

// Takes what has been computed.
void BatchMeans::settle() {
  if (running_.finished()) answered_ = running_.take(), answered_at_ = running_at_;
}

bool ends_with_padding(const Document& document) {
  return real_length(document, document.tokens) < std::ssize(document.tokens) ||
         real_length(document, document.kv_tokens) < std::ssize(document.kv_tokens);
}

MeasuredLayer without_padding(const Document& document, const attention::Trace& trace) {
  const Index rows = real_length(document, document.tokens);
  const Index cols = real_length(document, key_tokens(document));
  MeasuredLayer layer{document.problem, {}};
  layer.problem.embedding = first_rows(layer.problem.embedding, rows);
  layer.problem.embedding_kv = first_rows(layer.problem.embedding_kv, cols);
  std::erase_if(layer.problem.overrides, [&](const attention::Override& cell) {
    return cell.row >= rows;  // those of keys are of no stage that is measured
  });
  for (const auto& head : trace.heads)
    layer.trace.heads.emplace_back().weights = first_of(head.weights, rows, cols);
  layer.trace.concat = first_rows(trace.concat, rows);
  layer.trace.output = first_rows(trace.output, rows);
  return layer;
}

}  // namespace lab
