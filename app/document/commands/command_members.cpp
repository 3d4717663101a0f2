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
      throw BadInput(kNumberTooLarge);
    return static_cast<float>(number);
  }
  if (value.is_number()) return value.get<float>();
  if (value == "NaN") return std::numeric_limits<float>::quiet_NaN();
  if (value == "Infinity") return std::numeric_limits<float>::infinity();
  if (value == "-Infinity") return -std::numeric_limits<float>::infinity();
  return std::nullopt;
}

// Messages name a member alone, wherever its object is.
std::string wrong_member(const std::string& name, const nlohmann::json& value,
                         const std::string& allowed) {
  constexpr std::size_t kShown = 40;
  // ASCII, so that it can be shortened at any byte.
  std::string given = OrderedJson(value).dump(-1, ' ', true);
  if (given.size() > kShown) given = given.substr(0, kShown) + "…";
  return "“" + name + "” must be " + allowed + ", not " + given;
}
std::string missing_member(const std::string& name) { return "member “" + name + "” is missing"; }
std::string unknown_member(const std::string&, const std::string& name) {
  return "unknown member " + quoted_name(name);
}
constexpr JsonWording kCommandWording{kAnyText, wrong_member, missing_member, unknown_member};

}  // namespace

CommandMembers::CommandMembers(const nlohmann::json& object, int first_head)
    : object_(object, "", kCommandWording), first_head_(first_head) {
  if (!object.is_object()) throw BadInput("a command must be a JSON object");
}

bool CommandMembers::has(std::string_view name) const {
  return object_.has(name) && std::ranges::find(taken_, name) == taken_.end();
}

int CommandMembers::whole(const char* name, int least) {
  const JsonCursor member = take(name);
  const nlohmann::json& value = member.value();
  const bool fits = value.is_number_unsigned()
                        ? value.get<std::uint64_t>() <= std::uint64_t{kLargestInt}
                        : value.is_number_integer();
  if (!fits || value.get<std::int64_t>() < least)
    member.wrong("a whole number from " + std::to_string(least) + " to " +
                 std::to_string(kLargestInt));
  return value.get<int>();
}

std::uint64_t CommandMembers::seed(const char* name) {
  const JsonCursor member = take(name);
  if (!member.value().is_number_unsigned()) member.wrong(kAnySeed);
  return member.seed();
}

float CommandMembers::number(const char* name) {
  const JsonCursor member = take(name);
  const auto number = number_of(member.value());
  if (!number) member.wrong(kAnyNumber);
  return *number;
}

attention::Matrix CommandMembers::rows(const char* name) {
  const JsonCursor member = take(name);
  const auto wrong = [&](const nlohmann::json& part) {
    JsonCursor(part, std::string(name), kCommandWording).wrong(kRowsOfNumbers);
  };
  const nlohmann::json& value = member.value();
  const std::size_t rows = value.is_array() ? value.size() : 0;
  const std::size_t cols = rows > 0 && value[0].is_array() ? value[0].size() : 0;
  if (cols == 0) wrong(value);
  attention::Matrix numbers(static_cast<Index>(rows), static_cast<Index>(cols));
  for (std::size_t i = 0; i < rows; ++i) {
    const nlohmann::json& row = value[i];
    if (!row.is_array() || row.size() != cols) wrong(row);
    for (std::size_t j = 0; j < cols; ++j) {
      const auto number = number_of(row[j]);
      if (!number) wrong(row[j]);
      numbers(static_cast<Index>(i), static_cast<Index>(j)) = *number;
    }
  }
  return numbers;
}

std::vector<CommandMembers> CommandMembers::objects(const char* name, const char* allowed) {
  const JsonCursor member = take(name);
  const auto is_object = [](const nlohmann::json& one) { return one.is_object(); };
  if (!member.value().is_array() || !std::ranges::all_of(member.value(), is_object))
    member.wrong(allowed);
  std::vector<CommandMembers> members;
  for (const nlohmann::json& one : member.value()) members.emplace_back(one, first_head_);
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
  object_.object_of(std::vector<std::string_view>(taken_.begin(), taken_.end()));
}

JsonCursor CommandMembers::take(const char* name) {
  JsonCursor member = object_.at(name);
  taken_.emplace_back(name);
  return member;
}

}  // namespace lab
