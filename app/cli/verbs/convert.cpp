#include <CLI/CLI.hpp>
#include <memory>

#include "app/base/bad_input.h"
#include "app/cli/arguments.h"
#include "app/cli/batch/sentences.h"
#include "app/cli/help.h"
#include "app/cli/model/model_run.h"
#include "app/cli/verb.h"
#include "app/files/io/bytes.h"
#include "app/files/io/paths.h"
#include "app/files/model/layer_alone.h"
#include "app/files/open.h"
#include "app/files/problem/document_format.h"

namespace lab::cli {

namespace {

struct ConvertOptions {
  std::string input;
  std::string output;
  std::string layout = "problem";
  std::string heads;
  std::string layer;
  ModelArguments model;
};

Expected<files::MultiheadChoice> choice_of(const ConvertOptions& options) {
  files::MultiheadChoice choice{std::nullopt, options.layer};
  if (options.heads.empty()) return choice;
  choice.heads = whole_number(options.heads);
  if (choice.heads && *choice.heads >= 1) return choice;
  return fail(ErrorType::kUsage, "--heads is " + in_quotes(options.heads) +
                                     " but should be a number of heads, such as 8");
}

// Called before anything is read.
Expected<files::TensorLayout> layout_of(const ConvertOptions& options, const std::string& ending) {
  if (options.output != "-" && !files::is_document_ending(ending))
    return fail(ErrorType::kUsage, "cannot tell the format of " + in_quotes(options.output) +
                                       " from its extension; convert writes .json (a session), "
                                       ".safetensors and .npz");
  const auto layout = files::tensor_layout_from_name(options.layout);
  if (!layout)
    return fail(ErrorType::kUsage,
                "--layout is " + in_quotes(options.layout) + " but should be problem or multihead");
  if (*layout == files::TensorLayout::kMultihead && !files::is_problem_ending(ending))
    return fail(ErrorType::kUsage, "--layout multihead is for .safetensors and .npz");
  return *layout;
}

// A single layer of a model.
Expected<Document> converted_layer(const ConvertOptions& options) {
  if (options.layer.empty() || parse_all_layers(options.layer))
    return fail(ErrorType::kUsage, "--layer is missing: which layer of the model?");
  const auto run = run_model(options.input, options.model);
  if (!run) return tl::make_unexpected(run.error());
  const auto layer = open_layer(**run, options.layer);
  if (!layer) return tl::make_unexpected(layer.error());
  files::LayerAlone alone = files::layer_alone(*layer);
  if (!alone.lost.empty()) print_note(alone.lost);
  return std::move(alone.document);
}

// What IN holds, and how it was viewed.
Expected<files::Opened> opened_for(const ConvertOptions& options) {
  if (is_model(options.input))
    return converted_layer(options).map([](Document&& layer) {
      return files::Opened{std::move(layer), std::nullopt, {}, false, {}, {}};
    });
  if (auto none = check_no_model_arguments(options.input, options.model); !none)
    return tl::make_unexpected(none.error());
  auto opened = choice_of(options).and_then([&](const files::MultiheadChoice& choice) {
    return open_whole_input(options.input, choice);
  });
  if (!opened || options.model.sentence.empty()) return opened;
  auto one = only_sentence(opened->document, options.model.sentence);
  if (!one) return tl::make_unexpected(one.error());
  opened->document = std::move(*one);
  return opened;
}

Expected<void> convert(const ConvertOptions& options) {
  const std::string ending = files::ending_of(options.output);
  const auto layout = layout_of(options, ending);
  if (!layout) return tl::make_unexpected(layout.error());
  const auto opened = opened_for(options);
  if (!opened) return tl::make_unexpected(opened.error());
  const auto written = files::write_document(opened->document, ending, *layout, opened->view);
  if (!written) return tl::make_unexpected(written.error());
  if (!written->lost.empty()) print_note(written->lost);
  return files::write_bytes(options.output, written->bytes);
}

}  // namespace

Action declare_convert(CLI::App& app) {
  const auto options = std::make_shared<ConvertOptions>();
  set_help(
      app, "Converts IN to another file format.", "convert IN -o OUT",
      "A session (.json) keeps everything. A problem (.safetensors, .npz) has the tensors X, W_Q,\n"
      "W_K, W_V, W_O, … and can be opened again; --layout multihead writes only the weights,\n"
      "with the names of PyTorch's nn.MultiheadAttention: in_proj_weight, out_proj.weight, …\n"
      "IN may also be such weights, of one layer or of a whole model, saved with\n"
      "safetensors.torch.save_file(state_dict); or a model's folder, of which the layer of "
      "--layer\n"
      "becomes a document of its own. In a problem of several sentences X is\n"
      "[batch × tokens × d_model]. A note on standard error lists anything that\n"
      "OUT cannot hold.");
  add_input(app, options->input);
  app.add_option("-o,--output", options->output,
                 "output file: .json, .safetensors or .npz; - for a session on\nstandard output")
      ->type_name("OUT")
      ->required();
  app.add_option("--layout", options->layout, "tensor names: problem or multihead (problem)")
      ->type_name("LAYOUT");
  app.add_option("--heads", options->heads,
                 "number of heads, for an IN that does not say: weights of\nnn.MultiheadAttention")
      ->type_name("N");
  app.add_option(
         "--layer", options->layer,
         "which layer, for an IN with several, such as\nencoder.layers.0.self_attn (the first); of "
         "a model, its number\nfrom 0, cross.0 or encoder.0")
      ->type_name("NAME");
  app.add_option("--sentence", options->model.sentence,
                 "write only this sentence of several, from 1 (all of them)")
      ->type_name("N");
  add_model_options(app, options->model);
  return [options](VerbRun&) { return convert(*options); };
}

}  // namespace lab::cli
