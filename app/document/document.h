#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/document/batch/batch.h"
#include "app/document/splitting/splitting.h"
#include "app/document/token.h"
#include "app/document/words/detached.h"
#include "core/matrix_id.h"
#include "core/network/interventions.h"
#include "core/problem.h"

namespace lab {

struct ModelDocument;

/// Where a document stands in a trained model, when it is one layer of it.
struct ModelLayer {
  std::shared_ptr<const ModelDocument> model = {};  ///< null: the document was made by hand
  attention::network::LayerId at = {};
  bool pending = false;  ///< X is zeros until the layers before it are computed
  /// Compares models by identity.
  bool operator==(const ModelLayer&) const = default;
};

/// The embedding rows that differ from the default ones, by key. Words removed from the sentence
/// keep their row, so that typing them again restores it. Rows are [1 × d_model].
using Lexicon = std::map<std::string, attention::RowVector, std::less<>>;

/// Edits that the user switched off for now: they have no effect and come back as they were.
struct SwitchedOff {
  std::vector<attention::HeadMix> head_mix = {};  ///< as Problem::head_mix
  std::vector<attention::Override> overrides = {};
  bool operator==(const SwitchedOff&) const = default;
};

/// What the user is working on: a plain value. Matrices are shared between copies, so a copy in
/// the history costs only what changed. Only the reducer and the readers of files make new ones.
struct Document {
  std::string title;     ///< name of the example or session, for the top bar; empty once another
                         ///< sentence took the place of the one that it was given to
  std::string sentence;  ///< as typed
  Splitting splitting;
  std::vector<Token> tokens;            ///< seq_len of them, never empty
  std::vector<std::string> dimensions;  ///< names of the d_model columns; empty: 0, 1, 2 …
  std::shared_ptr<const Lexicon> lexicon = std::make_shared<const Lexicon>();
  /// The second sentence, which keys and values come from in cross-attention: its text, its tokens
  /// and its own embedding rows. Both texts are empty in self-attention; the rows are kept.
  std::string kv_sentence;
  std::vector<Token> kv_tokens;  ///< kv_len of them, or none in self-attention
  std::shared_ptr<const Lexicon> kv_lexicon = std::make_shared<const Lexicon>();
  /// A word of the second sentence without a row in `kv_lexicon` has the vector that an equal word
  /// of the first one has.
  bool shared_tokens = true;
  /// Names of the heads where these are not 1, 2, 3 …: "L9H3" in a layer of a trained model.
  std::vector<std::string> head_names = {};
  float new_token_scale = 1;      ///< multiplies the default embeddings of words without a row
  attention::Problem problem;     ///< its embeddings are computed from tokens and lexicons
  SwitchedOff switched_off = {};  ///< of a layer made by hand, see with_switched()
  /// What belongs to words that are no longer there; never null.
  std::shared_ptr<const Detached> detached = nothing_detached();
  ModelLayer layer = {};  ///< of a trained model, if the document is one
  Batch batch = {};       ///< other sentences over the same weights
};

/// The tokens that keys come from: those of the second sentence if there is one.
const std::vector<Token>& key_tokens(const Document& document);

/// Label of query position `i`, printable.
std::string row_label(const Document& document, attention::Index i);
/// Label of key position `j`, printable: the token, of the second sentence in cross-attention.
std::string key_label(const Document& document, attention::Index j);
/// Name of embedding dimension `d`: from `dimensions`, else its number.
std::string dimension_label(const Document& document, attention::Index d);

/// What `head` (from 0) is called after the word head: its name, or its number from 1.
std::string head_number(const Document& document, attention::Index head);

/// The head as a title, "Head 2" or "L9H3", and within a sentence, "head 2" or "L9H3".
std::string head_title(const Document& document, attention::Index head);
/// As it stands within a sentence: "head 2" or "L9H3".
std::string head_in_text(const Document& document, attention::Index head);

/// True when the columns of `stage` are the dimensions of an embedding: those of the inputs, and of
/// outputs that are as wide.
bool has_dimension_columns(const Document& document, attention::Stage stage);
/// Label of row `row` of `stage`: the query's or the key's.
std::string row_label(const Document& document, attention::Stage stage, attention::Index row);
/// Label of column `col` of `stage`: the key's or the dimension's, else its number.
std::string column_label(const Document& document, attention::Stage stage, attention::Index col);

/// True when the token of row `row` of `stage` is of a chat template.
bool row_is_of_template(const Document& document, attention::Stage stage, attention::Index row);
/// The same of column `col`; false where columns are no tokens.
bool column_is_of_template(const Document& document, attention::Stage stage, attention::Index col);

/// True for a scale that new words can have: 0.001 to 1,000.
bool is_new_token_scale(float scale);
/// The default embedding of `key` times `new_token_scale`, which is rounded to as many digits as
/// that of the default one, [1 × d_model].
attention::RowVector default_row(const Document& document, std::string_view key);
/// The embedding of `key` in the first sentence: its row in the lexicon, else default_row(),
/// [1 × d_model].
attention::RowVector embedding_row(const Document& document, std::string_view key);
/// The embedding that `key` has in the second sentence without a separate row: that of the first
/// sentence when they share their words, else default_row(), [1 × d_model].
attention::RowVector shared_row(const Document& document, std::string_view key);
/// The embedding as tokens and lexicon give it, [seq_len × d_model].
attention::Matrix embed_tokens(const Document& document);
/// The same for the second sentence, [kv_len × d_model].
attention::Matrix embed_kv_tokens(const Document& document);

/// The seed of one matrix, derived from the seed of the whole model: different for every matrix of
/// every head, the same on every machine. `head` counts from 0.
std::uint64_t matrix_seed(std::uint64_t seed, attention::MatrixId id, int head);

/// A document for `sentence` with `config`, default embeddings and Xavier weights from `seed` (W_Q,
/// W_K, W_V of every head and W_O, each from its own seed derived from it), no biases.
/// Precondition: the sentence has at least one token and the config is valid.
Document make_document(std::string sentence, const attention::Config& config, std::uint64_t seed);

/// True when both are known to be equal without comparing numbers: equal plain members, and shared
/// matrices and lexicons.
bool same_problem(const attention::Problem& a, const attention::Problem& b);
/// The same of whole documents, their texts and names included.
bool same_document(const Document& a, const Document& b);

}  // namespace lab
