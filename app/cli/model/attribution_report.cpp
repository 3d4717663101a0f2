#include "app/cli/model/attribution_report.h"

#include <algorithm>

#include "app/base/bad_input.h"
#include "app/base/names.h"
#include "app/cli/verb.h"
#include "app/document/analysis/answer_sweep.h"
#include "app/document/model/layer_document.h"
#include "app/document/model/text_limit.h"
#include "app/files/tokenizer/tokenizer_file.h"

namespace lab::cli {
namespace {

using attention::Index;
using attention::RowVector;
using attention::network::Answer;

constexpr std::array<std::string_view, 6> kTypeNames = {"summary",   "lens",     "direct",
                                                        "knock-out", "patching", "rollout"};

// The row that predicts what is asked about.
Expected<Index> asked_row(const ModelRun& run, const AnswerChoice& choice) {
  if (!choice.row) {
    const auto rows = predicting_rows(run.document);
    if (!rows) return tl::make_unexpected(rows.error());
    return rows->front();
  }
  std::vector<std::string> labels, pieces;
  for (const Token& token : model_tokens(*run.model, run.tokens.ids)) {
    labels.push_back(token_label(token));
    pieces.push_back(token.text);
  }
  return resolve_label(labels, *choice.row, "--row", pieces);
}

// The token that is named with `option`, or with `option`-id.
Expected<std::uint32_t> token_by_name(const ModelRun& run, const char* option,
                                      const TokenByName& choice, const RowVector& logits) {
  const std::string name = option;
  if (choice.id) {
    if (*choice.id < logits.size()) return *choice.id;
    return fail(ErrorType::kUsage, name + "-id " + std::to_string(*choice.id) +
                                       ": the last token is " + std::to_string(logits.size() - 1));
  }
  if (!run.model->tokenizer)
    return fail(ErrorType::kUsage,
                files::no_tokenizer_in(run.model->folder) + "; or use " + name + "-id");
  if (choice.token->empty())
    return fail(ErrorType::kUsage, name + " is empty; it should be one token of the vocabulary");
  if (const auto id = token_called(*run.model, *choice.token, logits)) return *id;
  return fail(ErrorType::kUsage,
              name + " " + in_quotes(*choice.token) + ": should be one token of the vocabulary");
}

Expected<Answer> answer_by_name(const ModelRun& run, const AnswerChoice& choice, Index row,
                                const RowVector& logits) {
  Answer answer{row, likeliest_token(logits)};
  if (choice.token.any()) {
    const auto id = token_by_name(run, "--answer", choice.token, logits);
    if (!id) return tl::make_unexpected(id.error());
    answer.token = *id;
  }
  if (!choice.minus.any()) return answer;
  const auto id = token_by_name(run, "--minus", choice.minus, logits);
  if (!id) return tl::make_unexpected(id.error());
  if (*id == answer.token)
    return fail(ErrorType::kUsage, "--minus is the answer itself; it should be another token");
  answer.minus = *id;
  return answer;
}

Expected<AskedAnswer> find_answer(ModelRun& run, const AnswerChoice& choice) {
  if (auto there = check_read_out(run.document); !there) return tl::make_unexpected(there.error());
  const auto row = asked_row(run, choice);
  if (!row) return tl::make_unexpected(row.error());
  const auto logits = logits_of_row(run.pass(), *row);
  if (!logits) return tl::make_unexpected(logits.error());
  const auto answer = answer_by_name(run, choice, *row, *logits);
  if (!answer) return tl::make_unexpected(answer.error());
  return asked_answer(*logits, *answer);
}

std::vector<StackRollout> rollouts_of(const ModelRun& run) {
  const files::Description& model = run.model->description;
  const auto& [stack, encoder] = run.trace();
  std::vector<StackRollout> rollouts;
  if (encoder)
    rollouts.push_back(
        {"encoder", run.tokens.encoder_ids, attention_rollout(*encoder, model.n_encoder_heads)});
  rollouts.push_back(
      {encoder ? "decoder" : "", run.tokens.ids, attention_rollout(stack, model.n_heads)});
  return rollouts;
}

std::vector<HeadMap> all_steps(AnswerSweep& sweep) {
  while (!sweep.done()) sweep.step();
  return sweep.maps();
}

Expected<PatchingReport> patched_from(ModelRun& run, const ModelText& text, const Answer& answer) {
  const auto document = patch_source(run.document, text);
  if (!document) return tl::make_unexpected(document.error());
  if (auto fits = check_pass_memory(*document, model_threads()); !fits)
    return tl::make_unexpected(fits.error());
  return guarded([&] {
    attention::network::NetworkEvaluator evaluator(model_threads());
    const auto& trace =
        evaluator.evaluate(document->network, tokens_of(*document), document->interventions);
    const ModelPass source{*document, trace, evaluator.pool()};
    AnswerSweep sweep(run.pass(), answer, &source);
    const auto logits = logits_of_row(source, answer.row);
    if (!logits) throw BadInput(logits.error().message);
    return PatchingReport{asked_answer(*logits, answer), all_steps(sweep)};
  });
}

Expected<void> add_patching(ModelRun& run, const AnswerChoice& choice, AttributionReport& report) {
  if (!choice.patch_from)
    return fail(ErrorType::kUsage, "--patch-from is missing: from which text?");
  auto patching = patched_from(run, *choice.patch_from, report.answer->answer());
  if (!patching) return fail(ErrorType::kUsage, "--patch-from: " + patching.error().message);
  report.patching = std::move(*patching);
  return {};
}

// Fills in what a summary, or one section of it, says about an answer.
void add_answer_results(ModelRun& run, AttributionType type, AttributionReport& report) {
  const bool all = type == AttributionType::kSummary;
  const Answer answer = report.answer->answer();
  const auto& interventions = run.document.interventions;
  if (all || type == AttributionType::kLens)
    report.lens = lens_lines(
        logit_lens(run.network(), run.trace(), answer.row, run.evaluator.pool()), answer);
  if (all || type == AttributionType::kDirect) {
    try {
      report.direct =
          attribute_logit(run.network(), run.trace(), interventions, answer, run.evaluator.pool());
    } catch (const std::invalid_argument& error) {
      report.direct_refused = run.model->description.family + ": " + error.what();
    }
  }
  if (all || type == AttributionType::kKnockOut) {
    AnswerSweep sweep(run.pass(), answer);
    report.knock_outs = all_steps(sweep);
  }
}

}  // namespace

std::optional<AttributionType> attribution_type_from_name(std::string_view name) {
  return id_from_name<AttributionType>(kTypeNames, name);
}

Expected<AttributionReport> attribution_report(ModelRun& run, AttributionType type,
                                               const AnswerChoice& choice) {
  AttributionReport report;
  if (type == AttributionType::kRollout) {
    auto rollouts = guarded([&] { return rollouts_of(run); });
    if (!rollouts) return tl::make_unexpected(rollouts.error());
    report.rollouts = std::move(*rollouts);
  } else {
    auto answer = find_answer(run, choice);
    if (!answer) return tl::make_unexpected(answer.error());
    report.answer = *answer;
    add_answer_results(run, type, report);
    if (type == AttributionType::kDirect && !report.direct)
      return fail(ErrorType::kBadInput, report.direct_refused);
    const bool patching = type == AttributionType::kPatching ||
                          (type == AttributionType::kSummary && choice.patch_from);
    if (patching)
      if (auto added = add_patching(run, choice, report); !added)
        return tl::make_unexpected(added.error());
  }
  if (auto readable = files::check_readable(*run.model); !readable)
    return tl::make_unexpected(readable.error());
  return report;
}

}  // namespace lab::cli
