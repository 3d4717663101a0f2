#include "app/lessons/model/model_value.h"

#include <algorithm>
#include <array>

#include "app/base/bad_input.h"
#include "app/document/analysis/answer.h"
#include "app/document/model/token_name.h"
#include "app/document/training/training_document.h"
#include "app/lessons/answers/live_reference.h"
#include "app/lessons/model/model_facts.h"
#include "app/lessons/model/model_indices.h"
#include "app/translation/words.h"

namespace lab::lessons {
namespace {

using attention::Index;
using attention::RowVector;
using attention::network::Answer;
using attention::network::HeadScores;
using attention::network::Sublayer;

// A reference that is being looked up.
struct Lookup {
  const ReferenceNode& reference;
  const Snapshot& live;
  ModelFacts& facts;

  const std::string& name() const { return reference.name; }
  std::size_t count() const { return reference.indices.size(); }
  const IndexText& index(std::size_t i) const { return reference.indices[i]; }
  Index row(std::size_t i) const { return row_index(name(), index(i), live.document); }
};

[[noreturn]] void wrong_indices(const Lookup& lookup, const std::string& example) {
  throw BadInput(lookup.name() + " is written as in " + example);
}

// --- what the model expects next

// The logits that a reference is about, after a layer if it names one first, and where its other
// indices begin.
struct AskedLogits {
  RowVector logits;
  Index row;
  std::size_t next;
};

AskedLogits asked_logits(const Lookup& lookup) {
  const auto layer = layer_index(lookup.name(), lookup.index(0), lookup.facts);
  const std::size_t at = layer ? 1 : 0;
  if (lookup.count() <= at) wrong_indices(lookup, lookup.name() + "[L0, last, …]");
  const Index row = lookup.row(at);
  return {layer ? lookup.facts.lens(*layer + 1, row) : lookup.facts.logits(row), row, at + 1};
}

template <typename Number>
Value of_token(const Lookup& lookup, const Number& number) {
  const AskedLogits asked = asked_logits(lookup);
  if (lookup.count() != asked.next + 1) wrong_indices(lookup, lookup.name() + "[last, mat]");
  const Answer answer = answer_index(lookup.index(asked.next), asked.row, lookup.facts);
  return static_cast<double>(number(asked.logits, answer));
}

Value probability(const Lookup& lookup) {
  return of_token(lookup, [&](const RowVector& logits, const Answer& answer) {
    if (answer.minus) wrong_indices(lookup, "probability[last, mat], with one token");
    return prediction_of(logits, answer.token).probability;
  });
}

Value logit(const Lookup& lookup) {
  return of_token(lookup, [](const RowVector& logits, const Answer& answer) {
    return logit_of(answer, logits);
  });
}

Value rank(const Lookup& lookup) {
  return of_token(lookup, [&](const RowVector& logits, const Answer& answer) {
    if (answer.minus) wrong_indices(lookup, "rank[last, mat], with one token");
    return rank_of(logits, answer.token);
  });
}

std::string name_of_token(const Lookup& lookup, std::uint32_t id) {
  return without_blank(token_label(*lookup.facts.model().source, id));
}

Value likeliest_name(const Lookup& lookup) {
  const AskedLogits asked = asked_logits(lookup);
  if (lookup.count() != asked.next) wrong_indices(lookup, "likeliest[last]");
  return name_of_token(lookup, likeliest_token(asked.logits));
}

// A token of the text.
Value token_of_row(const Lookup& lookup) {
  if (lookup.count() != 1) wrong_indices(lookup, "token[last]");
  return without_blank(row_label(lookup.live.document, lookup.row(0)));
}

// The ten likeliest tokens of a row.
Value predictions_of_row(const Lookup& lookup) {
  constexpr Index kMany = 10;
  const AskedLogits asked = asked_logits(lookup);
  if (lookup.count() != asked.next) wrong_indices(lookup, "predictions[last]");
  ListValue list;
  for (const Prediction& one : most_probable(asked.logits, kMany))
    list.cells.push_back({{}, name_of_token(lookup, one.id), {}, one.probability});
  return list;
}

// The likeliest token after each layer, and its probability.
Value lens_of_row(const Lookup& lookup) {
  if (lookup.count() != 1) wrong_indices(lookup, "lens[last]");
  ListValue list;
  for (Index layer = 0; layer < lookup.facts.layers(); ++layer) {
    const Prediction top = likeliest(lookup.facts.lens(layer + 1, lookup.row(0)));
    list.cells.push_back(
        {{}, "L" + std::to_string(layer), name_of_token(lookup, top.id), top.probability});
  }
  return list;
}

// --- a number of each head

CellValue of_head(const HeadRef& head, double value) {
  CellValue cell{{}, "L" + std::to_string(head.at.layer), "H" + std::to_string(head.head), value};
  cell.head = model_head_name(head.at, head.head);
  return cell;
}

// The number of one head, or those of all.
template <typename Number>
Value of_heads(const Lookup& lookup, const Number& number) {
  ListValue list;
  for (const HeadRef& head : heads_index(lookup.name(), lookup.index(0), lookup.facts))
    list.cells.push_back(of_head(head, number(head)));
  return list.cells.size() == 1 ? Value(list.cells.front()) : Value(std::move(list));
}

Answer asked_answer_of(const Lookup& lookup) {
  return answer_index(lookup.index(2), lookup.row(1), lookup.facts);
}

Value knock_out(const Lookup& lookup) {
  if (lookup.count() != 3) wrong_indices(lookup, "knock_out[L0H0, last, mat]");
  const attention::Matrix& map = lookup.facts.knock_out(asked_answer_of(lookup));
  return of_heads(lookup, [&](const HeadRef& head) { return map(head.at.layer, head.head); });
}

Value patching(const Lookup& lookup) {
  if (lookup.count() != 4) wrong_indices(lookup, "patching[L0H0, last, mat, \"another text\"]");
  const attention::Matrix& map =
      lookup.facts.patching(asked_answer_of(lookup), lookup.index(3).text);
  return of_heads(lookup, [&](const HeadRef& head) { return map(head.at.layer, head.head); });
}

// The number of an MLP, "MLP2"; std::nullopt for other components.
std::optional<std::size_t> mlp_index(const IndexText& index, Index layers) {
  for (Index layer = 0; layer < layers; ++layer)
    if (index.text == "MLP" + std::to_string(layer)) return static_cast<std::size_t>(layer);
  return std::nullopt;
}

Value direct(const Lookup& lookup) {
  if (lookup.count() != 3) wrong_indices(lookup, "direct[L0H0, last, mat]");
  const attention::network::LogitAttribution& parts = lookup.facts.direct(asked_answer_of(lookup));
  const IndexText& part = lookup.index(0);
  if (part.text == "embedding") return parts.embedding;
  if (part.text == "biases") return parts.biases;
  if (const auto mlp = mlp_index(part, lookup.facts.layers())) return parts.mlps[*mlp];
  return of_heads(lookup,
                  [&](const HeadRef& head) { return parts.heads(head.at.layer, head.head); });
}

// 0 when it is muted.
Value gain_of_head(const Lookup& lookup) {
  if (lookup.count() != 1) wrong_indices(lookup, "gain[L0H0]");
  return of_heads(lookup, [&](const HeadRef& head) {
    return head_gain(lookup.facts.model().interventions, head.at, head.head);
  });
}

template <float HeadScores::*score>
Value of_scores(const Lookup& lookup) {
  if (lookup.count() != 1) wrong_indices(lookup, lookup.name() + "[L0H0]");
  const std::vector<HeadScores>& scores = lookup.facts.scores();
  return of_heads(lookup, [&](const HeadRef& head) {
    return scores[static_cast<std::size_t>(head.at.layer * lookup.facts.heads() + head.head)].*
           score;
  });
}

struct Quantity {
  std::string_view name;
  Value (*value)(const Lookup&);
};
constexpr std::array kQuantities = {
    Quantity{"token", token_of_row},
    Quantity{"probability", probability},
    Quantity{"logit", logit},
    Quantity{"rank", rank},
    Quantity{"likeliest", likeliest_name},
    Quantity{"predictions", predictions_of_row},
    Quantity{"lens", lens_of_row},
    Quantity{"knock_out", knock_out},
    Quantity{"direct", direct},
    Quantity{"patching", patching},
    Quantity{"gain", gain_of_head},
    Quantity{"previous_token", of_scores<&HeadScores::previous>},
    Quantity{"first_token", of_scores<&HeadScores::first>},
    Quantity{"duplicate_token", of_scores<&HeadScores::duplicate>},
    Quantity{"induction", of_scores<&HeadScores::induction>},
};
constexpr auto kQuantityNames = [] {
  std::array<std::string_view, kQuantities.size()> names;
  std::ranges::transform(kQuantities, names.begin(), &Quantity::name);
  return names;
}();

// --- stages and matrices of a layer

void complete(CellValue& cell, Index layer, const std::string& head) {
  cell.layer = attention::network::LayerId{Sublayer::kSelf, layer};
  cell.head = head;
  cell.row = without_blank(cell.row);
  cell.column = without_blank(cell.column);
}

// `indices`: with the head's number from 1 where there are heads.
Value in_layer(const Lookup& lookup, Index layer, std::vector<IndexText> indices,
               const std::string& head = {}) {
  Value value = referenced_in_layer({lookup.name(), std::move(indices)}, lookup.facts.layer(layer));
  if (auto* cell = std::get_if<CellValue>(&value)) complete(*cell, layer, head);
  if (auto* list = std::get_if<ListValue>(&value))
    for (CellValue& cell : list->cells) complete(cell, layer, head);
  return value;
}

// The numbers of all heads one after the other, or those of one.
Value in_heads(const Lookup& lookup) {
  ListValue all;
  const auto heads = heads_index(lookup.name(), lookup.index(0), lookup.facts);
  for (const HeadRef& head : heads) {
    std::vector<IndexText> indices = lookup.reference.indices;
    indices.front() = {std::to_string(head.head + 1), false};
    Value value =
        in_layer(lookup, head.at.layer, std::move(indices), model_head_name(head.at, head.head));
    if (heads.size() == 1) return value;
    if (!std::holds_alternative<CellValue>(value))
      throw BadInput(lookup.name() + " of all heads needs a row and a column");
    all.cells.push_back(std::get<CellValue>(value));
  }
  return all;
}

Value in_stage_or_matrix(const Lookup& lookup, bool has_heads) {
  if (has_heads) return in_heads(lookup);
  std::vector<IndexText> indices = lookup.reference.indices;
  const auto layer = layer_index(lookup.name(), indices.front(), lookup.facts);
  if (layer) indices.erase(indices.begin());
  if (indices.empty()) indices.push_back({":", false});
  return in_layer(lookup, layer.value_or(lookup.live.document.layer.at.layer), std::move(indices));
}

struct QuantityTitle {
  std::string_view name;
  const char* title;
};

constexpr std::array kQuantityTitles = {
    QuantityTitle{"probability", tr_later("probability")},
    QuantityTitle{"logit", tr_later("logit")},
    QuantityTitle{"rank", tr_later("rank")},
    QuantityTitle{"likeliest", tr_later("likeliest token")},
    QuantityTitle{"predictions", tr_later("the likeliest next tokens")},
    QuantityTitle{"lens", tr_later("read out after each layer##table")},
    QuantityTitle{"gain", tr_later("gain")},
    QuantityTitle{"knock_out", tr_later("knock-out")},
    QuantityTitle{"direct", tr_later("written directly")},
    QuantityTitle{"patching", tr_later("patching")},
    QuantityTitle{"previous_token", tr_later("attention to the token before")},
    QuantityTitle{"first_token", tr_later("attention to the first token")},
    QuantityTitle{"duplicate_token", tr_later("attention to an equal token")},
    QuantityTitle{"induction", tr_later("induction score")},
    QuantityTitle{"step", tr_later("step##of training")},
    QuantityTitle{"known_loss", tr_later("known loss of the text")},
};

}  // namespace

Value model_value(const ReferenceNode& reference, const Snapshot& live) {
  const Lookup lookup{reference, live, facts_of(live)};
  const auto quantity = std::ranges::find(kQuantities, reference.name, &Quantity::name);
  if (quantity != kQuantities.end()) return quantity->value(lookup);
  if (const auto stage = attention::stage_from_name(reference.name))
    return in_stage_or_matrix(lookup, attention::is_per_head(*stage));
  if (const auto id = attention::matrix_from_name(reference.name))
    return in_stage_or_matrix(lookup, is_per_head(*id));
  std::string known;
  for (const std::string_view name : kQuantityNames)
    known += (known.empty() ? "" : ", ") + std::string(name);
  throw BadInput("there is no stage, matrix or number of a model " + in_quotes(reference.name) +
                 "; besides stages and matrices there are " + known);
}

std::optional<Value> model_size(const std::string& name, const Snapshot& live) {
  const auto& network = live.document.layer.model->network;
  if (name == "n_layers") return static_cast<double>(network.stack.blocks.size());
  if (name == "vocabulary" && network.read_out)
    return static_cast<double>(network.read_out->tokens.W.cols());
  const ModelDocument& model = *live.document.layer.model;
  const TrainingPosition* const training = training_of(model);
  if (name == "step" && training != nullptr) return static_cast<double>(training->state->step);
  if (name == "known_loss" && training != nullptr)
    return known_loss_of_text(model, model.interventions).value_or(0);
  return std::nullopt;
}

std::span<const std::string_view> model_quantities() { return kQuantityNames; }

const Snapshot& without_model_edits(const Snapshot& live) { return facts_of(live).unedited(); }

const Snapshot& layer_of(const CellValue& cell, const Snapshot& live) {
  if (!cell.layer || *cell.layer == live.document.layer.at) return live;
  return facts_of(live).layer(cell.layer->layer);
}

std::string quantity_title(std::string_view name) {
  const auto found = std::ranges::find(kQuantityTitles, name, &QuantityTitle::name);
  return found == kQuantityTitles.end() ? std::string() : tr(found->title);
}

}  // namespace lab::lessons
