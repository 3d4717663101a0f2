#pragma once

#include "app/document/analysis/exploration.h"
#include "core/network/network_evaluator.h"

namespace lab {

/// The strongest pairs of one head, at most as many as asked for.
class StrongestPairs {
 public:
  /// Has none yet.
  explicit StrongestPairs(attention::Index most) : most_(static_cast<std::size_t>(most)) {}

  /// Takes the pair of tokens with ids `query` and `key` if it is strong enough. Pairs must come in
  /// the order of the text.
  void add(const AttendedPair& pair, std::uint32_t query, std::uint32_t key);
  /// A pair with no more weight than this is not taken.
  float least() const { return pairs_.size() < most_ ? 0 : pairs_.back().pair.weight; }
  /// As in ExploredHead.
  std::vector<AttendedPair> pairs() const;

 private:
  struct Kept {
    AttendedPair pair;
    std::uint32_t query, key;  // ids
  };

  std::size_t most_;
  std::vector<Kept> pairs_;
};

/// Reads a text a piece at a time and collects what heads attend to. It keeps the ids of the text
/// and the strongest pairs, but not the text. A model with two stacks reads each piece with both.
class HeadExplorer {
 public:
  /// Cuts the text into tokens. Of what is done to the model, edited weights and gains count.
  /// Throws BadInput when there is no tokenizer, no token, or too much text, or no such head, and
  /// std::system_error when the threads cannot be started.
  HeadExplorer(const ModelDocument& document, const ExplorationRequest& request, int threads);

  /// True when the whole text was read.
  bool done() const { return read_ == std::ssize(*ids_); }
  /// The share that was read, from 0 to 1.
  double progress() const { return static_cast<double>(read_) / static_cast<double>(ids_->size()); }
  /// Reads the next piece. Throws as NetworkEvaluator::evaluate() does; the step can then be
  /// repeated. Precondition: not done().
  void step(attention::WorkWatch* watch = nullptr);
  /// What was found so far.
  Exploration exploration() const;

 private:
  struct Found {
    HeadRef at;
    StrongestPairs pairs;
  };

  void read_text(const ModelSource& source, const std::string& text);
  void keep_needed_layers(const ExplorationRequest& request);
  void list_heads(const ExplorationRequest& request);
  void add_pairs(const attention::MatrixView& weights, const std::vector<std::uint32_t>& piece,
                 StrongestPairs& pairs) const;

  attention::network::Network network_;  // the layers that are needed
  attention::network::Interventions gains_;
  attention::network::NetworkEvaluator evaluator_;
  attention::network::HeadScoreMeter meter_, encoder_meter_;
  std::shared_ptr<const std::vector<std::uint32_t>> ids_;
  std::vector<std::uint32_t> before_, after_;  // tokens that the model wants around a text
  attention::Index piece_ = 0, read_ = 0;      // tokens of the text
  std::vector<Found> heads_;
};

}  // namespace lab
