#include "app/cli/model/attribution_report.h"

#include <algorithm>

#include "app/base/bad_input.h"
#include "app/base/named.h"
#include "app/cli/lookup.h"
#include "app/cli/verb.h"
#include "app/document/model/layer_document.h"

namespace lab::cli {
namespace {

using attention::Index;
using attention::Matrix;
using attention::RowVector;
using attention::network::Answer;

constexpr std::array<std::string_view, 5> kKindNames = {"summary", "lens", "direct", "knock-out",
                                                        "rollout"};

// The row that predicts what is asked about.
Expected<Index> asked_row(const ModelRun& run, const AnswerChoice& choice) {
  if (!choice.row) {
    const auto rows = predicting_rows(run);
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

// Of the tokens that are called so, the most probable one; nothing when none is.
std::optional<std::uint32_t> token_called(const ModelRun& run, const std::string& text,
                                          const RowVector& logits) {
  std::optional<std::uint32_t> best;
  for (std::uint32_t id = 0; id < logits.size(); ++id) {
    const bool better = !best || logits(id) > logits(*best);
    if (better && is_called(text, run.token_label(id), run.token_text(id))) best = id;
  }
  return best;
}

Expected<std::uint32_t> asked_token(const ModelRun& run, const AnswerChoice& choice,
                                    const RowVector& logits) {
  if (choice.id) {
    if (*choice.id < logits.size()) return *choice.id;
    return fail(ErrorKind::kUsage, "--answer-id " + std::to_string(*choice.id) +
                                       ": the last token is " + std::to_string(logits.size() - 1));
  }
  if (!choice.token) return most_probable(logits, 1).front().id;
  if (!run.model->tokenizer)
    return fail(ErrorKind::kUsage, "there is no tokenizer.json in " + in_quotes(run.model->folder) +
                                       "; use --answer-id");
  if (choice.token->empty())
    return fail(ErrorKind::kUsage, "--answer is empty; it should be one token of the vocabulary");
  if (const auto id = token_called(run, *choice.token, logits)) return *id;
  return fail(ErrorKind::kUsage,
              "--answer " + in_quotes(*choice.token) + ": should be one token of the vocabulary");
}

Index rank_of(const RowVector& logits, std::uint32_t id) {
  return 1 + (logits.array() > logits(id)).count();
}

Expected<AskedAnswer> asked_answer(ModelRun& run, const AnswerChoice& choice) {
  if (!run.network().read_out)
    return fail(ErrorKind::kBadInput, in_quotes(run.model->folder) +
                                          " was saved without a read-out, so it predicts nothing");
  const auto row = asked_row(run, choice);
  if (!row) return tl::make_unexpected(row.error());
  const RowVector logits = attention::network::logits(
      run.network(), run.trace().stack.final.row(*row), run.evaluator.pool());
  if (auto finite = check_finite(run, *row, logits); !finite)
    return tl::make_unexpected(finite.error());
  const auto id = asked_token(run, choice, logits);
  if (!id) return tl::make_unexpected(id.error());
  return AskedAnswer{*row, prediction_of(logits, *id), rank_of(logits, *id)};
}

std::vector<LensLine> lens_lines(ModelRun& run, const Answer& answer) {
  const Matrix all = logit_lens(run.network(), run.trace(), answer.row, run.evaluator.pool());
  std::vector<LensLine> lines;
  for (Index i = 0; i < all.rows(); ++i) {
    const RowVector logits = all.row(i);
    lines.push_back({most_probable(logits, 1).front(), prediction_of(logits, answer.token),
                     rank_of(logits, answer.token)});
  }
  return lines;
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

std::vector<KnockOutMap> knock_outs_of(const ModelRun& run, const Answer& answer) {
  using attention::network::Sublayer;
  std::vector<KnockOutMap> maps;
  for (const Sublayer sublayer : {Sublayer::kSelf, Sublayer::kCross, Sublayer::kEncoder})
    if (find_attention(run.network(), {sublayer, 0}) != nullptr)
      maps.push_back({sublayer, knock_out_map(run.network(), run.tokens, run.document.interventions,
                                              answer, sublayer, model_threads())});
  return maps;
}

// Fills in what a summary, or one part of it, tells of an answer.
void add_answer_parts(ModelRun& run, AttributionKind kind, AttributionReport& report) {
  const bool all = kind == AttributionKind::kSummary;
  const Answer answer{report.answer->row, report.answer->token.id};
  const auto& interventions = run.document.interventions;
  if (all || kind == AttributionKind::kLens) report.lens = lens_lines(run, answer);
  if (all || kind == AttributionKind::kDirect) {
    try {
      report.direct =
          attribute_logit(run.network(), run.trace(), interventions, answer, run.evaluator.pool());
    } catch (const std::invalid_argument& error) {
      report.direct_refused = run.model->description.family + ": " + error.what();
    }
  }
  if (all || kind == AttributionKind::kKnockOut) report.knock_outs = knock_outs_of(run, answer);
}

}  // namespace

std::optional<AttributionKind> attribution_kind_from_name(std::string_view name) {
  return id_from_name<AttributionKind>(kKindNames, name);
}

Expected<AttributionReport> attribution_report(ModelRun& run, AttributionKind kind,
                                               const AnswerChoice& choice) {
  AttributionReport report;
  if (kind == AttributionKind::kRollout) {
    report.rollouts = rollouts_of(run);
  } else {
    auto answer = asked_answer(run, choice);
    if (!answer) return tl::make_unexpected(answer.error());
    report.answer = *answer;
    add_answer_parts(run, kind, report);
    if (kind == AttributionKind::kDirect && !report.direct)
      return fail(ErrorKind::kBadInput, report.direct_refused);
  }
  if (auto readable = files::check_readable(*run.model); !readable)
    return tl::make_unexpected(readable.error());
  return report;
}

}  // namespace lab::cli
