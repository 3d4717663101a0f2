#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/help.h"
#include "app/cli/model/model_run.h"
#include "app/cli/text.h"
#include "app/cli/verb.h"
#include "app/files/io/bytes.h"
#include "app/files/io/paths.h"
#include "app/files/model/families.h"
#include "app/files/model/model_folder.h"

namespace lab::cli {

namespace {

using files::Description;
using files::Model;
using nlohmann::ordered_json;

struct ModelOptions {
  std::string input;
  ModelArguments location;
  bool json = false;
};

std::string positions_text(const Description& d) {
  switch (d.positions) {
    case files::PositionType::kLearned:
      return "learned";
    case files::PositionType::kSinusoidal:
    case files::PositionType::kSinusoidalHalves:
      return "sinusoidal";
    case files::PositionType::kRotary:
      return "rotary";
    case files::PositionType::kAlibi:
      return "ALiBi";
    case files::PositionType::kBuckets:
      return "buckets of distances";
    case files::PositionType::kNone:
      break;
  }
  return d.distance_scores ? "" : "none";
}

// Those, and scores by distance: "scores by distance in 256 buckets, learned".
std::string all_positions_text(const Description& d) {
  std::string others = positions_text(d);
  if (!d.distance_scores) return others;
  const attention::Index buckets = d.distance_scores->buckets;
  return "scores by distance" +
         (buckets > 0 ? " in " + std::to_string(buckets) + " buckets" : std::string()) +
         (others.empty() ? "" : ", " + others);
}

std::string norm_text(const Description& d) {
  return std::string(d.norm == attention::network::NormType::kRms ? "RMS" : "LayerNorm") +
         (d.norm_position == files::NormPosition::kBefore  ? " before"
          : d.norm_position == files::NormPosition::kAfter ? " after"
          : d.norm_position == files::NormPosition::kBoth  ? " before and after"
                                                           : " of outputs");
}

std::size_t total_bytes(const Model& model) {
  std::size_t bytes = 0;
  for (const auto& file : model.checkpoint.files()) bytes += file->bytes().size();
  return bytes;
}

// The layers that see a window only: "0, 2 (6 tokens)".
std::string windows_text(const Description& d) {
  std::string layers;
  attention::Index window = 0;
  for (std::size_t layer = 0; layer < d.layers.size(); ++layer) {
    if (d.layers[layer].window == 0) continue;
    window = d.layers[layer].window;
    layers += (layers.empty() ? "" : ", ") + std::to_string(layer);
  }
  return layers.empty() ? "" : layers + " (" + std::to_string(window) + " tokens)";
}

// "8 features, 16 in layers 1, 4": heads of layers may have two sizes.
std::string head_sizes_text(const Description& d) {
  std::string layers;
  attention::Index other = 0;
  for (std::size_t layer = 0; layer < d.layers.size(); ++layer) {
    const attention::Index size = d.layers[layer].head_dim;
    if (size == 0 || size == d.head_dim) continue;
    other = size;
    layers += (layers.empty() ? "" : ", ") + std::to_string(layer);
  }
  const std::string all = std::to_string(d.head_dim) + " features";
  return layers.empty() ? all : all + ", " + std::to_string(other) + " in layers " + layers;
}

// "3 (of layer 2), 4 (of layer 1)": the layers that use keys and values of others.
std::string key_layers_text(const Description& d) {
  std::string layers;
  for (std::size_t layer = 0; layer < d.layers.size(); ++layer)
    if (const auto& source = d.layers[layer].key_layer)
      layers += (layers.empty() ? "" : ", ") + std::to_string(layer) + " (of layer " +
                std::to_string(*source) + ")";
  return layers;
}

std::string compressed_rows_text(const Description& d) {
  if (!d.latent) return "";
  const std::string queries =
      d.latent->query_rank == 0 ? "" : std::to_string(d.latent->query_rank) + " of queries, ";
  return queries + std::to_string(d.latent->key_value_rank) + " of keys and values, and " +
         std::to_string(d.latent->rotary) + " of rotary keys";
}

// The layers that are convolutions: "0, 2 (of 3 tokens)".
std::string convolutions_text(const Description& d) {
  std::string layers;
  for (std::size_t layer = 0; layer < d.layers.size(); ++layer)
    if (d.layers[layer].convolution) layers += (layers.empty() ? "" : ", ") + std::to_string(layer);
  return layers.empty() ? "" : layers + " (of " + std::to_string(d.convolution.taps) + " tokens)";
}

ordered_json description_json(const Model& model) {
  const Description& d = model.description;
  ordered_json json = {
      {"folder", model.folder},
      {"family", d.family},
      {"architecture", d.architecture},
      {"n_layers", d.n_layers},
      {"n_encoder_layers", d.n_encoder_layers},
      {"n_heads", d.n_heads},
      {"n_kv_heads", d.n_kv_heads},
      {"head_dim", d.head_dim},
      {"value_dim", d.d_v()},
      {"d_model", d.d_model},
      {"d_mlp", d.d_mlp},
      {"vocabulary", d.vocabulary},
      {"max_positions", d.max_positions},
      {"causal", d.causal},
      {"parallel", d.parallel},
      {"positions", all_positions_text(d)},
      {"norm", norm_text(d)},
      {"windows", ordered_json::array()},
      {"read_out", model.network.read_out.has_value()},
      {"tokenizer", model.tokenizer ? ordered_json(model.tokenizer->size()) : ordered_json()},
      {"parameters", model.checkpoint.parameters()},
      {"bytes", total_bytes(model)},
      {"files", ordered_json::array()}};
  for (const auto& layer : d.layers) json["windows"].push_back(layer.window);
  if (!key_layers_text(d).empty())
    for (const auto& layer : d.layers)
      json["key_layers"].push_back(layer.key_layer ? ordered_json(*layer.key_layer) : nullptr);
  if (d.convolution.taps > 0)
    for (const auto& layer : d.layers) json["convolutions"].push_back(layer.convolution);
  for (const auto& file : model.checkpoint.files())
    json["files"].push_back(files::file_name_of(file->path()));
  return json;
}

std::string description_table(const Model& model) {
  const Description& d = model.description;
  TextTable table({Side::kLeft});
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) table.add({name, value});
  };
  const auto number = [](attention::Index value) { return std::to_string(value); };
  add("folder", model.folder);
  add("family", std::string(files::family_of(d).name) +
                    (d.architecture.empty() ? "" : " (" + d.architecture + ")"));
  add("layers", d.n_encoder_layers > 0 ? number(d.n_encoder_layers) + " in the encoder, " +
                                             number(d.n_layers) + " in the decoder"
                                       : number(d.n_layers));
  add("heads", number(d.n_heads) + " in each layer" +
                   (convolutions_text(d).empty() ? "" : " with attention") + ", of " +
                   head_sizes_text(d) +
                   (d.d_v() == d.head_dim ? "" : " and " + number(d.d_v()) + " of values"));
  add("compressed rows", compressed_rows_text(d));
  add("keys and values of other layers in", key_layers_text(d));
  if (d.n_kv_heads != d.n_heads) add("key and value heads", number(d.n_kv_heads));
  add("d_model", number(d.d_model));
  add("d_mlp", number(d.d_mlp));
  add("attention", d.causal ? "causal" : "in both directions");
  add("convolutions instead of attention", convolutions_text(d));
  add("layers with a window", windows_text(d));
  add("positions",
      all_positions_text(d) +
          (d.max_positions > 0 ? ", up to " + number(d.max_positions) : std::string()));
  add("norm", norm_text(d));
  add("vocabulary", number(d.vocabulary));
  add("read-out", !model.network.read_out ? "none: hidden states only"
                  : d.tied                ? "the embedding of the tokens"
                                          : "its own");
  add("tokenizer", model.tokenizer ? std::to_string(model.tokenizer->size()) + " tokens" : "none");
  add("parameters", std::to_string(model.checkpoint.parameters()));
  for (const auto& file : model.checkpoint.files())
    add("weights",
        files::file_name_of(file->path()) + ", " + std::to_string(file->bytes().size()) + " bytes");
  return table.text();
}

Expected<void> describe(const ModelOptions& options) {
  const auto session = open_model_without_text(options.input, options.location);
  if (!session) return tl::make_unexpected(session.error());
  const Model& model = *session->model;
  return files::write_bytes(
      "-", options.json ? description_json(model).dump() + "\n" : description_table(model));
}

}  // namespace

Action declare_model(CLI::App& app) {
  const auto options = std::make_shared<ModelOptions>();
  set_help(app, "Describes a model: its family, layers, heads, sizes, tokenizer and files.",
           "model MODEL [--json]", "");
  app.add_option("MODEL", options->input,
                 "a folder with config.json, model.safetensors and\ntokenizer.json, a name that "
                 "\"models\" lists, or a session of a\nmodel")
      ->required();
  app.add_flag("--json", options->json, "write JSON");
  add_model_location_options(app, options->location);
  return [options](VerbRun&) { return describe(*options); };
}

}  // namespace lab::cli
