#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>

#include "app/cli/command_lines.h"
#include "app/cli/help.h"
#include "app/cli/model/model_apply.h"
#include "app/cli/model/model_run.h"
#include "app/cli/verb.h"
#include "app/document/commands/command_help.h"
#include "app/document/words/detached_text.h"
#include "app/document/workspace.h"
#include "app/files/io/bytes.h"
#include "app/files/io/paths.h"
#include "app/files/session/session.h"

namespace lab::cli {

namespace {

constexpr std::size_t kMemberColumn = 20, kHelpWidth = 100;

// `words`, broken at blanks, from that column on; the first line continues one that is `used` wide.
std::string wrapped(const std::string& words, std::size_t used, std::size_t column) {
  std::string text;
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = std::min(words.find(' ', at), words.size());
    if (used + (end - at) > kHelpWidth) {
      text += "\n" + std::string(column, ' ');
      used = column;
    }
    text += words.substr(at, end - at) + (end < words.size() ? " " : "");
    used += end - at + 1;
    at = end + 1;
  }
  return text;
}

// A line for each member of each command: "  set_scale         on: true or false".
std::string commands_help() {
  std::string text;
  for (const CommandHelp& command : all_command_helps()) {
    std::string start = "  " + std::string(command.name);
    if (command.members.empty()) text += start + "\n";
    for (const MemberHelp& member : command.members) {
      start.resize(kMemberColumn, ' ');
      const std::string name = member.optional ? "[" + member.name + "]: " : member.name + ": ";
      text += start + name;
      text += wrapped(member.values, kMemberColumn + name.size(), kMemberColumn + 4) + "\n";
      start.clear();
    }
  }
  return text;
}

struct ApplyOptions {
  std::string input;
  std::string commands;
  std::string output;
  ModelArguments model;
};

Expected<void> apply_to_model_input(const ApplyOptions& options, VerbRun& run) {
  const auto text = files::read_text_file(options.commands, kLargestCommandFile);
  if (!text) return tl::make_unexpected(text.error());
  const auto session = apply_to_model(options.input, options.model,
                                      {*text, command_file_name(options.commands)}, run.record);
  if (!session) return tl::make_unexpected(session.error());
  return files::write_bytes(options.output, *session);
}

Expected<void> apply_commands(const ApplyOptions& options, VerbRun& run) {
  if (options.input == "-" && options.commands == "-") {
    return fail(ErrorType::kUsage, "only one of IN and COMMANDS can be standard input");
  }
  if (auto fits = files::check_session_path(options.output); !fits) return fits;
  if (is_model(options.input)) return apply_to_model_input(options, run);
  if (auto none = check_no_model_arguments(options.input, options.model); !none) return none;
  auto opened = open_whole_input(options.input);
  if (!opened) return tl::make_unexpected(opened.error());
  const auto text = files::read_text_file(options.commands, kLargestCommandFile);
  if (!text) return tl::make_unexpected(text.error());

  const Document before = opened->document;
  Workspace workspace(History::for_replay(std::move(opened->document)));
  workspace.set_recorder([&run](const std::string& line) { run.record += line + "\n"; });
  const std::string name = command_file_name(options.commands);
  if (auto applied = apply_lines(workspace, *text, name); !applied) return applied;
  const DetachedReport report = detached_report(before, workspace.document());
  if (!report.empty()) print_note(detached_text(report));
  if (before.tokens != workspace.document().tokens) print_unread(workspace.document());
  return files::write_bytes(options.output,
                            files::write_session(workspace.document(), opened->view));
}

}  // namespace

Action declare_apply(CLI::App& app) {
  const auto options = std::make_shared<ApplyOptions>();
  set_help(
      app, "Applies a list of edits to IN and saves the result as a session.",
      "apply IN COMMANDS -o OUT",
      std::string(
          "COMMANDS has one JSON object per line; empty lines and lines that start with # are\n"
          "skipped. If a line fails, the error names its number and nothing is saved. For "
          "example:\n"
          "  {\"do\":\"set_sentence\",\"text\":\"The cat sat\"}\n"
          "  "
          "{\"do\":\"set_cell\",\"matrix\":\"W_Q\",\"head\":2,\"row\":0,\"col\":1,\"value\":0.5}\n"
          "  {\"do\":\"undo\"}\n"
          "  {\"do\":\"redo\"}\n"
          "To write such a file, run the window or any verb with --record. head counts from 1.\n"
          "\n"
          "If IN is a model, or a session of one, \"layer\" says where: \"3\", \"cross.0\" or\n"
          "\"encoder.1\", from 0; without it, the layer of --layer. There, heads count from 0 "
          "too:\n"
          "  {\"layer\":\"1\",\"do\":\"set_head_mix\",\"head\":0,\"mute\":true}\n"
          "Weights, biases, mixes of heads, and overrides of X and of all stages from Q to output\n"
          "can be edited, and the text with set_sentence; with two stacks that of the decoder,\n"
          "and that of the encoder with set_kv_sentence. add_sentence, go_to_sentence, which\n"
          "counts from 1, and remove_sentence are about several texts. switch_edit takes the\n"
          "effect of an edit away for now.\n"
          "\n"
          "An empty text in set_kv_sentence removes the second sentence; set_block and\n"
          "set_overrides start at row and col; in mask, 1 is allowed. All commands and their\n"
          "members, with the values that they take; those in brackets are\n"
          "optional and keep their value when left out; without new_word_scale, new words\n"
          "get vectors as long as those of the sentence:\n") +
          commands_help());
  add_model_options(app, options->model);
  add_layer_option(app, options->model,
                   "the layer of the lines that name none, from 0; in models with\ntwo stacks also "
                   "cross.0 and encoder.0");
  add_input(app, options->input);
  app.add_option("COMMANDS", options->commands, "the edits, or - for standard input")
      ->type_name("")
      ->required();
  app.add_option("-o,--output", options->output, "the session (JSON); - for standard output")
      ->type_name("OUT")
      ->required();
  return [options](VerbRun& run) { return apply_commands(*options, run); };
}

}  // namespace lab::cli
