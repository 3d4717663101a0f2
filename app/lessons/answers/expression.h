#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/base/error.h"
#include "app/document/commands/command.h"
#include "app/document/snapshot.h"

namespace lab::lessons {

struct ExpressionNode;

/// One number of a stage or of a matrix.
struct CellValue {
  std::optional<StageCell> cell;  ///< its position; nothing for a matrix that is not a stage
  std::string row, column;        ///< labels
  double value = 0;
  /// In a trained model: the layer, and the name of the head, "L1H3", if it is a number of one.
  std::optional<attention::network::LayerId> layer = {};
  std::string head = {};
};

/// A row or column of numbers.
struct ListValue {
  std::vector<CellValue> cells;
};

/// The value of an expression.
using Value = std::variant<double, bool, std::string, CellValue, ListValue>;

/// The value as a number: the number itself or the number in a cell; nothing for other values.
std::optional<double> number_of(const Value& value);

/// A formula over the live numbers, as lesson authors write it. assets/lessons/README.md describes
/// the syntax. In short:
///   0.6   "animal"   d_k   scores[1, it, animal]   weights[head 1, it]   W_Q[1, 0, 3]   X[it, :]
///   + − * / ^   < <= = != >= >   and or not   ( )
///   sum mean max min largest smallest softmax entropy length dot cosine exp log sqrt abs round
///   row column derivative
/// and of trained models weights[L1H3, it]   probability[last, mat]   unedited(…)   head(…) …
/// Rows and columns are named by their label or by their number from 0; ":" means all of them.
class Expression {
 public:
  /// Parses an expression. Fails with kBadInput and a message that says what was expected and
  /// found.
  static Expected<Expression> parse(std::string_view text);

  /// Evaluates the expression. Fails with kBadInput if a name, head, row or column does not exist,
  /// or if an operand has the wrong type.
  Expected<Value> evaluate(const Snapshot& live) const;
  /// Evaluates to a number; also fails if the value is not one.
  Expected<double> number(const Snapshot& live) const;
  /// Evaluates to yes or no; also fails if the value is neither.
  Expected<bool> truth(const Snapshot& live) const;

  /// The expression with numbers in place of names and cells, rounded to at most `decimals`
  /// decimals: "0.52 + 0.48". Fails like evaluate().
  Expected<std::string> with_numbers(const Snapshot& live, int decimals) const;

  /// Each number that the expression names, once, with its value: "weights[1, it, animal] = 0.52".
  /// With `titles`, stages have the names that the window shows, except in English, where authors
  /// and the window write them alike. Fails like evaluate().
  Expected<std::vector<std::string>> named_numbers(const Snapshot& live, int decimals,
                                                   bool titles = false) const;

  /// The cells of stages that the expression names, in order; cells of other matrices are left out,
  /// and those of other layers than the one that `live` shows.
  /// Fails like evaluate().
  Expected<std::vector<StageCell>> cells(const Snapshot& live) const;

  /// The expression as written.
  const std::string& text() const { return text_; }

 private:
  Expression(std::string text, std::shared_ptr<const ExpressionNode> root)
      : text_(std::move(text)), root_(std::move(root)) {}

  std::string text_;
  std::shared_ptr<const ExpressionNode> root_;
};

/// `value` with at most `decimals` decimals and no trailing zeros: "0.7", "12", "−0.25".
std::string plain_number(double value, int decimals);

}  // namespace lab::lessons
