#include "app/cli/figure_content_arguments.h"
#include "app/base/strings.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "app/base/bad_input.h"
#include "app/cli/arguments.h"
#include "app/cli/lookup.h"
#include "app/cli/text.h"
#include "app/cli/verb.h"
#include "app/document/matrix_labels.h"
#include "app/document/token_choice.h"

namespace lab::cli {
namespace {

using attention::Index;
using attention::Stage;
using figure::FigureType;

bool is_of_maps(FigureType type) {
  return type != FigureType::kLines && type != FigureType::kArithmetic;
}

// The type of the preset, as far as no option chooses another one.
FigureType preset_type(const FigureContentArguments& arguments, FigureType type) {
  const bool of_heads = type == FigureType::kHeads || type == FigureType::kTwoHeads ||
                        type == FigureType::kMean || type == FigureType::kMaximum;
  if (of_heads && arguments.head.empty()) return type;
  if (type == FigureType::kPipeline && arguments.stage.empty()) return type;
  return is_of_maps(type) ? FigureType::kMap : type;
}

Expected<void> read_type(const FigureContentArguments& arguments, figure::FigureOptions& options) {
  if (arguments.type.empty()) {
    options.type = preset_type(arguments, options.type);
  } else if (arguments.type == "map") {
    options.type = FigureType::kMap;
  } else if (arguments.type == "lines") {
    options.type = FigureType::kLines;
  } else if (arguments.type == "arithmetic") {
    options.type = FigureType::kArithmetic;
  } else {
    return fail(ErrorType::kUsage, "--kind is " + in_quotes(arguments.type) +
                                       " but should be map, lines or arithmetic");
  }
  const bool needs_cell = options.type == FigureType::kArithmetic;
  if (needs_cell && (arguments.row.empty() || arguments.column.empty()))
    return fail(ErrorType::kUsage, "--kind arithmetic needs the cell: --row and --col");
  return {};
}

bool chooses_tokens(const FigureTokenArguments& arguments) {
  FigureTokenArguments names;  // which figures of every type have
  names.names = arguments.names;
  return arguments != names;
}

// Rejects options that the chosen type would ignore.
Expected<void> check_type(const FigureContentArguments& arguments, figure::FigureOptions& options) {
  const bool lines = options.type == FigureType::kLines, map = is_of_maps(options.type);
  const std::pair<bool, const char*> kProblems[] = {
      {!map && !arguments.against.empty(), "--against compares maps; leave out --kind"},
      {!map && !arguments.marks.empty(), "--mark frames cells of maps; leave out --kind"},
      {lines && !arguments.stage.empty() && arguments.stage != "weights",
       "--kind lines shows the weights, not --stage"},
      {!lines && arguments.share.has_value(), "--share is for --kind lines"},
      {!map && arguments.tokens.letters, "--letters is for maps; leave out --kind"},
      {!map && !lines && chooses_tokens(arguments.tokens),
       "--tokens, --queries, --keys and --labels are for maps and lines"},
      {map && !arguments.row.empty(), "--row is for --kind lines and --kind arithmetic"},
      {(map || lines) && !arguments.column.empty(), "--col is for --kind arithmetic"}};
  for (const auto& [wrong, message] : kProblems)
    if (wrong) return fail(ErrorType::kUsage, message);
  return {};
}

Expected<void> read_stage(const FigureContentArguments& arguments, figure::FigureOptions& options) {
  const bool all = options.type == FigureType::kPipeline || arguments.stage == "all";
  if (!all) {
    const auto stage = parse_stage(arguments.stage.empty() ? "weights" : arguments.stage);
    if (!stage) return tl::make_unexpected(stage.error());
    options.stage = *stage;
    return {};
  }
  if (!is_of_maps(options.type) || !arguments.against.empty())
    return fail(ErrorType::kUsage, "--stage all is drawn as maps only; choose one stage");
  options.type = FigureType::kPipeline;
  return {};
}

// Parses "2", "1,3" or "all".
Expected<std::vector<Index>> heads_of(const std::string& text, const Document& document) {
  std::vector<Index> heads;
  if (text == "all") {
    for (Index head = 0; head < document.problem.config.n_heads; ++head) heads.push_back(head);
    return heads;
  }
  for (const std::string_view item : split(text, ',')) {
    const auto head = parse_head(std::string(item), document);
    if (!head) return tl::make_unexpected(head.error());
    heads.push_back(*head);
  }
  return heads;
}

Expected<void> use_map_heads(const FigureContentArguments& arguments,
                             const std::vector<Index>& heads, figure::FigureOptions& options) {
  const std::string& text = arguments.head;
  const bool all = text == "all";
  if (!all && heads.size() == 1) return {};
  if (options.type != FigureType::kMap)
    return fail(ErrorType::kUsage,
                all ? "this figure shows one head; choose it with --head N"
                    : "--head " + text + " names too many heads for this figure");
  if (!all && heads.size() == 2) {
    options.type = FigureType::kTwoHeads;
    options.second_head = heads[1];
    return {};
  }
  options.type = FigureType::kHeads;
  if (!all) options.heads = heads;
  if (!arguments.style.chooses_range() && options.range_rule == figure::RangeRule::kAutomatic)
    options.range_rule = figure::RangeRule::kShared;
  return {};
}

// The mean or the maximum of the heads.
Expected<void> use_combined(const std::string& head, figure::FigureOptions& options) {
  if (options.type != FigureType::kMap || options.stage != Stage::kWeights)
    return fail(ErrorType::kUsage, "--head " + head +
                                       " is one map of weights: leave out --stage, --kind and "
                                       "--against");
  options.type = head == kMeanOfHeads ? FigureType::kMean : FigureType::kMaximum;
  return {};
}

Expected<void> read_heads(const FigureContentArguments& arguments, const Document& document,
                          figure::FigureOptions& options) {
  if (options.type == FigureType::kTwoHeads && document.problem.config.n_heads == 1)
    options.type = FigureType::kMap;  // the preset is of two
  const bool one_stage = is_of_maps(options.type) && options.type != FigureType::kPipeline;
  if (one_stage && !attention::is_per_head(options.stage)) return {};
  if (arguments.head == kMeanOfHeads || arguments.head == kMaximumOfHeads)
    return use_combined(arguments.head, options);
  const auto heads = heads_of(arguments.head, document);
  if (!heads) return tl::make_unexpected(heads.error());
  options.head = heads->front();
  if (options.type != FigureType::kLines) return use_map_heads(arguments, *heads, options);
  if (heads->size() > std::size_t{figure::kLineColours})
    return fail(ErrorType::kUsage, "lines can show at most 7 heads; choose them with --head A,B,…");
  if (heads->size() > 1) options.line_heads = *heads;
  return {};
}

struct CellIndices {
  Index row = 0, column = 0;
};

Expected<CellIndices> find_cell(const Document& document, Stage stage, const std::string& row,
                                const std::string& column, const std::string& option) {
  const bool both = option.empty();
  const auto i = resolve_label(row_labels(document, stage), row, both ? "--row" : option,
                               row_texts(document, stage));
  if (!i) return tl::make_unexpected(i.error());
  const Index columns = stage_shape(document.problem, stage).cols;
  const auto j = resolve_label(column_labels(document, stage, columns), column,
                               both ? "--col" : option, column_texts(document, stage, columns));
  if (!j) return tl::make_unexpected(j.error());
  return CellIndices{*i, *j};
}

Expected<void> read_cell(const FigureContentArguments& arguments, const Document& document,
                         figure::FigureOptions& options) {
  if (options.type == FigureType::kLines && !arguments.row.empty()) {
    const auto row = resolve_label(row_labels(document, Stage::kWeights), arguments.row, "--row",
                                   row_texts(document, Stage::kWeights));
    if (!row) return tl::make_unexpected(row.error());
    options.row = *row;
  }
  if (options.type != FigureType::kArithmetic) return {};
  const auto cell = find_cell(document, options.stage, arguments.row, arguments.column, {});
  if (!cell) return tl::make_unexpected(cell.error());
  options.row = cell->row, options.column = cell->column;
  return {};
}

// Labels may contain commas, so try each comma as the separator.
Expected<void> read_mark(const std::string& mark, const Document& document,
                         figure::FigureOptions& options) {
  Expected<CellIndices> cell =
      fail(ErrorType::kUsage,
           "--mark is " + in_quotes(mark) + " but should be ROW,COL, such as it,animal");
  for (std::size_t comma = mark.find(','); comma != mark.npos; comma = mark.find(',', comma + 1)) {
    cell =
        find_cell(document, options.stage, mark.substr(0, comma), mark.substr(comma + 1), "--mark");
    if (cell) break;
  }
  if (!cell) return tl::make_unexpected(cell.error());
  const Index heads = options.type == FigureType::kMap ? 1 : document.problem.config.n_heads;
  for (Index head = 0; head < heads; ++head)
    options.marks.pins.push_back({attention::stage_name(options.stage),
                                  heads == 1 ? options.head : head, cell->row, cell->column});
  return {};
}

using LabelList = std::vector<std::string>;

Expected<void> read_choice(const char* option, const std::string& text, const LabelList& labels,
                           std::vector<Index>& chosen) {
  if (text.empty()) return {};
  auto read = chosen_tokens(text, labels);
  if (!read) return fail(ErrorType::kUsage, option + (": " + read.error().message));
  if (read->empty()) return fail(ErrorType::kUsage, std::string(option) + " chooses no token");
  chosen = std::move(*read);
  return {};
}

// Tokens may contain "=", so try each as the separator.
Expected<void> read_name(const std::string& text, const Document& document,
                         figure::FigureOptions& options) {
  const LabelList queries = row_labels(document, Stage::kQ), keys = row_labels(document, Stage::kK);
  for (std::size_t at = text.find('='); at != text.npos; at = text.find('=', at + 1)) {
    const std::string token = text.substr(0, at), name = text.substr(at + 1);
    const auto query = find_label(queries, token, "--name");
    const auto key = document.problem.cross() ? find_label(keys, token, "--name") : query;
    if (!query && !key) continue;
    if (query) options.names.push_back({false, query->index, name});
    if (key && document.problem.cross()) options.names.push_back({true, key->index, name});
    return {};
  }
  return fail(ErrorType::kUsage, "--name is " + in_quotes(text) +
                                     " but should be TOKEN=NAME with a token of the sentence, such "
                                     "as it=pronoun");
}

// What can be checked without the document.
Expected<void> read_labels(const FigureTokenArguments& arguments, figure::FigureOptions& options) {
  const std::string& labels = arguments.labels;
  if (labels != "all" && labels != "rows" && labels != "columns" && labels != "none")
    return fail(ErrorType::kUsage,
                "--labels is " + in_quotes(labels) + " but should be all, rows, columns or none");
  options.row_labels = labels == "all" || labels == "rows";
  options.column_labels = labels == "all" || labels == "columns";
  options.letters = arguments.letters;
  return {};
}

Expected<void> read_tokens(const FigureTokenArguments& arguments, const Document& document,
                           figure::FigureOptions& options) {
  const LabelList queries = row_labels(document, Stage::kQ), keys = row_labels(document, Stage::kK);
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

// Returns a function that adds an option of figures.
auto figure_option_adder(CLI::App& app) {
  return [&app](const char* name, auto& value, const char* type, const char* text) {
    return app.add_option(name, value, text)->type_name(type)->group("For figures");
  };
}

void add_token_options(CLI::App& app, FigureTokenArguments& arguments) {
  const auto add = figure_option_adder(app);
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

}  // namespace

void add_figure_content_options(CLI::App& app, FigureContentArguments& arguments) {
  app.add_option("--stage", arguments.stage,
                 std::string(kStageHelp) +
                     ";\nor all: every stage of one head in one figure, or\n"
                     "the numbers of every stage")
      ->type_name("S");
  app.add_option("--head", arguments.head,
                 "a head from 1, or all (1; all when exporting all stages as\nnumbers); "
                 "for figures also A,B: two heads and their difference, or\n"
                 "A,B,C,…: a map of each; mean or max: of the weights of the\n"
                 "heads that are not muted")
      ->type_name("N|all|mean|max");
  const auto add = figure_option_adder(app);
  add("--kind", arguments.type, "K",
      "map, lines (from queries to keys; --head A,B,… in colours), or\n"
      "arithmetic (of the cell at --row and --col) (map)");
  add("--row", arguments.row, "TOKEN", "row of the cell; for lines, the only query to show");
  add("--col", arguments.column, "TOKEN", "column of the cell");
  add("--share", arguments.share, "P",
      "share of each query's weight that the lines show, 0 to 1 (0.9)");
  add("--against", arguments.against, "IN",
      "compare with this input: it is A, IN is B; also shows B − A");
  add("--mark", arguments.marks, "ROW,COL", "frame this cell; may be repeated")
      ->allow_extra_args(false);
  add_token_options(app, arguments.tokens);
  add_figure_style_options(app, arguments.style);
}

Expected<figure::FigureOptions> figure_content_options(const FigureContentArguments& arguments,
                                                       const figure::FigureOptions& preset) {
  auto options = figure_style_options(arguments.style, preset);
  if (!options) return options;
  for (const auto read : {read_type, check_type, read_stage})
    if (auto done = read(arguments, *options); !done) return tl::make_unexpected(done.error());
  if (auto done = read_labels(arguments.tokens, *options); !done)
    return tl::make_unexpected(done.error());
  options->share = arguments.share.value_or(options->share);
  if (auto fits = check_between("--share", options->share, 0, 1); !fits)
    return tl::make_unexpected(fits.error());
  if (!arguments.against.empty()) options->type = FigureType::kTwoStates;
  return options;
}

Expected<figure::FigureOptions> figure_content_options(const FigureContentArguments& arguments,
                                                       figure::FigureOptions options,
                                                       const Document& document) {
  for (const auto read : {read_heads, read_cell})
    if (auto done = read(arguments, document, options); !done)
      return tl::make_unexpected(done.error());
  if (auto done = read_tokens(arguments.tokens, document, options); !done)
    return tl::make_unexpected(done.error());
  for (const std::string& mark : arguments.marks)
    if (auto done = read_mark(mark, document, options); !done)
      return tl::make_unexpected(done.error());
  return options;
}

}  // namespace lab::cli
