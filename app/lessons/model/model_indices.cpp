#include "app/lessons/model/model_indices.h"

#include <array>

#include "app/base/bad_input.h"
#include "app/base/machine_numbers.h"
#include "app/document/matrix_labels.h"
#include "app/lessons/answers/live_reference.h"

namespace lab::lessons {
namespace {

using attention::Index;
using attention::network::Answer;
using attention::network::LayerId;
using attention::network::Sublayer;

std::string last_head(const ModelFacts& facts) {
  const auto layers = attending_layers(facts.model().network, Sublayer::kSelf);
  return model_head_name({Sublayer::kSelf, layers.back()}, facts.heads() - 1);
}

std::vector<HeadRef> every_head(const ModelFacts& facts) {
  std::vector<HeadRef> heads;
  for (const Index layer : attending_layers(facts.model().network, Sublayer::kSelf))
    for (Index head = 0; head < facts.heads(); ++head)
      heads.push_back({LayerId{Sublayer::kSelf, layer}, head});
  return heads;
}

}  // namespace

std::optional<Index> layer_index(const std::string& name, const IndexText& index,
                                 const ModelFacts& facts) {
  if (index.quoted || !index.text.starts_with('L')) return std::nullopt;
  const auto layer = parse_number<Index>(std::string_view(index.text).substr(1));
  if (!layer) return std::nullopt;
  if (*layer >= 0 && *layer < facts.layers()) return layer;
  throw BadInput(name + ": there is no layer " + in_quotes(index.text) +
                 "; the layers are L0 to L" + std::to_string(facts.layers() - 1));
}

std::vector<HeadRef> heads_index(const std::string& name, const IndexText& index,
                                 const ModelFacts& facts) {
  if (!index.quoted && index.text == ":") return every_head(facts);
  const auto head = index.quoted ? std::nullopt : model_head_from_name(index.text);
  const bool there = head && head->at.sublayer == Sublayer::kSelf &&
                     head->at.layer < facts.layers() && head->head < facts.heads();
  if (there && is_convolution(facts.model().network, head->at))
    throw BadInput(name + ": " + without_attention(facts.model().network, head->at));
  if (there) return {*head};
  throw BadInput(name + ": " + in_quotes(index.text) +
                 " is not a head of this model; its heads are " +
                 model_head_name(every_head(facts).front().at, 0) + " to " + last_head(facts));
}

Index row_index(const std::string& name, const IndexText& index, const Document& document) {
  const std::vector<std::string> labels = row_labels(document, attention::Stage::kWeights);
  if (const auto row = named_index(index, labels)) return *row;
  throw BadInput(name + " has no row " + in_quotes(index.text) + "; the rows are " +
                 listed(labels));
}

Answer answer_index(const IndexText& index, Index row, ModelFacts& facts) {
  const attention::RowVector logits = facts.logits(row);
  if (!index.quoted)
    for (const std::string& minus : {std::string(" - "), std::string(" − ")})
      if (const std::size_t at = index.text.find(minus); at != std::string::npos)
        return {row, facts.token(index.text.substr(0, at), logits),
                facts.token(index.text.substr(at + minus.size()), logits)};
  return {row, facts.token(index.text, logits)};
}

}  // namespace lab::lessons
