#include "app/cli/figure_token_arguments.h"

#include <CLI/CLI.hpp>

#include "app/base/bad_input.h"
#include "app/cli/lookup.h"
#include "app/document/stage_labels.h"
#include "app/document/token_choice.h"

namespace lab::cli {
namespace {

using attention::Index;
using attention::Stage;
using Words = std::vector<std::string>;

Expected<void> read_choice(const char* option, const std::string& text, const Words& labels,
                           std::vector<Index>& chosen) {
  if (text.empty()) return {};
  auto read = chosen_tokens(text, labels);
  if (!read) return fail(ErrorKind::kUsage, option + (": " + read.error().message));
  if (read->empty()) return fail(ErrorKind::kUsage, std::string(option) + " chooses no token");
  chosen = std::move(*read);
  return {};
}

// Tokens may contain "=", so try each as the separator.
Expected<void> read_name(const std::string& text, const Document& document,
                         figure::FigureOptions& options) {
  const Words queries = row_labels(document, Stage::kQ), keys = row_labels(document, Stage::kK);
  for (std::size_t at = text.find('='); at != text.npos; at = text.find('=', at + 1)) {
    const std::string token = text.substr(0, at), name = text.substr(at + 1);
    const auto query = find_label(queries, token, "--name");
    const auto key = document.problem.cross() ? find_label(keys, token, "--name") : query;
    if (!query && !key) continue;
    if (query) options.names.push_back({false, query->index, name});
    if (key && document.problem.cross()) options.names.push_back({true, key->index, name});
    return {};
  }
  return fail(ErrorKind::kUsage, "--name is " + in_quotes(text) +
                                     " but should be TOKEN=NAME with a token of the sentence, such "
                                     "as it=pronoun");
}

}  // namespace

void add_figure_token_options(CLI::App& app, FigureTokenArguments& arguments) {
  const auto add = [&app](const char* name, auto& value, const char* type, const char* text) {
    return app.add_option(name, value, text)->type_name(type)->group("For figures");
  };
  add("--tokens", arguments.tokens, "LIST",
      "show only these tokens: words, positions and ranges, such as\n2-7,animal (all)");
  add("--queries", arguments.queries, "LIST", "show only these queries (those of --tokens)");
  add("--keys", arguments.keys, "LIST",
      "show only these keys (those of --tokens; of the second sentence in\ncross-attention)");
  add("--name", arguments.names, "TOKEN=NAME",
      "call this token by that name, \"\" for none; may be repeated")
      ->allow_extra_args(false);
  add("--labels", arguments.labels, "L", "which labels to write: all, rows, columns or none (all)");
  app.add_flag("--letters", arguments.letters, "put (a), (b) … before the titles of several maps")
      ->group("For figures");
}

Expected<void> read_labels(const FigureTokenArguments& arguments, figure::FigureOptions& options) {
  const std::string& labels = arguments.labels;
  if (labels != "all" && labels != "rows" && labels != "columns" && labels != "none")
    return fail(ErrorKind::kUsage,
                "--labels is " + in_quotes(labels) + " but should be all, rows, columns or none");
  options.row_labels = labels == "all" || labels == "rows";
  options.column_labels = labels == "all" || labels == "columns";
  options.letters = arguments.letters;
  return {};
}

Expected<void> read_tokens(const FigureTokenArguments& arguments, const Document& document,
                           figure::FigureOptions& options) {
  const Words queries = row_labels(document, Stage::kQ), keys = row_labels(document, Stage::kK);
  const bool second = document.problem.cross();
  for (const Expected<void>& read :
       {read_choice("--tokens", arguments.tokens, queries, options.queries),
        read_choice("--tokens", second ? "" : arguments.tokens, keys, options.keys),
        read_choice("--queries", arguments.queries, queries, options.queries),
        read_choice("--keys", arguments.keys, keys, options.keys)})
    if (!read) return read;
  for (const std::string& name : arguments.names)
    if (auto read = read_name(name, document, options); !read) return read;
  return {};
}

}  // namespace lab::cli
