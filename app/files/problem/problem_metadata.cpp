#include "app/files/problem/problem_metadata.h"

#include <nlohmann/json.hpp>

#include "app/base/bad_input.h"
#include "app/base/machine_numbers.h"
#include "app/base/strict_json.h"
#include "app/files/session/variants.h"

namespace lab::files {
namespace {

using attention::Index;

[[noreturn]] void refuse(const std::string& name, const std::string& text, const char* expected) {
  throw BadInput("metadata " + name + " is " + in_quotes(text) + ", it should be " + expected);
}

// --- one text to one value

void parse(const std::string& name, const std::string& text, bool& value) {
  if (text != "true" && text != "false") refuse(name, text, "true or false");
  value = text == "true";
}

template <typename Number>
void metadata_number(const std::string& name, const std::string& text, Number& value,
                     const char* expected) {
  const auto parsed = parse_number<Number>(text);
  if (!parsed) refuse(name, text, expected);
  value = *parsed;
}

void parse(const std::string& name, const std::string& text, float& value) {
  metadata_number(name, text, value, "a number");
}
void parse(const std::string& name, const std::string& text, int& value) {
  metadata_number(name, text, value, "a whole number");
}
void parse(const std::string& name, const std::string& text, std::uint64_t& value) {
  metadata_number(name, text, value, "a whole number from 0 to 2⁶⁴ − 1");
}

template <Spelt Id>
void parse(const std::string& name, const std::string& text, Id& value) {
  const auto known = Spelling<Id>::id(text);
  if (!known) refuse(name, text, Spelling<Id>::kAllowed);
  value = *known;
}

// Sets `value` if the metadata has it.
struct Reader {
  const Metadata& metadata;

