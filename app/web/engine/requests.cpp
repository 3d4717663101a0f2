// What a page can ask for, a record each.
#include "app/web/engine/requests.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string>

#include "app/base/bad_input.h"
#include "app/base/json_cursor.h"
#include "app/base/strict_json.h"
#include "app/base/typed_number.h"
#include "app/base/unicode_text.h"
#include "app/document/commands/command.h"
#include "app/document/words/new_tokens.h"
#include "app/files/document_session.h"
#include "app/files/open.h"
#include "app/files/session/session.h"
#include "app/files/tokenizer/tokenizer_file.h"
#include "app/translation/words.h"
#include "app/web/engine/describe.h"
#include "app/web/engine/engine.h"
#include "core/config.h"

namespace lab::web {
namespace {

using nlohmann::json;

// New words are as long as those that are there, as in the window.
Command command_of(Engine& engine, const json& request) {
  Command command = value_or_bad_input(files::read_command(request.at("command").dump()));
  return with_fitting_scale(engine.workspace().edited(), std::move(command));
}

/// The file whose bytes were put into the input, a session; "title" for one that has none.
json open_session(Engine& engine, const json& request) {
  files::Session session = value_or_bad_input(files::read_whole_session(engine.input()));
  engine.input().clear();
  if (session.document.title.empty()) session.document.title = request.value("title", "");
  engine.open(std::move(session.document), std::move(session.view));
  json answer = describe_state(engine.workspace());
  answer["notes"] = session.notes;
  if (engine.view()) answer["view"] = describe_view(*engine.view());
  return answer;
}

/// The session, as its file has it, into the output.
json save_session(Engine& engine, const json& request) {
  engine.output() =
      value_or_bad_input(files::document_session(engine.workspace().document(), engine.view()));
  Workspace& workspace = engine.workspace();
  if (request.value("mark", true)) workspace.queue(intent::MarkSaved{});
  return drained(engine);
}

/// The examples that the page carries, with "name" and "title".
json list_examples(Engine& /*engine*/, const json& /*request*/) {
  json list = json::array();
  for (const files::ExampleInfo& example : files::examples())
    list.push_back({{"name", example.name}, {"title", tr(example.title)}});
  return {{"examples", std::move(list)}};
}

/// The example "name".
json open_example(Engine& engine, const json& request) {
  files::Opened opened =
      value_or_bad_input(files::open_whole(request.at("name").get<std::string>()));
  engine.open(std::move(opened.document), std::move(opened.view));
  json answer = describe_state(engine.workspace());
  if (engine.view()) answer["view"] = describe_view(*engine.view());
  return answer;
}

/// A new layer on "sentence", with "d_model" and "heads" (d_k = d_v = d_model / heads) and random
/// weights from "seed".
json new_layer(Engine& engine, const json& request) {
  attention::Config config;
  config.d_model = request.value("d_model", config.d_model);
  config.n_heads = request.value("heads", config.n_heads);
  if (config.n_heads < 1 || config.d_model < config.n_heads)
    throw BadInput("a layer has at least one head, and each head one column");
  config.d_k = config.d_v = config.d_model / config.n_heads;
  config.d_out = config.d_model;
  const std::string sentence = request.at("sentence").get<std::string>();
  Document blank = make_document("word", config, request.value("seed", std::uint64_t{1}));
  attention::validate(config);
  engine.open(std::move(blank), {});
  engine.workspace().queue(intent::Apply{.command = SetSentence{sentence}});
  drained(engine);
  Document document = engine.workspace().document();
  engine.open(std::move(document), {});
  return describe_state(engine.workspace());
}

/// How it is viewed, which saving keeps: the selected cell, by "stage", "head" from 0 (0 of a stage
/// without heads), "row" and "col", and the "focused" head.
json set_view(Engine& engine, const json& request) {
  files::SessionView view = engine.view().value_or(files::SessionView{});
  const auto stage = attention::stage_from_name(request.at("stage").get<std::string>());
  if (!stage) throw BadInput("there is no such stage");
  const int head = request.at("head").get<int>();
  view.head = request.value("focused", head);
  view.selected = {*stage, head, request.at("row").get<int>(), request.at("col").get<int>()};
  engine.set_view(std::move(view));
  return json::object();
}

json describe(Engine& engine, const json& /*request*/) {
  return describe_state(engine.workspace());
}

/// "command" is shown, in place of an earlier preview, until "commit" or "cancel".
json preview(Engine& engine, const json& request) {
  engine.workspace().queue(intent::Preview{command_of(engine, request)});
  return drained(engine);
}
json commit(Engine& engine, const json& /*request*/) {
  engine.workspace().queue(intent::Commit{});
  return drained(engine);
}
json cancel(Engine& engine, const json& /*request*/) {
  engine.workspace().queue(intent::Cancel{});
  return drained(engine);
}
/// "command" becomes a step, or part of the newest one if that has the same "merge".
json apply_command(Engine& engine, const json& request) {
  const std::string merge = request.value("merge", "");
  if (merge.empty()) {
    engine.workspace().queue(intent::Apply{.command = command_of(engine, request)});
  } else {
    engine.workspace().queue(
        intent::ApplyMerged{.command = command_of(engine, request), .merge_key = merge});
  }
  return drained(engine);
}
json undo(Engine& engine, const json& /*request*/) {
  engine.workspace().queue(intent::Undo{});
  return drained(engine);
}
json redo(Engine& engine, const json& /*request*/) {
  engine.workspace().queue(intent::Redo{});
  return drained(engine);
}
/// To the state with that number, of those that "history" of the state lists.
json jump(Engine& engine, const json& request) {
  engine.workspace().queue(intent::JumpTo{request.at("state").get<std::size_t>()});
  return drained(engine);
}

/// "stage" and "matrix" by name, "head", "row" and "col" from 0.
json explain_cell(Engine& engine, const json& request) {
  return describe_cell(engine.workspace(), request.at("stage").get<std::string>(),
                       request.at("head").get<attention::Index>(),
                       request.at("row").get<attention::Index>(),
                       request.at("col").get<attention::Index>());
}
json labels_of_matrix(Engine& engine, const json& request) {
  return describe_matrix(engine.workspace(), request.at("matrix").get<std::string>());
}

json colours(Engine& /*engine*/, const json& /*request*/) { return describe_colours(); }

/// The number that a person has typed; none when it is no number.
json read_number(Engine& /*engine*/, const json& request) {
  const std::optional<float> value = parse_typed_number(request.at("text").get<std::string>());
  return {{"value", value ? json(*value) : json()}};
}

/// "language": its code. Numbers in texts have its decimal mark.
json use_language(Engine& engine, const json& request) {
  const auto language = language_from_name(request.at("language").get<std::string>());
  if (!language) throw BadInput("there is no such language");
  if (const std::string problem = set_language(*language, files::assets_folder()); !problem.empty())
    throw BadInput(problem);
  set_decimal_comma(*language == Language::kGerman);
  return describe_state(engine.workspace());
}

constexpr std::array kDocumentRequests = std::to_array<Request>({
    {"open", open_session},
    {"save", save_session},
    {"examples", list_examples},
    {"example", open_example},
    {"new", new_layer},
    {"view", set_view},
    {"state", describe},
    {"preview", preview},
    {"commit", commit},
    {"cancel", cancel},
    {"apply", apply_command},
    {"undo", undo},
    {"redo", redo},
    {"jump", jump},
    {"explain", explain_cell},
    {"matrix", labels_of_matrix},
    {"colours", colours},
    {"number", read_number},
    {"language", use_language},
});

}  // namespace

std::span<const Request> document_requests() { return kDocumentRequests; }

json drained(Engine& engine) {
  Workspace& workspace = engine.workspace();
  workspace.drain();
  if (!workspace.message().empty()) throw BadInput(workspace.message());
  return describe_state(workspace);
}

json answer_request(Engine& engine, std::string_view request) {
  const json asked = json::parse(request);
  const std::string name = asked.at("do").get<std::string>();
  for (const auto table : {document_requests(), question_requests(), model_requests(),
                           lesson_requests(), training_requests()})
    for (const Request& known : table)
      if (known.name == name) return known.answer(engine, asked);
  throw BadInput("there is no request " + in_quotes(name));
}

}  // namespace lab::web
