#include "app/document/analysis/analysis_work.h"

#include <algorithm>
#include <new>

#include "app/base/bad_input.h"
#include "app/translation/words.h"

namespace lab {
namespace {

using attention::Index;
using attention::Matrix;
using attention::RowVector;
using attention::WorkStopped;
using attention::network::Answer;

constexpr Index kShownPredictions = 10;

std::string reason_of(const std::exception& problem) {
  if (dynamic_cast<const std::bad_alloc*>(&problem) != nullptr)
    return tr_later("There is not enough memory for this.");
  return problem.what();
}

bool needs_answer(const AnalysisRequest& requested) {
  return requested.predictions || requested.lens || requested.direct || requested.knock_out ||
         requested.patch_from.document || (requested.gradient && !requested.gradient->cell);
}

RowPredictions predictions_of_row(const RowVector& logits, Index row,
                                  const std::vector<std::uint32_t>& pinned) {
  RowPredictions result{row, most_probable(logits, kShownPredictions), 0, {}};
  for (const Prediction& prediction : result.top)
    result.top_probability += static_cast<double>(prediction.probability);
  std::vector<std::uint32_t> known = pinned;
  std::erase_if(known, [&](std::uint32_t id) { return id >= logits.size(); });
  result.pinned = predictions_of(logits, known);
  return result;
}

}  // namespace

template <typename Value, typename Compute>
void AnalysisWork::compute(const EntryId<Value>& id, const RequestedAnalysis& requested,
                           Compute compute) {
  const EntryInputs inputs = inputs_of(id.type, requested);
  if (board_.has(id.type, inputs)) return;
  board_.watch().did(0);
  AnalysisEntry<Value> made;
  try {
    Expected<Value> value = compute();
    if (value) {
      made.value = std::make_shared<const Value>(std::move(*value));
      made.progress = 1;
    } else {
      made.error = value.error().message;
    }
  } catch (const WorkStopped&) {
    throw;
  } catch (const std::exception& problem) {
    made.error = reason_of(problem);
  }
  board_.publish(id, inputs, std::move(made));
}

// Publishes show(*job), an Expected value, after each step of a job that start() makes.
template <typename Value, typename Job, typename Start, typename Show>
void AnalysisWork::fill_in(const EntryId<Value>& id, const RequestedAnalysis& requested,
                           Running<Job>& running, Start start, Show show) {
  const EntryInputs inputs = inputs_of(id.type, requested);
  bool whole = board_.has(id.type, inputs);
  while (!whole) {
    board_.watch().did(0);
    AnalysisEntry<Value> made;
    try {
      if (!running.job || !same_inputs(running.inputs, inputs)) {
        running.job.reset();
        running = {inputs, start()};
      }
      if (!running.job->done()) running.job->step(&board_.watch());
      made.value = std::make_shared<const Value>(show(*running.job));
      whole = running.job->done();
      made.progress = whole ? 1 : std::min(running.job->progress(), 0.999);
    } catch (const WorkStopped&) {
      throw;
    } catch (const std::exception& problem) {
      made = {};
      made.error = reason_of(problem);
      whole = true;
    }
    board_.publish(id, inputs, std::move(made));
    if (whole) running = {};
  }
}

void AnalysisWork::run(RequestedAnalysis requested) {
  if (!requested.any()) return;
  if (needs_answer(requested.request)) find_answer(requested);
  compute_row(requested);
  compute_text(requested);
  compute_direct(requested);
  compute_gradient(requested);
  fill_in_labels(requested);
  fill_in_maps(requested);
  fill_in_lens(requested);
  explore(requested);
}

Expected<const Matrix*> AnalysisWork::row_logits(const RequestedAnalysis& requested) {
  if (!requested.row)
    return tl::make_unexpected(predicting_rows(*requested.model.document).error());
  if (row_logits_ && row_logits_->row == *requested.row &&
      same_model(row_logits_->model, requested.model))
    return &row_logits_->logits;
  const auto logits = logits_of_row(pass_of(requested.model), *requested.row);
  if (!logits) return tl::make_unexpected(logits.error());
  row_logits_ = {requested.model, *requested.row, Matrix(*logits)};
  return &row_logits_->logits;
}

// Apart from the logits, which are shown first: the lens takes longer.
Expected<const Matrix*> AnalysisWork::row_lens(const RequestedAnalysis& requested) {
  if (auto there = row_logits(requested); !there) return there;
  if (!row_lens_ || row_lens_->row != *requested.row ||
      !same_model(row_lens_->model, requested.model)) {
    const ModelPass pass = pass_of(requested.model);
    row_lens_ = {requested.model, *requested.row,
                 logit_lens(pass.network(), pass.trace, *requested.row, pool_)};
  }
  return &row_lens_->logits;
}

Expected<RowVector> AnalysisWork::answer_logits(const RequestedAnalysis& requested) {
  if (requested.answer && requested.answer->row != requested.row)
    return logits_of_row(pass_of(requested.model), requested.answer->row);
  return row_logits(requested).map([](const Matrix* logits) { return RowVector(logits->row(0)); });
}

// Nothing stays nothing where no row predicts.
void AnalysisWork::find_likeliest(RequestedAnalysis& requested) {
  try {
    const auto logits = answer_logits(requested);
    if (!logits) return;
    requested.answer = Answer{*requested.row, likeliest_token(*logits)};
    board_.set_likeliest(requested.model, *requested.row, *requested.answer);
  } catch (const std::exception&) {  // comes again where the answer is computed
  }
}

void AnalysisWork::find_answer(RequestedAnalysis& requested) {
  board_.watch().did(0);
  if (!requested.answer) find_likeliest(requested);
  compute(kAnswerEntry, requested, [&]() -> Expected<AskedAnswer> {
    const auto logits = answer_logits(requested);
    if (!logits) return tl::make_unexpected(logits.error());
    validate(*requested.answer, requested.model.document->network,
             requested.model.trace->stack.n());
    return asked_answer(*logits, *requested.answer);
  });
}

// Only this thread writes to the board, so it is the one that was found.
Expected<AskedAnswer> AnalysisWork::answer() const {
  const auto result = board_.result();
  if (result->answer.value) return *result->answer.value;
  return fail(ErrorType::kBadInput, result->answer.error);
}

void AnalysisWork::compute_row(const RequestedAnalysis& requested) {
  if (requested.request.predictions)
    compute(kPredictionsEntry, requested, [&] {
      return row_logits(requested).map([&](const Matrix* logits) {
        return predictions_of_row(logits->row(0), *requested.row, requested.request.pinned);
      });
    });
  if (requested.request.lens)
    compute(kLensEntry, requested, [&]() -> Expected<RowLens> {
      const auto lens = row_lens(requested);
      if (!lens) return tl::make_unexpected(lens.error());
      const auto asked = answer();
      if (!asked) return tl::make_unexpected(asked.error());
      return RowLens{*requested.row, lens_lines(**lens, asked->answer())};
    });
}

void AnalysisWork::compute_text(const RequestedAnalysis& requested) {
  if (requested.request.masked)
    compute(kMaskedEntry, requested,
            [&] { return predictions(pass_of(requested.model), kShownPredictions); });
  if (requested.request.entropies)
    compute(kEntropiesEntry, requested, [&]() -> Expected<std::vector<HeadMap>> {
      return mean_entropies(requested.model.document->network, *requested.model.trace);
    });
}

void AnalysisWork::compute_direct(const RequestedAnalysis& requested) {
  if (!requested.request.direct) return;
  compute(kDirectEntry, requested, [&]() -> Expected<AnswerAttribution> {
    const auto asked = answer();
    if (!asked) return tl::make_unexpected(asked.error());
    const ModelDocument& document = *requested.model.document;
    return AnswerAttribution{
        *asked, attribute_logit(document.network, *requested.model.trace, document.interventions,
                                asked->answer(), pool_, &board_.watch())};
  });
}

void AnalysisWork::compute_gradient(const RequestedAnalysis& requested) {
  if (!requested.request.gradient) return;
  compute(kGradientEntry, requested, [&]() -> Expected<ModelGradient> {
    const GradientRequest& request = *requested.request.gradient;
    const ModelPass pass = pass_of(requested.model);
    if (request.cell) return model_gradient(pass, request, {});
    const auto asked = answer();
    if (!asked) return tl::make_unexpected(asked.error());
    return model_gradient(pass, request, asked->answer());
  });
}

void AnalysisWork::fill_in_labels(const RequestedAnalysis& requested) {
  if (!requested.request.labels) return;
  fill_in(
      kLabelsEntry, requested, labels_,
      [&] { return std::make_unique<HeadLabelling>(*requested.model.document, pool_.threads()); },
      [](const HeadLabelling& labelling) { return labelling.heads(); });
}

void AnalysisWork::fill_in_maps(const RequestedAnalysis& requested) {
  const AnalysedModel& from = requested.request.patch_from;
  const auto sweep_from = [&](const ModelPass* source) {
    const auto asked = answer();
    if (!asked) throw BadInput(asked.error().message);
    return std::make_unique<AnswerSweep>(pass_of(requested.model), asked->answer(), source);
  };
  const auto maps = [&](const AnswerSweep& sweep) { return AnswerMaps{*answer(), sweep.maps()}; };
  if (requested.request.knock_out)
    fill_in(
        kKnockOutEntry, requested, knock_out_, [&] { return sweep_from(nullptr); }, maps);
  if (!from.document || !from.trace) return;
  const ModelPass source = pass_of(from);
  fill_in(
      kPatchingEntry, requested, patching_, [&] { return sweep_from(&source); }, maps);
}

void AnalysisWork::fill_in_lens(const RequestedAnalysis& requested) {
  if (!requested.request.lens_of_all_rows) return;
  fill_in(
      kLensOfAllRowsEntry, requested, lens_,
      [&] { return std::make_unique<LensSweep>(pass_of(requested.model)); },
      [](const LensSweep& sweep) { return sweep.grid(); });
}

void AnalysisWork::explore(const RequestedAnalysis& requested) {
  const auto& request = requested.request.exploration;
  if (!request || !request->text) return;
  fill_in(
      kExplorationEntry, requested, exploration_,
      [&] {
        return std::make_unique<HeadExplorer>(*requested.model.document, *request, pool_.threads());
      },
      [](const HeadExplorer& explorer) { return explorer.exploration(); });
}

}  // namespace lab
