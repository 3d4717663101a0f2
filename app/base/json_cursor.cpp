#include "app/base/json_cursor.h"

#include <algorithm>

#include "app/base/strict_json.h"

namespace lab {

using nlohmann::json;

namespace {

std::string wrong_value(const std::string& path, const json& value, const std::string& expected) {
  return path + ": " + json_text(value) + ", should be " + expected;
}
std::string wrong_without_value(const std::string& path, const json&, const std::string& expected) {
  return path + ": should be " + expected;
}
std::string missing_member(const std::string& path) { return path + ": is missing"; }
std::string unknown_member(const std::string& path, const std::string& name) {
  return path + ": there is no member " + in_quotes(name);
}

}  // namespace

const JsonWording kFileWording{"text in quotes", wrong_value, missing_member, unknown_member};
const JsonWording kTextWording{"a text", wrong_value, missing_member, unknown_member};
const JsonWording kShortWording{"a text", wrong_without_value, missing_member, unknown_member};

std::string JsonCursor::path_of(std::string_view member) const {
  std::string path = path_;
  if (!path.empty() && path.back() != '.') path += '.';
  return path.append(member);
}

void JsonCursor::refuse(const std::string& what) const { throw BadInput(path() + ": " + what); }

void JsonCursor::wrong(const std::string& expected) const {
  throw BadInput(wording_->wrong(path(), *value_, expected));
}

bool JsonCursor::has(std::string_view name) const { return value_->find(name) != value_->end(); }

std::optional<JsonCursor> JsonCursor::find(std::string_view name) const {
  const auto found = value_->find(name);
  if (found == value_->end()) return std::nullopt;
  return JsonCursor(*found, path_of(name), *wording_);
}

JsonCursor JsonCursor::at(std::string_view name) const {
  auto found = find(name);
  if (!found) throw BadInput(wording_->missing(path_of(name)));
  return *std::move(found);
}

JsonCursor JsonCursor::item(std::size_t index) const {
  return {(*value_)[index], path() + "[" + std::to_string(index) + "]", *wording_};
}

const JsonCursor& JsonCursor::object() const {
  if (!value_->is_object()) wrong("an object");
  return *this;
}

const JsonCursor& JsonCursor::object_of(std::span<const std::string_view> names) const {
  for (const auto& [name, member] : object().value_->items())
    if (std::ranges::find(names, name) == names.end())
      throw BadInput(wording_->unknown(path(), name));
  return *this;
}

const JsonCursor& JsonCursor::list(std::size_t most) const {
  if (!value_->is_array()) wrong("a list");
  if (value_->size() > most) refuse("more than " + std::to_string(most));
  return *this;
}

const JsonCursor& JsonCursor::numbers(std::size_t count) const {
  if (const std::size_t given = list().value_->size(); given != count)
    refuse(std::to_string(given) + " numbers, should be " + std::to_string(count));
  return *this;
}

std::string JsonCursor::text() const {
  if (!value_->is_string()) wrong(wording_->text);
  return value_->get<std::string>();
}

std::vector<std::string> JsonCursor::texts() const {
  return read_each([](const JsonCursor& item) { return item.text(); });
}

bool JsonCursor::flag() const {
  if (!value_->is_boolean()) wrong("true or false");
  return value_->get<bool>();
}

int JsonCursor::whole() const {
  if (seed() > std::uint64_t{std::numeric_limits<int>::max()})
    refuse(json_text(*value_) + " is too large");
  return value_->get<int>();
}

std::uint64_t JsonCursor::seed() const {
  if (!value_->is_number_unsigned()) wrong("a whole number");
  return value_->get<std::uint64_t>();
}

float JsonCursor::number() const {
  try {
    return json_float(*value_);
  } catch (const BadInput& error) {
    refuse(error.what());
  }
}

}  // namespace lab
