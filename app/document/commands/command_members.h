#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/base/json_cursor.h"
#include "app/document/commands/command.h"
#include "app/document/commands/command_json.h"

namespace lab {

// What the values of members must be, for messages and for the help.
inline constexpr const char* kAnyText = "a string";
inline constexpr const char* kEitherWay = "true or false";
inline constexpr const char* kAnySeed = "a whole number from 0 to 2⁶⁴ − 1";
inline constexpr const char* kAnyNumber = R"(a number, or "NaN", "Infinity", "-Infinity")";
inline constexpr const char* kRowsOfNumbers = "rows of the same length, [[1, 2], [3, 4]]";
inline constexpr const char* kListOfBlocks =
    R"(a list of objects with the members of set_block, without "do")";
inline constexpr const char* kMatrixNames =
    "one of X, X_kv, W_Q, W_K, W_V, W_O, b_Q, b_K, b_V, b_O, position_table, gamma, beta, mask, "
    "score_bias, position_table_kv, norm_Q, norm_K, sink";

inline constexpr const char* kListOfTurns =
    R"(a list of objects with the members role and content, both strings)";

/// Takes the members of one object one by one; those left at the end are unknown. All functions
/// throw BadInput with a message for the author of the line.
class CommandMembers {
 public:
  /// The members of `object`, which must outlive this, and in which heads count from `first_head`.
  explicit CommandMembers(const nlohmann::json& object, int first_head = 1);

  /// True when a member of that name is left.
  bool has(std::string_view name) const;

  /// Takes the member `name`, a string. Throws BadInput that names it when it is missing or of
  /// another type, as all of the following do.
  std::string text(const char* name) { return take(name).text(); }
  /// True or false.
  bool boolean(const char* name) { return take(name).flag(); }
  /// A whole number from `least` on that fits an int.
  int whole(const char* name, int least);
  /// The number of a head; counts from 0, however the line counts.
  int head(const char* name) { return whole(name, first_head_) - first_head_; }
  /// A whole number from 0 on that fits 64 bits.
  std::uint64_t seed(const char* name);
  /// A number, or one of the strings "NaN", "Infinity", "-Infinity".
  float number(const char* name);
  /// Rows of the same number of values, at least one.
  attention::Matrix rows(const char* name);

  /// The members of each object of a list, which is described as `allowed`.
  std::vector<CommandMembers> objects(const char* name, const char* allowed = kListOfBlocks);

  /// A name that `from_name` knows.
  template <typename FromName>
  auto named(const char* name, FromName from_name, const char* allowed) {
    const JsonCursor given = take(name);
    const auto value = from_name(given.text());
    if (!value) given.wrong(allowed);
    return *value;
  }

  /// "matrix", and "head" for per-head matrices.
  MatrixRef matrix();
  /// "stage", "row", "col", and "head" for per-head stages.
  StageCell stage_cell();

  /// Throws when any member is left.
  void finish() const;

 private:
  JsonCursor take(const char* name);

  JsonCursor object_;
  std::vector<std::string> taken_;
  int first_head_;
};

}  // namespace lab
