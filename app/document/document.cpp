#include "app/document/document.h"

#include <utility>

#include "app/document/seeds.h"
#include "core/embedding.h"
#include "core/initialise.h"

namespace lab {

using attention::Config;
using attention::FillKind;
using attention::Index;
using attention::Matrix;
using attention::RowVector;
using attention::Shape;
using attention::SharedMatrix;

namespace {

SharedMatrix xavier(Shape shape, std::uint64_t seed, MatrixId id, int head) {
  return SharedMatrix(attention::filled(FillKind::kXavier, shape, matrix_seed(seed, id, head)));
}

attention::Parameters xavier_parameters(const Config& config, std::uint64_t seed) {
  attention::Parameters parameters;
  for (int head = 0; head < config.n_heads; ++head) {
    auto& own = parameters.heads.emplace_back();
    own.W_Q = xavier({config.d_model, config.d_k}, seed, MatrixId::kWQ, head);
    own.W_K = xavier({config.d_model, config.d_k}, seed, MatrixId::kWK, head);
    own.W_V = xavier({config.d_model, config.d_v}, seed, MatrixId::kWV, head);
  }
  const Index concat = Index{config.n_heads} * config.d_v;
  parameters.W_O = xavier({concat, config.d_out}, seed, MatrixId::kWO, 0);
  return parameters;
}

// The label at `i`, or the number where there is none.
std::string label_at(const std::vector<std::string>& labels, Index i) {
  const bool known = i >= 0 && i < static_cast<Index>(labels.size());
  return known ? printable(labels[i]) : std::to_string(i);
}

bool same_parameters(const attention::Parameters& a, const attention::Parameters& b) {
  if (a.heads.size() != b.heads.size()) return false;
  for (size_t head = 0; head < a.heads.size(); ++head) {
    const auto& x = a.heads[head];
    const auto& y = b.heads[head];
    if (!x.W_Q.same_as(y.W_Q) || !x.W_K.same_as(y.W_K) || !x.W_V.same_as(y.W_V)) return false;
    if (!x.b_Q.same_as(y.b_Q) || !x.b_K.same_as(y.b_K) || !x.b_V.same_as(y.b_V)) return false;
  }
  return a.W_O.same_as(b.W_O) && a.b_O.same_as(b.b_O);
}

}  // namespace

std::uint64_t matrix_seed(std::uint64_t seed, MatrixId id, int head) {
  const auto place =
      static_cast<std::uint64_t>(id) * attention::Limits::kHeads + static_cast<std::uint64_t>(head);
  // One step of the generator between seed and place, so that neighbouring seeds share nothing.
  return attention::PortableRandom(attention::PortableRandom(seed).next() + place).next();
}

std::string row_label(const Document& document, Index i) {
  const bool known = i >= 0 && i < static_cast<Index>(document.tokens.size());
  return known ? printable(document.tokens[i].text) : std::to_string(i);
}

std::string key_label(const Document& document, Index j) {
  if (document.problem.X_kv.empty()) return row_label(document, j);
  return label_at(document.kv_labels, j);
}

std::string dimension_label(const Document& document, Index d) {
  return label_at(document.dimensions, d);
}

RowVector embedding_row(const Document& document, std::string_view key) {
  const auto own = document.lexicon->find(key);
  if (own != document.lexicon->end()) return own->second;
  return attention::default_embedding(key, document.problem.config.d_model);
}

Matrix embed_tokens(const Document& document) {
  const auto count = static_cast<Index>(document.tokens.size());
  Matrix X(count, document.problem.config.d_model);
  std::map<std::string_view, Index> first;  // where each key was seen first
  for (Index i = 0; i < count; ++i) {
    const std::string& key = document.tokens[i].key;
    const auto [seen, is_new] = first.emplace(key, i);
    if (is_new) {
      X.row(i) = embedding_row(document, key);
    } else {
      X.row(i) = X.row(seen->second);
    }
  }
  return X;
}

Document make_document(std::string sentence, const Config& config, std::uint64_t seed) {
  Document document;
  for (std::string& word : tokenize(sentence, document.token_mode)) {
    document.tokens.push_back({word, word});
  }
  document.sentence = std::move(sentence);
  document.problem.config = config;
  document.problem.parameters = xavier_parameters(config, seed);
  document.problem.X = SharedMatrix(embed_tokens(document));
  return document;
}

bool same_problem(const attention::Problem& a, const attention::Problem& b) {
  return a.config == b.config && a.X.same_as(b.X) && a.X_kv.same_as(b.X_kv) &&
         a.allowed.same_as(b.allowed) && a.bias.same_as(b.bias) &&
         same_parameters(a.parameters, b.parameters);
}

bool same_document(const Document& a, const Document& b) {
  return a.title == b.title && a.sentence == b.sentence && a.token_mode == b.token_mode &&
         a.tokens == b.tokens && a.dimensions == b.dimensions && a.kv_labels == b.kv_labels &&
         a.lexicon == b.lexicon && same_problem(a.problem, b.problem);
}

}  // namespace lab
