#include "app/lessons/model/model_facts.h"

#include <algorithm>

#include "app/base/bad_input.h"
#include "app/document/analysis/answer_sweep.h"
#include "app/document/model/shown_layer.h"
#include "app/document/model/token_name.h"
#include "app/lessons/model/live_evaluator.h"

namespace lab::lessons {
namespace {

using attention::Index;
using attention::Matrix;
using attention::RowVector;
using attention::network::Answer;
using attention::network::HeadScores;
using attention::network::LogitAttribution;
using attention::network::Sublayer;

// The value for `answer` in a list, computed if it is not there.
template <typename Values, typename Compute>
const auto& kept(Values& values, const Answer& answer, const Compute& compute) {
  for (const auto& [known, value] : values)
    if (known == answer) return value;
  return values.emplace_back(answer, compute()).second;
}

std::vector<std::uint32_t> tokens_called(const ModelSource& model, const std::string& text,
                                         Index vocabulary) {
  std::vector<std::uint32_t> ids;
  for (std::uint32_t id = 0; id < static_cast<std::uint32_t>(vocabulary); ++id)
    if (is_called(text, token_label(model, id), token_text(model, id))) ids.push_back(id);
  return ids;
}

}  // namespace

ModelFacts::ModelFacts(const Snapshot& live)
    : model_(live.document.layer.model), trace_(live.network), shown_(live.document) {
  if (model_->network.encoder || !model_->network.read_out)
    throw BadInput("lessons ask only about models that continue a text");
}

Index ModelFacts::heads() const { return head_count(model_->network, Sublayer::kSelf); }

void ModelFacts::check_row(Index row) const {
  if (row < 0 || row >= rows()) throw BadInput("there is no row " + std::to_string(row));
}

RowVector ModelFacts::lens(Index layer, Index row) {
  check_row(row);
  const auto found = lens_.find(row);
  if (found != lens_.end()) return found->second.row(layer);
  const auto& all = lens_[row] = logit_lens(model_->network, *trace_, row, pool_);
  return all.row(layer);
}

RowVector ModelFacts::logits(Index row) { return lens(layers(), row); }

std::uint32_t ModelFacts::token(const std::string& text, const RowVector& logits) {
  auto found = called_.find(text);
  if (found == called_.end())
    found = called_.emplace(text, tokens_called(*model_->source, text, logits.size())).first;
  const std::vector<std::uint32_t>& ids = found->second;
  if (ids.empty()) throw BadInput("the model's vocabulary has no token " + in_quotes(text));
  return *std::ranges::max_element(ids, {}, [&](std::uint32_t id) { return logits(id); });
}

const Matrix& ModelFacts::knock_out(const Answer& answer) {
  return kept(knock_out_, answer, [&] {
    return knock_out_map(model_->network, tokens_of(*model_), model_->interventions, answer, 1);
  });
}

const LogitAttribution& ModelFacts::direct(const Answer& answer) {
  return kept(direct_, answer, [&] {
    return attribute_logit(model_->network, *trace_, model_->interventions, answer, pool_);
  });
}

const Matrix& ModelFacts::patching(const Answer& answer, const std::string& text) {
  return kept(patching_[text], answer, [&] {
    const ModelDocument other = value_or_bad_input(patch_source(*model_, ModelText{text, {}}));
    attention::network::NetworkEvaluator evaluator;
    const auto& trace = evaluator.evaluate(other.network, tokens_of(other), other.interventions);
    return patching_map(model_->network, tokens_of(*model_), model_->interventions, answer,
                        {trace, other.interventions}, Sublayer::kSelf, 1);
  });
}

const std::vector<HeadScores>& ModelFacts::scores() {
  if (scores_) return *scores_;
  std::vector<HeadScores> scores(static_cast<std::size_t>(layers() * heads()));
  for (const auto& [head, of_head] : labelled_heads(*model_, 1).heads)
    scores[static_cast<std::size_t>(head.at.layer * heads() + head.head)] = of_head;
  return scores_.emplace(std::move(scores));
}

const Snapshot& ModelFacts::layer(Index layer) {
  if (const auto found = layers_.find(layer); found != layers_.end()) return found->second;
  const attention::network::LayerId at{Sublayer::kSelf, layer};
  if (is_convolution(model_->network, at)) throw BadInput(without_attention(model_->network, at));
  const Document& current = shown_;
  const Document document =
      current.layer.at == at && !current.layer.pending
          ? current
          : completed_layer(shown_layer(model_, at, &current), *trace_, pool_);
  attention::Evaluator evaluator;
  const attention::Trace& trace = evaluator.evaluate(document.problem);
  return layers_.emplace(layer, Snapshot{document, trace, trace_}).first->second;
}

const Snapshot& ModelFacts::unedited() {
  if (unedited_) return *unedited_;
  const auto plain = std::make_shared<const ModelDocument>(without_edits(*model_));
  LiveEvaluator evaluator;
  return unedited_.emplace(evaluator.evaluate(shown_layer(plain, shown_.layer.at)));
}

namespace {

struct KnownModel {
  std::shared_ptr<const ModelDocument> model;
  std::shared_ptr<const attention::network::NetworkTrace> trace;
  std::unique_ptr<ModelFacts> facts;
};

}  // namespace

ModelFacts& facts_of(const Snapshot& live) {
  constexpr std::size_t kKept = 4;
  thread_local std::list<KnownModel> known;  // the last asked comes first
  const auto& model = live.document.layer.model;
  if (!model) throw BadInput("no trained model is open");
  if (!live.network) throw BadInput("the numbers of the model are not known yet");
  const auto found = std::ranges::find_if(known, [&](const KnownModel& one) {
    return one.model == model && one.trace == live.network;
  });
  if (found != known.end()) {
    known.splice(known.begin(), known, found);
  } else {
    known.push_front({model, live.network, std::make_unique<ModelFacts>(live)});
    if (known.size() > kKept) known.pop_back();
  }
  return *known.front().facts;
}

}  // namespace lab::lessons
