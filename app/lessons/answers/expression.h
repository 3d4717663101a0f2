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
  std::optional<StageCell> cell;  ///< where it stands; nothing for a matrix that is no stage
  std::string row, column;        ///< what its row and column are called
  double value = 0;
};

/// Several numbers in a row.
struct ListValue {
  std::vector<CellValue> cells;
};

/// What an expression comes to.
using Value = std::variant<double, bool, std::string, CellValue, ListValue>;

/// The value as a number: of a number, and of a cell what stands in it; else nothing.
std::optional<double> number_of(const Value& value);

/// A formula over the live numbers, as authors of lessons write it. README.md in assets/lessons is
/// its description for them. In short:
///   0.6   "animal"   d_k   scores[1, it, animal]   weights[head 1, it]   W_Q[1, 0, 3]   X[it, :]
///   + − * / ^   < <= = != >= >   and or not   ( )
///   sum mean max min largest smallest softmax entropy length dot cosine exp log sqrt abs round
///   row column
/// Rows and columns are named by their label, or by their number from 0; ":" is all of them.
class Expression {
 public:
  /// Fails with kBadInput, saying what was found where something else should be.
  static Expected<Expression> parse(std::string_view text);

  /// What it comes to. Fails with kBadInput when a name, head, row or column is not there, and when
  /// a value is of a kind that its place does not take.
  Expected<Value> evaluate(const Snapshot& live) const;
  /// The same where only a number makes sense.
  Expected<double> number(const Snapshot& live) const;
  /// The same where only yes or no makes sense.
  Expected<bool> truth(const Snapshot& live) const;

  /// The expression with numbers in place of names and cells, each with at most `decimals`:
  /// "0.52 + 0.48". Fails as evaluate() does.
  Expected<std::string> with_numbers(const Snapshot& live, int decimals) const;

  /// What it names that is a number, each once, with that number: "weights[1, it, animal] = 0.52".
  /// Fails as evaluate() does.
  Expected<std::vector<std::string>> named_numbers(const Snapshot& live, int decimals) const;

  /// The cells of stages that it names, in order; matrices that are no stages are left out. Fails
  /// as evaluate() does.
  Expected<std::vector<StageCell>> cells(const Snapshot& live) const;

  /// As it was written.
  const std::string& text() const { return text_; }

 private:
  Expression(std::string text, std::shared_ptr<const ExpressionNode> root)
      : text_(std::move(text)), root_(std::move(root)) {}

  std::string text_;
  std::shared_ptr<const ExpressionNode> root_;
};

/// `value` with at most `decimals` places, without trailing zeros: "0.7", "12", "−0.25".
std::string plain_number(double value, int decimals);

}  // namespace lab::lessons
