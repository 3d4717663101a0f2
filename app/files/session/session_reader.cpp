#include <algorithm>
#include <array>

#include "app/base/strict_json.h"
#include "app/files/session/detached_json.h"
#include "app/files/session/matrix_json.h"
#include "app/files/session/session.h"
#include "app/files/session/session_sentences.h"
#include "app/files/session/session_splitting.h"
#include "app/files/session/variants.h"
#include "app/files/session/view_json.h"

namespace lab::files {
namespace {

using attention::Config;
using attention::Index;
using attention::Limits;
using attention::Matrix;
using attention::SharedMatrix;

constexpr const char* kSessionType = "attention-lab session";
constexpr std::size_t kLargestSession = std::size_t{1} << 28;

std::uint64_t checked_version(const JsonCursor& root) {
  const auto type = root.find("type");
  if (!type && root.has("tensors"))
    throw BadInput(
        "an answer, the numbers that \"compute\" writes, not a session; the session or problem "
        "that "
        "they were computed from can be opened");
  if (!type) throw BadInput("type: missing, should be " + in_quotes(kSessionType));
  if (type->value() != kSessionType) type->wrong(in_quotes(kSessionType));
  const JsonCursor version = root.at("version");
  if (version.seed() == 0) version.wrong("a whole number");
  return version.seed();
}

// The mask rule was a name; the other rules were numbers beside it even then.
void name_to_causal(nlohmann::json& root) {
  const auto config = root.find("config");
  if (config == root.end() || !config->is_object() || !config->contains("mask")) return;
  const JsonCursor mask((*config)["mask"], std::string("config.mask"));
  const std::string name = mask.text();
  if (name != "causal" && name != "none")
    mask.refuse(in_quotes(name) + ", should be \"none\" or \"causal\"");
  config->erase("mask");
  (*config)["causal"] = name == "causal";
}

using Step = void (*)(nlohmann::json& root);
constexpr std::array<Step, kSessionVersion - 1> kSteps{name_to_causal};  // from version 1 on

// Upgrades a session of version `from`, which is older than the current one, to the current one.
// Throws BadInput when it is not a valid session of that version.
void bring_up_to_date(nlohmann::json& root, std::uint64_t from) {
  for (std::uint64_t version = from; version < kSessionVersion; ++version)
    kSteps.at(version - 1)(root);
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

Config read_config(const JsonCursor& root, const Optional& optional) {
  const JsonCursor object = root.at("config").object();
  const auto read = [&](const char* name, auto& value, const auto&...) {
    optional([&] { FieldReader(object).may_miss(name, value); });
  };
  if (const auto mask = object.find("mask"))
    mask->refuse("is of version 1; write \"causal\": true or false");
  Config config;
  const FieldReader sizes(object);
  sizes("d_model", config.d_model);
  sizes("n_heads", config.n_heads);
  sizes("d_k", config.d_k);
  sizes("d_v", config.d_v);
  config.d_out = config.d_model;
  sizes.may_miss("d_out", config.d_out);
  read("n_kv_heads", config.n_kv_heads);
  read("head_build", config.head_build);
  read("scale", config.scale);
  read("temperature", config.temperature);
  read("causal", config.mask.causal);
  for_each_variant(config, read);
  try {
    attention::validate(config);
  } catch (const std::invalid_argument& error) {
    object.refuse(error.what());
  }
  return config;
}

Side side_of(const Config& config, attention::Axis axis) {
  const bool concat = axis == attention::Axis::kConcat;
  return {axis_length(config, axis), concat ? "n_heads · d_v" : attention::axis_name(axis).data()};
}

// A parameter in `object`; what need not be there is a list.
SharedMatrix read_parameter(const JsonCursor& object, const Config& config,
                            const attention::MatrixInfo& info) {
  const Side rows = side_of(config, info.rows);
  const Side cols = side_of(config, column_axis(config, info.id));
  if (info.required) return SharedMatrix(read_matrix(object.at(info.name), rows, cols));
  const auto list = object.find(info.name);
  return list ? SharedMatrix(read_vector(*list, cols)) : SharedMatrix();
}

// Calls read(head) for each of the heads in list `name`.
template <typename Read>
void for_each_head(const JsonCursor& root, const char* name, Side count, Read&& read) {
  const JsonCursor heads = root.at(name).list();
  if (const std::size_t given = heads.value().size(); given != static_cast<std::size_t>(count.size))
    heads.refuse(should_be("heads", given, count));
  heads.for_each([&](const JsonCursor& head) { read(head.object()); });
}

// When every head has its own keys and values, "heads" holds them; else "kv_heads" does.
attention::Parameters read_parameters(const JsonCursor& root, const Config& config) {
  attention::Parameters parameters;
  const bool grouped = config.n_kv_heads != 0;
  const auto reader = [&](const JsonCursor& object) {
    return [&](const attention::MatrixInfo& info, SharedMatrix& matrix) {
      matrix = read_parameter(object, config, info);
    };
  };
  const auto read_kv_head = [&](const JsonCursor& head) {
    for_each_kv_matrix(parameters.kv_heads.emplace_back(), reader(head));
  };
  for_each_head(root, "heads", {config.n_heads, "n_heads"}, [&](const JsonCursor& head) {
    for_each_query_matrix(parameters.heads.emplace_back(), reader(head));
    if (!grouped) read_kv_head(head);
  });
  if (grouped) for_each_head(root, "kv_heads", {config.n_kv_heads, "n_kv_heads"}, read_kv_head);
  for_each_common_matrix(parameters, reader(root));
  return parameters;
}

// The numbers of a pair of query and key; empty where there are none.
SharedMatrix read_pairs(const JsonCursor& root, const char* name,
                        const attention::Problem& problem) {
  const auto matrix = root.find(name);
  if (!matrix) return {};
  return SharedMatrix(
      read_matrix(*matrix, {problem.seq_len(), "seq_len"}, {problem.kv_len(), "kv_len"}));
}

void read_allowed(const JsonCursor& root, attention::Problem& problem) {
  SharedMatrix allowed = read_pairs(root, "allowed", problem);
  if (allowed.empty()) return;
  if (!((allowed->array() == 0) || (allowed->array() == 1)).all())
    root.at("allowed").refuse("holds numbers other than 0 and 1");
  problem.allowed = std::move(allowed);
}

// [n × d_model]; a fill has a row for every position that could be needed.
SharedMatrix read_position_table(const JsonCursor& root, const char* name,
                                 const attention::Problem& problem) {
  const auto table = root.find(name);
  if (!table) return {};
  const Index needed = std::max(problem.seq_len(), problem.kv_len());
  const bool listed = table->value().is_array();
  const Index rows = listed ? static_cast<Index>(table->value().size()) : needed;
  if (rows < 1 || rows > Limits::kSeqLen)
    table->refuse(std::to_string(rows) + " rows, should be 1 … " + std::to_string(Limits::kSeqLen));
  return SharedMatrix(
      read_matrix(*table, {rows, "positions"}, {problem.config.d_model, "d_model"}));
}

void read_position_tables(const JsonCursor& root, attention::Problem& problem) {
  problem.position_table = read_position_table(root, "position_table", problem);
  problem.position_table_kv = read_position_table(root, "position_table_kv", problem);
}

std::vector<std::string> read_dimensions(const JsonCursor& root, Side d_model) {
  const auto list = root.find("dimensions");
  if (!list) return {};
  std::vector<std::string> names = list->texts();
  if (!names.empty() && names.size() != static_cast<std::size_t>(d_model.size))
    list->refuse(should_be("names", names.size(), d_model));
  return names;
}

// What is switched off could be switched on.
void read_switched_off(const JsonCursor& object, Document& document) {
  SwitchedOff off = JsonValue<SwitchedOff>::read(object);
  attention::Problem switched_on = document.problem;
  switched_on.head_mix = off.head_mix;
  switched_on.overrides = off.overrides;
  try {
    attention::validate(switched_on);
  } catch (const std::invalid_argument& error) {
    object.refuse(error.what());
  }
  document.switched_off = std::move(off);
}

Document read_document(const JsonCursor& root, const Optional& optional) {
  Document document;
  attention::Problem& problem = document.problem;
  const FieldReader members(root);
  const auto read_if_there = [&](const char* name, auto&& read) {
    if (const auto value = root.find(name)) optional([&] { read(*value, document); });
  };
  optional([&] { members.may_miss("title", document.title); });
  problem.config = read_config(root, optional);
  optional([&] {
    document.dimensions = read_dimensions(root, {problem.config.d_model, "d_model"});
  });
  read_sentences(root, document);
  problem.parameters = read_parameters(root, problem.config);
  optional([&] { problem.bias = read_pairs(root, "bias", problem); });
  optional([&] { read_allowed(root, problem); });
  optional([&] { read_position_tables(root, problem); });
  optional([&] { members.may_miss("head_mix", problem.head_mix); });
  optional([&] { members.may_miss("overrides", problem.overrides); });
  attention::validate(problem);
  read_if_there("switched_off", read_switched_off);
  read_if_there("set_aside", read_detached);
  read_if_there("batch", read_batch);
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
  nlohmann::json whole = parse_json(text, kMostJsonValues, watch);
  if (!whole.is_object()) throw BadInput(json_text(whole) + ", should be a session, an object");
  const JsonCursor root(whole);
  const std::uint64_t version = checked_version(root);
  Session session;
  session.newer = version > kSessionVersion;
  if (version < kSessionVersion) bring_up_to_date(whole, version);
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
  if (const auto view = root.find("view")) session.view = read_view(*view, session.notes);
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
