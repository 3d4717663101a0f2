#include <algorithm>

#include "app/base/bad_input.h"
#include "app/base/strict_json.h"
#include "app/document/variant_names.h"
#include "app/files/session/detached_json.h"
#include "app/files/session/json_reading.h"
#include "app/files/session/session.h"
#include "app/files/session/session_sentences.h"
#include "app/files/session/session_splitting.h"
#include "app/files/session/session_versions.h"
#include "app/files/session/variants.h"
#include "app/files/session/view_json.h"

namespace lab::files {
namespace {

using attention::Config;
using attention::Index;
using attention::Limits;
using attention::Matrix;
using attention::SharedMatrix;
using nlohmann::json;

constexpr const char* kSessionType = "attention-lab session";
constexpr std::size_t kLargestSession = std::size_t{1} << 28;

std::uint64_t checked_version(const json& root) {
  const json* type = find(root, "type");
  if (!type && find(root, "tensors"))
    throw BadInput(
        "an answer, the numbers that \"compute\" writes, not a session; the session or problem "
        "that "
        "they were computed from can be opened");
  if (!type || *type != kSessionType)
    wrong("type", (type ? json_text(*type) : "missing") + std::string(", should be ") +
                      in_quotes(kSessionType));
  const json& version = require(root, "", "version");
  if (!version.is_number_unsigned() || version == 0u)
    wrong("version", json_text(version) + ", should be a whole number");
  return version.get<std::uint64_t>();
}

// Reads the optional members. What a newer version put there and this one does not understand is
// skipped with a note.
class Optional {
 public:
  explicit Optional(Session& session) : session_(session) {}

  template <typename Read>
  void operator()(Read&& read) const {
    try {
      read();
    } catch (const BadInput& error) {
      if (!session_.newer) throw;
      session_.notes.push_back(std::string(error.what()) + "; it is left out");
    }
  }

