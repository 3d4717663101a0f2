#include "app/document/history/history.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include "app/base/machine_numbers.h"
#include "app/base/text_direction.h"
#include "app/base/typed_number.h"
#include "app/base/wording.h"
#include "app/document/commands/command.h"
#include "app/document/commands/reduce.h"
#include "app/document/matrix_labels.h"
#include "app/translation/words.h"

namespace lab {
namespace {

using attention::Index;

constexpr std::size_t kLongestWords = 72;  // bytes of a sentence

// Four digits, and no more than the number has.
std::string step_number(float value) {
  constexpr float kLeast = 0.01f, kMost = 1e6f;
  const float size = std::abs(value);
  if (!(size >= kLeast && size < kMost)) return with_decimal_mark(shortest(value));
  return with_decimal_mark(rounded_digits(value, size < 1 ? 4 : size < 100 ? 3 : 2));
}

std::string from_to(float before, float after) {
  return ": " + step_number(before) + " → " + step_number(after);
}

bool has_cell(const attention::Matrix& matrix, Index row, Index col) {
  return row < matrix.rows() && col < matrix.cols();
}

// A matrix with one row has no label for it but its own name.
std::string cell_of_matrix(const Document& document, const SetCell& command) {
  const MatrixId id = command.matrix.id;
  if (matrix_row_label(document, id, command.row) == matrix_name(id))
    return tr("{}, column {}", {matrix_in_text(document, command.matrix),
                                label_in_text(matrix_column_label(document, id, command.col))});
  return tr("{}, row {}, column {}",
            {matrix_in_text(document, command.matrix),
             label_in_text(matrix_row_label(document, id, command.row)),
             label_in_text(matrix_column_label(document, id, command.col))});
}

std::string cell_of_stage(const Document& document, const StageCell& cell) {
  const std::string name = name_in_words(stage_name(cell.stage));
  const std::string cell_text = is_per_head(cell.stage)
                                    ? tr("{} of head {}", {name, head_number(document, cell.head)})
                                    : name;
  return tr("{}, row {}, column {}",
            {cell_text, label_in_text(row_label(document, cell.stage, cell.row)),
             label_in_text(column_label(document, cell.stage, cell.col))});
}

const attention::Override* override_at(const Document& document, const StageCell& cell) {
  const auto& all = document.problem.overrides;
  const auto found = std::ranges::find_if(all, [&cell](const attention::Override& one) {
    return one.stage == cell.stage && one.head == cell.head && one.row == cell.row &&
           one.col == cell.col;
  });
  return found == all.end() ? nullptr : &*found;
}

// A sentence and its tokens.
struct SplitSentence {
  const std::string& text;
  const std::vector<Token>& tokens;
  std::vector<tokenizer::TextRange> bytes;  // of each token, or none

  // True when nothing stands between that token and the one before it.
  bool is_joined(std::size_t token) const {
    return token < bytes.size() && !bytes[token].empty() &&
           bytes[token - 1].last == bytes[token].first;
  }
};

// The words from one to before the other.
std::string all_words(const SplitSentence& sentence, std::size_t from, std::size_t end) {
  std::string text;
  for (std::size_t i = from; i < end; ++i)
    text += (i == from || sentence.is_joined(i) ? "" : " ") + token_label(sentence.tokens[i]);
  return text;
}

// The same, but of many only the first and the last ones, "The animal … too tired".
std::string words_of(const SplitSentence& sentence, std::size_t from, std::size_t end) {
  std::size_t first = from, last = end, size = 0;
  const auto grow = [&](std::size_t i) { size += token_label(sentence.tokens[i]).size() + 1; };
  while (first < last && size <= kLongestWords) {
    grow(first++);
    if (first < last) grow(--last);
  }
  if (first == last) return isolated(all_words(sentence, from, end));
  return isolated(all_words(sentence, from, first) + " … " + all_words(sentence, last, end));
}

// Which words were replaced by which.
std::string changed_words(const SplitSentence& was, const SplitSentence& is) {
  const std::vector<Token>&before = was.tokens, &after = is.tokens;
  const auto same = [](const Token& a, const Token& b) { return a.text == b.text; };
  const std::size_t both = std::min(before.size(), after.size());
  std::size_t first = 0, last = 0;
  while (first < both && same(before[first], after[first])) ++first;
  while (last < both - first &&
         same(before.end()[-1 - std::ptrdiff_t(last)], after.end()[-1 - std::ptrdiff_t(last)]))
    ++last;
  const std::string removed = words_of(was, first, before.size() - last);
  const std::string come = words_of(is, first, after.size() - last);
  if (first + last == before.size()) return tr("“{}” added", {come});
  if (first + last == after.size()) return tr("“{}” removed", {removed});
  return tr("“{}” → “{}”", {removed, come});
}

SplitSentence first_of(const Document& document) {
  const auto& [text, tokens] = std::tie(document.sentence, document.tokens);
  return {text, tokens, token_bytes(text, document.splitting, tokens)};
}

SplitSentence second_of(const Document& document) {
  const auto& [text, tokens] = std::tie(document.kv_sentence, document.kv_tokens);
  return {text, tokens, token_bytes(text, document.splitting, tokens)};
}

struct StepWords {
  const Document& before;
  const Document& after;

  std::string operator()(const SetSentence&) const {
    return tr("Sentence: {}", {changed_words(first_of(before), first_of(after))});
  }
  std::string operator()(const SetKvSentence& command) const {
    if (command.text.empty()) return tr("Remove second sentence");
    if (before.kv_tokens.empty()) return tr("A second sentence");
    return tr("Second sentence: {}", {changed_words(second_of(before), second_of(after))});
  }
  std::string operator()(const SetTemperature&) const {
    return tr("Temperature") +
           from_to(before.problem.config.temperature, after.problem.config.temperature);
  }
  std::string operator()(const SetOverride& command) const {
    const std::string cell_text = cell_of_stage(after, command.cell);
    const attention::Override* old = override_at(before, command.cell);
    return old != nullptr ? cell_text + from_to(old->value, command.value)
                          : tr("Override {}: {}", {cell_text, step_number(command.value)});
  }
  std::string operator()(const RemoveOverride& command) const {
    return tr("Remove override of {}", {cell_of_stage(before, command.cell)});
  }
  std::string operator()(const SetCell& command) const {
    const MatrixId id = command.matrix.id;
    const attention::SharedMatrix old = effective_matrix(before, command.matrix);
    if (!has_cell(*old, command.row, command.col)) return command_label(command);
    if (id == MatrixId::kMask)
      return tr(command.value == 0 ? tr_later("Forbid {} → {}") : tr_later("Allow {} → {}"),
                {label_in_text(matrix_row_label(after, id, command.row)),
                 label_in_text(matrix_column_label(after, id, command.col))});
    return cell_of_matrix(after, command) +
           from_to((*old)(command.row, command.col), command.value);
  }
  std::string operator()(const SetBlock& command) const {
    const MatrixId id = command.matrix.id;
    return tr("Edit {} × {} cells of {}, from row {}, column {}",
              {std::to_string(command.values.rows()), std::to_string(command.values.cols()),
               matrix_in_text(after, command.matrix),
               label_in_text(matrix_row_label(after, id, command.row)),
               label_in_text(matrix_column_label(after, id, command.col))});
  }
  std::string operator()(const SetHeadMix& command) const {
    return head_mix_label(command, head_title(after, command.head));
  }
  std::string operator()(const auto& command) const { return command_label(command); }
};

}  // namespace

std::string step_label(const Command& command, const Document& before, const Document& after) {
  return std::visit(StepWords{before, after}, command);
}

}  // namespace lab
