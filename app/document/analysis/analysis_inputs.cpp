#include "app/document/analysis/analysis_inputs.h"

namespace lab {
namespace {

// The answer, or while it is not known the row whose likeliest token it is.
EntryInputs about_answer(EntryInputs inputs, const RequestedAnalysis& requested) {
  inputs.answer = requested.answer;
  if (!requested.answer) inputs.row = requested.row;
  return inputs;
}

bool same_heads(const ModelDocument& a, const ModelDocument& b) {
  return a.network == b.network && a.interventions.gains == b.interventions.gains;
}

bool same_run(const ModelDocument& a, const ModelDocument& b) {
  return a.network == b.network && a.interventions == b.interventions && a.text.ids == b.text.ids &&
         a.decoder_text.ids == b.decoder_text.ids && a.types == b.types;
}

}  // namespace

EntryInputs inputs_of(EntryType type, const RequestedAnalysis& requested) {
  EntryInputs of_pass{.model = requested.model};
  EntryInputs of_network{.model = {requested.model.document, nullptr}};
  EntryInputs inputs = of_pass;
  switch (type) {
    case EntryType::kMasked:
    case EntryType::kEntropies:
    case EntryType::kLensOfAllRows:
      return of_pass;
    case EntryType::kPredictions:
      inputs.row = requested.row;
      inputs.pinned = requested.request.pinned;
      return inputs;
    case EntryType::kLens:
      inputs.answer = requested.answer;
      inputs.row = requested.row;
      return inputs;
    case EntryType::kAnswer:
    case EntryType::kDirect:
    case EntryType::kKnockOut:
      return about_answer(of_pass, requested);
    case EntryType::kPatching:
      inputs.source = requested.request.patch_from;
      return about_answer(inputs, requested);
    case EntryType::kLabels:
      return of_network;
    case EntryType::kGradient:
      inputs.gradient = requested.request.gradient;
      return inputs.gradient && inputs.gradient->cell ? inputs : about_answer(inputs, requested);
    case EntryType::kExploration:
      inputs = of_network;
      inputs.exploration = requested.request.exploration;
      return inputs;
  }
  return of_pass;
}

bool same_model(const AnalysedModel& a, const AnalysedModel& b) {
  if (a.trace != b.trace) return false;
  if (a.document == b.document) return true;
  if (!a.document || !b.document) return false;
  return a.trace ? same_run(*a.document, *b.document) : same_heads(*a.document, *b.document);
}

bool same_inputs(const EntryInputs& a, const EntryInputs& b) {
  return same_model(a.model, b.model) && same_model(a.source, b.source) && a.row == b.row &&
         a.answer == b.answer && a.pinned == b.pinned && a.exploration == b.exploration &&
         a.gradient == b.gradient;
}

}  // namespace lab
