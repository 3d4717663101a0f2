#include "app/files/model/config_reader.h"

namespace lab::files {

using attention::Index;

namespace {

constexpr Index kLargestSize = ConfigReader::kLargestSize;

Index read_count(const JsonCursor& value) {
  if (!value.value().is_number_unsigned() || value.seed() > std::uint64_t{kLargestSize})
    value.wrong("a whole number up to " + std::to_string(kLargestSize));
  return static_cast<Index>(value.seed());
}

}  // namespace

Index read_size(const JsonCursor& value) {
  const Index size = read_count(value);
  if (size < 1) value.refuse("0, should be 1 or more");
  return size;
}

ConfigReader::ConfigReader(const nlohmann::json& object, const std::string& prefix)
    : object_(prefix.empty() ? JsonCursor(object, "the file", kTextWording)
                             : JsonCursor(object, prefix, kTextWording)) {
  object_.object();
}

const nlohmann::json* ConfigReader::find(const char* name) const {
  const auto member = object_.find(name);
  return member ? &member->value() : nullptr;
}

Index ConfigReader::count_or(const char* name, Index otherwise) const {
  const auto member = object_.find(name);
  return member ? read_count(*member) : otherwise;
}

Index ConfigReader::size(const char* name) const { return read_size(object_.at(name)); }

Index ConfigReader::size_or(const char* name, Index otherwise, Index most) const {
  const auto member = object_.find(name);
  const Index value = member ? read_size(*member) : otherwise;
  if (value > most)
    refuse(name, std::to_string(value) + "; at most " + std::to_string(most) + " are supported");
  return value;
}

std::optional<Index> ConfigReader::optional_size(const char* name) const {
  if (!has(name)) return std::nullopt;
  return size(name);
}

double ConfigReader::number_or(const char* name, double otherwise) const {
  const auto member = object_.find(name);
  if (!member) return otherwise;
  if (!member->value().is_number()) member->wrong("a number");
  return member->value().get<double>();
}

std::optional<double> ConfigReader::optional_number(const char* name) const {
  if (!has(name)) return std::nullopt;
  return number_or(name, 0);
}

bool ConfigReader::flag_or(const char* name, bool otherwise) const {
  const auto member = object_.find(name);
  return member ? member->flag() : otherwise;
}

std::string ConfigReader::text_or(const char* name, const std::string& otherwise) const {
  const auto member = object_.find(name);
  return member ? member->text() : otherwise;
}

std::vector<std::string> ConfigReader::texts(const char* name) const {
  if (!has(name)) return {};
  const JsonCursor list = object_.at(name).list();
  std::vector<std::string> result;
  for (const auto& item : list.value())
    result.push_back(JsonCursor(item, list.path(), kTextWording).text());
  return result;
}

std::vector<double> ConfigReader::numbers(const char* name) const {
  return object_.at(name).read_each([](const JsonCursor& item) {
    if (!item.value().is_number()) item.wrong("a number");
    return item.value().get<double>();
  });
}

std::optional<ConfigReader> ConfigReader::object(const char* name) const {
  if (!has(name)) return std::nullopt;
  return ConfigReader(*find(name), object_.path_of(name) + ".");
}

}  // namespace lab::files
