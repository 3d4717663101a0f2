#include <CLI/CLI.hpp>
#include <memory>

#include "app/base/bad_input.h"
#include "app/cli/arguments.h"
#include "app/cli/help.h"
#include "app/cli/verb.h"
#include "app/files/io/bytes.h"
#include "app/files/io/paths.h"
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
};

Expected<files::MultiheadChoice> choice_of(const ConvertOptions& options) {
  files::MultiheadChoice choice{std::nullopt, options.layer};
  if (options.heads.empty()) return choice;
  choice.heads = whole_number(options.heads);
  if (choice.heads && *choice.heads >= 1) return choice;
  return fail(ErrorKind::kUsage, "--heads is " + in_quotes(options.heads) +
                                     " but should be a number of heads, such as 8");
}

// Called before anything is read.
Expected<files::TensorLayout> layout_of(const ConvertOptions& options, const std::string& ending) {
  if (options.output != "-" && !files::is_document_ending(ending))
    return fail(ErrorKind::kUsage, "cannot tell the format of " + in_quotes(options.output) +
                                       " from its extension; convert writes .json (a session), "
                                       ".safetensors and .npz");
  const auto layout = files::tensor_layout_from_name(options.layout);
  if (!layout)
    return fail(ErrorKind::kUsage,
                "--layout is " + in_quotes(options.layout) + " but should be problem or multihead");
  if (*layout == files::TensorLayout::kMultihead && !files::is_problem_ending(ending))
    return fail(ErrorKind::kUsage, "--layout multihead is for .safetensors and .npz");
  return *layout;
}

Expected<void> convert(const ConvertOptions& options) {
  const std::string ending = files::ending_of(options.output);
  const auto layout = layout_of(options, ending);
  if (!layout) return tl::make_unexpected(layout.error());
  const auto choice = choice_of(options);
  if (!choice) return tl::make_unexpected(choice.error());
  const auto opened = open_whole_input(options.input, *choice);
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
      "safetensors.torch.save_file(state_dict). A note on standard error lists anything that\n"
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
         "which layer, for an IN with several, such as\nencoder.layers.0.self_attn (the first)")
      ->type_name("NAME");
  return [options](VerbRun&) { return convert(*options); };
}

}  // namespace lab::cli
