#include <limits>

#include "app/files/reading.h"
#include "app/files/session.h"
#include "app/files/strict_json.h"
#include "core/initialise.h"

namespace lab {
namespace {

using attention::Config;
using attention::Index;
using attention::Limits;
using attention::Matrix;
using attention::SharedMatrix;
using nlohmann::json;

constexpr const char* kType = "attention-lab session";
constexpr std::uint64_t kVersion = 1;
constexpr std::size_t kLargestSession = std::size_t{1} << 28;
constexpr std::size_t kLongestSentence = std::size_t{1} << 20;

// One side of a matrix: how long it should be, and what that size is called.
struct Side {
  Index size = 0;
  const char* name = "";
};

[[noreturn]] void wrong(const std::string& path, const std::string& what) {
  throw BadInput(path + ": " + what);
}

std::string should_be(const char* unit, std::size_t count, Side side) {
  return std::to_string(count) + " " + unit + ", should be " + std::to_string(side.size) + " (" +
         side.name + ")";
}

std::string indexed(const std::string& path, std::size_t index) {
  return path + "[" + std::to_string(index) + "]";
}

// --- members

// The member of that name, or null.
const json* find(const json& object, const char* name) {
  const auto at = object.find(name);
  return at == object.end() ? nullptr : &*at;
}

const json& require(const json& object, const std::string& path, const char* name) {
  const json* value = find(object, name);
  if (!value) wrong(path.empty() ? name : path + "." + name, "is missing");
  return *value;
}

const json& checked_object(const json& value, const std::string& path) {
  if (!value.is_object()) wrong(path, json_text(value) + ", should be an object");
  return value;
}

const json& checked_list(const json& value, const std::string& path) {
  if (!value.is_array()) wrong(path, json_text(value) + ", should be a list");
  return value;
}

std::string read_string(const json& value, const std::string& path) {
  if (!value.is_string()) wrong(path, json_text(value) + ", should be text in quotes");
  return value.get<std::string>();
}

std::vector<std::string> read_strings(const json& list, const std::string& path) {
  std::vector<std::string> texts;
  for (const json& value : checked_list(list, path))
    texts.push_back(read_string(value, indexed(path, texts.size())));
  return texts;
}

int read_size(const json& value, const std::string& path) {
  if (!value.is_number_unsigned()) wrong(path, json_text(value) + ", should be a whole number");
  if (value.get<std::uint64_t>() > std::uint64_t{std::numeric_limits<int>::max()})
    wrong(path, json_text(value) + " is too large");
  return value.get<int>();
}

bool read_bool(const json& value, const std::string& path) {
  if (!value.is_boolean()) wrong(path, json_text(value) + ", should be true or false");
  return value.get<bool>();
}

float read_float(const json& value, const std::string& path) {
  try {
    return json_float(value);
  } catch (const BadInput& error) {
    wrong(path, error.what());
  }
}

// --- matrices

// What {"fill": "xavier", "seed": 7} stands for.
Matrix read_fill(const json& object, const std::string& path, attention::Shape shape) {
  const std::string name = read_string(require(object, path, "fill"), path + ".fill");
  const auto kind = attention::fill_from_name(name);
  if (!kind)
    wrong(path + ".fill", in_quotes(name) + ", should be one of zero, identity, normal, xavier");
  std::uint64_t seed = 0;
  if (const json* value = find(object, "seed")) {
    if (!value->is_number_unsigned())
      wrong(path + ".seed", json_text(*value) + ", should be a whole number");
    seed = value->get<std::uint64_t>();
  }
  return attention::filled(*kind, shape, seed);
}

void read_row(const json& list, const std::string& path, Side side, float* row) {
  if (checked_list(list, path).size() != static_cast<std::size_t>(side.size))
    wrong(path, should_be("numbers", list.size(), side));
  std::size_t j = 0;
  try {
    for (; j < list.size(); ++j) row[j] = json_float(list[j]);
  } catch (const BadInput& error) {
    wrong(indexed(path, j), error.what());
  }
}

// A list of rows, or a fill.
Matrix read_matrix(const json& value, const std::string& path, Side rows, Side cols) {
  if (value.is_object()) return read_fill(value, path, {rows.size, cols.size});
  if (!value.is_array()) wrong(path, json_text(value) + ", should be a list of rows or a fill");
  if (value.size() != static_cast<std::size_t>(rows.size))
    wrong(path, should_be("rows", value.size(), rows));
  Matrix matrix(rows.size, cols.size);
  for (std::size_t i = 0; i < value.size(); ++i)
    read_row(value[i], indexed(path, i), cols, matrix.row(static_cast<Index>(i)).data());
  return matrix;
}

// A list of numbers, or a fill, [1 × side].
Matrix read_vector(const json& value, const std::string& path, Side side) {
  if (value.is_object()) return read_fill(value, path, {1, side.size});
  Matrix vector(1, side.size);
  read_row(value, path, side, vector.data());
  return vector;
}

// --- the parts of a session

void check_kind(const json& root) {
  const json* type = find(root, "type");
  if (!type || *type != kType)
    wrong("type",
          (type ? json_text(*type) : "missing") + std::string(", should be ") + in_quotes(kType));
  const json& version = require(root, "", "version");
  if (!version.is_number_unsigned() || version == 0u)
    wrong("version", json_text(version) + ", should be a whole number");
  if (version.get<std::uint64_t>() > kVersion)
    wrong("version", json_text(version) + " is newer than this program, which reads version " +
                         std::to_string(kVersion));
}

Config read_config(const json& root) {
  const json& object = checked_object(require(root, "", "config"), "config");
  const auto size = [&](const char* name) {
    return read_size(require(object, "config", name), std::string("config.") + name);
  };
  Config config;
  config.d_model = size("d_model");
  config.n_heads = size("n_heads");
  config.d_k = size("d_k");
  config.d_v = size("d_v");
  config.d_out = object.contains("d_out") ? size("d_out") : config.d_model;
  if (const json* scale = find(object, "scale")) config.scale = read_bool(*scale, "config.scale");
  if (const json* value = find(object, "temperature"))
    config.temperature = read_float(*value, "config.temperature");
  if (const json* value = find(object, "mask")) {
    const std::string mask = read_string(*value, "config.mask");
    config.mask.causal = mask == "causal";
    if (mask != "causal" && mask != "none")
      wrong("config.mask", in_quotes(mask) + ", should be \"none\" or \"causal\"");
  }
  try {
    attention::validate(config);
  } catch (const std::invalid_argument& error) {
    wrong("config", error.what());
  }
  return config;
}

TokenMode read_token_mode(const json& root) {
  const json* value = find(root, "tokenizer");
  if (!value) return TokenMode::kWords;
  const std::string name = read_string(*value, "tokenizer");
  const auto mode = token_mode_from_name(name);
  if (!mode) wrong("tokenizer", in_quotes(name) + ", should be \"words\" or \"characters\"");
  return *mode;
}

std::vector<Token> listed_tokens(const json& list) {
  std::vector<Token> tokens;
  for (const json& value : checked_list(list, "tokens")) {
    const std::string path = indexed("tokens", tokens.size());
    const json& object = checked_object(value, path);
    Token& token = tokens.emplace_back();
    token.text = read_string(require(object, path, "text"), path + ".text");
    const json* key = find(object, "key");
    token.key = key ? read_string(*key, path + ".key") : token.text;
  }
  return tokens;
}

std::vector<Token> read_tokens(const json& root, const Document& document) {
  std::vector<Token> tokens;
  const json* list = find(root, "tokens");
  if (list) {
    tokens = listed_tokens(*list);
  } else {
    for (std::string& word : tokenize(document.sentence, document.token_mode))
      tokens.push_back({word, word});
  }
  const char* path = list ? "tokens" : "sentence";
  if (tokens.empty()) wrong(path, "there is no token; at least one word is needed");
  if (tokens.size() > std::size_t{Limits::kSeqLen})
    wrong(path, std::to_string(tokens.size()) + " tokens; at most " +
                    std::to_string(Limits::kSeqLen) + " are allowed");
  return tokens;
}

void read_sentence(const json& root, Document& document) {
  document.sentence = read_string(require(root, "", "sentence"), "sentence");
  if (document.sentence.size() > kLongestSentence)
    wrong("sentence", std::to_string(document.sentence.size()) + " bytes; at most " +
                          std::to_string(kLongestSentence) + " are allowed");
  document.token_mode = read_token_mode(root);
  document.tokens = read_tokens(root, document);
}

Lexicon read_embedding(const json& root, Side d_model) {
  Lexicon lexicon;
  const json* object = find(root, "embedding");
  if (!object) return lexicon;
  for (const auto& [word, row] : checked_object(*object, "embedding").items())
    lexicon.emplace(word, read_vector(row, "embedding[" + in_quotes(word) + "]", d_model));
  return lexicon;
}

void read_head(const json& value, const std::string& path, const Config& config,
               attention::Parameters& parameters) {
  const json& object = checked_object(value, path);
  const Side d_model{config.d_model, "d_model"}, d_k{config.d_k, "d_k"}, d_v{config.d_v, "d_v"};
  const auto matrix = [&](const char* name, Side cols) {
    return SharedMatrix(read_matrix(require(object, path, name), path + "." + name, d_model, cols));
  };
  const auto bias = [&](const char* name, Side side) {
    const json* list = find(object, name);
    return list ? SharedMatrix(read_vector(*list, path + "." + name, side)) : SharedMatrix();
  };
  parameters.heads.push_back({.W_Q = matrix("W_Q", d_k), .b_Q = bias("b_Q", d_k)});
  parameters.kv_heads.push_back({.W_K = matrix("W_K", d_k),
                                 .W_V = matrix("W_V", d_v),
                                 .b_K = bias("b_K", d_k),
                                 .b_V = bias("b_V", d_v)});
}

attention::Parameters read_parameters(const json& root, const Config& config) {
  attention::Parameters parameters;
  const json& heads = checked_list(require(root, "", "heads"), "heads");
  if (heads.size() != static_cast<std::size_t>(config.n_heads))
    wrong("heads", should_be("heads", heads.size(), {config.n_heads, "n_heads"}));
  for (std::size_t h = 0; h < heads.size(); ++h)
    read_head(heads[h], indexed("heads", h), config, parameters);
  const Side d_out{config.d_out, "d_out"};
  parameters.W_O =
      SharedMatrix(read_matrix(require(root, "", "W_O"), "W_O",
                               {Index{config.n_heads} * config.d_v, "n_heads · d_v"}, d_out));
  if (const json* b_O = find(root, "b_O"))
    parameters.b_O = SharedMatrix(read_vector(*b_O, "b_O", d_out));
  return parameters;
}

// The keys' side of cross-attention. A fill takes its number of rows from kv_labels.
void read_keys(const json& root, Document& document) {
  const json* X_kv = find(root, "X_kv");
  const json* labels = find(root, "kv_labels");
  if (labels && !X_kv) wrong("kv_labels", "is there without X_kv");
  if (!X_kv) return;
  if (labels) document.kv_labels = read_strings(*labels, "kv_labels");
  if (!labels && !X_kv->is_array()) wrong("X_kv", "should be a list of rows, or have kv_labels");
  const std::size_t kv_len = labels ? document.kv_labels.size() : X_kv->size();
  if (kv_len < 1 || kv_len > std::size_t{Limits::kSeqLen})
    wrong(labels ? "kv_labels" : "X_kv",
          std::to_string(kv_len) + " keys, should be 1 … " + std::to_string(Limits::kSeqLen));
  for (std::size_t j = document.kv_labels.size(); j < kv_len; ++j)
    document.kv_labels.push_back(std::to_string(j));
  document.problem.embedding_kv =
      SharedMatrix(read_matrix(*X_kv, "X_kv", {static_cast<Index>(kv_len), "kv_len"},
                               {document.problem.config.d_model, "d_model"}));
}

void read_score_matrices(const json& root, attention::Problem& problem) {
  const Side seq_len{problem.seq_len(), "seq_len"}, kv_len{problem.kv_len(), "kv_len"};
  if (const json* bias = find(root, "bias"))
    problem.bias = SharedMatrix(read_matrix(*bias, "bias", seq_len, kv_len));
  const json* allowed = find(root, "allowed");
  if (!allowed) return;
  Matrix matrix = read_matrix(*allowed, "allowed", seq_len, kv_len);
  if (!((matrix.array() == 0) || (matrix.array() == 1)).all())
    wrong("allowed", "holds numbers other than 0 and 1");
  problem.allowed = SharedMatrix(std::move(matrix));
}

std::vector<std::string> read_dimensions(const json& root, Side d_model) {
  const json* list = find(root, "dimensions");
  if (!list) return {};
  std::vector<std::string> names = read_strings(*list, "dimensions");
  if (!names.empty() && names.size() != static_cast<std::size_t>(d_model.size))
    wrong("dimensions", should_be("names", names.size(), d_model));
  return names;
}

Document read(std::string_view text) {
  if (text.size() > kLargestSession)
    throw BadInput(std::to_string(text.size()) + " bytes; a session has at most " +
                   std::to_string(kLargestSession));
  const json root = parse_json(text);
  if (!root.is_object()) throw BadInput(json_text(root) + ", should be a session, an object");
  check_kind(root);
  Document document;
  if (const json* title = find(root, "title")) document.title = read_string(*title, "title");
  const Config config = read_config(root);
  const Side d_model{config.d_model, "d_model"};
  document.problem.config = config;
  document.dimensions = read_dimensions(root, d_model);
  read_sentence(root, document);
  document.lexicon = std::make_shared<const Lexicon>(read_embedding(root, d_model));
  document.problem.embedding = SharedMatrix(embed_tokens(document));
  document.problem.parameters = read_parameters(root, config);
  read_keys(root, document);
  read_score_matrices(root, document.problem);
  attention::validate(document.problem);
  return document;
}

}  // namespace

Expected<Document> read_session(std::string_view text) {
  return guarded([&] { return read(text); });
}

}  // namespace lab