 private:
  Session& session_;
};

void read_value(const json& value, const std::string& path, bool& read) {
  read = read_bool(value, path);
}
void read_value(const json& value, const std::string& path, int& read) {
  read = read_size(value, path);
}
void read_value(const json& value, const std::string& path, float& read) {
  read = read_float(value, path);
}
void read_value(const json& value, const std::string& path, std::uint64_t& read) {
  read = read_seed(value, path);
}

// Reads a name that `from_name` accepts.
template <typename FromName>
auto read_name(const json& value, const std::string& path, FromName from_name,
               const char* allowed) {
  const std::string name = read_string(value, path);
  const auto known = from_name(name);
  if (!known) wrong(path, in_quotes(name) + ", should be " + allowed);
  return *known;
}
void read_value(const json& value, const std::string& path, attention::Positions& read) {
  read = read_name(value, path, positions_from_name, kPositionsNames);
}
void read_value(const json& value, const std::string& path, attention::RotaryPairs& read) {
  read = read_name(value, path, rotary_pairs_from_name, kRotaryPairsNames);
}
void read_value(const json& value, const std::string& path, attention::HeadBuild& read) {
  read = read_name(value, path, head_build_from_name, kHeadBuildNames);
}

Config read_config(const json& root, const Optional& optional) {
  const json& object = checked_object(require(root, "", "config"), "config");
  const auto size = [&](const char* name) {
    return read_size(require(object, "config", name), std::string("config.") + name);
  };
  const auto read = [&](const char* name, auto& value, const auto&) {
    const json* given = find(object, name);
    if (given) optional([&] { read_value(*given, std::string("config.") + name, value); });
  };
  if (object.contains("mask"))
    wrong("config.mask", "is of version 1; write \"causal\": true or false");
  Config config;
  config.d_model = size("d_model");
  config.n_heads = size("n_heads");
  config.d_k = size("d_k");
  config.d_v = size("d_v");
  config.d_out = object.contains("d_out") ? size("d_out") : config.d_model;
  read("n_kv_heads", config.n_kv_heads, 0);
  read("head_build", config.head_build, 0);
  read("scale", config.scale, true);
  read("temperature", config.temperature, 1.0f);
  read("causal", config.mask.causal, false);
  for_each_variant(config, read);
  try {
    attention::validate(config);
  } catch (const std::invalid_argument& error) {
    wrong("config", error.what());
  }
  return config;
}

Side side_of(const Config& config, attention::Axis axis) {
  const bool concat = axis == attention::Axis::kConcat;
  return {axis_length(config, axis), concat ? "n_heads · d_v" : attention::axis_name(axis).data()};
}

// A parameter in `object`; what need not be there is a list.
SharedMatrix read_parameter(const json& object, const std::string& path, const Config& config,
                            const attention::MatrixInfo& info) {
  const std::string name(info.name), own = path.empty() ? name : path + "." + name;
  const Side rows = side_of(config, info.rows), cols = side_of(config, info.cols);
  if (info.required)
    return SharedMatrix(read_matrix(require(object, path, name.c_str()), own, rows, cols));
  const json* list = find(object, name.c_str());
  return list ? SharedMatrix(read_vector(*list, own, cols)) : SharedMatrix();
}

// Calls read(object, path) for each of the heads in list `name`.
template <typename Read>
void for_each_head(const json& root, const char* name, Side count, Read&& read) {
  const json& heads = checked_list(require(root, "", name), name);
  if (heads.size() != static_cast<std::size_t>(count.size))
    wrong(name, should_be("heads", heads.size(), count));
  for (std::size_t h = 0; h < heads.size(); ++h) {
    const std::string path = indexed(name, h);
    read(checked_object(heads[h], path), path);
  }
}

// When every head has its own keys and values, "heads" holds them; else "kv_heads" does.
attention::Parameters read_parameters(const json& root, const Config& config) {
  attention::Parameters parameters;
  const bool grouped = config.n_kv_heads != 0;
  const auto reader = [&](const json& object, const std::string& path) {
    return [&](const attention::MatrixInfo& info, SharedMatrix& matrix) {
      matrix = read_parameter(object, path, config, info);
    };
  };
  const auto read_kv_head = [&](const json& head, const std::string& path) {
    for_each_kv_matrix(parameters.kv_heads.emplace_back(), reader(head, path));
  };
  for_each_head(root, "heads", {config.n_heads, "n_heads"}, [&](const json& head, const auto& at) {
    for_each_query_matrix(parameters.heads.emplace_back(), reader(head, at));
    if (!grouped) read_kv_head(head, at);
  });
  if (grouped) for_each_head(root, "kv_heads", {config.n_kv_heads, "n_kv_heads"}, read_kv_head);
  for_each_common_matrix(parameters, reader(root, ""));
  return parameters;
}

void read_score_bias(const json& root, attention::Problem& problem) {
  const Side seq_len{problem.seq_len(), "seq_len"}, kv_len{problem.kv_len(), "kv_len"};
  if (const json* bias = find(root, "bias"))
    problem.bias = SharedMatrix(read_matrix(*bias, "bias", seq_len, kv_len));
}

void read_allowed(const json& root, attention::Problem& problem) {
  const Side seq_len{problem.seq_len(), "seq_len"}, kv_len{problem.kv_len(), "kv_len"};
  const json* allowed = find(root, "allowed");
  if (!allowed) return;
  Matrix matrix = read_matrix(*allowed, "allowed", seq_len, kv_len);
  if (!((matrix.array() == 0) || (matrix.array() == 1)).all())
    wrong("allowed", "holds numbers other than 0 and 1");
  problem.allowed = SharedMatrix(std::move(matrix));
}

// [n × d_model]; a fill has a row for every position that could be needed.
SharedMatrix read_position_table(const json& root, const char* name,
                                 const attention::Problem& problem) {
  const json* table = find(root, name);
  if (!table) return {};
  const Index needed = std::max(problem.seq_len(), problem.kv_len());
  const Index rows = table->is_array() ? static_cast<Index>(table->size()) : needed;
  if (rows < 1 || rows > Limits::kSeqLen)
    wrong(name, std::to_string(rows) + " rows, should be 1 … " + std::to_string(Limits::kSeqLen));
  return SharedMatrix(
      read_matrix(*table, name, {rows, "positions"}, {problem.config.d_model, "d_model"}));
}

void read_position_tables(const json& root, attention::Problem& problem) {
  problem.position_table = read_position_table(root, "position_table", problem);
  problem.position_table_kv = read_position_table(root, "position_table_kv", problem);
}

std::vector<std::string> read_dimensions(const json& root, Side d_model) {
  const json* list = find(root, "dimensions");
  if (!list) return {};
  std::vector<std::string> names = read_strings(*list, "dimensions");
  if (!names.empty() && names.size() != static_cast<std::size_t>(d_model.size))
    wrong("dimensions", should_be("names", names.size(), d_model));
  return names;
}

Document read_document(const json& root, const Optional& optional) {
  Document document;
  attention::Problem& problem = document.problem;
  const auto read_if_there = [&](const char* name, auto&& read) {
    if (const json* value = find(root, name)) optional([&] { read(*value); });
  };
  read_if_there("title", [&](const json& title) { document.title = read_string(title, "title"); });
  problem.config = read_config(root, optional);
  optional([&] {
    document.dimensions = read_dimensions(root, {problem.config.d_model, "d_model"});
  });
  read_sentences(root, document);
  problem.parameters = read_parameters(root, problem.config);
  optional([&] { read_score_bias(root, problem); });
  optional([&] { read_allowed(root, problem); });
  optional([&] { read_position_tables(root, problem); });
  read_if_there("head_mix",
                [&](const json& mix) { problem.head_mix = read_head_mix(mix, "head_mix"); });
  read_if_there("overrides",
                [&](const json& list) { problem.overrides = read_overrides(list, "overrides"); });
  attention::validate(problem);
  read_if_there("set_aside", [&](const json& object) { read_detached(object, document); });
  read_if_there("batch", [&](const json& object) { read_batch(object, document); });
  attention::validate(problem);
  return document;
}

std::string of_newer(std::uint64_t version) {
  return "the session is of version " + std::to_string(version) +
         ", newer than this program, which knows version " + std::to_string(kSessionVersion);
}

Session whole_session(std::string_view text, attention::WorkWatch* watch) {
  if (text.size() > kLargestSession)
    throw BadInput(std::to_string(text.size()) + " bytes; a session has at most " +
                   std::to_string(kLargestSession));
  json root = parse_json(text, kMostJsonValues, watch);
  if (!root.is_object()) throw BadInput(json_text(root) + ", should be a session, an object");
  const std::uint64_t version = checked_version(root);
  Session session;
  session.newer = version > kSessionVersion;
  if (version < kSessionVersion) bring_up_to_date(root, version);
  if (session.newer)
    session.notes.push_back(of_newer(version) + ": what it does not know is left out");
  const auto explained = [&](const std::exception& error) {
    return BadInput(error.what() + (session.newer ? "; " + of_newer(version) : std::string()));
  };
  try {
    session.document = read_document(root, Optional(session));
    std::ranges::move(splitting_notes(session.document), std::back_inserter(session.notes));
  } catch (const BadInput& error) {
    throw explained(error);
  } catch (const std::invalid_argument& error) {
    throw explained(error);
  }
  if (const json* view = find(root, "view")) session.view = read_view(*view, session.notes);
  return session;
}

}  // namespace

Expected<Session> read_whole_session(std::string_view text, attention::WorkWatch* watch) {
  return guarded([&] { return whole_session(text, watch); });
}

Expected<Document> read_session(std::string_view text, attention::WorkWatch* watch) {
  return read_whole_session(text, watch).map([](Session&& session) {
    return std::move(session.document);
  });
}

}  // namespace lab::files
