#include <algorithm>

#include "app/base/machine_numbers.h"
#include "app/files/session/detached_json.h"
#include "app/files/session/session.h"
#include "app/files/session/session_splitting.h"
#include "app/files/session/variants.h"
#include "app/files/session/view_json.h"

namespace lab::files {
namespace {

using attention::SharedMatrix;

// Writes a [1 × n] matrix as a list, if it is present.
void write_row(JsonWriter& out, std::string_view name, const SharedMatrix& row) {
  if (row.empty()) return;
  out.member(name);
  out.row(row->row(0));
}

void write_present(JsonWriter& out, std::string_view name, const SharedMatrix& matrix) {
  if (matrix.empty()) return;
  out.member(name);
  out.rows(*matrix);
}

void write_config(JsonWriter& out, const attention::Config& config) {
  out.member("config");
  out.begin('{');
  const FieldWriter write(out);
  const auto write_changed = [&](std::string_view name, const auto& value,
                                 const auto& default_value) {
    if (!is_default(value, default_value)) write(name, value);
  };
  write("d_model", config.d_model);
  write("n_heads", config.n_heads);
  write.unless_default("n_kv_heads", config.n_kv_heads);
  write("d_k", config.d_k);
  write("d_v", config.d_v);
  write_changed("d_out", config.d_out, config.d_model);
  write_changed("head_build", config.head_build, attention::HeadBuild::kSeparate);
  write("scale", config.scale);
  write("temperature", config.temperature);
  write("causal", config.mask.causal);
  for_each_variant(config, write_changed);
  out.end('}');
}

// True when these are the words or characters of the stored sentence, which need not be listed. The
// pieces of a tokenizer are listed, because its file may be missing where the session is opened.
bool can_be_split_again(const std::vector<Token>& tokens, const std::string& sentence,
                        const Splitting& splitting) {
  if (splitting.mode == TokenMode::kTokenizer) return false;
  const auto split = split_sentence(storable(sentence), splitting);
  return std::ranges::equal(*split, tokens, [](const Token& again, const Token& token) {
    return again.text == token.text && again.text == token.key;
  });
}

void write_tokens(JsonWriter& out, std::string_view name, const std::vector<Token>& tokens) {
  out.member(name);
  out.list(tokens, [&](const Token& token) { write_token(out, token); });
}

// Writes the second sentence, if there is one.
void write_second_sentence(JsonWriter& out, const std::string& sentence,
                           const std::vector<Token>& tokens, const Splitting& splitting) {
  if (tokens.empty()) return;
  write_member(out, "kv_sentence", sentence);
  if (!can_be_split_again(tokens, sentence, splitting)) write_tokens(out, "kv_tokens", tokens);
}

void write_embedding(JsonWriter& out, std::string_view name, const Lexicon& lexicon) {
  out.member(name);
  out.object([&] {
    for (const auto& [key, row] : lexicon) {
      out.member(key);
      out.row(row);
    }
  });
}

// Calls write(h) inside an object for each of `count` heads.
template <typename Write>
void write_heads(JsonWriter& out, std::string_view name, std::size_t count, Write&& write) {
  out.member(name);
  out.begin('[');
  for (std::size_t h = 0; h < count; ++h) {
    out.element();
    out.object([&] { write(h); });
  }
  out.end(']');
}

// What must be there is a matrix, the rest a list where it is there.
void write_own(JsonWriter& out, const attention::MatrixInfo& info, const SharedMatrix& matrix) {
  if (!info.required) return write_row(out, info.name, matrix);
  out.member(info.name);
  out.rows(*matrix);
}

void write_parameters(JsonWriter& out, const attention::Problem& problem) {
  const attention::Parameters& parameters = problem.parameters;
  const bool grouped = problem.config.n_kv_heads != 0;
  const auto write = [&](const auto& info, const SharedMatrix& matrix) {
    write_own(out, info, matrix);
  };
  write_heads(out, "heads", parameters.heads.size(), [&](std::size_t h) {
    for_each_query_matrix(parameters.heads[h], write);
    if (!grouped) for_each_kv_matrix(parameters.kv_heads[h], write);
  });
  if (grouped) {
    write_heads(out, "kv_heads", parameters.kv_heads.size(),
                [&](std::size_t h) { for_each_kv_matrix(parameters.kv_heads[h], write); });
  }
  for_each_common_matrix(parameters, write);
}

void write_other_inputs(JsonWriter& out, const Document& document) {
  const attention::Problem& problem = document.problem;
  write_present(out, "allowed", problem.allowed);
  write_present(out, "bias", problem.bias);
  write_present(out, "position_table", problem.position_table);
  write_present(out, "position_table_kv", problem.position_table_kv);
  write_unless_default(out, "head_mix", problem.head_mix, kHeadMixList);
  write_unless_default(out, "overrides", problem.overrides, kOverrideList);
  write_unless_default(out, "switched_off", document.switched_off);
}

void write_batch_sentence(JsonWriter& out, const BatchSentence& sentence,
                          const Splitting& splitting) {
  write_member(out, "sentence", sentence.text);
  if (!can_be_split_again(sentence.tokens, sentence.text, splitting))
    write_tokens(out, "tokens", sentence.tokens);
  write_second_sentence(out, sentence.kv_text, sentence.kv_tokens, splitting);
  write_detached(out, *sentence.detached);
}

// The sentence that is shown is in the session itself, so its place is empty.
void write_batch(JsonWriter& out, const Document& document) {
  const Batch& batch = document.batch;
  if (batch.sentences.empty() && !batch.padded) return;
  out.member("batch");
  out.begin('{');
  write_member(out, "current", batch.current, JsonFromOne());
  if (batch.padded) {
    write_member(out, "padded", true);
    write_member(out, "key_count", batch.key_count);
  }
  out.member("sentences");
  const BatchSentence* const shown =
      batch.sentences.empty() ? nullptr : &batch.sentences[batch.current];
  out.list(batch.sentences, [&](const BatchSentence& sentence) {
    out.object([&] {
      if (&sentence != shown) write_batch_sentence(out, sentence, document.splitting);
    });
  });
  out.end('}');
}

}  // namespace

std::string write_session(const Document& document, const std::optional<SessionView>& view) {
  JsonWriter out;
  out.begin('{');
  write_member(out, "type", std::string("attention-lab session"));
  write_member(out, "version", kSessionVersion);
  write_member(out, "title", document.title);
  write_member(out, "sentence", document.sentence);
  write_splitting(out, document.splitting);
  if (!can_be_split_again(document.tokens, document.sentence, document.splitting))
    write_tokens(out, "tokens", document.tokens);
  write_second_sentence(out, document.kv_sentence, document.kv_tokens, document.splitting);
  const bool cross = !document.kv_tokens.empty();
  if (document.shared_tokens == cross) write_member(out, "shared_words", document.shared_tokens);
  if (!is_default(document.new_token_scale, 1.0f))
    write_member(out, "new_word_scale", document.new_token_scale);
  write_unless_default(out, "dimensions", document.dimensions);
  write_config(out, document.problem.config);
  write_embedding(out, "embedding", *document.lexicon);
  if (!document.kv_lexicon->empty()) write_embedding(out, "kv_embedding", *document.kv_lexicon);
  write_parameters(out, document.problem);
  write_other_inputs(out, document);
  write_detached(out, *document.detached);
  write_batch(out, document);
  if (view) write_view(out, *view);
  out.end('}');
  return out.take();
}

std::string embedded_session_of(const Document& document) {
  std::string session = write_session(document);
  return session.size() <= kLongestEmbedded ? session : std::string();
}

}  // namespace lab::files
