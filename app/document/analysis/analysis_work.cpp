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

bool needs_answer(const AnalysisRequest& wanted) {
  return wanted.predictions || wanted.lens || wanted.direct || wanted.knock_out ||
         wanted.patch_from.document || (wanted.gradient && !wanted.gradient->cell);
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
void AnalysisWork::compute(const PartId<Value>& id, const WantedAnalysis& wanted, Compute compute) {
  const PartInputs inputs = inputs_of(id.kind, wanted);
  if (board_.has(id.kind, inputs)) return;
  board_.watch().did(0);
  AnalysisPart<Value> made;
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
void AnalysisWork::fill_in(const PartId<Value>& id, const WantedAnalysis& wanted,
                           Running<Job>& running, Start start, Show show) {
  const PartInputs inputs = inputs_of(id.kind, wanted);
  bool whole = board_.has(id.kind, inputs);
  while (!whole) {
    board_.watch().did(0);
    AnalysisPart<Value> made;
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

void AnalysisWork::run(WantedAnalysis wanted) {
  if (!wanted.any()) return;
  if (needs_answer(wanted.request)) find_answer(wanted);
  compute_row(wanted);
  compute_text(wanted);
  compute_direct(wanted);
  compute_gradient(wanted);
  fill_in_labels(wanted);
  fill_in_maps(wanted);
  fill_in_lens(wanted);
  explore(wanted);
}

Expected<const Matrix*> AnalysisWork::row_logits(const WantedAnalysis& wanted) {
  if (!wanted.row) return tl::make_unexpected(predicting_rows(*wanted.model.document).error());
  if (row_logits_ && row_logits_->row == *wanted.row &&
      same_model(row_logits_->model, wanted.model))
    return &row_logits_->logits;
  const auto logits = logits_of_row(pass_of(wanted.model), *wanted.row);
  if (!logits) return tl::make_unexpected(logits.error());
  row_logits_ = {wanted.model, *wanted.row, Matrix(*logits)};
  return &row_logits_->logits;
}

// Apart from the logits, which are shown first: the lens takes longer.
Expected<const Matrix*> AnalysisWork::row_lens(const WantedAnalysis& wanted) {
  if (auto there = row_logits(wanted); !there) return there;
  if (!row_lens_ || row_lens_->row != *wanted.row || !same_model(row_lens_->model, wanted.model)) {
    const ModelPass pass = pass_of(wanted.model);
    row_lens_ = {wanted.model, *wanted.row,
                 logit_lens(pass.network(), pass.trace, *wanted.row, pool_)};
  }
  return &row_lens_->logits;
}

Expected<RowVector> AnalysisWork::answer_logits(const WantedAnalysis& wanted) {
  if (wanted.answer && wanted.answer->row != wanted.row)
    return logits_of_row(pass_of(wanted.model), wanted.answer->row);
  return row_logits(wanted).map([](const Matrix* logits) { return RowVector(logits->row(0)); });
}

// Nothing stays nothing where no row predicts.
void AnalysisWork::find_likeliest(WantedAnalysis& wanted) {
  try {
    const auto logits = answer_logits(wanted);
    if (!logits) return;
    wanted.answer = Answer{*wanted.row, likeliest_token(*logits)};
    board_.set_likeliest(wanted.model, *wanted.row, *wanted.answer);
  } catch (const std::exception&) {  // comes again where the answer is computed
  }
}

void AnalysisWork::find_answer(WantedAnalysis& wanted) {
  board_.watch().did(0);
  if (!wanted.answer) find_likeliest(wanted);
  compute(kAnswerPart, wanted, [&]() -> Expected<AskedAnswer> {
    const auto logits = answer_logits(wanted);
    if (!logits) return tl::make_unexpected(logits.error());
    validate(*wanted.answer, wanted.model.document->network, wanted.model.trace->stack.n());
    return asked_answer(*logits, *wanted.answer);
  });
}

// Only this thread writes to the board, so it is the one that was found.
Expected<AskedAnswer> AnalysisWork::answer() const {
  const auto result = board_.result();
  if (result->answer.value) return *result->answer.value;
  return fail(ErrorKind::kBadInput, result->answer.error);
}

void AnalysisWork::compute_row(const WantedAnalysis& wanted) {
  if (wanted.request.predictions)
    compute(kPredictionsPart, wanted, [&] {
      return row_logits(wanted).map([&](const Matrix* logits) {
        return predictions_of_row(logits->row(0), *wanted.row, wanted.request.pinned);
      });
    });
  if (wanted.request.lens)
    compute(kLensPart, wanted, [&]() -> Expected<RowLens> {
      const auto lens = row_lens(wanted);
      if (!lens) return tl::make_unexpected(lens.error());
      const auto asked = answer();
      if (!asked) return tl::make_unexpected(asked.error());
      return RowLens{*wanted.row, lens_lines(**lens, asked->answer())};
    });
}

void AnalysisWork::compute_text(const WantedAnalysis& wanted) {
  if (wanted.request.masked)
    compute(kMaskedPart, wanted,
            [&] { return predictions(pass_of(wanted.model), kShownPredictions); });
  if (wanted.request.entropies)
    compute(kEntropiesPart, wanted, [&]() -> Expected<std::vector<HeadMap>> {
      return mean_entropies(wanted.model.document->network, *wanted.model.trace);
    });
}

void AnalysisWork::compute_direct(const WantedAnalysis& wanted) {
  if (!wanted.request.direct) return;
  compute(kDirectPart, wanted, [&]() -> Expected<AnswerParts> {
    const auto asked = answer();
    if (!asked) return tl::make_unexpected(asked.error());
    const ModelDocument& document = *wanted.model.document;
    return AnswerParts{
        *asked, attribute_logit(document.network, *wanted.model.trace, document.interventions,
                                asked->answer(), pool_, &board_.watch())};
  });
}

void AnalysisWork::compute_gradient(const WantedAnalysis& wanted) {
  if (!wanted.request.gradient) return;
  compute(kGradientPart, wanted, [&]() -> Expected<ModelGradient> {
    const GradientRequest& request = *wanted.request.gradient;
    const ModelPass pass = pass_of(wanted.model);
    if (request.cell) return model_gradient(pass, request, {});
    const auto asked = answer();
    if (!asked) return tl::make_unexpected(asked.error());
    return model_gradient(pass, request, asked->answer());
  });
}

void AnalysisWork::fill_in_labels(const WantedAnalysis& wanted) {
  if (!wanted.request.labels) return;
  fill_in(
      kLabelsPart, wanted, labels_,
      [&] { return std::make_unique<HeadLabelling>(*wanted.model.document, pool_.threads()); },
      [](const HeadLabelling& labelling) { return labelling.heads(); });
}

void AnalysisWork::fill_in_maps(const WantedAnalysis& wanted) {
  const AnalysedModel& from = wanted.request.patch_from;
  const auto sweep_from = [&](const ModelPass* source) {
    const auto asked = answer();
    if (!asked) throw BadInput(asked.error().message);
    return std::make_unique<AnswerSweep>(pass_of(wanted.model), asked->answer(), source);
  };
  const auto maps = [&](const AnswerSweep& sweep) { return AnswerMaps{*answer(), sweep.maps()}; };
  if (wanted.request.knock_out)
    fill_in(
        kKnockOutPart, wanted, knock_out_, [&] { return sweep_from(nullptr); }, maps);
  if (!from.document || !from.trace) return;
  const ModelPass source = pass_of(from);
  fill_in(
      kPatchingPart, wanted, patching_, [&] { return sweep_from(&source); }, maps);
}

void AnalysisWork::fill_in_lens(const WantedAnalysis& wanted) {
  if (!wanted.request.lens_of_all_rows) return;
  fill_in(
      kLensOfAllRowsPart, wanted, lens_,
      [&] { return std::make_unique<LensSweep>(pass_of(wanted.model)); },
      [](const LensSweep& sweep) { return sweep.grid(); });
}

void AnalysisWork::explore(const WantedAnalysis& wanted) {
  const auto& request = wanted.request.exploration;
  if (!request || !request->text) return;
  fill_in(
      kExplorationPart, wanted, exploration_,
      [&] {
        return std::make_unique<HeadExplorer>(*wanted.model.document, *request, pool_.threads());
      },
      [](const HeadExplorer& explorer) { return explorer.exploration(); });
}

}  // namespace lab
