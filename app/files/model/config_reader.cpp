#include "app/files/model/config_reader.h"

#include <cmath>

#include "app/base/bad_input.h"
#include "app/base/strict_json.h"

namespace lab::files {

using attention::Index;
using nlohmann::json;

ConfigReader::ConfigReader(const json& object, std::string place)
    : object_(&object), place_(std::move(place)) {
  if (!object.is_object())
    throw BadInput((place_.empty() ? "the file" : place_) + ": " + json_text(object) +
                   ", should be an object");
}

void ConfigReader::refuse(const char* name, const std::string& problem) const {
  throw BadInput(place_ + name + ": " + problem);
}

const json* ConfigReader::find(const char* name) const {
  const auto at = object_->find(name);
  return at == object_->end() ? nullptr : &*at;
}

bool ConfigReader::has(const char* name) const {
  const json* const value = find(name);
  return value != nullptr && !value->is_null();
}

bool ConfigReader::says_null(const char* name) const {
  const json* const value = find(name);
  return value != nullptr && value->is_null();
}

Index ConfigReader::count_or(const char* name, Index otherwise) const {
  const json* const value = find(name);
  if (value == nullptr) return otherwise;
  if (!value->is_number_unsigned() || value->get<std::uint64_t>() > std::uint64_t{kLargestSize})
    refuse(name,
           json_text(*value) + ", should be a whole number up to " + std::to_string(kLargestSize));
  return static_cast<Index>(value->get<std::uint64_t>());
}

Index ConfigReader::size(const char* name) const {
  if (find(name) == nullptr) refuse(name, "is missing");
  return size_or(name, 1);
}

Index ConfigReader::size_or(const char* name, Index otherwise, Index most) const {
  const Index value = count_or(name, otherwise);
  if (value < 1) refuse(name, "0, should be 1 or more");
  if (value > most)
    refuse(name, std::to_string(value) + "; at most " + std::to_string(most) + " are supported");
  return value;
}

std::optional<Index> ConfigReader::optional_size(const char* name) const {
  if (!has(name)) return std::nullopt;
  return size_or(name, 1);
}

double ConfigReader::number_or(const char* name, double otherwise) const {
  const json* const value = find(name);
  if (value == nullptr) return otherwise;
  if (!value->is_number()) refuse(name, json_text(*value) + ", should be a number");
  return value->get<double>();
}

std::optional<double> ConfigReader::optional_number(const char* name) const {
  if (!has(name)) return std::nullopt;
  return number_or(name, 0);
}

bool ConfigReader::flag_or(const char* name, bool otherwise) const {
  const json* const value = find(name);
  if (value == nullptr) return otherwise;
  if (!value->is_boolean()) refuse(name, json_text(*value) + ", should be true or false");
  return value->get<bool>();
}

std::string ConfigReader::text_or(const char* name, const std::string& otherwise) const {
  const json* const value = find(name);
  if (value == nullptr) return otherwise;
  if (!value->is_string()) refuse(name, json_text(*value) + ", should be a text");
  return value->get<std::string>();
}

std::vector<std::string> ConfigReader::texts(const char* name) const {
  if (!has(name)) return {};
  const json* const value = find(name);
  std::vector<std::string> result;
  if (!value->is_array()) refuse(name, json_text(*value) + ", should be a list");
  for (const json& item : *value) {
    if (!item.is_string()) refuse(name, json_text(item) + ", should be a text");
    result.push_back(item.get<std::string>());
  }
  return result;
}

std::optional<ConfigReader> ConfigReader::object(const char* name) const {
  if (!has(name)) return std::nullopt;
  return ConfigReader(*find(name), place_ + name + ".");
}

}  // namespace lab::files
