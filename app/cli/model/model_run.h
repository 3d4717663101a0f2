#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/cli/model/model_arguments.h"
#include "app/document/snapshot.h"
#include "app/files/model/model_folder.h"
#include "core/network/network_evaluator.h"

namespace lab::cli {

/// A model and the forward pass that its arguments ask for.
struct ModelRun {
  files::Model model;
  attention::network::Tokens tokens;
  attention::network::Interventions interventions;
  attention::network::NetworkEvaluator evaluator;

  ModelRun(files::Model opened, attention::network::Tokens read, int threads)
      : model(std::move(opened)), tokens(std::move(read)), evaluator(threads) {}

  /// The token of `id` as the vocabulary spells it; the number where there is none.
  std::string token_text(std::uint32_t id) const;
  /// How a person reads it: "·it" for "Ġit" (see tokenizer::piece_label).
  std::string token_label(std::uint32_t id) const;
};

/// True when `input` means a model, and not a document: a folder with a config.json, or the name of
/// a built-in or cached model.
bool is_model(const std::string& input);

/// Opens the model that `input` means and computes it on what the arguments say. Fails with kUsage
/// when a text is missing or the model has no tokenizer for it, else as open_model() does, and with
/// kBadInput for tokens and heads that the model does not have.
Expected<std::unique_ptr<ModelRun>> run_model(const std::string& input,
                                              const ModelArguments& arguments);

/// The layer that `layer` means ("3"), as a document.
Expected<Document> open_layer(ModelRun& run, const std::string& layer);

/// What `input` means, evaluated: a document, or a layer of a model (see
/// add_layer_option()). Fails as run_model() and open_input() do, and with kUsage when the layer is
/// missing or does not exist, or model arguments are given with a document.
Expected<Snapshot> open_snapshot(const std::string& input, const ModelArguments& arguments);

/// Fails with kUsage when the arguments are given with a document that is no model.
Expected<void> check_no_model_arguments(const std::string& input, const ModelArguments& arguments);

}  // namespace lab::cli
