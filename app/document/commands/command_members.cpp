#include "app/document/commands/command_members.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lab {

namespace {

using attention::Index;

constexpr int kLargestInt = std::numeric_limits<int>::max();

// Whole numbers are rounded to float32 in one step.
std::optional<float> number_of(const nlohmann::json& value) {
  if (value.is_number_float()) {
    const auto number = value.get<double>();
    if (std::fabs(number) > double{std::numeric_limits<float>::max()})
      throw std::invalid_argument(kNumberTooLarge);
    return static_cast<float>(number);
  }
  if (value.is_number()) return value.get<float>();
  if (value == "NaN") return std::numeric_limits<float>::quiet_NaN();
  if (value == "Infinity") return std::numeric_limits<float>::infinity();
  if (value == "-Infinity") return -std::numeric_limits<float>::infinity();
  return std::nullopt;
}

}  // namespace

CommandMembers::CommandMembers(nlohmann::json object, int first_head)
    : left_(std::move(object)), first_head_(first_head) {
  if (!left_.is_object()) throw std::invalid_argument("a command must be a JSON object");
}

std::string CommandMembers::text(const char* name) {
  const nlohmann::json value = take(name);
  if (!value.is_string()) throw wrong(name, kAnyText, value);
  return value.get<std::string>();
}

bool CommandMembers::boolean(const char* name) {
  const nlohmann::json value = take(name);
  if (!value.is_boolean()) throw wrong(name, kEitherWay, value);
  return value.get<bool>();
}

int CommandMembers::whole(const char* name, int least) {
  const nlohmann::json value = take(name);
  const bool fits = value.is_number_unsigned()
                        ? value.get<std::uint64_t>() <= std::uint64_t{kLargestInt}
                        : value.is_number_integer();
  if (!fits || value.get<std::int64_t>() < least) {
    throw wrong(
        name, "a whole number from " + std::to_string(least) + " to " + std::to_string(kLargestInt),
        value);
  }
  return value.get<int>();
}

std::uint64_t CommandMembers::seed(const char* name) {
  const nlohmann::json value = take(name);
  if (!value.is_number_unsigned()) throw wrong(name, kAnySeed, value);
  return value.get<std::uint64_t>();
}

float CommandMembers::number(const char* name) {
  const nlohmann::json value = take(name);
  if (const auto number = number_of(value)) return *number;
  throw wrong(name, kAnyNumber, value);
}

attention::Matrix CommandMembers::rows(const char* name) {
  const nlohmann::json value = take(name);
  const std::size_t rows = value.is_array() ? value.size() : 0;
  const std::size_t cols = rows > 0 && value[0].is_array() ? value[0].size() : 0;
  if (cols == 0) throw wrong(name, kRowsOfNumbers, value);
  attention::Matrix numbers(static_cast<Index>(rows), static_cast<Index>(cols));
  for (std::size_t i = 0; i < rows; ++i) {
    const nlohmann::json& row = value[i];
    if (!row.is_array() || row.size() != cols) throw wrong(name, kRowsOfNumbers, row);
    for (std::size_t j = 0; j < cols; ++j) {
      const auto number = number_of(row[j]);
      if (!number) throw wrong(name, kRowsOfNumbers, row[j]);
      numbers(static_cast<Index>(i), static_cast<Index>(j)) = *number;
    }
  }
  return numbers;
}

std::vector<CommandMembers> CommandMembers::objects(const char* name) {
  const nlohmann::json value = take(name);
  const auto is_object = [](const nlohmann::json& one) { return one.is_object(); };
  if (!value.is_array() || !std::ranges::all_of(value, is_object))
    throw wrong(name, kListOfBlocks, value);
  std::vector<CommandMembers> members;
  for (const nlohmann::json& one : value) members.emplace_back(one, first_head_);
  return members;
}

MatrixRef CommandMembers::matrix() {
  MatrixRef ref;
  ref.id = named("matrix", matrix_from_name, kMatrixNames);
  if (is_per_head(ref.id)) ref.head = head("head");
  return ref;
}

StageCell CommandMembers::stage_cell() {
  StageCell cell;
  cell.stage = named("stage", attention::stage_from_name, "the name of a stage");
  if (is_per_head(cell.stage)) cell.head = head("head");
  cell.row = whole("row", 0);
  cell.col = whole("col", 0);
  return cell;
}

void CommandMembers::finish() const {
  if (left_.empty()) return;
  throw std::invalid_argument("unknown member " + quoted_name(left_.begin().key()));
}

nlohmann::json CommandMembers::take(const char* name) {
  const auto found = left_.find(name);
  if (found == left_.end()) {
    throw std::invalid_argument("member “" + std::string(name) + "” is missing");
  }
  nlohmann::json value = std::move(*found);
  left_.erase(found);
  return value;
}

std::invalid_argument CommandMembers::wrong(const std::string& name, const std::string& allowed,
                                            const nlohmann::json& value) {
  constexpr std::size_t kShown = 40;
  // ASCII, so that it can be shortened at any byte.
  std::string given = OrderedJson(value).dump(-1, ' ', true);
  if (given.size() > kShown) given = given.substr(0, kShown) + "…";
  return std::invalid_argument("“" + name + "” must be " + allowed + ", not " + given);
}

}  // namespace lab
