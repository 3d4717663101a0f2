#include "app/connection/request_json.h"

#include <nlohmann/json.hpp>

#include "app/base/bad_input.h"
#include "app/base/strict_json.h"
#include "app/document/batch/batch.h"

namespace lab::connection {
namespace {

using nlohmann::json;

[[noreturn]] void throw_wrong(const char* name, const json& value, const char* expected) {
  throw BadInput(in_quotes(name) + " is " + json_text(value) + "; it should be " + expected);
}

// Null when it is missing.
const json* member(const json& request, const char* name) {
  const auto found = request.find(name);
  return found == request.end() || found->is_null() ? nullptr : &*found;
}

}  // namespace

json read_object(std::string_view text) {
  constexpr std::size_t kMostValues = 100'000;
  json object = parse_json(text, kMostValues);
  if (!object.is_object()) throw BadInput("a message is a JSON object, not " + json_text(object));
  return object;
}

std::string text_member(const json& request, const char* name) {
  const json* found = member(request, name);
  if (found == nullptr) throw BadInput(in_quotes(name) + " is missing");
  if (!found->is_string()) throw_wrong(name, *found, "a text");
  return found->get<std::string>();
}

std::string text_member(const json& request, const char* name, const std::string& otherwise) {
  return member(request, name) == nullptr ? otherwise : text_member(request, name);
}

std::int64_t integer_member(const json& request, const char* name, std::int64_t otherwise) {
  const json* found = member(request, name);
  if (found == nullptr) return otherwise;
  if (!found->is_number_integer()) throw_wrong(name, *found, "an integer");
  return found->get<std::int64_t>();
}

bool flag_member(const json& request, const char* name) {
  const json* found = member(request, name);
  if (found == nullptr) return false;
  if (!found->is_boolean()) throw_wrong(name, *found, "true or false");
  return found->get<bool>();
}

namespace {

std::vector<std::string> texts_of_list(const json& list, const char* name, std::size_t most) {
  if (list.size() > most)
    throw BadInput(in_quotes(name) + " has " + std::to_string(list.size()) + " texts; at most " +
                   std::to_string(most) + " can be shown");
  std::vector<std::string> texts;
  for (const json& text : list) {
    if (!text.is_string()) throw_wrong(name, text, "a list of texts");
    texts.push_back(text.get<std::string>());
  }
  return texts;
}

}  // namespace

std::optional<TextLists> text_lists_member(const json& request, const char* name,
                                           std::size_t most) {
  const json* found = member(request, name);
  if (found == nullptr) return std::nullopt;
  if (!found->is_array()) throw_wrong(name, *found, "a list of texts");
  if (found->empty() || !found->front().is_array())
    return TextLists{texts_of_list(*found, name, most)};
  if (found->size() > kMostSentences)
    throw BadInput(in_quotes(name) + " has " + std::to_string(found->size()) + " lists; at most " +
                   std::to_string(kMostSentences) + " sentences can be shown");
  TextLists lists;
  for (const json& list : *found) {
    if (!list.is_array()) throw_wrong(name, list, "a list of texts");
    lists.push_back(texts_of_list(list, name, most));
  }
  return lists;
}

}  // namespace lab::connection
