#include "app/cli/model/model_apply.h"

#include "app/base/bad_input.h"
#include "app/cli/command_lines.h"
#include "app/cli/model/model_run.h"
#include "app/cli/verb.h"
#include "app/document/model/model_command.h"
#include "app/document/model/text_limit.h"
#include "app/document/words/detached_text.h"

namespace lab::cli {
namespace {

using attention::network::NetworkEvaluator;

// The documents from the first one on, for undo.
class ModelHistory {
 public:
  explicit ModelHistory(ModelDocument first) : steps_{std::move(first)} {}

  const ModelDocument& now() const { return steps_[at_]; }
  void add(ModelDocument next) {
    steps_.resize(at_ + 1, next);
    steps_.push_back(std::move(next));
    ++at_;
  }
  bool undo() { return at_ > 0 && at_-- > 0; }
  bool redo() { return at_ + 1 < steps_.size() && ++at_ > 0; }

 private:
  std::vector<ModelDocument> steps_;
  std::size_t at_ = 0;
};

Expected<void> apply_model_line(ModelHistory& history, std::string_view line,
                                NetworkEvaluator& evaluator, std::string& record) {
  const std::string keyword = history_keyword(line);
  if (keyword == "undo" && !history.undo())
    return fail(ErrorType::kBadInput, "there is nothing to undo");
  if (keyword == "redo" && !history.redo())
    return fail(ErrorType::kBadInput, "there is nothing to redo");
  if (!keyword.empty()) {
    record += "{\"do\":\"" + keyword + "\"}\n";
    return {};
  }
  const auto command = model_command_from_json_line(line);
  if (!command) return tl::make_unexpected(command.error());
  auto changed = apply(history.now(), *command, evaluator);
  if (!changed) return tl::make_unexpected(changed.error());
  history.add(std::move(*changed));
  record += to_json_line(*command) + "\n";
  return {};
}

Expected<void> set_layer(const std::string& layer, ModelDocument& document) {
  if (layer.empty()) return {};
  const auto at = parse_layer(layer, document.network);
  if (!at) return tl::make_unexpected(at.error());
  document.layer = *at;
  return {};
}

// Computes what was edited once, so that a session that cannot be opened is not saved.
Expected<void> check_session(const files::Model& model, const ModelDocument& document,
                             NetworkEvaluator& evaluator) {
  if (auto fits = check_pass_memory(document, model_threads()); !fits) return fits;
  const auto computed = guarded([&] {
    evaluator.evaluate(document.network, tokens_of(document), document.interventions);
    return true;
  });
  if (!computed) return tl::make_unexpected(computed.error());
  return files::check_readable(model);
}

}  // namespace

Expected<std::string> apply_to_model(const std::string& input, const ModelArguments& arguments,
                                     const ModelEdits& edits, std::string& record) {
  auto session = open_model_input(input, arguments);
  if (!session) return tl::make_unexpected(session.error());
  if (auto set = set_layer(arguments.layer, session->document); !set)
    return tl::make_unexpected(set.error());
  ModelHistory history(session->document);
  NetworkEvaluator evaluator(model_threads());
  const auto applied =
      for_each_command_line(edits.lines, [&](std::string_view line, int number) -> Expected<void> {
        const auto done = apply_model_line(history, line, evaluator, record);
        return done ? done : error_in_line(edits.name, number, done.error());
      });
  if (!applied) return tl::make_unexpected(applied.error());
  if (auto checked = check_session(*session->model, history.now(), evaluator); !checked)
    return tl::make_unexpected(checked.error());
  if (const auto report = detached_or_returned_text(session->document, history.now());
      !report.empty())
    print_note(report);
  if (!reads_the_same(session->document, history.now())) print_unread(history.now());
  if (auto hashed = files::add_hashes(*session); !hashed)
    return tl::make_unexpected(hashed.error());
  return files::write_model_session(history.now(), session->weights, session->config,
                                    session->view);
}

}  // namespace lab::cli
