#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/chat/template.h"
#include "app/cli/model/model_arguments.h"
#include "app/document/analysis/model_pass.h"
#include "app/document/model/model_document.h"
#include "app/document/model/text_limit.h"
#include "app/document/model/token_name.h"
#include "app/document/snapshot.h"
#include "app/files/model/model_session.h"
#include "core/network/network_evaluator.h"

namespace lab::cli {

/// A model, or a session of one, and the forward pass that the arguments ask for.
struct ModelRun {
  std::shared_ptr<const files::Model> model;
  ModelDocument document;
  attention::network::Tokens tokens;  ///< of the document
  attention::network::NetworkEvaluator evaluator;
  std::vector<files::WeightsHash> weights = {};   ///< of a session that was opened; else empty
  std::optional<files::WeightsHash> config = {};  ///< the same

  /// Nothing is evaluated yet, and no hashes are known. `threads` as for NetworkEvaluator.
  ModelRun(std::shared_ptr<const files::Model> opened, ModelDocument read, int threads)
      : model(std::move(opened)),
        document(std::move(read)),
        tokens(tokens_of(document)),
        evaluator(threads) {}

  /// The network as it was edited.
  const attention::network::Network& network() const { return document.network; }
  /// The forward pass.
  const attention::network::NetworkTrace& trace() const { return evaluator.trace(); }
  /// What analyses read.
  ModelPass pass() { return {document, evaluator.trace(), evaluator.pool()}; }
  /// See lab::token_text().
  std::string token_text(std::uint32_t id) const { return lab::token_text(*model, id); }
  /// See lab::token_label().
  std::string token_label(std::uint32_t id) const { return lab::token_label(*model, id); }
};

/// True when `input` means a model, and not a document: a folder with a config.json, the name of a
/// built-in or cached model, or a session of a model.
bool is_model(const std::string& input);

/// Opens the model, or the session of one, that `input` means, with the texts and gains that the
/// arguments give; those of a session stay where they give none. Prints what a person should know
/// about it. Fails with kUsage when a text is missing or the model has no tokenizer for it, else as
/// open_model() and open_model_session() do.
Expected<files::ModelSession> open_model_input(const std::string& input,
                                               const ModelArguments& arguments);

/// A chat as a text and as its tokens, whose places are in that text.
struct ChatTokens {
  chat::Rendered rendered;
  tokenizer::Encoding tokens;
};

/// The chat in which a user says --text after --system, by the chat template of the model at
/// `path`, its folder or GGUF file. Fails with kBadInput when it has none, and as
/// files::chat_template_at(), chat::Template::render() and Tokenizer::encode() do.
Expected<ChatTokens> chat_tokens(const std::string& path, const tokenizer::Tokenizer& tokenizer,
                                 const ModelArguments& arguments);

/// As open_model_input() for what needs no text: a model has none then.
Expected<files::ModelSession> open_model_without_text(const std::string& input,
                                                      const ModelArguments& arguments);

/// As open_model_input(), computed. Fails also with kBadInput for tokens and heads that the model
/// does not have, and when there is not enough memory for that and for what `use` makes of it.
Expected<std::unique_ptr<ModelRun>> run_model(const std::string& input,
                                              const ModelArguments& arguments, PassUse use = {});

/// Number of threads that computing a model uses: one for each processor.
int model_threads();

/// The layer that `layer` means ("3"), as a document.
Expected<Document> open_layer(ModelRun& run, const std::string& layer);

/// What was run as a session, for a figure to embed; `layer` ("3", or empty) is the one that it
/// shows. Reads all weights for their hashes, unless a session was opened. Fails with kIo when
/// they cannot be read.
Expected<std::string> session_of(const ModelRun& run, const std::string& layer);

/// What `input` means, evaluated: a document, or a layer of a model (see
/// add_layer_option()). `session` and `caption`, unless null, become those of the model: its name,
/// text and edits in one line. Fails as run_model() and
/// open_input() do, and with kUsage when the layer is missing or does not exist, or model arguments
/// are set with a document.
Expected<Snapshot> open_snapshot(const std::string& input, const ModelArguments& arguments,
                                 std::string* session = nullptr, std::string* caption = nullptr);

/// What `other` means, evaluated, to be compared with what the arguments give: a model reads the
/// same text, without what --mute and --gain do to heads; of several sentences it is that of the
/// same number. Fails as open_snapshot() does.
Expected<Snapshot> open_to_compare(const std::string& other, ModelArguments arguments);

/// The number of sentences that `input` holds. Fails as open_snapshot() does.
Expected<std::size_t> sentence_count_of(const std::string& input, const ModelArguments& arguments);

/// Fails with kUsage when the arguments are set with a document that is no model.
Expected<void> check_no_model_arguments(const std::string& input, const ModelArguments& arguments);

/// Prints a note for each sentence that is read without some of its characters, because no token of
/// the vocabulary stands for them.
void print_unread(const Document& document);
/// The same of the texts of a model.
void print_unread(const ModelDocument& document);

}  // namespace lab::cli