  template <typename Value>
  void operator()(const char* name, Value& value, const auto&) const {
    const auto at = metadata.find(name);
    if (at != metadata.end()) parse(name, at->second, value);
  }
};

// Calls read(json, path) with the JSON in metadata `name`, if present.
template <typename Read>
void read_json(const Metadata& metadata, const char* name, Read&& read) {
  constexpr std::size_t kMostValues = 1'000'000;
  const auto at = metadata.find(name);
  if (at == metadata.end()) return;
  const std::string what = std::string("metadata ") + name;
  nlohmann::json value;
  try {
    value = parse_json(at->second, kMostValues);
  } catch (const BadInput& error) {
    throw BadInput(what + " is not JSON: " + error.what());
  }
  read(value, what);
}

using Strings = std::vector<std::string>;

Strings strings_of(const nlohmann::json& list, const std::string& what) {
  if (!list.is_array()) throw BadInput(what + " is " + json_text(list) + ", it should be a list");
  Strings strings;
  for (const nlohmann::json& text : list) {
    if (!text.is_string())
      throw BadInput(what + " holds " + json_text(text) + ", it should hold only strings");
    strings.push_back(text.get<std::string>());
  }
  return strings;
}

Strings strings_of(const nlohmann::json& list, const std::string& what, Index count) {
  Strings strings = strings_of(list, what);
  if (std::ssize(strings) != count)
    throw BadInput(what + " has " + std::to_string(strings.size()) + " strings, it should have " +
                   std::to_string(count) + ", one for each row");
  return strings;
}

// Those of one sentence of a batch.
Strings strings_within(const nlohmann::json& list, const std::string& what, Index most) {
  Strings strings = strings_of(list, what);
  if (strings.empty() || std::ssize(strings) > most)
    throw BadInput(what + " has " + std::to_string(strings.size()) +
                   " strings, it should have 1 … " + std::to_string(most));
  return strings;
}

bool is_list_of_lists(const nlohmann::json& list) {
  return list.is_array() && !list.empty() && list.front().is_array();
}

std::vector<Strings> lists_of(const nlohmann::json& lists, const std::string& what, Index sentences,
                              Index count) {
  if (!is_list_of_lists(lists))
    return std::vector<Strings>(static_cast<std::size_t>(sentences),
                                strings_of(lists, what, count));
  if (std::ssize(lists) != sentences)
    throw BadInput(what + " has " + std::to_string(lists.size()) + " lists, it should have " +
                   std::to_string(sentences) + ", one for each sentence");
  std::vector<Strings> all;
  for (std::size_t i = 0; i < lists.size(); ++i)
    all.push_back(strings_within(lists[i], what + "[" + std::to_string(i) + "]", count));
  return all;
}

Strings numbers_from_0(Index count) {
  Strings labels;
  for (Index i = 0; i < count; ++i) labels.push_back(std::to_string(i));
  return labels;
}

// --- one value to one text

std::string text_of(bool value) { return value ? "true" : "false"; }
std::string text_of(int value) { return std::to_string(value); }
std::string text_of(std::uint64_t value) { return std::to_string(value); }
std::string text_of(Spelt auto value) {
  return std::string(Spelling<decltype(value)>::name(value));
}
std::string text_of(float value) {
  std::string text;
  append_float(text, value);
  return text;
}

nlohmann::json list_of(const Strings& labels) {
  nlohmann::json list = nlohmann::json::array();
  for (const std::string& label : labels) list.push_back(storable(label));
  return list;
}

}  // namespace

void read_variants(const Metadata& metadata, attention::Problem& problem) {
  const Reader reader{metadata};
  reader("scale", problem.config.scale, true);
  reader("temperature", problem.config.temperature, 1.0f);
  reader("causal", problem.config.mask.causal, false);
  for_each_variant(problem.config, reader);
  read_json(metadata, "head_mix", [&](const nlohmann::json& list, const std::string& what) {
    problem.head_mix = kHeadMixList.read({list, what});
  });
  read_json(metadata, "overrides", [&](const nlohmann::json& list, const std::string& what) {
    problem.overrides = kOverrideList.read({list, what});
  });
}

std::vector<std::string> read_labels(const Metadata& metadata, const char* name, Index count) {
  std::vector<std::string> labels = numbers_from_0(count);
  read_json(metadata, name, [&](const nlohmann::json& list, const std::string& what) {
    labels = strings_of(list, what, count);
  });
  return labels;
}

std::vector<Strings> read_batch_labels(const Metadata& metadata, const char* name, Index sentences,
                                       Index count) {
  std::vector<Strings> labels(static_cast<std::size_t>(sentences), numbers_from_0(count));
  read_json(metadata, name, [&](const nlohmann::json& lists, const std::string& what) {
    labels = lists_of(lists, what, sentences, count);
  });
  return labels;
}

std::string labels_text(const Strings& labels) { return list_of(labels).dump(); }

std::string labels_text(const std::vector<Strings>& labels) {
  nlohmann::json lists = nlohmann::json::array();
  for (const Strings& one : labels) lists.push_back(list_of(one));
  return lists.dump();
}

bool tells_mask_rules(const Metadata& metadata) {
  return metadata.contains("causal") || metadata.contains("key_count") ||
         metadata.contains("window");
}

Metadata problem_metadata(const Document& document) {
  const attention::Problem& problem = document.problem;
  Metadata metadata;
  metadata["scale"] = text_of(problem.config.scale);
  metadata["temperature"] = text_of(problem.config.temperature);
  metadata["causal"] = text_of(problem.config.mask.causal);
  for_each_variant(problem.config,
                   [&](const char* name, const auto& value, const auto& default_value) {
                     if (!is_default(value, default_value)) metadata[name] = text_of(value);
                   });
  if (!problem.head_mix.empty()) metadata["head_mix"] = json_line(problem.head_mix, kHeadMixList);
  if (!problem.overrides.empty())
    metadata["overrides"] = json_line(problem.overrides, kOverrideList);
  metadata["tokens"] = labels_text(texts_of(document.tokens));
  if (!document.kv_tokens.empty())
    metadata["kv_tokens"] = labels_text(texts_of(document.kv_tokens));
  return metadata;
}

std::vector<std::string> problem_metadata_names() {
  std::vector<std::string> names = {"scale",     "temperature", "causal",   "head_mix",
                                    "overrides", "tokens",      "kv_tokens"};
  const attention::Config config;
  for_each_variant(config,
                   [&](const char* name, const auto&, const auto&) { names.emplace_back(name); });
  return names;
}

}  // namespace lab::files
