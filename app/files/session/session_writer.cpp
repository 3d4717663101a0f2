#include <algorithm>

#include "app/base/machine_numbers.h"
#include "app/document/variant_names.h"
#include "app/files/session/detached_json.h"
#include "app/files/session/json_writer.h"
#include "app/files/session/session.h"
#include "app/files/session/session_splitting.h"
#include "app/files/session/variants.h"
#include "app/files/session/view_json.h"

namespace lab::files {
namespace {

using attention::Index;
using attention::Matrix;
using attention::SharedMatrix;

void write_matrix(JsonWriter& out, std::string_view name, const Matrix& matrix) {
  out.member(name);
  out.begin('[');
  for (Index i = 0; i < matrix.rows(); ++i) {
    out.element();
    out.row(matrix.row(i));
  }
  out.end(']');
}

// Writes a [1 × n] matrix as a list, if it is present.
void write_row(JsonWriter& out, std::string_view name, const SharedMatrix& row) {
  if (row.empty()) return;
  out.member(name);
  out.row(row->row(0));
}

void write_present(JsonWriter& out, std::string_view name, const SharedMatrix& matrix) {
  if (!matrix.empty()) write_matrix(out, name, *matrix);
}

void write_value(JsonWriter& out, bool value) { out.raw(value ? "true" : "false"); }
void write_value(JsonWriter& out, int value) { out.raw(std::to_string(value)); }
void write_value(JsonWriter& out, std::uint64_t value) { out.raw(std::to_string(value)); }
void write_value(JsonWriter& out, float value) { out.number(value); }
void write_value(JsonWriter& out, attention::Positions value) { out.string(positions_name(value)); }
void write_value(JsonWriter& out, attention::RotaryPairs value) {
  out.string(rotary_pairs_name(value));
}
void write_value(JsonWriter& out, attention::HeadBuild value) {
  out.string(head_build_name(value));
}

void write_config(JsonWriter& out, const attention::Config& config) {
  out.member("config");
  out.begin('{');
  const auto write = [&](std::string_view name, const auto& value) {
    out.member(name);
    write_value(out, value);
  };
  const auto write_changed = [&](std::string_view name, const auto& value,
                                 const auto& default_value) {
    if (!is_default(value, default_value)) write(name, value);
  };
  write("d_model", config.d_model);
  write("n_heads", config.n_heads);
  write_changed("n_kv_heads", config.n_kv_heads, 0);
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
  out.begin('[');
  for (const Token& token : tokens) {
    out.element();
    out.raw(token_json(token));
  }
  out.end(']');
}

void write_second_sentence(JsonWriter& out, const Document& document) {
  if (document.kv_tokens.empty()) return;
  out.member("kv_sentence");
  out.string(document.kv_sentence);
  if (!can_be_split_again(document.kv_tokens, document.kv_sentence, document.splitting))
    write_tokens(out, "kv_tokens", document.kv_tokens);
}

void write_embedding(JsonWriter& out, std::string_view name, const Lexicon& lexicon) {
  out.member(name);
  out.begin('{');
  for (const auto& [key, row] : lexicon) {
    out.member(key);
    out.row(row);
  }
  out.end('}');
}

// Calls write(h) inside an object for each of `count` heads.
template <typename Write>
void write_heads(JsonWriter& out, std::string_view name, std::size_t count, Write&& write) {
  out.member(name);
  out.begin('[');
  for (std::size_t h = 0; h < count; ++h) {
    out.element();
    out.begin('{');
    write(h);
    out.end('}');
  }
  out.end(']');
}

// What must be there is a matrix, the rest a list where it is there.
void write_own(JsonWriter& out, const attention::MatrixInfo& info, const SharedMatrix& matrix) {
  if (info.required) {
    write_matrix(out, info.name, *matrix);
  } else {
    write_row(out, info.name, matrix);
  }
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
  if (!problem.head_mix.empty()) {
    out.member("head_mix");
    out.raw(head_mix_json(problem.head_mix));
  }
  if (problem.overrides.empty()) return;
  out.member("overrides");
  out.raw(overrides_json(problem.overrides));
}

void write_batch_sentence(JsonWriter& out, const BatchSentence& sentence,
                          const Splitting& splitting) {
  out.member("sentence");
  out.string(sentence.text);
  if (!can_be_split_again(sentence.tokens, sentence.text, splitting))
    write_tokens(out, "tokens", sentence.tokens);
  if (!sentence.kv_tokens.empty()) {
    out.member("kv_sentence");
    out.string(sentence.kv_text);
    if (!can_be_split_again(sentence.kv_tokens, sentence.kv_text, splitting))
      write_tokens(out, "kv_tokens", sentence.kv_tokens);
  }
  write_detached(out, *sentence.detached);
}

// The sentence that is shown is in the session itself, so its place is empty.
void write_batch(JsonWriter& out, const Document& document) {
  const Batch& batch = document.batch;
  if (batch.sentences.empty() && !batch.padded) return;
  out.member("batch");
  out.begin('{');
  out.member("current");
  out.raw(std::to_string(batch.current + 1));
  if (batch.padded) {
    out.member("padded");
    write_value(out, true);
    out.member("key_count");
    write_value(out, batch.key_count);
  }
  out.member("sentences");
  out.begin('[');
  for (std::size_t i = 0; i < batch.sentences.size(); ++i) {
    out.element();
    out.begin('{');
    if (i != batch.current) write_batch_sentence(out, batch.sentences[i], document.splitting);
    out.end('}');
  }
  out.end(']');
  out.end('}');
}

}  // namespace

std::string write_session(const Document& document, const std::optional<SessionView>& view) {
  JsonWriter out;
  out.begin('{');
  out.member("type");
  out.string("attention-lab session");
  out.member("version");
  out.raw(std::to_string(kSessionVersion));
  out.member("title");
  out.string(document.title);
  out.member("sentence");
  out.string(document.sentence);
  write_splitting(out, document.splitting);
  if (!can_be_split_again(document.tokens, document.sentence, document.splitting))
    write_tokens(out, "tokens", document.tokens);
  write_second_sentence(out, document);
  const bool cross = !document.kv_tokens.empty();
  if (document.shared_words == cross) {
    out.member("shared_words");
    write_value(out, document.shared_words);
  }
  if (!is_default(document.new_word_scale, 1.0f)) {
    out.member("new_word_scale");
    out.number(document.new_word_scale);
  }
  if (!document.dimensions.empty()) {
    out.member("dimensions");
    out.strings(document.dimensions);
  }
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
