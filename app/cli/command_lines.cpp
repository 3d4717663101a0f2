#include "app/cli/command_lines.h"

#include <algorithm>

#include "app/base/bad_input.h"
#include "app/base/strings.h"
#include "app/document/commands/command_json.h"
#include "app/document/words/new_tokens.h"
#include "app/files/tokenizer/tokenizer_file.h"

namespace lab::cli {
namespace {

Expected<Intent> read_intent(std::string_view line, const Workspace& workspace) {
  const History& history = workspace.history();
  const std::string keyword = history_keyword(line);
  if (keyword == "undo") {
    if (!history.can_undo()) return fail(ErrorType::kBadInput, "there is nothing to undo");
    return intent::Undo{};
  }
  if (keyword == "redo") {
    if (!history.can_redo()) return fail(ErrorType::kBadInput, "there is nothing to redo");
    return intent::Redo{};
  }
  const auto command = files::read_command(line);
  if (!command) return tl::make_unexpected(command.error());
  return intent::Apply{with_fitting_scale(workspace.document(), *command)};
}

std::string step_label(const Intent& intent) {
  if (std::holds_alternative<intent::Undo>(intent)) return "Undo";
  const auto* apply = std::get_if<intent::Apply>(&intent);
  return apply == nullptr ? "Redo" : command_label(apply->command);
}

// Returns the label of the step.
Expected<std::string> apply_line(Workspace& workspace, std::string_view line) {
  auto intent = read_intent(line, workspace);
  if (!intent) return tl::make_unexpected(intent.error());
  std::string label = step_label(*intent);
  workspace.queue(std::move(*intent));
  workspace.drain();
  if (workspace.message().empty()) return label;
  return fail(ErrorType::kBadInput, workspace.message());
}

}  // namespace

std::string command_file_name(const std::string& path) {
  return path == "-" ? "standard input" : in_quotes(path);
}

std::string history_keyword(std::string_view line) {
  try {
    const nlohmann::json object = parse_command_json(line);
    if (!object.is_object() || object.size() != 1 || !object.contains("do")) return {};
    const nlohmann::json& keyword = object["do"];
    return keyword == "undo" || keyword == "redo" ? keyword.get<std::string>() : "";
  } catch (const std::invalid_argument&) {
    return {};  // reported when the line is parsed as a command
  }
}

Expected<void> for_each_command_line(
    std::string_view text, const std::function<Expected<void>(std::string_view, int)>& apply) {
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.front() == '#') continue;
    if (auto done = apply(line, number); !done) return done;
  }
  return {};
}

tl::unexpected<Error> error_in_line(const std::string& name, int number, const Error& error) {
  return fail(error.type, name + ", line " + std::to_string(number) + ": " + error.message);
}

Expected<void> apply_lines(Workspace& workspace, std::string_view text, const std::string& name,
                           const std::function<Expected<void>(const std::string& step)>& then) {
  return for_each_command_line(text, [&](std::string_view line, int number) -> Expected<void> {
    const auto step = apply_line(workspace, line);
    if (!step) return error_in_line(name, number, step.error());
    return then ? then(*step) : Expected<void>();
  });
}

}  // namespace lab::cli
