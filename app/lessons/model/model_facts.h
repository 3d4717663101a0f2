#pragma once

#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/document/analysis/head_labels.h"
#include "app/document/model/model_document.h"
#include "app/document/snapshot.h"
#include "core/network/attribution.h"
#include "core/numerics/thread_pool.h"

namespace lab::lessons {

/// What a lesson asks about a trained model that has read its text. Each number is computed when it
/// is asked for first, and kept. The functions throw BadInput when there is no such number, and
/// std::invalid_argument as the core does.
class ModelFacts {
 public:
  using Index = attention::Index;
  using Answer = attention::network::Answer;

  /// Of the model that `live` shows a layer of. Precondition: it does, with the forward pass.
  explicit ModelFacts(const Snapshot& live);

  /// The model, and its forward pass.
  const ModelDocument& model() const { return *model_; }
  /// The forward pass with the model's edits.
  const attention::network::NetworkTrace& trace() const { return *trace_; }

  /// Number of layers, of heads in each, and of tokens in the text.
  Index layers() const { return std::ssize(model_->network.stack.blocks); }
  /// The heads of the first layer.
  Index heads() const;
  /// The tokens of the text, which the rows stand for.
  Index rows() const { return trace_->stack.n(); }

  /// The logits [1 × vocabulary] of a row.
  attention::RowVector logits(Index row);
  /// The same by the logit lens, before `layer`, or after the last one at layers().
  attention::RowVector lens(Index layer, Index row);
  /// The tokens that are called `text`, see is_called(); the likeliest one by `logits`.
  std::uint32_t token(const std::string& text, const attention::RowVector& logits);

  /// How the answer changes without each head: [layers × heads].
  const attention::Matrix& knock_out(const Answer& answer);
  /// The components that the answer is the sum of.
  const attention::network::LogitAttribution& direct(const Answer& answer);
  /// How the answer changes with each head's output on another text: [layers × heads].
  const attention::Matrix& patching(const Answer& answer, const std::string& text);
  /// What each head attends to on random tokens that are repeated, layer by layer.
  const std::vector<attention::network::HeadScores>& scores();

  /// The layer at `layer`, with all of its stages.
  const Snapshot& layer(Index layer);
  /// The model on its text without the edits.
  const Snapshot& unedited();

 private:
  template <typename Value>
  using OfAnswer = std::list<std::pair<Answer, Value>>;

  void check_row(Index row) const;

  std::shared_ptr<const ModelDocument> model_;
  std::shared_ptr<const attention::network::NetworkTrace> trace_;
  Document shown_;  // one layer of it
  attention::ThreadPool pool_{1};
  std::map<Index, attention::Matrix> lens_;  // of a row, [layers + 1 × vocabulary]
  std::map<std::string, std::vector<std::uint32_t>> called_;
  OfAnswer<attention::Matrix> knock_out_;
  OfAnswer<attention::network::LogitAttribution> direct_;
  std::map<std::string, OfAnswer<attention::Matrix>> patching_;
  std::optional<std::vector<attention::network::HeadScores>> scores_;
  std::map<Index, Snapshot> layers_;
  std::optional<Snapshot> unedited_;
};

/// What is known about the model that `live` shows a layer of. It is kept for the models that this
/// thread asked about last, so asking on every frame costs little. Throws BadInput if `live` is no
/// model's, or is without its forward pass.
ModelFacts& facts_of(const Snapshot& live);

}  // namespace lab::lessons
