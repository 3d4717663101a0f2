#include "app/tokenizer/reading/json_node.h"

#include "app/tokenizer/unicode/utf8.h"

namespace lab::tokenizer {
namespace {

std::string type_of(const rapidjson::Value& value) {
  if (value.IsNull()) return "nothing";
  if (value.IsBool()) return value.GetBool() ? "true" : "false";
  if (value.IsString()) return in_quotes(view_of(value));
  if (value.IsArray()) return "a list";
  return value.IsObject() ? "an object" : "a number";
}

}  // namespace

void JsonNode::refuse(const std::string& problem) const {
  throw BadInput(path_.empty() ? problem : path_ + ": " + problem);
}

std::optional<JsonNode> JsonNode::find(const char* name) const {
  if (!value_->IsObject()) refuse(type_of(*value_) + ", should be an object");
  const rapidjson::Value* found = nullptr;
  for (const auto& member : value_->GetObject()) {
    if (view_of(member.name) != name) continue;
    if (found != nullptr) refuse("the member " + in_quotes(name) + " is there twice");
    found = &member.value;
  }
  if (found == nullptr || found->IsNull()) return std::nullopt;
  return JsonNode(*found, path_.empty() ? name : path_ + "." + name);
}

JsonNode JsonNode::member(const char* name) const {
  auto found = find(name);
  if (!found) refuse("the member " + in_quotes(name) + " is missing");
  return *found;
}

std::vector<JsonNode> JsonNode::items() const {
  if (!value_->IsArray()) refuse(type_of(*value_) + ", should be a list");
  std::vector<JsonNode> items;
  for (const rapidjson::Value& item : value_->GetArray())
    items.emplace_back(item, path_ + "[" + std::to_string(items.size()) + "]");
  return items;
}

std::string_view JsonNode::text() const {
  if (!value_->IsString()) refuse(type_of(*value_) + ", should be text");
  return view_of(*value_);
}

bool JsonNode::flag() const {
  if (!value_->IsBool()) refuse(type_of(*value_) + ", should be true or false");
  return value_->GetBool();
}

std::uint64_t JsonNode::count(std::uint64_t most) const {
  if (!value_->IsUint64() || value_->GetUint64() > most)
    refuse(type_of(*value_) + ", should be a whole number from 0 to " + std::to_string(most));
  return value_->GetUint64();
}

std::string_view JsonNode::character() const {
  if (character_count(text()) != 1) refuse(in_quotes(text()) + ", should be one character");
  return text();
}

std::string JsonNode::text_or(const char* name, std::string_view otherwise) const {
  const auto found = find(name);
  return std::string(found ? found->text() : otherwise);
}

bool JsonNode::flag_or(const char* name, bool otherwise) const {
  const auto found = find(name);
  return found ? found->flag() : otherwise;
}

}  // namespace lab::tokenizer
