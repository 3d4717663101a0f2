#include "app/cli/model/solved_numbers.h"

#include <cmath>
#include <utility>

#include "app/base/bad_input.h"
#include "app/cli/arguments.h"
#include "app/cli/verb.h"
#include "app/document/analysis/answer.h"
#include "app/document/model/layer_document.h"
#include "app/document/solving/solve_words.h"
#include "core/solve/answer_solver.h"

namespace lab::cli {
namespace {

using attention::SolveFault;
using attention::network::AnswerRequest;
using attention::network::TargetAnswer;

// A logit as it is spelt, its answer, and its present value.
struct SpeltLogit {
  TargetNumber number;
  TargetAnswer answer;
};

std::vector<std::string> labels_of_tokens(const ModelRun& run, std::vector<std::string>& pieces) {
  std::vector<std::string> labels;
  for (const Token& token : model_tokens(*run.model, run.tokens.ids)) {
    labels.push_back(token_label(token));
    pieces.push_back(token.text);
  }
  return labels;
}

Expected<std::uint32_t> token_of_logit(const ModelRun& run, const std::string& text,
                                       const attention::RowVector& logits) {
  if (run.model->tokenizer && !text.empty())
    if (const auto id = token_called(*run.model, text, logits)) return *id;
  const auto id = whole_number(text);
  if (id && *id >= 0 && *id < logits.size()) return static_cast<std::uint32_t>(*id);
  return fail(ErrorType::kUsage,
              "logit[ROW,TOKEN]: " + in_quotes(text) + " should be one token of the vocabulary");
}

// "logit[5,cat]"; the token is all after the first comma.
Expected<SpeltLogit> parse_logit(ModelRun& run, const std::string& text) {
  const std::size_t comma = text.find(',');
  if (!text.starts_with("logit[") || comma == text.npos || text.back() != ']')
    return fail(ErrorType::kUsage,
                in_quotes(text) + " is no logit; write logit[ROW,TOKEN], such as logit[5,cat]");
  std::vector<std::string> pieces;
  const auto labels = labels_of_tokens(run, pieces);
  const auto row = resolve_label(labels, text.substr(6, comma - 6), "logit", pieces);
  if (!row) return tl::make_unexpected(row.error());
  const auto logits = logits_of_row(run.pass(), *row);
  if (!logits) return tl::make_unexpected(logits.error());
  const std::string token = text.substr(comma + 1, text.size() - comma - 2);
  const auto id = token_of_logit(run, token, *logits);
  if (!id) return tl::make_unexpected(id.error());
  return SpeltLogit{{"logit[" + std::to_string(*row) + ", " + run.token_label(*id) + "]",
                     (*logits)(static_cast<attention::Index>(*id)),
                     {}},
                    {{*row, *id, {}}, {}}};
}

Expected<SpeltLogit> parse_target_logit(ModelRun& run, const std::string& text) {
  const std::size_t equals = text.rfind('=');
  const auto value = finite_number(equals == text.npos ? "" : text.substr(equals + 1));
  if (!value)
    return fail(ErrorType::kUsage,
                "--want: " + in_quotes(text) + " has no value; write logit[5,cat]=12");
  auto logit = parse_logit(run, text.substr(0, equals));
  if (logit) logit->number.value = logit->answer.value = *value;
  return logit;
}

std::string fault_of_logits(const SolveFault& fault, const std::vector<TargetNumber>& targets) {
  std::vector<std::string> names;
  names.reserve(targets.size());
  for (const TargetNumber& one : targets) names.push_back(one.name);
  return logit_fault_text(names, fault);
}

}  // namespace

Expected<SolvedNumbers> solve_logits(ModelRun& run, const Document& document,
                                     const std::vector<std::string>& targets,
                                     const std::vector<std::string>& kept,
                                     const std::vector<FreeChoice>& choices) {
  if (auto there = check_read_out(run.document); !there) return tl::make_unexpected(there.error());
  const auto numbers = free_numbers(document, choices);
  if (!numbers) return tl::make_unexpected(numbers.error());
  SolvedNumbers solved{document, numbers->rows, {}, {}};
  std::vector<TargetAnswer> answers;
  const auto add = [&](Expected<SpeltLogit> logit) -> Expected<void> {
    if (!logit) return tl::make_unexpected(logit.error());
    solved.targets.push_back(logit->number);
    answers.push_back(logit->answer);
    return {};
  };
  for (const std::string& text : targets)
    if (auto added = add(parse_target_logit(run, text)); !added)
      return tl::make_unexpected(added.error());
  for (const std::string& text : kept)
    if (auto added = add(parse_logit(run, text)); !added) return tl::make_unexpected(added.error());
  auto found = guarded([&] {
    return solve_answer(AnswerRequest{run.network(), run.tokens, run.document.interventions,
                                      document.layer.at, numbers->problem, answers, numbers->rows,
                                      model_threads()});
  });
  if (!found) return tl::make_unexpected(found.error());
  if (found->fault)
    return fail(ErrorType::kBadInput, fault_of_logits(*found->fault, solved.targets));
  solved.solution = std::move(found->solution);
  return solved;
}

}  // namespace lab::cli
