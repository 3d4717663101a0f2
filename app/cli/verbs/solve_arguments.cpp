#include "app/cli/verbs/solve_arguments.h"
#include "app/base/strings.h"

#include "app/base/bad_input.h"
#include "app/cli/arguments.h"
#include "app/cli/text.h"
#include "app/cli/verb.h"
#include "app/document/commands/reducer.h"
#include "app/document/heads.h"
#include "app/document/matrix_labels.h"

namespace lab::cli {
namespace {

using attention::Index;
using attention::TargetCell;

// A cell or a row as it is spelt: "weights" and "1", "it", "animal".
struct SpeltCell {
  std::string stage;
  std::vector<std::string> parts;
};

Expected<SpeltCell> split_cell(const std::string& text, const std::string& option) {
  const std::size_t open = text.find('[');
  if (open == text.npos || text.back() != ']')
    return fail(ErrorType::kUsage, option + ": " + in_quotes(text) +
                                       " is no place; write STAGE[HEAD,ROW,COLUMN], such as "
                                       "weights[1,it,animal]");
  SpeltCell target{text.substr(0, open), {}};
  const std::string inside = text.substr(open + 1, text.size() - open - 2);
  for (const std::string_view part : split(inside, ',')) target.parts.emplace_back(part);
  return target;
}

// The cell with or without its column, which is then 0.
Expected<TargetCell> find_cell(const SpeltCell& spelt, bool with_column, const Document& document,
                               const attention::Trace& trace, const std::string& option) {
  const auto stage = parse_stage(spelt.stage);
  if (!stage) return tl::make_unexpected(stage.error());
  if (auto there = check_stage(*stage, document); !there) return tl::make_unexpected(there.error());
  const std::size_t heads = is_per_head(*stage) ? 1 : 0;
  if (spelt.parts.size() != heads + (with_column ? 2 : 1))
    return fail(ErrorType::kUsage,
                option + ": " + spelt.stage + " takes [" + (heads > 0 ? "HEAD,ROW" : "ROW") +
                    (with_column ? ",COLUMN]" : "] for a row, and ,COLUMN for one number"));
  const auto head = heads > 0 ? parse_head(spelt.parts[0], document, option + ": the head") : 0;
  if (!head) return tl::make_unexpected(head.error());
  const auto row = resolve_label(row_labels(document, *stage), spelt.parts[heads], option,
                                 row_texts(document, *stage));
  if (!row) return tl::make_unexpected(row.error());
  if (!with_column) return TargetCell{*stage, *head, *row, 0, {}};
  const Index columns = stage_matrix(document.problem, trace, *stage, *head)->cols();
  const auto col = resolve_label(column_labels(document, *stage, columns), spelt.parts[heads + 1],
                                 option, column_texts(document, *stage, columns));
  if (!col) return tl::make_unexpected(col.error());
  return TargetCell{*stage, *head, *row, *col, {}};
}

Expected<int> parse_matrix_head(const std::string& text, MatrixId id, const Document& document) {
  const bool of_query_heads = id == MatrixId::kWO || !attention::is_per_kv_head(id);
  if (document.layer.model && of_query_heads) {
    const auto head = parse_head(text, document, "--free: the head");
    if (!head) return tl::make_unexpected(head.error());
    return static_cast<int>(*head);
  }
  const int first = first_head_number(document);
  const auto number = whole_number(text);
  const int count = id == MatrixId::kWO ? document.problem.config.n_heads
                                        : matrix_count(document.problem.config, id);
  if (number && *number >= first && *number < first + count) return *number - first;
  return fail(ErrorType::kUsage, "--free: there is no head " + in_quotes(text) + " of " +
                                     std::string(matrix_name(id)) + "; there are " +
                                     std::to_string(count) + ", from " + std::to_string(first));
}

std::vector<std::string> labels_of_rows(const Document& document, MatrixRef ref) {
  std::vector<std::string> labels;
  for (Index row = 0; row < shape_of(document, ref).rows; ++row)
    labels.push_back(matrix_row_label(document, ref.id, row));
  return labels;
}

// Matrices of each head, and W_O, whose rows belong to heads; "h1.0" is a row of it.
bool names_head(MatrixId id, const std::string& rest) {
  const bool is_row = id == MatrixId::kWO && rest.find('.') != rest.npos;
  return !rest.empty() && !is_row && (is_per_head(id) || id == MatrixId::kWO);
}

Expected<void> add_rows(const std::string& text, const Document& document, FreeChoice& choice) {
  const auto labels = labels_of_rows(document, {choice.matrix, choice.head.value_or(0)});
  for (const std::string_view part : split(text, ',')) {
    const auto row = resolve_label(labels, std::string(part), "--free");
    if (!row) return tl::make_unexpected(row.error());
    choice.rows.push_back(*row);
  }
  return {};
}

}  // namespace

Expected<TargetCell> parse_target(const std::string& text, const Document& document,
                                  const attention::Trace& trace) {
  const std::size_t equals = text.rfind('=');
  const auto value = finite_number(equals == text.npos ? "" : text.substr(equals + 1));
  if (!value)
    return fail(ErrorType::kUsage,
                "--want: " + in_quotes(text) + " has no value; write weights[1,it,animal]=0.9");
  const auto spelt = split_cell(text.substr(0, equals), "--want");
  if (!spelt) return tl::make_unexpected(spelt.error());
  auto cell = find_cell(*spelt, true, document, trace, "--want");
  if (cell) cell->value = *value;
  return cell;
}

Expected<std::vector<TargetCell>> parse_kept(const std::string& text, const Document& document,
                                             const attention::Trace& trace) {
  const auto spelt = split_cell(text, "--keep");
  if (!spelt) return tl::make_unexpected(spelt.error());
  const auto stage = attention::stage_from_name(spelt->stage);
  const bool is_row = spelt->parts.size() == (stage && is_per_head(*stage) ? 2 : 1);
  const auto cell = find_cell(*spelt, !is_row, document, trace, "--keep");
  if (!cell) return tl::make_unexpected(cell.error());
  if (!is_row) return std::vector{*cell};
  return kept_row(document.problem, trace, cell->stage, cell->head, cell->row);
}

Expected<FreeChoice> parse_free(const std::string& text, const Document& document) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  const std::string name = text.substr(0, colon);
  const auto matrix = attention::matrix_from_name(name);
  if (!matrix || !can_be_free(document, *matrix)) {
    std::string known;
    for (const attention::MatrixInfo& info : attention::kMatrixInfos)
      if (can_be_free(document, info.id))
        known += (known.empty() ? "" : ", ") + std::string(info.name);
    return fail(ErrorType::kUsage,
                "--free: " + in_quotes(name) + " cannot be free here; these can: " + known);
  }
  FreeChoice choice{*matrix};
  std::string rest = colon == text.size() ? "" : text.substr(colon + 1);
  if (names_head(*matrix, rest)) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    const auto head = parse_matrix_head(rest.substr(0, end), *matrix, document);
    if (!head) return tl::make_unexpected(head.error());
    choice.head = *head;
    rest = end == rest.size() ? "" : rest.substr(end + 1);
  }
  if (!rest.empty())
    if (auto added = add_rows(rest, document, choice); !added)
      return tl::make_unexpected(added.error());
  return choice;
}

Expected<void> parse_weight(const std::string& text, std::vector<FreeChoice>& choices) {
  const std::size_t equals = std::min(text.find('='), text.size());
  const auto weight = finite_number(equals == text.size() ? "" : text.substr(equals + 1));
  if (!weight || *weight <= 0)
    return fail(ErrorType::kUsage,
                "--weight: " + in_quotes(text) + " must be a matrix and a number above 0: W_Q=2");
  bool found = false;
  for (FreeChoice& choice : choices)
    if (matrix_name(choice.matrix) == text.substr(0, equals)) {
      choice.weight = *weight;
      found = true;
    }
  if (found) return {};
  return fail(ErrorType::kUsage,
              "--weight: " + in_quotes(text.substr(0, equals)) + " is not among what is --free");
}

}  // namespace lab::cli
