#include "app/cli/model/model_run.h"

#include <algorithm>
#include <thread>

#include "app/base/bad_input.h"
#include "app/cli/verb.h"
#include "app/files/io/paths.h"
#include "app/files/model/layer_document.h"
#include "app/files/model/model_list.h"
#include "app/tokenizer/piece_label.h"
#include "core/layer/evaluator.h"
#include "core/network/layer_problem.h"

namespace lab::cli {
namespace {

using attention::network::Tokens;
using files::Model;

Expected<std::vector<std::uint32_t>> ids_of_text(const Model& model, const std::string& text,
                                                 std::vector<std::uint32_t>* types) {
  if (!model.tokenizer)
    return fail(ErrorKind::kUsage,
                "there is no tokenizer.json in " + in_quotes(model.folder) + "; use --ids");
  const auto encoding = model.tokenizer->encode(text);
  if (!encoding) return tl::make_unexpected(encoding.error());
  std::vector<std::uint32_t> ids;
  for (const tokenizer::Token& token : *encoding) ids.push_back(token.id);
  if (types != nullptr && model.description.token_types > 0)
    for (const tokenizer::Token& token : *encoding) types->push_back(token.type_id);
  return ids;
}

// The ids that an option with a text or one with ids gives; empty when neither is there.
Expected<std::vector<std::uint32_t>> ids_of(const Model& model, const char* option,
                                            const std::optional<std::string>& text,
                                            const std::optional<std::string>& ids,
                                            std::vector<std::uint32_t>* types) {
  if (text && ids)
    return fail(ErrorKind::kUsage, std::string(option) + " is given as text and as ids");
  if (ids) return parse_ids(option, *ids);
  if (text) return ids_of_text(model, *text, types);
  return std::vector<std::uint32_t>{};
}

Expected<Tokens> tokens_of(const Model& model, const ModelArguments& arguments) {
  Tokens tokens;
  const auto ids = ids_of(model, "--ids", arguments.text, arguments.ids, &tokens.types);
  if (!ids) return tl::make_unexpected(ids.error());
  const auto decoder =
      ids_of(model, "--decoder-ids", arguments.decoder_text, arguments.decoder_ids, nullptr);
  if (!decoder) return tl::make_unexpected(decoder.error());
  if (ids->empty()) return fail(ErrorKind::kUsage, "--text or --ids is missing, or gives no token");
  if (!model.network.encoder) {
    if (!decoder->empty()) return fail(ErrorKind::kUsage, "this model has no second stack");
    tokens.ids = *ids;
    return tokens;
  }
  tokens.encoder_ids = *ids;
  tokens.ids = *decoder;
  tokens.types.clear();
  if (tokens.ids.empty() && model.description.decoder_start)
    tokens.ids = {*model.description.decoder_start};
  if (tokens.ids.empty())
    return fail(ErrorKind::kUsage, "--decoder-text or --decoder-ids is missing");
  return tokens;
}

Expected<Snapshot> all_layers(const ModelRun& run, attention::network::Sublayer sublayer) {
  if (find_attention(run.model.network, {sublayer, 0}) == nullptr)
    return fail(ErrorKind::kUsage, "--layer: the model has no such layers");
  return files::all_layers(run.model, run.tokens, run.evaluator.trace(), sublayer);
}

// "; its layers are 0 to 3", of that kind; empty when there are none.
std::string range_of_layers(const ModelRun& run, attention::network::Sublayer sublayer) {
  attention::Index count = 0;
  while (find_attention(run.model.network, {sublayer, count}) != nullptr) ++count;
  if (count == 0) return {};
  if (count == 1) return "; its only layer is 0";
  return "; its layers are 0 to " + std::to_string(count - 1);
}

int thread_count() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

}  // namespace

std::string ModelRun::token_text(std::uint32_t id) const {
  if (model.tokenizer)
    if (auto token = model.tokenizer->token_of(id)) return *token;
  return std::to_string(id);
}

std::string ModelRun::token_label(std::uint32_t id) const {
  const std::string text = token_text(id);
  return model.tokenizer ? tokenizer::piece_label(*model.tokenizer, text) : text;
}

bool is_model(const std::string& input) {
  if (files::is_model_folder(input)) return true;
  if (!files::is_missing(input)) return false;
  const auto models = files::list_models();
  return std::ranges::find(models, input, &files::ModelInfo::name) != models.end();
}

Expected<std::unique_ptr<ModelRun>> run_model(const std::string& input,
                                              const ModelArguments& arguments) {
  const auto gains = parse_gains(arguments);
  if (!gains) return tl::make_unexpected(gains.error());
  auto model = files::open_model(input);
  if (!model) return tl::make_unexpected(model.error());
  const auto tokens = tokens_of(*model, arguments);
  if (!tokens) return tl::make_unexpected(tokens.error());
  auto run = std::make_unique<ModelRun>(std::move(*model), *tokens, thread_count());
  run->interventions.gains = *gains;
  const auto evaluated = guarded([&] {
    run->evaluator.evaluate(run->model.network, run->tokens, run->interventions);
    return true;
  });
  if (!evaluated) return tl::make_unexpected(evaluated.error());
  if (auto readable = files::check_readable(run->model); !readable)
    return tl::make_unexpected(readable.error());
  return run;
}

Expected<Document> open_layer(ModelRun& run, const std::string& layer) {
  const auto at = parse_layer(layer);
  if (!at) return tl::make_unexpected(at.error());
  if (find_attention(run.model.network, *at) == nullptr)
    return fail(ErrorKind::kUsage, "--layer " + in_quotes(layer) + ": the model has no such layer" +
                                       range_of_layers(run, at->sublayer));
  return guarded([&] {
    const attention::Problem problem = layer_problem(run.model.network, run.evaluator.trace(),
                                                     run.interventions, *at, run.evaluator.pool());
    return files::layer_document(run.model, run.tokens, problem, *at);
  });
}

Expected<Snapshot> open_snapshot(const std::string& input, const ModelArguments& arguments) {
  Expected<Document> document;
  if (is_model(input)) {
    if (arguments.layer.empty())
      return fail(ErrorKind::kUsage, "--layer is missing: which layer of the model?");
    const auto run = run_model(input, arguments);
    if (!run) return tl::make_unexpected(run.error());
    if (const auto sublayer = parse_all_layers(arguments.layer))
      return all_layers(**run, *sublayer);
    document = open_layer(**run, arguments.layer);
  } else {
    if (auto none = check_no_model_arguments(input, arguments); !none)
      return tl::make_unexpected(none.error());
    document = open_input(input);
  }
  if (!document) return tl::make_unexpected(document.error());
  attention::Evaluator evaluator;
  attention::Trace trace = evaluator.evaluate(document->problem);
  return Snapshot{std::move(*document), std::move(trace)};
}

Expected<void> check_no_model_arguments(const std::string& input, const ModelArguments& arguments) {
  if (!arguments.any()) return {};
  return fail(ErrorKind::kUsage,
              in_quotes(input) +
                  " is no model; --text, --ids, --layer, --mute and --gain are for a "
                  "model's folder");
}

}  // namespace lab::cli
