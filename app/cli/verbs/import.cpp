#include <CLI/CLI.hpp>
#include <memory>

#include "app/base/bad_input.h"
#include "app/cli/arguments.h"
#include "app/cli/help.h"
#include "app/cli/verb.h"
#include "app/document/workspace.h"
#include "app/files/import/import_file.h"
#include "app/files/io/bytes.h"
#include "app/files/io/paths.h"
#include "app/files/session/session.h"

namespace lab::cli {

namespace {

struct ImportOptions {
  std::string input;
  std::string file;
  std::string output;
  std::string matrix;
  std::string head;
  bool transpose = false;
  bool resize = false;
};

// The name of the file for messages.
std::string name_of(const ImportOptions& options) {
  return options.file == "-" ? "standard input" : in_quotes(files::file_name_of(options.file));
}

Expected<int> head_of(const ImportOptions& options, MatrixId id, const Document& document) {
  const std::string name(matrix_name(id));
  if (!is_per_head(id)) {
    if (options.head.empty()) return 0;
    return fail(ErrorType::kUsage, "--head: all heads share one " + name);
  }
  const auto& config = document.problem.config;
  const int heads = matrix_count(config, id);
  if (options.head.empty() && heads == 1) return 0;
  const auto head = whole_number(options.head);
  if (head && *head >= 1 && *head <= heads) return *head - 1;
  return fail(ErrorType::kUsage, "--head: " + name + " has heads 1 to " + std::to_string(heads) +
                                     (options.head.empty() ? "; choose one" : ""));
}

Expected<MatrixRef> index_of(const ImportOptions& options, const Document& document) {
  const auto id = matrix_from_name(options.matrix);
  if (!id)
    return fail(ErrorType::kUsage,
                options.matrix.empty()
                    ? name_of(options) + " is a matrix; choose which one to replace with --matrix"
                    : "--matrix: there is no " + in_quotes(options.matrix) +
                          "; \"attention-lab import --help\" lists them");
  const auto head = head_of(options, *id, document);
  if (!head) return tl::make_unexpected(head.error());
  return MatrixRef{*id, *head};
}

Expected<files::Import> commands_for(const ImportOptions& options, const Document& document,
                                     attention::Matrix values) {
  const auto ref = index_of(options, document);
  if (!ref) return tl::make_unexpected(ref.error());
  if (options.resize)
    return fail(ErrorType::kUsage,
                "--resize is for word vectors; " + name_of(options) +
                    " is a matrix, which must have the shape of the one it replaces");
  if (options.transpose) values = attention::Matrix(values.transpose());
  const attention::Shape shape{values.rows(), values.cols()};
  auto import = files::import_matrix(document, *ref, std::move(values), name_of(options));
  if (import || files::matrix_fit(document, *ref, shape) != files::MatrixFit::kTransposed)
    return import;
  const char* hint =
      options.transpose ? "; it fits without --transpose" : "; it fits with --transpose";
  return fail(import.error().type, import.error().message + hint);
}

Expected<files::Import> commands_for(const ImportOptions& options, const Document& document,
                                     const files::WordVectors& vectors) {
  if (!options.matrix.empty() || !options.head.empty() || options.transpose)
    return fail(ErrorType::kUsage,
                name_of(options) +
                    " contains word vectors, which are assigned by word; leave out "
                    "--matrix, --head and --transpose");
  auto import = files::import_vectors(document, vectors, name_of(options), options.resize);
  if (import || options.resize || vectors.dimension == document.problem.config.d_model ||
      vectors.rows.empty())
    return import;
  return fail(import.error().type, import.error().message + "; with --resize, d_model becomes " +
                                       std::to_string(vectors.dimension));
}

Expected<void> apply_import(Workspace& workspace, const files::Import& import) {
  for (const Command& command : import.commands)
    workspace.queue(intent::ApplyMerged{command, "import"});
  workspace.drain();
  if (workspace.message().empty()) return {};
  return fail(ErrorType::kBadInput, workspace.message());
}

Expected<void> import_file(const ImportOptions& options, VerbRun& run) {
  if (options.input == "-" && options.file == "-")
    return fail(ErrorType::kUsage, "only one of IN and FILE can be standard input");
  if (auto fits = files::check_session_path(options.output); !fits) return fits;
  auto opened = open_whole_input(options.input);
  if (!opened) return tl::make_unexpected(opened.error());
  Document& document = opened->document;
  auto read = files::read_import(options.file, files::words_in_use(document));
  if (!read) return fail(read.error().type, name_of(options) + ": " + read.error().message);
  const auto import = std::visit(
      [&](auto& values) { return commands_for(options, document, std::move(values)); }, *read);
  if (!import) return tl::make_unexpected(import.error());
  for (const std::string& note : import->notes) print_note(note);
  Workspace workspace(std::move(document));
  workspace.set_recorder([&run](const std::string& line) { run.record += line + "\n"; });
  if (auto done = apply_import(workspace, *import); !done)
    return fail(done.error().type, name_of(options) + ": " + done.error().message);
  return files::write_bytes(options.output,
                            files::write_session(workspace.document(), opened->view));
}

}  // namespace

Action declare_import(CLI::App& app) {
  const auto options = std::make_shared<ImportOptions>();
  set_help(
      app, "Imports a matrix or word vectors from FILE into IN and saves the session.",
      "import IN FILE -o OUT",
      "The kind of FILE is recognised by its content:\n"
      "  a matrix         .npy, or text with commas, semicolons, tabs or spaces between numbers;\n"
      "                   labels and comments are ignored; a list fits a matrix with one row\n"
      "  word vectors     GloVe or word2vec text format, one word per line: each word of the\n"
      "                   sentence gets its vector, or that of the word in lower case\n"
      "Matrices are X, X_kv, W_Q, W_K, W_V, W_O, b_Q, b_K, b_V, b_O, position_table, gamma, beta,\n"
      "norm_Q, norm_K, sink, mask (1: allowed), score_bias and position_table_kv (of the second\n"
      "sentence). Try:\n"
      "  attention-lab import refer colours.csv --matrix W_Q --head 2 -o session.json\n"
      "  attention-lab import refer glove.6B.50d.txt --resize -o session.json");
  add_input(app, options->input);
  app.add_option("FILE", options->file, "the matrix or the word vectors, or - for standard input")
      ->type_name("")
      ->required();
  app.add_option("-o,--output", options->output, "the session (JSON); - for standard output")
      ->type_name("OUT")
      ->required();
  app.add_option("--matrix", options->matrix, "the matrix to replace")->type_name("NAME");
  app.add_option("--head", options->head, "the head of that matrix, from 1")->type_name("N");
  app.add_flag("--transpose", options->transpose, "transpose the matrix first");
  app.add_flag("--resize", options->resize, "change d_model to the size of the word vectors");
  return [options](VerbRun& run) { return import_file(*options, run); };
}

}  // namespace lab::cli
