#include "app/document/analysis/head_explorer.h"

#include <algorithm>

#include "app/base/bad_input.h"
#include "app/document/model/token_name.h"

namespace lab {
namespace {

using attention::Index;
using attention::MatrixView;
using attention::network::LayerId;
using attention::network::Network;
using attention::network::Stack;
using attention::network::Sublayer;
using Ids = std::vector<std::uint32_t>;

Ids encoded(const tokenizer::Tokenizer& tokenizer, std::string_view text, bool add_special) {
  const auto encoding = tokenizer.encode(text, {.add_special = add_special});
  if (!encoding) throw BadInput(encoding.error().message);
  Ids ids;
  for (const tokenizer::Token& token : *encoding) ids.push_back(token.id);
  return ids;
}

// The most tokens that a network can read at once.
Index longest_text(const Network& network, const ModelSource& source, Index requested) {
  Index longest = requested;
  if (source.max_positions > 0) longest = std::min(longest, source.max_positions);
  for (const Stack* stack : {&network.stack, network.encoder ? &*network.encoder : nullptr}) {
    if (stack == nullptr || stack->embedding.positions.empty()) continue;
    const auto& embedding = stack->embedding;
    longest = std::min(longest, embedding.positions.rows() - embedding.position_offset);
  }
  return longest;
}

}  // namespace

void StrongestPairs::add(const AttendedPair& pair, std::uint32_t query, std::uint32_t key) {
  if (most_ == 0 || pair.weight <= least()) return;
  const auto same = std::ranges::find_if(
      pairs_, [&](const Kept& kept) { return kept.query == query && kept.key == key; });
  if (same != pairs_.end()) {
    if (pair.weight <= same->pair.weight) return;
    pairs_.erase(same);
  } else if (pairs_.size() == most_) {
    pairs_.pop_back();
  }
  const auto at = std::ranges::upper_bound(pairs_, pair.weight, std::ranges::greater(),
                                           [](const Kept& kept) { return kept.pair.weight; });
  pairs_.insert(at, {pair, query, key});
}

std::vector<AttendedPair> StrongestPairs::pairs() const {
  std::vector<AttendedPair> result;
  for (const Kept& kept : pairs_) result.push_back(kept.pair);
  return result;
}

HeadExplorer::HeadExplorer(const ModelDocument& document, const ExplorationRequest& request,
                           int threads)
    : network_(document.network),
      gains_{.gains = document.interventions.gains},
      evaluator_(threads) {
  read_text(*document.source, *request.text);
  const Index around = std::ssize(before_) + std::ssize(after_);
  piece_ = longest_text(network_, *document.source, request.piece + around) - around;
  if (piece_ < 2) throw BadInput("the model cannot read two tokens at once");
  keep_needed_layers(request);
  list_heads(request);
}

void HeadExplorer::read_text(const ModelSource& source, const std::string& text) {
  if (!source.tokenizer)
    throw BadInput("there is no tokenizer.json in " + in_quotes(source.folder));
  if (text.size() > kLongestExplored)
    throw BadInput("the text has " + std::to_string(text.size()) + " bytes; at most " +
                   std::to_string(kLongestExplored) + " are explored");
  const tokenizer::Tokenizer& tokenizer = *source.tokenizer;
  ids_ = std::make_shared<const Ids>(encoded(tokenizer, text, false));
  if (ids_->empty()) throw BadInput("the text has no token");
  const Ids bare = encoded(tokenizer, "a", false), whole = encoded(tokenizer, "a", true);
  const auto found = std::search(whole.begin(), whole.end(), bare.begin(), bare.end());
  if (bare.empty() || found == whole.end()) return;
  before_.assign(whole.begin(), found);
  after_.assign(found + std::ssize(bare), whole.end());
}

// A head of an early layer does not wait for the later ones.
void HeadExplorer::keep_needed_layers(const ExplorationRequest& request) {
  if (!request.head) return;
  const auto& [at, head] = *request.head;
  const auto* const attention = find_attention(network_, at);
  if (at.sublayer == Sublayer::kCross)
    throw BadInput("heads of cross-attention attend to another text and cannot be explored");
  if (is_convolution(network_, at)) throw BadInput(without_attention(network_, at));
  if (attention == nullptr || head < 0 || head >= attention->n_heads)
    throw BadInput("the model has no head " + model_head_name(at, head));
  const bool encoder = at.sublayer == Sublayer::kEncoder;
  const auto needed = static_cast<std::size_t>(at.layer + 1);
  if (encoder) network_.encoder->blocks.resize(needed);
  network_.stack.blocks.resize(encoder ? 1 : needed);
  std::erase_if(gains_.gains,
                [&](const auto& gain) { return find_attention(network_, gain.at) == nullptr; });
}

void HeadExplorer::list_heads(const ExplorationRequest& request) {
  for (const Sublayer sublayer : {Sublayer::kSelf, Sublayer::kEncoder})
    for (const Index layer : attending_layers(network_, sublayer))
      for (Index head = 0; head < head_count(network_, sublayer); ++head)
        if (const HeadRef one{{sublayer, layer}, head}; !request.head || *request.head == one)
          heads_.push_back({one, StrongestPairs(request.pairs)});
}

void HeadExplorer::step(attention::WorkWatch* watch) {
  const Index count = std::min(piece_, std::ssize(*ids_) - read_);
  attention::network::Tokens tokens;
  tokens.ids = before_;
  tokens.ids.insert(tokens.ids.end(), ids_->begin() + read_, ids_->begin() + read_ + count);
  tokens.ids.insert(tokens.ids.end(), after_.begin(), after_.end());
  if (network_.encoder) tokens.encoder_ids = tokens.ids;
  const auto& [stack, encoder] = evaluator_.evaluate(network_, tokens, gains_, watch);
  meter_.add(stack, tokens.ids, head_count(network_, Sublayer::kSelf));
  if (encoder) encoder_meter_.add(*encoder, tokens.ids, head_count(network_, Sublayer::kEncoder));
  for (Found& found : heads_) {
    const auto& of = found.at.at.sublayer == Sublayer::kEncoder ? *encoder : stack;
    add_pairs(of.head_weights(found.at.at.layer, found.at.head), tokens.ids, found.pairs);
  }
  read_ += count;
}

void HeadExplorer::add_pairs(const MatrixView& weights, const Ids& piece,
                             StrongestPairs& pairs) const {
  const Index before = std::ssize(before_), end = std::ssize(piece) - std::ssize(after_);
  for (Index query = std::max<Index>(before, 1); query < end; ++query)
    for (Index key = std::max<Index>(before, 1); key < end; ++key)
      if (weights(query, key) > pairs.least())
        pairs.add({read_ + query - before, read_ + key - before, weights(query, key)},
                  piece[static_cast<std::size_t>(query)], piece[static_cast<std::size_t>(key)]);
}

Exploration HeadExplorer::exploration() const {
  Exploration result{ids_, read_, {}};
  const auto scores = meter_.scores(), encoder_scores = encoder_meter_.scores();
  for (const auto& [at, pairs] : heads_) {
    const bool encoder = at.at.sublayer == Sublayer::kEncoder;
    const auto& of = encoder ? encoder_scores : scores;
    const auto index =
        static_cast<std::size_t>(at.at.layer * head_count(network_, at.at.sublayer) + at.head);
    result.heads.push_back(
        {at, index < of.size() ? of[index] : attention::network::HeadScores(), pairs.pairs()});
  }
  return result;
}

std::string context_of(const ModelSource& model, const Ids& ids, Index position, Index before,
                       Index after) {
  const Index first = std::max<Index>(position - before, 0);
  const Index end = std::min(position + after + 1, std::ssize(ids));
  std::string text;
  for (Index i = first; i < end; ++i) {
    const std::string label = token_label(model, ids[static_cast<std::size_t>(i)]);
    text += (text.empty() ? "" : " ") + (i == position ? "⟨" + label + "⟩" : label);
  }
  return text;
}

}  // namespace lab
