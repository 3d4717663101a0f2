#include <algorithm>

#include "app/files/float_text.h"
#include "app/files/session.h"

namespace lab {
namespace {

using attention::Index;
using attention::Matrix;
using attention::SharedMatrix;

// Lays out JSON: one member a line, nested members indented by two, a matrix row a line.
class Writer {
 public:
  std::string take() {
    text_ += '\n';
    return std::move(text_);
  }

  void begin(char bracket) {
    text_ += bracket;
    indent_ += 2;
    first_ = true;
  }
  void end(char bracket) {
    indent_ -= 2;
    if (!first_) line();
    text_ += bracket;
    first_ = false;
  }
  // Begins the next element of a list, on a line of its own.
  void element() {
    if (!first_) text_ += ',';
    first_ = false;
    line();
  }
  // Begins the next member of an object.
  void member(std::string_view name) {
    element();
    text_ += json_string(name) + ": ";
  }
  void raw(std::string_view text) { text_ += text; }
  void string(std::string_view text) { text_ += json_string(text); }
  void number(float value) { append_json_float(text_, value); }

  void row(const auto& values) {
    text_ += '[';
    for (Index j = 0; j < values.size(); ++j) {
      if (j > 0) text_ += ", ";
      number(values(j));
    }
    text_ += ']';
  }
  void strings(const std::vector<std::string>& texts) {
    text_ += '[';
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (i > 0) text_ += ", ";
      string(texts[i]);
    }
    text_ += ']';
  }

 private:
  void line() {
    text_ += '\n';
    text_.append(static_cast<std::size_t>(indent_), ' ');
  }

  std::string text_;
  int indent_ = 0;
  bool first_ = true;
};

void write_matrix(Writer& out, std::string_view name, const Matrix& matrix) {
  out.member(name);
  out.begin('[');
  for (Index i = 0; i < matrix.rows(); ++i) {
    out.element();
    out.row(matrix.row(i));
  }
  out.end(']');
}

void write_bias(Writer& out, std::string_view name, const SharedMatrix& bias) {
  if (bias.empty()) return;
  out.member(name);
  out.row(bias->row(0));
}

void write_config(Writer& out, const attention::Config& config) {
  out.member("config");
  out.begin('{');
  const auto size = [&](std::string_view name, int value) {
    out.member(name);
    out.raw(std::to_string(value));
  };
  size("d_model", config.d_model);
  size("n_heads", config.n_heads);
  size("d_k", config.d_k);
  size("d_v", config.d_v);
  if (config.d_out != config.d_model) size("d_out", config.d_out);
  out.member("scale");
  out.raw(config.scale ? "true" : "false");
  out.member("temperature");
  out.number(config.temperature);
  out.member("mask");
  out.raw(config.mask.causal ? "\"causal\"" : "\"none\"");
  out.end('}');
}

// True when the tokenizer finds these tokens in the sentence as it is stored.
bool tokenizer_gives_tokens(const Document& document) {
  const auto words = tokenize(storable(document.sentence), document.token_mode);
  return std::ranges::equal(words, document.tokens, [](const auto& word, const Token& token) {
    return word == token.text && word == token.key;
  });
}

void write_tokens(Writer& out, const Document& document) {
  if (tokenizer_gives_tokens(document)) return;
  out.member("tokens");
  out.begin('[');
  for (const Token& token : document.tokens) {
    out.element();
    out.raw("{\"text\": " + json_string(token.text) + ", \"key\": " + json_string(token.key) + "}");
  }
  out.end(']');
}

void write_embedding(Writer& out, const Lexicon& lexicon) {
  out.member("embedding");
  out.begin('{');
  for (const auto& [key, row] : lexicon) {
    out.member(key);
    out.row(row);
  }
  out.end('}');
}

void write_parameters(Writer& out, const attention::Parameters& parameters) {
  out.member("heads");
  out.begin('[');
  for (std::size_t h = 0; h < parameters.heads.size(); ++h) {
    const auto& [W_Q, b_Q] = parameters.heads[h];
    const auto& [W_K, W_V, b_K, b_V] = parameters.kv_heads[h];
    out.element();
    out.begin('{');
    write_matrix(out, "W_Q", *W_Q);
    write_matrix(out, "W_K", *W_K);
    write_matrix(out, "W_V", *W_V);
    write_bias(out, "b_Q", b_Q);
    write_bias(out, "b_K", b_K);
    write_bias(out, "b_V", b_V);
    out.end('}');
  }
  out.end(']');
  write_matrix(out, "W_O", *parameters.W_O);
  write_bias(out, "b_O", parameters.b_O);
}

void write_other_inputs(Writer& out, const Document& document) {
  const attention::Problem& problem = document.problem;
  if (!document.kv_labels.empty()) {
    out.member("kv_labels");
    out.strings(document.kv_labels);
  }
  if (!problem.embedding_kv.empty()) write_matrix(out, "X_kv", *problem.embedding_kv);
  if (!problem.allowed.empty()) write_matrix(out, "allowed", *problem.allowed);
  if (!problem.bias.empty()) write_matrix(out, "bias", *problem.bias);
}

}  // namespace

std::string write_session(const Document& document) {
  Writer out;
  out.begin('{');
  out.member("type");
  out.string("attention-lab session");
  out.member("version");
  out.raw("1");
  out.member("title");
  out.string(document.title);
  out.member("sentence");
  out.string(document.sentence);
  out.member("tokenizer");
  out.string(token_mode_name(document.token_mode));
  write_tokens(out, document);
  if (!document.dimensions.empty()) {
    out.member("dimensions");
    out.strings(document.dimensions);
  }
  write_config(out, document.problem.config);
  write_embedding(out, *document.lexicon);
  write_parameters(out, document.problem.parameters);
  write_other_inputs(out, document);
  out.end('}');
  return out.take();
}

}  // namespace lab
