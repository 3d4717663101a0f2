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
  return fail(ErrorKind::kUsage, "--heads " + in_quotes(options.heads) +
                                     " is no number of heads; write one such as 8");
}

// Looked at before anything is read.
Expected<files::TensorLayout> layout_of(const ConvertOptions& options, const std::string& ending) {
  if (options.output != "-" && !files::is_document_ending(ending))
    return fail(ErrorKind::kUsage, "cannot tell the format of " + in_quotes(options.output) +
                                       " by its ending; convert writes .json (a session), "
                                       ".safetensors and .npz");
  const auto layout = files::tensor_layout_from_name(options.layout);
  if (!layout)
    return fail(ErrorKind::kUsage,
                "--layout " + in_quotes(options.layout) + " is none; use problem or multihead");
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
  if (!written->lost.empty()) tell(written->lost);
  return files::write_bytes(options.output, written->bytes);
}

}  // namespace

Action declare_convert(CLI::App& app) {
  const auto options = std::make_shared<ConvertOptions>();
  set_help(
      app, "Writes IN as another kind of file that holds it.", "convert IN -o OUT",
      "A session (.json) keeps everything. Problems (.safetensors, .npz) have the tensors X,\n"
      "W_Q, W_K, W_V, W_O, … and open again; --layout multihead writes the weights alone, as\n"
      "PyTorch's nn.MultiheadAttention names them: in_proj_weight, out_proj.weight, ….\n"
      "IN may be such weights too: saved with safetensors.torch.save_file(state_dict), of one\n"
      "layer or of a whole model. What OUT does not keep is told on standard error.");
  add_input(app, options->input);
  app.add_option("-o,--output", options->output,
                 "by its ending .json, .safetensors or .npz; - for a session on\nstandard output")
      ->type_name("OUT")
      ->required();
  app.add_option("--layout", options->layout,
                 "names of the tensors: problem or multihead (problem)")
      ->type_name("LAYOUT");
  app.add_option("--heads", options->heads,
                 "heads of an IN that does not tell: weights of\nnn.MultiheadAttention")
      ->type_name("N");
  app.add_option("--layer", options->layer,
                 "layer of an IN with several, such as\nencoder.layers.0.self_attn (the first)")
      ->type_name("NAME");
  return [options](VerbRun&) { return convert(*options); };
}

}  // namespace lab::cli
