#include <CLI/CLI.hpp>
#include <memory>

#include "app/cli/arguments.h"
#include "app/cli/command_lines.h"
#include "app/cli/help.h"
#include "app/cli/verb.h"
#include "app/document/words/aside_text.h"
#include "app/document/workspace.h"
#include "app/files/io/bytes.h"
#include "app/files/io/paths.h"
#include "app/files/session/session.h"

namespace lab::cli {

namespace {

struct ApplyOptions {
  std::string input;
  std::string commands;
  std::string output;
};

Expected<void> apply_commands(const ApplyOptions& options, VerbRun& run) {
  if (options.input == "-" && options.commands == "-") {
    return fail(ErrorKind::kUsage, "only one of IN and COMMANDS can be standard input");
  }
  if (auto fits = files::check_session_path(options.output); !fits) return fits;
  auto opened = open_whole_input(options.input);
  if (!opened) return tl::make_unexpected(opened.error());
  const auto text = files::read_bytes(options.commands, kLargestCommandFile);
  if (!text) return tl::make_unexpected(text.error());

  const Document before = opened->document;
  Workspace workspace(std::move(opened->document));
  workspace.set_recorder([&run](const std::string& line) { run.record += line + "\n"; });
  const std::string name = command_file_name(options.commands);
  if (auto applied = apply_lines(workspace, *text, name); !applied) return applied;
  const AsideNews news = aside_news(before, workspace.document());
  if (!news.empty()) print_note(aside_text(news));
  return files::write_bytes(options.output,
                            files::write_session(workspace.document(), opened->view));
}

}  // namespace

Action declare_apply(CLI::App& app) {
  const auto options = std::make_shared<ApplyOptions>();
  set_help(
      app, "Applies a list of edits to IN and saves the result as a session.",
      "apply IN COMMANDS -o OUT",
      "COMMANDS has one JSON object per line; empty lines and lines that start with # are\n"
      "skipped. If a line fails, the error names its number and nothing is saved. For example:\n"
      "  {\"do\":\"set_sentence\",\"text\":\"The cat sat\"}\n"
      "  {\"do\":\"set_cell\",\"matrix\":\"W_Q\",\"head\":2,\"row\":0,\"col\":1,\"value\":0.5}\n"
      "  {\"do\":\"undo\"}\n"
      "  {\"do\":\"redo\"}\n"
      "To write such a file, run the window or any verb with --record. All commands and their\n"
      "members; those in brackets are optional and keep their value when left out:\n"
      "  set_sentence text [new_word_scale]\n"
      "  set_kv_sentence text (empty: no second sentence)\n"
      "  set_shared_words on (equal words of both sentences have one vector)\n"
      "  set_token_mode mode             set_size size value (d_model n_heads n_kv_heads d_k d_v)\n"
      "  set_head_build build            set_scale on\n"
      "  set_temperature value           set_mask [causal key_count window]\n"
      "  fill_mask allowed               set_biases on\n"
      "  set_positions [kind base pairs]\n"
      "  set_dropout [rate seed]         set_residual on\n"
      "  set_layer_norm [on epsilon]     set_head_mix head [mute solo scale]\n"
      "  set_override stage head row col value\n"
      "  remove_override stage head row col\n"
      "  clear_overrides\n"
      "  set_cell matrix head row col value\n"
      "  set_block matrix head row col values ([[1, 2], [3, 4]]: starting at row and col)\n"
      "  fill_matrix matrix head fill seed [value]\n"
      "Matrices are X, X_kv, W_Q, W_K, W_V, W_O, b_Q, b_K, b_V, b_O, position_table, gamma, beta,\n"
      "mask (1: allowed), score_bias and position_table_kv (of the second sentence). head counts\n"
      "from 1; give it only for matrices with one copy per head.");
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
