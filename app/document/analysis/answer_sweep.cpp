#include "app/document/analysis/answer_sweep.h"

#include <algorithm>

namespace lab {

using attention::Index;
using attention::network::Answer;
using attention::network::AskedPass;
using attention::network::HeadSweep;
using attention::network::PatchSource;
using attention::network::Sublayer;

Expected<ModelDocument> patch_source(const ModelDocument& document, ModelText text) {
  auto source = with_texts(document, std::move(text), document.decoder_text);
  if (source) source->interventions = {.gains = document.interventions.gains};
  return source;
}

AnswerSweep::AnswerSweep(const ModelPass& pass, const Answer& answer, const ModelPass* source)
    : tokens_(tokens_of(pass.document)) {
  const AskedPass asked{pass.network(), tokens_, pass.document.interventions, pass.trace, answer};
  for (const Sublayer sublayer : {Sublayer::kSelf, Sublayer::kCross, Sublayer::kEncoder}) {
    if (head_count(pass.network(), sublayer) == 0) continue;
    if (source == nullptr) {
      sweeps_.push_back({sublayer, std::make_unique<HeadSweep>(asked, sublayer, pass.pool)});
      continue;
    }
    const PatchSource from{source->trace, source->document.interventions};
    sweeps_.push_back({sublayer, std::make_unique<HeadSweep>(asked, from, sublayer, pass.pool)});
  }
}

bool AnswerSweep::done() const {
  return std::ranges::all_of(sweeps_, [](const SublayerSweep& one) { return one.sweep->done(); });
}

double AnswerSweep::progress() const {
  Index all = 0, known = 0;
  for (const SublayerSweep& one : sweeps_) {
    all += one.sweep->work();
    known += one.sweep->work_done();
  }
  return all == 0 ? 1 : static_cast<double>(known) / static_cast<double>(all);
}

void AnswerSweep::step(attention::WorkWatch* watch) {
  const auto next =
      std::ranges::find_if(sweeps_, [](const SublayerSweep& one) { return !one.sweep->done(); });
  next->sweep->step(watch);
}

std::vector<HeadMap> AnswerSweep::maps() const {
  std::vector<HeadMap> maps;
  for (const SublayerSweep& one : sweeps_) maps.push_back({one.sublayer, one.sweep->changes()});
  return maps;
}

}  // namespace lab
