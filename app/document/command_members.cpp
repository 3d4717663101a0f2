#include "app/document/command_members.h"

#include <limits>

namespace lab {

namespace {

using Json = CommandJson;

constexpr int kLargestInt = std::numeric_limits<int>::max();

}  // namespace

CommandMembers::CommandMembers(Json object) : left_(std::move(object)) {
  if (!left_.is_object()) throw std::invalid_argument("a command must be a JSON object");
}

std::string CommandMembers::text(const char* name) {
  const Json value = take(name);
  if (!value.is_string()) throw wrong(name, "a string", value);
  return value.get<std::string>();
}

bool CommandMembers::boolean(const char* name) {
  const Json value = take(name);
  if (!value.is_boolean()) throw wrong(name, "true or false", value);
  return value.get<bool>();
}

int CommandMembers::whole(const char* name, int least) {
  const Json value = take(name);
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
  const Json value = take(name);
  if (!value.is_number_unsigned()) throw wrong(name, "a whole number from 0 to 2⁶⁴ − 1", value);
  return value.get<std::uint64_t>();
}

float CommandMembers::number(const char* name) {
  const Json value = take(name);
  if (value.is_number()) return value.get<float>();
  if (value == "NaN") return std::numeric_limits<float>::quiet_NaN();
  if (value == "Infinity") return std::numeric_limits<float>::infinity();
  if (value == "-Infinity") return -std::numeric_limits<float>::infinity();
  throw wrong(name, "a number, or \"NaN\", \"Infinity\", \"-Infinity\"", value);
}

MatrixRef CommandMembers::matrix() {
  MatrixRef ref;
  ref.id = named("matrix", matrix_from_name,
                 "one of X, X_kv, W_Q, W_K, W_V, W_O, b_Q, b_K, b_V, b_O, position_table, gamma, "
                 "beta");
  if (is_per_head(ref.id)) ref.head = whole("head", 1) - 1;
  return ref;
}

StageCell CommandMembers::stage_cell() {
  StageCell cell;
  cell.stage = named("stage", attention::stage_from_name, "the name of a stage");
  if (is_per_head(cell.stage)) cell.head = whole("head", 1) - 1;
  cell.row = whole("row", 0);
  cell.col = whole("col", 0);
  return cell;
}

void CommandMembers::finish() const {
  if (left_.empty()) return;
  throw std::invalid_argument("unknown member “" + printable(left_.begin().key()) + "”");
}

Json CommandMembers::take(const char* name) {
  const auto found = left_.find(name);
  if (found == left_.end()) {
    throw std::invalid_argument("member “" + std::string(name) + "” is missing");
  }
  Json value = std::move(*found);
  left_.erase(found);
  return value;
}

std::invalid_argument CommandMembers::wrong(const std::string& name, const std::string& allowed,
                                            const Json& value) {
  constexpr std::size_t kShown = 40;
  std::string given = value.dump(-1, ' ', true);  // ASCII, so that it can be cut anywhere
  if (given.size() > kShown) given = given.substr(0, kShown) + "…";
  return std::invalid_argument("“" + name + "” must be " + allowed + ", not " + given);
}

}  // namespace lab
