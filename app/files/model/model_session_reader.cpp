#include <algorithm>
#include <filesystem>

#include "app/base/strict_json.h"
#include "app/document/model/adapter_gain.h"
#include "app/document/model/layer_name.h"
#include "app/document/training/task_title.h"
#include "app/document/training/training_document.h"
#include "app/embedded_session/embedded_session.h"
#include "app/files/import/import_file.h"
#include "app/files/io/bytes.h"
#include "app/files/model/json/model_edits_json.h"
#include "app/files/model/json/model_texts_json.h"
#include "app/files/model/json/named_model_json.h"
#include "app/files/model/model_list.h"
#include "app/files/model/model_session.h"
#include "app/files/session/view_json.h"
#include "app/files/training/run_folder.h"

namespace lab::files {
namespace {

using attention::Index;
using attention::network::Network;

constexpr std::size_t kLargestModelSession = std::size_t{1} << 28;

void check_model_version(const JsonCursor& root) {
  const auto type = root.find("type");
  if (!type) throw BadInput("type: missing, should be " + in_quotes(kModelSessionType));
  if (type->value() != kModelSessionType) type->wrong(in_quotes(kModelSessionType));
  const JsonCursor version = root.at("version");
  if (version.seed() == 0) version.wrong("a whole number from 1");
  if (version.seed() > kModelSessionVersion)
    throw BadInput("the session is of version " + std::to_string(version.seed()) +
                   ", newer than this program, which knows version " +
                   std::to_string(kModelSessionVersion));
}

void read_layer(const JsonCursor& value, ModelDocument& document) {
  const std::string name = value.text();
  document.layer = layer_from_name(name);
  if (!document.layer) value.refuse("the model has no layer " + in_quotes(name));
  if (find_attention(document.network, *document.layer) == nullptr)
    value.refuse(without_attention(document.network, *document.layer));
}

void read_adapter_gain(const JsonCursor& value, ModelDocument& document) {
  auto adapted = reduce(document, SetAdapterGain{value.number()});
  if (!adapted) value.refuse(adapted.error().message);
  document = std::move(*adapted);
}

// Messages call what is switched off "weights" too.
void read_edits_of_weights(const JsonCursor& object, Network& network) {
  if (const auto weights = object.find("weights"))
    read_weight_edits(JsonCursor(weights->value(), std::string("weights")), network);
}

void read_edits(const JsonCursor& root, ModelDocument& document) {
  if (const auto gain = root.find("adapter_gain")) read_adapter_gain(*gain, document);
  if (const auto layer = root.find("layer")) read_layer(*layer, document);
  document.interventions = read_interventions(root, document.network);
  read_edits_of_weights(root, document.network);
  if (const auto off = root.find("switched_off")) {
    off->object_of({"gains", "overrides", "patches", "stream", "weights"});
    document.switched_off = read_interventions(*off, document.network);
    if (off->has("weights")) {
      document.weights_off = unedited_network(document);
      read_edits_of_weights(*off, *document.weights_off);
    }
  }
  read_cell_edits(root, document);
}

std::vector<std::string_view> members_of_session() {
  std::vector<std::string_view> names = members_of_text();
  for (const char* name :
       {"type", "version", "model", "adapter_gain", "layer", "gains", "weights", "batch", "view"})
    names.emplace_back(name);
  return names;
}

// Where the model is now.
Expected<std::string> folder_of(const NamedModel& named, const ModelChoice& choice) {
  if (!choice.folder.empty()) return model_folder(choice.folder);
  if (is_model_path(named.folder)) return named.folder;
  for (const ModelInfo& model : list_models())
    if (!named.name.empty() && model.name == named.name) return model.folder;
  return tl::make_unexpected(Error{
      ErrorType::kIo, "the model is no longer in " + in_quotes(named.folder), Remedy::kFolder});
}

// "the weights in … are not those that …"; empty when the model is the one of the session.
std::string difference_from(const NamedModel& named, const ModelSession& session) {
  const std::string folder = in_quotes(session.model->folder);
  if (session.weights == named.weights) {
    const bool same = !named.config || named.config == session.config;
    return same ? ""
                : "config.json in " + folder + " is not the one that the session was made with";
  }
  std::string which;
  for (const WeightsHash& hash : session.weights)
    if (std::ranges::find(named.weights, hash) == named.weights.end())
      which += (which.empty() ? "" : ", ") + hash.file;
  return "the weights in " + folder + " are not those that the session was made with" +
         (which.empty() ? "" : " (" + which + ")");
}

Expected<void> check_model(const NamedModel& named, const ModelChoice& choice,
                           ModelSession& session) {
  const std::string what = difference_from(named, session);
  if (what.empty()) return {};
  if (!choice.changed)
    return tl::make_unexpected(Error{ErrorType::kBadInput, what, Remedy::kFolderOrOpen});
  session.notes.push_back(what + "; its edits are made in what is there");
  return {};
}

// A run may have been moved together with its session.
std::string run_folder(const NamedModel& named, const ModelChoice& choice) {
  if (!choice.folder.empty()) return choice.folder;
  if (choice.beside.empty()) return named.folder;
  const auto name = std::filesystem::path(named.folder).filename();
  const std::string beside = (std::filesystem::path(choice.beside) / name).string();
  return is_saved_run(beside) ? beside : named.folder;
}

// The model at the step of its run, whose states may have been thinned out since.
Expected<ModelSession> opened_with_run(const NamedModel& named, const ModelChoice& choice) {
  const std::string folder = run_folder(named, choice);
  if (!is_saved_run(folder))
    return tl::make_unexpected(Error{ErrorType::kIo,
                                     "the run of training is no longer in " + in_quotes(folder),
                                     Remedy::kFolder});
  ModelSession session;
  auto run = open_run(folder, session.notes);
  if (!run) return tl::make_unexpected(run.error());
  if (!choice.beside.empty()) (*run)->note_saved(folder, (*run)->taken());
  const auto type = (*run)->options().task.type;
  auto source = run_source(std::move(*run), task_title(type));
  if (!source) return tl::make_unexpected(source.error());
  session.document.source = std::move(*source);
  session.document.network = session.document.source->network;
  auto at = at_step(session.document, named.training->branch,
                    static_cast<std::uint64_t>(named.training->step));
  if (!at) return tl::make_unexpected(at.error());
  session.document = std::move(*at);
  return session;
}

Expected<ModelSession> opened_with_model(const NamedModel& named, const ModelChoice& choice,
                                         attention::WorkWatch* watch) {
  if (named.training) return opened_with_run(named, choice);
  const auto folder = folder_of(named, choice);
  if (!folder) return tl::make_unexpected(folder.error());
  attention::expect_work(watch, work_of_opening(*folder) + size_of_weights(*folder));
  auto model = open_model(*folder, watch);
  if (!model) return tl::make_unexpected(model.error());
  ModelSession session;
  session.model = std::make_shared<const Model>(std::move(*model));
  if (auto hashed = add_hashes(session, watch); !hashed) return tl::make_unexpected(hashed.error());
  session.notes.insert(session.notes.end(), session.model->notes.begin(),
                       session.model->notes.end());
  session.document.source = session.model;
  session.document.network = session.model->network;
  if (auto same = check_model(named, choice, session); !same)
    return tl::make_unexpected(same.error());
  return session;
}

// The session that a figure embeds; other bytes as they are.
std::string session_text(const std::string& bytes) {
  return embedded_session::session_of_figure(bytes).value_or(bytes);
}

}  // namespace

bool is_model_session(const std::string& path) {
  if (path == "-") {
    const auto input = peek_standard_input();
    return input && file_type(session_text(*input)) == FileType::kModelSession;
  }
  const auto type = file_type_at(path);
  if (!type || *type != FileType::kFigure) return type && *type == FileType::kModelSession;
  const auto figure = read_bytes(path);
  return figure && file_type(session_text(*figure)) == FileType::kModelSession;
}

Expected<ModelSession> read_model_session(std::string_view text, const ModelChoice& choice,
                                          attention::WorkWatch* watch) {
  const auto json = guarded([&] {
    if (text.size() > kLargestModelSession)
      throw BadInput(std::to_string(text.size()) + " bytes; a session has at most " +
                     std::to_string(kLargestModelSession));
    nlohmann::json parsed = parse_json(text);
    const JsonCursor session(parsed, "the session");
    check_model_version(session.object());
    session.object_of(members_of_session());
    return parsed;
  });
  if (!json) return tl::make_unexpected(json.error());
  const JsonCursor root(*json);
  const auto named = guarded([&] { return JsonValue<NamedModel>::read(root.at("model")); });
  if (!named) return tl::make_unexpected(named.error());
  auto session = opened_with_model(*named, choice, watch);
  if (!session) return session;
  const auto read = guarded([&] {
    read_texts(root, session->document, session->notes);
    read_edits(root, session->document);
    if (const auto batch = root.find("batch"))
      read_model_batch(*batch, session->document, session->notes);
    if (const auto view = root.find("view")) session->view = read_view(*view, session->notes);
    return true;
  });
  if (!read) return tl::make_unexpected(read.error());
  return session;
}

Expected<void> add_hashes(ModelSession& session, attention::WorkWatch* watch) {
  if (!session.weights.empty() || !session.model) return {};
  auto weights = weights_hashes(session.model->checkpoint, watch);
  if (!weights) return tl::make_unexpected(weights.error());
  session.weights = std::move(*weights);
  session.config = session.model->config;
  return {};
}

Expected<ModelSession> open_model_session(const std::string& path, const ModelChoice& choice,
                                          attention::WorkWatch* watch) {
  const auto bytes = read_bytes(path);
  if (!bytes) return tl::make_unexpected(bytes.error());
  ModelChoice there = choice;
  if (path != "-") there.beside = std::filesystem::absolute(path).parent_path().string();
  auto session = read_model_session(session_text(*bytes), there, watch);
  const std::string prefix = (path == "-" ? "standard input" : in_quotes(path)) + ": ";
  if (!session) {
    Error error = session.error();
    error.message.insert(0, prefix);
    return tl::make_unexpected(std::move(error));
  }
  for (std::string& note : session->notes) note.insert(0, prefix);
  return session;
}

}  // namespace lab::files
