#include "app/files/training/trained_tokenizer.h"

#include <nlohmann/json.hpp>

#include "core/training/text_words.h"

namespace lab::files {
namespace {

using attention::training::Task;
using attention::training::TaskType;
using nlohmann::ordered_json;

ordered_json isolated(std::string_view pattern) {
  return {{"type", "Split"},
          {"pattern", {{"Regex", pattern}}},
          {"behavior", "Isolated"},
          {"invert", false}};
}

// Characters one by one need no model but a vocabulary: those that it does not have are left out.
ordered_json character_model(const ordered_json& vocabulary) {
  return {{"type", "BPE"},
          {"dropout", nullptr},
          {"unk_token", nullptr},
          {"continuing_subword_prefix", nullptr},
          {"end_of_word_suffix", nullptr},
          {"fuse_unk", false},
          {"byte_fallback", false},
          {"vocab", vocabulary},
          {"merges", ordered_json::array()}};
}

}  // namespace

std::string tokenizer_json(const Task& task, TaskType type) {
  ordered_json vocabulary = ordered_json::object();
  for (std::size_t id = 0; id < task.tokens().size(); ++id) vocabulary[task.tokens()[id]] = id;
  const bool words = type == TaskType::kText;
  const ordered_json pieces = words ? isolated(attention::training::kMarks) : isolated(".");
  ordered_json file = {
      {"version", "1.0"},
      {"truncation", nullptr},
      {"padding", nullptr},
      {"added_tokens", ordered_json::array()},
      {"normalizer", nullptr},
      {"pre_tokenizer",
       {{"type", "Sequence"}, {"pretokenizers", {{{"type", "WhitespaceSplit"}}, pieces}}}},
      {"post_processor", nullptr},
      {"decoder", nullptr}};
  file["model"] = words ? ordered_json{{"type", "WordLevel"},
                                       {"vocab", vocabulary},
                                       {"unk_token", task.tokens().front()}}
                        : character_model(vocabulary);
  return file.dump(1) + "\n";
}

}  // namespace lab::files
