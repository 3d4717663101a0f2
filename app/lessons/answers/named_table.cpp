#include "app/lessons/answers/named_table.h"

#include "app/base/bad_input.h"
#include "app/base/machine_numbers.h"
#include "app/base/strings.h"
#include "app/document/commands/reducer.h"
#include "app/lessons/paper/paper_tables.h"

namespace lab::lessons {
namespace {

using attention::Stage;

// "[1]" and "[head 1]" are 0; nothing for anything else.
std::optional<int> head_in_brackets(std::string_view text) {
  if (!text.starts_with('[') || !text.ends_with(']')) return std::nullopt;
  text = trimmed(text.substr(1, text.size() - 2));
  constexpr std::string_view kPrefix = "head ";
  if (text.starts_with(kPrefix)) text.remove_prefix(kPrefix.size());
  const auto head = parse_number<int>(trimmed(text));
  return head && *head > 0 ? std::optional(*head - 1) : std::nullopt;
}

}  // namespace

Expected<NamedTable> named_table(std::string_view text) {
  if (names_model_table(text)) return NamedTable{ModelTable{std::string(text)}};
  const std::size_t bracket = std::min(text.find('['), text.size());
  const std::string_view name = trimmed(text.substr(0, bracket));
  const auto head =
      bracket == text.size() ? std::optional(0) : head_in_brackets(trimmed(text.substr(bracket)));
  if (!head)
    return fail(ErrorType::kBadInput, in_quotes(text) +
                                          " is not a matrix; write its name and its head, such as "
                                          "weights[1]");
  if (const auto stage = attention::stage_from_name(name)) return NamedTable{*stage, *head};
  if (const auto id = attention::matrix_from_name(name)) return NamedTable{*id, *head};
  return fail(ErrorType::kBadInput, "there is no stage or matrix " + in_quotes(name));
}

Expected<void> table_exists(const NamedTable& table, const Document& document) {
  if (const auto* of_model = std::get_if<ModelTable>(&table.id))
    return model_table_exists(*of_model, document);
  if (const auto* id = std::get_if<MatrixId>(&table.id))
    return check_matrix(document, {*id, is_per_head(*id) ? table.head : 0});
  const Stage stage = std::get<Stage>(table.id);
  const int heads = document.problem.config.n_heads;
  if (stage_shape(document.problem, stage).rows == 0)
    return fail(ErrorType::kBadInput,
                "there is no " + std::string(stage_name(stage)) + " in this model");
  if (is_per_head(stage) && table.head >= heads)
    return fail(ErrorType::kBadInput, "there is no head " + std::to_string(table.head + 1) +
                                          "; there are heads 1 to " + std::to_string(heads));
  return {};
}

}  // namespace lab::lessons
