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
#include "app/files/session/session.h"
#include "app/translation/words.h"
#include "app/web/engine/describe.h"
#include "app/web/engine/engine.h"

namespace lab::web {
namespace {

using nlohmann::json;

constexpr const char* kAssets = "/assets";  // where a page keeps the files of the program

// What queued intents have led to: the new state, or why they were refused.
json drained(Engine& engine) {
  Workspace& workspace = engine.workspace();
  workspace.drain();
  if (!workspace.message().empty()) throw BadInput(workspace.message());
  return describe_state(workspace);
}

Command command_of(const json& request) {
  return value_or_bad_input(command_from_json_line(request.at("command").dump()));
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
json save_session(Engine& engine, const json& /*request*/) {
  engine.output() = files::write_session(engine.workspace().document(), engine.view());
  Workspace& workspace = engine.workspace();
  workspace.queue(intent::MarkSaved{});
  return drained(engine);
}

json describe(Engine& engine, const json& /*request*/) {
  return describe_state(engine.workspace());
}

/// "command" is shown, in place of an earlier preview, until "commit" or "cancel".
json preview(Engine& engine, const json& request) {
  engine.workspace().queue(intent::Preview{command_of(request)});
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
    engine.workspace().queue(intent::Apply{.command = command_of(request)});
  } else {
    engine.workspace().queue(
        intent::ApplyMerged{.command = command_of(request), .merge_key = merge});
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
  if (const std::string problem = set_language(*language, kAssets); !problem.empty())
    throw BadInput(problem);
  set_decimal_comma(*language == Language::kGerman);
  return describe_state(engine.workspace());
}

struct Request {
  std::string_view name;
  json (*answer)(Engine& engine, const json& request);
};

constexpr std::array kRequests = std::to_array<Request>({
    {"open", open_session},
    {"save", save_session},
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

json answer_request(Engine& engine, std::string_view request) {
  const json asked = json::parse(request);
  const std::string name = asked.at("do").get<std::string>();
  for (const Request& known : kRequests)
    if (known.name == name) return known.answer(engine, asked);
  throw BadInput("there is no request " + in_quotes(name));
}

}  // namespace lab::web
