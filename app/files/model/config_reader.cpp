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
  return at == object_->end() || at->is_null() ? nullptr : &*at;
}

bool ConfigReader::says_null(const char* name) const {
  const auto at = object_->find(name);
  return at != object_->end() && at->is_null();
}

Index ConfigReader::count_or(const char* name, Index otherwise) const {
  const json* const value = find(name);
  if (value == nullptr) return otherwise;
  if (!value->is_number_unsigned() || value->get<std::uint64_t>() > std::uint64_t{kLargestSize})
    refuse(name,
           json_text(*value) + ", should be a whole number up to " + std::to_string(kLargestSize));
  return static_cast<Index>(value->get<std::uint64_t>());
}

Index ConfigReader::size_or(const char* name, Index otherwise) const {
  const Index value = count_or(name, otherwise);
  if (value < 1) refuse(name, "0, should be 1 or more");
  return value;
}

Index ConfigReader::size(const char* name, Index most) const {
  if (!has(name)) refuse(name, "is missing");
  const Index value = size_or(name, 1);
  if (value > most)
    refuse(name, std::to_string(value) + "; at most " + std::to_string(most) + " are supported");
  return value;
}

double ConfigReader::number_or(const char* name, double otherwise) const {
  const json* const value = find(name);
  if (value == nullptr) return otherwise;
  if (!value->is_number()) refuse(name, json_text(*value) + ", should be a number");
  return value->get<double>();
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
  const json* const value = find(name);
  if (value == nullptr) return {};
  std::vector<std::string> result;
  if (!value->is_array()) refuse(name, json_text(*value) + ", should be a list");
  for (const json& item : *value) {
    if (!item.is_string()) refuse(name, json_text(item) + ", should be a text");
    result.push_back(item.get<std::string>());
  }
  return result;
}

std::optional<ConfigReader> ConfigReader::object(const char* name) const {
  const json* const value = find(name);
  if (value == nullptr) return std::nullopt;
  return ConfigReader(*value, place_ + name + ".");
}

}  // namespace lab::files
