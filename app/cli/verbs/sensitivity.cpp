#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>

#include "app/base/bad_input.h"
#include "app/base/text_direction.h"
#include "app/cli/arguments.h"
#include "app/cli/help.h"
#include "app/cli/model/model_run.h"
#include "app/cli/place_arguments.h"
#include "app/cli/text.h"
#include "app/cli/verb.h"
#include "app/document/matrix_labels.h"
#include "app/document/stage_labels.h"
#include "app/explain/number_text.h"
#include "app/files/io/bytes.h"
#include "app/files/problem/gradient_tensors.h"
#include "app/files/tensors/tensor_output.h"
#include "core/gradient/strongest.h"

namespace lab::cli {

namespace {

using attention::LayerGradient;
using attention::Sensitivity;

constexpr std::size_t kListed = 10;
constexpr float kMove = 0.01f;

struct SensitivityOptions {
  std::string input, of, output;
  PlaceArguments place;
  ModelArguments model;
};

std::string place_text(const Document& document, const Place& place, attention::Index columns) {
  std::string name(stage_name(place.stage));
  if (is_per_head(place.stage)) name += " of " + head_in_text(document, place.head);
  return name + " [" + row_labels(document, place.stage)[place.row] + ", " +
         column_labels(document, place.stage, columns)[place.col] + "]";
}

// Fails where nothing can move the number.
Expected<void> check_movable(const Document& document, const Place& place, float value,
                             const std::string& name) {
  if (is_overridden(document.problem, place.stage, place.head, place.row, place.col))
    return fail(ErrorKind::kBadInput,
                name + " is put there by hand, so nothing moves it; remove its override first");
  if (std::isfinite(value)) return {};
  return fail(ErrorKind::kBadInput, name + " is " + explain::format_fixed(value, 2) +
                                        ", which no small change of a number moves");
}

// The matrix of --of; nothing without.
Expected<std::optional<MatrixId>> parse_matrix(const std::string& name, const Document& document) {
  if (name.empty()) return std::nullopt;
  if (name == "bias") return parse_matrix("score_bias", document);  // as files call it
  std::string known;
  for (const attention::MatrixInfo& info : attention::kMatrixInfos) {
    if (info.id == MatrixId::kMask || matrix_of(document.problem, info.id, 0).empty()) continue;
    if (info.name == name) return info.id;
    known += (known.empty() ? "" : ", ") + std::string(info.name);
  }
  return fail(ErrorKind::kUsage,
              "--of: there is no matrix " + in_quotes(name) + " here; there are " + known);
}

std::string signed_text(float value) {
  const std::string text = explain::format_significant(value, 3);
  return value < 0 ? text : "+" + text;
}

// True for a number of a word's vector that other words of the sentences have too.
bool is_shared(const Document& document, const Sensitivity& one) {
  if (one.matrix != MatrixId::kX && one.matrix != MatrixId::kXKv) return false;
  const bool of_keys = one.matrix == MatrixId::kXKv;
  const std::vector<Token>& own = of_keys ? document.kv_tokens : document.tokens;
  const std::string& key = own[static_cast<std::size_t>(one.row)].key;
  const auto count =
      std::ranges::count(document.tokens, key, &Token::key) +
      (document.shared_words || of_keys ? std::ranges::count(document.kv_tokens, key, &Token::key)
                                        : 0);
  return !document.layer.model && count > 1;
}

std::string name_of(const Document& document, const Sensitivity& one) {
  std::string name(attention::matrix_name(one.matrix));
  // Heads that share a matrix are named by the first of them.
  const attention::Index sharing =
      is_per_kv_head(one.matrix) ? heads_per_kv_head(document.problem.config) : 1;
  if (is_per_head(one.matrix)) name += " of " + head_in_text(document, one.head * sharing);
  std::string row = matrix_row_label(document, one.matrix, one.row);
  if (is_shared(document, one)) row += " (" + std::to_string(one.row) + ")";
  return name + " [" + row + ", " + matrix_column_label(document, one.matrix, one.col) + "]";
}

std::string report(const Document& document, const std::string& name, float value,
                   const std::vector<Sensitivity>& strongest) {
  std::string text = name + " = " + explain::format_significant(value, 4) + "\n";
  if (strongest.empty()) return text + "Nothing here moves it.\n";
  TextTable table({Side::kLeft, Side::kRight, Side::kRight});
  table.add({"number", "derivative", "+" + explain::format_fixed(kMove, 2) + " moves it by"});
  for (const Sensitivity& one : strongest)
    table.add(
        {name_of(document, one), signed_text(one.derivative), signed_text(kMove * one.derivative)});
  text += table.text();
  const bool shared = std::ranges::any_of(
      strongest, [&](const Sensitivity& one) { return is_shared(document, one); });
  if (shared) text += "Equal words share a vector: editing one of them moves the others too.\n";
  return text;
}

Expected<void> write_gradient(const SensitivityOptions& options, const Document& document,
                              const LayerGradient& gradient) {
  files::TensorFile file = files::gradient_tensors(document, gradient);
  if (!options.of.empty())
    std::erase_if(file.tensors, [&](const files::Tensor& one) {
      return one.name != (options.of == "score_bias" ? "bias" : options.of);
    });
  const auto bytes = files::encode_tensors(file, options.output);
  if (!bytes) return tl::make_unexpected(bytes.error());
  return files::write_bytes(options.output, *bytes);
}

Expected<void> show_sensitivity(const SensitivityOptions& options) {
  if (!options.output.empty())
    if (auto known = files::check_tensor_output(options.output, "sensitivity"); !known)
      return known;
  if (parse_all_layers(options.model.layer))
    return fail(ErrorKind::kUsage, "--layer all is for figures; give the number of one layer");
  const auto snapshot = open_snapshot(options.input, options.model);
  if (!snapshot) return tl::make_unexpected(snapshot.error());
  const Document& document = snapshot->document;
  const auto only = parse_matrix(options.of, document);
  if (!only) return tl::make_unexpected(only.error());
  const auto place = find_place(options.place, document, snapshot->trace);
  if (!place) return tl::make_unexpected(place.error());
  const auto& [stage, head, row, col] = *place;
  const attention::Matrix& values = *stage_matrix(document.problem, snapshot->trace, stage, head);
  const std::string name = place_text(document, *place, values.cols());
  if (auto movable = check_movable(document, *place, values(row, col), name); !movable)
    return movable;
  const LayerGradient gradient = gradient_of(document.problem, snapshot->trace,
                                             cell_seed(document.problem, stage, head, row, col));
  if (!options.output.empty()) return write_gradient(options, document, gradient);
  return files::write_bytes(
      "-", report(document, name, values(row, col), strongest(gradient, kListed, *only)));
}

}  // namespace

Action declare_sensitivity(CLI::App& app) {
  const auto options = std::make_shared<SensitivityOptions>();
  set_help(
      app, "Shows which numbers move one number most.",
      "sensitivity IN --row TOKEN --col TOKEN [--stage S] [--head N] [--of MATRIX]\n"
      "       [-o OUT]",
      "The derivative of the number by every other one: how much it moves for a small change of\n"
      "that one alone. Without -o, the ten largest are listed. With -o, the file contains a\n"
      "tensor for each matrix of IN (X, W_Q, …), of its shape, and for each stage, as\n"
      "stage.scores: what a change of that stage would do.\n"
      "For example:\n"
      "  attention-lab sensitivity refer --row it --col animal\n"
      "  attention-lab sensitivity refer --stage output --row it --col animate --of W_Q -o d.npz");
  add_input(app, options->input);
  add_place_options(app, options->place);
  app.add_option("--of", options->of, "only this matrix: X, W_Q, b_Q, W_O …")->type_name("MATRIX");
  app.add_option("-o,--output", options->output,
                 "output file: .safetensors, .npz (for numpy.load) or .json;\n"
                 "- for JSON on standard output")
      ->type_name("OUT");
  add_model_options(app, options->model);
  add_layer_option(app, options->model);
  return [options](VerbRun&) { return show_sensitivity(*options); };
}

}  // namespace lab::cli
