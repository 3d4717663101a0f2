#include <CLI/CLI.hpp>
#include <memory>

#include "app/base/bad_input.h"
#include "app/cli/batch/sentences.h"
#include "app/cli/help.h"
#include "app/cli/model/model_run.h"
#include "app/cli/verb.h"
#include "app/document/analysis/predictions.h"
#include "app/files/io/bytes.h"
#include "app/files/io/paths.h"
#include "app/files/model/model_answer.h"
#include "app/files/problem/batch_file.h"
#include "app/files/problem/problem_file.h"
#include "app/files/tensors/tensors.h"
#include "core/analysis/non_finite.h"

namespace lab::cli {

namespace {

struct ComputeOptions {
  std::string input;
  std::string output;
  ModelArguments model;
};

// The numbers of a whole model.
Expected<files::TensorFile> compute_model(const ComputeOptions& options) {
  // The tensors and the bytes of the file; a number as text takes at most four times as much.
  const bool as_text = options.output == "-" || files::ending_of(options.output) == ".json";
  const auto run = run_model(options.input, options.model, {.copies = as_text ? 5 : 2});
  if (!run) return tl::make_unexpected(run.error());
  const attention::network::Network& network = (*run)->network();
  const attention::network::NetworkTrace& trace = (*run)->trace();
  attention::Matrix logits;
  if (network.read_out)
    logits = attention::network::logits(network, trace.stack.final, (*run)->evaluator.pool());
  if (!attention::all_finite(logits) && first_not_finite(trace).empty())
    print_note(in_quotes(options.input) + ": logits are NaN or infinite");
  if (auto readable = files::check_readable(*(*run)->model); !readable)
    return tl::make_unexpected(readable.error());
  return files::model_answer(*(*run)->model, (*run)->tokens, trace, logits);
}

// The stages of every sentence.
Expected<files::TensorFile> compute_batch(const ComputeOptions& options) {
  if (is_model(options.input))
    return fail(
        ErrorType::kUsage,
        "--sentence all is for sessions made by hand; the texts of a model are computed one "
        "by one, with their numbers");
  if (auto none = check_no_model_arguments(options.input, options.model); !none)
    return tl::make_unexpected(none.error());
  return open_input(options.input).and_then(files::batch_answer);
}

// The stages of one layer.
Expected<files::TensorFile> compute_layer(const ComputeOptions& options) {
  if (parse_all_layers(options.model.layer))
    return fail(ErrorType::kUsage, "without --layer, compute writes the weights of all layers");
  const auto snapshot = open_snapshot(options.input, options.model);
  if (!snapshot) return tl::make_unexpected(snapshot.error());
  return files::answer_tensors(snapshot->document, snapshot->trace);
}

Expected<files::TensorFile> computed(const ComputeOptions& options) {
  if (options.model.sentence == kAllSentences) return compute_batch(options);
  const bool whole_model = is_model(options.input) && options.model.layer.empty();
  return whole_model ? compute_model(options) : compute_layer(options);
}

Expected<void> compute(const ComputeOptions& options) {
  if (auto known = files::check_tensor_output(options.output, "compute"); !known) return known;
  const auto file = computed(options);
  if (!file) return tl::make_unexpected(file.error());
  const auto bytes = files::encode_tensors(*file, options.output);
  if (!bytes) return tl::make_unexpected(bytes.error());
  return files::write_bytes(options.output, *bytes);
}

}  // namespace

Action declare_compute(CLI::App& app) {
  const auto options = std::make_shared<ComputeOptions>();
  set_help(
      app, "Computes every stage of IN, for every head, and writes the numbers.",
      "compute IN -o OUT",
      "The file contains X, [tokens × d_model], and X_kv for a second sentence; then Q, K, V,\n"
      "scores, scaled_scores, masked_scores, weights and head_output, each\n"
      "[n_heads × rows × columns], and concat and output, [rows × columns]. Rows are queries "
      "(keys\n"
      "in K and V); columns are keys or features. If heads share keys and values, K and V have\n"
      "n_kv_heads instead of n_heads. Stages of features in use come after these: position,\n"
      "normed_Q, normed_K, normed_V, rotated_Q, rotated_K, content_to_position,\n"
      "position_to_content, summed_scores, capped_scores, dropped_weights, residual and\n"
      "layer_norm.\n"
      "\n"
      "If IN is a model's folder, the file contains input_ids; for each layer l attention.{l},\n"
      "[n_heads × n × n], and hidden.{l}, [n × d_model], its input, with the last one after the\n"
      "final norm; and logits, [n × vocabulary]. With --layer it contains the stages of that\n"
      "layer.");
  add_model_options(app, options->model);
  add_layer_option(app, options->model, kOneLayerHelp);
  add_sentences_option(
      app, options->model.sentence,
      "arrays have the sentences in front, padded to\nthe longest, such as weights "
      "[batch × n_heads × n × n]");
  add_input(app, options->input);
  app.add_option("-o,--output", options->output,
                 "output file: .safetensors, .npz (for numpy.load) or .json;\n"
                 "- for JSON on standard output")
      ->type_name("OUT")
      ->required();
  return [options](VerbRun&) { return compute(*options); };
}

}  // namespace lab::cli
