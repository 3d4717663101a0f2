#include <CLI/CLI.hpp>
#include <memory>

#include "app/base/bad_input.h"
#include "app/cli/help.h"
#include "app/cli/model/attribution_report.h"
#include "app/cli/verb.h"
#include "app/document/analysis/head_explorer.h"
#include "app/files/io/bytes.h"

namespace lab::cli {

namespace {

struct AttributeOptions {
  std::string input;
  std::string type = "summary";
  AnswerChoice answer;
  ModelArguments model;
  std::optional<std::string> patch_text, patch_ids;
  std::optional<std::string> text_file, head;  // of an exploration
  bool json = false;
};

bool asks_for_answer(const AttributeOptions& options) {
  const AnswerChoice& choice = options.answer;
  return choice.token.any() || choice.minus.any() || choice.row || options.patch_text ||
         options.patch_ids;
}

// The model without a text, for types that have their own; `why` there is none.
Expected<files::ModelSession> open_without_text(const AttributeOptions& options,
                                                const std::string& why) {
  const ModelArguments& model = options.model;
  if (model.text || model.ids || model.decoder_text || model.decoder_ids ||
      asks_for_answer(options))
    return fail(ErrorType::kUsage, why + ": leave out --text, --ids, --answer and --row");
  return open_model_without_text(options.input, options.model);
}

Expected<void> attribute_labels(const AttributeOptions& options) {
  const auto session = open_without_text(options, "labels are measured on random tokens");
  if (!session) return tl::make_unexpected(session.error());
  const auto heads = guarded([&] { return labelled_heads(session->document, model_threads()); });
  if (!heads) return tl::make_unexpected(heads.error());
  if (auto readable = files::check_readable(*session->model); !readable) return readable;
  return files::write_bytes("-", options.json ? labels_json(*heads) : labels_text(*heads));
}

Expected<ExplorationRequest> exploration_request(const AttributeOptions& options) {
  ExplorationRequest request;
  if (!options.text_file)
    return fail(ErrorType::kUsage, "--text-file is missing: which text is explored?");
  if (options.head) {
    request.head = model_head_from_name(*options.head);
    if (!request.head)
      return fail(ErrorType::kUsage,
                  "--head " + in_quotes(*options.head) +
                      ": should be a head, such as L1H2 or encoder.L0H1 (both from 0)");
  }
  auto text = files::read_text_file(*options.text_file, kLongestExplored);
  if (!text) return tl::make_unexpected(text.error());
  request.text = std::make_shared<const std::string>(std::move(*text));
  return request;
}

Expected<void> explore(const AttributeOptions& options) {
  const auto session = open_without_text(options, "the text to explore is that of --text-file");
  if (!session) return tl::make_unexpected(session.error());
  const auto request = exploration_request(options);
  if (!request) return tl::make_unexpected(request.error());
  const auto found = guarded([&] {
    HeadExplorer explorer(session->document, *request, model_threads());
    while (!explorer.done()) explorer.step();
    return explorer.exploration();
  });
  if (!found) return tl::make_unexpected(found.error());
  if (auto readable = files::check_readable(*session->model); !readable) return readable;
  return files::write_bytes("-", options.json ? exploration_json(*session->model, *found)
                                              : exploration_text(*session->model, *found));
}

Expected<void> check_named_once(const AttributeOptions& options) {
  const auto& [token, minus, row, patch_from] = options.answer;
  if (token.token && token.id)
    return fail(ErrorType::kUsage, "--answer and --answer-id cannot be used together");
  if (minus.token && minus.id)
    return fail(ErrorType::kUsage, "--minus and --minus-id cannot be used together");
  if (options.patch_text && options.patch_ids)
    return fail(ErrorType::kUsage, "--patch-from and --patch-from-ids cannot be used together");
  return {};
}

// The answer, with the text from which heads are patched.
Expected<AnswerChoice> answer_choice(const AttributeOptions& options) {
  AnswerChoice choice = options.answer;
  if (options.patch_text) choice.patch_from = ModelText{options.patch_text, {}};
  if (!options.patch_ids) return choice;
  const auto ids = parse_ids("--patch-from-ids", *options.patch_ids);
  if (!ids) return tl::make_unexpected(ids.error());
  choice.patch_from = ModelText{std::nullopt, *ids};
  return choice;
}

Expected<void> attribute(const AttributeOptions& options) {
  if (options.type == "explore") return explore(options);
  if (options.text_file || options.head)
    return fail(ErrorType::kUsage, "--text-file and --head are for --kind explore");
  if (options.type == "labels") return attribute_labels(options);
  const auto type = attribution_type_from_name(options.type);
  if (!type)
    return fail(ErrorType::kUsage, "--kind is " + in_quotes(options.type) +
                                       " but should be summary, lens, direct, knock-out, "
                                       "patching, rollout, labels or explore");
  if (*type == AttributionType::kRollout && asks_for_answer(options))
    return fail(ErrorType::kUsage, "rollout is of all rows: leave out --answer and --row");
  if (auto named_once = check_named_once(options); !named_once) return named_once;
  const auto run = run_model(options.input, options.model, {.attribution = true});
  if (!run) return tl::make_unexpected(run.error());
  const auto answer = answer_choice(options);
  if (!answer) return tl::make_unexpected(answer.error());
  const auto report = attribution_report(**run, *type, *answer);
  if (!report) return tl::make_unexpected(report.error());
  return files::write_bytes(
      "-", options.json ? attribution_json(**run, *report) : attribution_text(**run, *report));
}

constexpr const char* kTypesOfAttribution =
    "MODEL may also be a session of a model, with its own text. The kinds:\n"
    "  summary    lens, direct and knock-out together (the default)\n"
    "  lens       logit lens: what the final norm and the read-out make of the row before each\n"
    "             layer\n"
    "  direct     direct logit attribution: what the embedding, each head and each MLP add to\n"
    "             the answer's logit, an MLP with its own biases; with the other biases, they "
    "sum to\n"
    "             it. Impossible where a norm, a\n"
    "             cap or a second stack stands between them: bert, bart, t5, gemma2 and others\n"
    "  knock-out  how the logit changes when each head is muted; of a model with two stacks "
    "also\n"
    "             those of the encoder and of cross-attention\n"
    "  patching   how the logit changes when the output of each head is replaced by that on the\n"
    "             text of --patch-from, which has as many tokens (activation patching); also "
    "part of\n"
    "             the summary if there is such a text\n"
    "  rollout    how much of each token reaches each row through all layers (the weights' mean\n"
    "             over heads, half and half with the row itself)\n"
    "  labels     how much each head attends to the token before, the first one, earlier ones\n"
    "             like it (duplicate) and those after these (induction), on random tokens that\n"
    "             are repeated; from 0.4 a head is called so. Needs no text. Heads of\n"
    "             cross-attention have no labels: they attend to another text.\n"
    "  explore    what heads attend to in the text of --text-file, which is read in pieces of "
    "128\n"
    "             tokens: the same scores and the strongest pairs of a query and a key; with "
    "--head\n"
    "             those of one head in their context\n";

constexpr const char* kAttributionExamples =
    "For example:\n"
    "  attention-lab attribute words --text \"a small\"\n"
    "  attention-lab attribute words --text \"a small\" --kind direct --answer animal --json\n"
    "  attention-lab attribute words --text \"a small\" --answer animal --minus form\n"
    "  attention-lab attribute words --text \"a small\" --kind patching --patch-from \"a "
    "large\"\n"
    "  attention-lab attribute induction --kind labels\n"
    "  attention-lab attribute words --kind explore --text-file book.txt --head L1H2";

void declare_answer(CLI::App& app, AttributeOptions& options) {
  app.add_option(
         "--answer", options.answer.token.token,
         "the token that is asked about, as it is shown (·it), as the\nvocabulary spells it (Ġit) "
         "or without the blank (it); of several\nthe most probable one (the most probable "
         "token)")
      ->type_name("TOKEN");
  app.add_option("--answer-id", options.answer.token.id, "the same by its id")->type_name("ID");
  app.add_option("--minus", options.answer.minus.token,
                 "another token of the same row, by the same names: everything is\nabout the "
                 "answer's logit minus that of this token")
      ->type_name("TOKEN");
  app.add_option("--minus-id", options.answer.minus.id, "the same by its id")->type_name("ID");
  app.add_option("--patch-from", options.patch_text,
                 "a text of as many tokens, from which the output of each head is\npatched in turn")
      ->type_name("TEXT");
  app.add_option("--patch-from-ids", options.patch_ids, "the same as token ids: 1,2,3")
      ->type_name("IDS");
  app.add_option(
         "--row", options.answer.row,
         "the token after which, or in whose place, it is predicted, by\nthe same names, or its "
         "number from 0 (the last one, or the first\nmasked one)")
      ->type_name("TOKEN");
}

void declare_exploration(CLI::App& app, AttributeOptions& options) {
  app.add_option("--text-file", options.text_file,
                 "of an exploration, a file with its text, or - (at most 1 MB)")
      ->type_name("FILE");
  app.add_option("--head", options.head, "of an exploration, the head (all heads)")
      ->type_name("HEAD");
}

}  // namespace

Action declare_attribute(CLI::App& app) {
  const auto options = std::make_shared<AttributeOptions>();
  set_help(app, "Shows where a model's answer comes from: which layers and heads make it.",
           "attribute MODEL --text TEXT [--kind K] [--answer TOKEN [--minus TOKEN]] [--json]",
           std::string(kTypesOfAttribution) + kAttributionExamples);
  app.add_option("MODEL", options->input,
                 "a model's folder, a name that \"models\" lists, or a session\nof a model")
      ->required();
  app.add_option("--kind", options->type, "what to show (summary)")->type_name("K");
  declare_answer(app, *options);
  declare_exploration(app, *options);
  app.add_flag("--json", options->json, "write JSON");
  add_model_options(app, options->model);
  return [options](VerbRun&) { return attribute(*options); };
}

}  // namespace lab::cli
