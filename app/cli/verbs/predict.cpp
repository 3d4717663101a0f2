#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/base/bad_input.h"
#include "app/cli/help.h"
#include "app/cli/model/model_run.h"
#include "app/cli/text.h"
#include "app/cli/verb.h"
#include "app/document/analysis/generation.h"
#include "app/explain/number_text.h"
#include "app/files/io/bytes.h"

namespace lab::cli {

namespace {

using nlohmann::ordered_json;

struct PredictOptions {
  std::string input;
  ModelArguments model;
  int top = 10;
  bool json = false;
  int generate = 0;
  Generation generation;
};

std::string predictions_table(const ModelRun& run, const std::vector<PredictionsAt>& all) {
  TextTable table({Side::kRight, Side::kLeft, Side::kRight, Side::kRight, Side::kRight});
  table.add({"row", "token", "id", "probability", "logit"});
  for (const PredictionsAt& at : all)
    for (const Prediction& p : at.top)
      table.add({std::to_string(at.row), in_quotes(run.token_label(p.id)), std::to_string(p.id),
                 explain::format_fixed(p.probability, 4), explain::format_fixed(p.logit, 4)});
  return table.text();
}

std::string predictions_json(const ModelRun& run, const std::vector<PredictionsAt>& all) {
  ordered_json list = ordered_json::array();
  for (const PredictionsAt& at : all) {
    ordered_json top = ordered_json::array();
    for (const Prediction& p : at.top)
      top.push_back({{"token", run.token_text(p.id)},
                     {"id", p.id},
                     {"probability", p.probability},
                     {"logit", p.logit}});
    list.push_back({{"row", at.row}, {"top", top}});
  }
  return ordered_json({{"input_ids", run.tokens.ids}, {"predictions", list}}).dump() + "\n";
}

// The text with the tokens that were added; their ids where there is no tokenizer.
Expected<std::string> longer_text(const ModelRun& run, const std::vector<Prediction>& added) {
  std::vector<std::uint32_t> ids = run.tokens.ids;
  for (const Prediction& token : added) ids.push_back(token.id);
  if (run.model->tokenizer) return run.model->tokenizer->decode(ids, true);
  std::string text;
  for (const std::uint32_t id : ids) text += (text.empty() ? "" : ",") + std::to_string(id);
  return text;
}

std::string generation_json(const ModelRun& run, const std::vector<Prediction>& added,
                            const std::string& text) {
  ordered_json list = ordered_json::array();
  for (const Prediction& p : added)
    list.push_back({{"token", run.token_text(p.id)}, {"id", p.id}, {"probability", p.probability}});
  return ordered_json({{"input_ids", run.tokens.ids}, {"generated", list}, {"text", text}}).dump() +
         "\n";
}

Expected<void> go_on(const PredictOptions& options) {
  auto session = open_model_input(options.input, options.model);
  if (!session) return tl::make_unexpected(session.error());
  // No whole pass is computed: what goes on keeps no weights of attention.
  const ModelRun run(session->model, std::move(session->document), 1);
  Generation generation = options.generation;
  generation.tokens = options.generate;
  generation.ends = run.model->description.ends;
  if (run.document.text.chat.on)
    for (const std::uint32_t id : ends_of_answer(*run.model)) generation.ends.push_back(id);
  attention::network::Continuation continuation(model_threads());
  const auto added = generate(run.document, continuation, generation);
  if (!added) return tl::make_unexpected(added.error());
  if (auto readable = files::check_readable(*run.model); !readable) return readable;
  const auto text = longer_text(run, *added);
  if (!text) return tl::make_unexpected(text.error());
  return files::write_bytes("-", options.json ? generation_json(run, *added, *text) : *text + "\n");
}

Expected<void> predict(const PredictOptions& options) {
  if (options.generate > 0) return go_on(options);
  if (options.generate < 0) return fail(ErrorType::kUsage, "--generate should be 1 or more");
  if (options.top < 1) return fail(ErrorType::kUsage, "--top should be 1 or more");
  const auto run = run_model(options.input, options.model);
  if (!run) return tl::make_unexpected(run.error());
  const auto all = predictions((*run)->pass(), options.top);
  if (!all) return tl::make_unexpected(all.error());
  if (auto readable = files::check_readable(*(*run)->model); !readable) return readable;
  return files::write_bytes(
      "-", options.json ? predictions_json(**run, *all) : predictions_table(**run, *all));
}

}  // namespace

Action declare_predict(CLI::App& app) {
  const auto options = std::make_shared<PredictOptions>();
  set_help(
      app,
      "Prints the tokens that a model expects after the text, most probable first; of a\n"
      "model that fills gaps, those in place of each masked token. \"row\" is that of the token\n"
      "after which, or in whose place, they are expected. With --generate, prints the text as the\n"
      "model goes on with it, edits of a session, --mute and --gain in force.",
      "predict MODEL --text TEXT [options]",
      "attention-lab predict words --text \"a small\"\n"
      "attention-lab predict words --text \"a small\" --mute L0H1 --top 3\n"
      "attention-lab predict words --text \"a small\" --generate 20 --temperature 0.8 --top-p 0.9");
  app.add_option("MODEL", options->input,
                 "a GGUF file, a folder with config.json, model.safetensors and\ntokenizer.json, a "
                 "name that \"models\" lists, or a session of\na model")
      ->required();
  app.add_option("--top", options->top, "how many tokens (10)")->type_name("N");
  app.add_option("--generate", options->generate,
                 "how many tokens are added to the text, fewer where it ends")
      ->type_name("N");
  Sampling& sampling = options->generation.sampling;
  app.add_option("--temperature", sampling.temperature,
                 "divides the logits before a token is drawn; 0: the likeliest\ntoken (0)")
      ->type_name("T");
  app.add_option("--top-k", sampling.top_k,
                 "only the K likeliest tokens are drawn from; 0: all (0)")
      ->type_name("K");
  app.add_option("--top-p", sampling.top_p,
                 "only the fewest likeliest tokens whose probabilities sum up to\nP (1)")
      ->type_name("P");
  app.add_option("--seed", options->generation.seed, "the same seed draws the same tokens (0)")
      ->type_name("S");
  app.add_flag("--json", options->json, "write JSON");
  add_model_options(app, options->model);
  return [options](VerbRun&) { return predict(*options); };
}

}  // namespace lab::cli
