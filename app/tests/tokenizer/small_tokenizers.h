#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace lab::tokenizer {

/// A tokenizer.json of the given parts; parts that are left out are null.
inline std::string file_of(const nlohmann::json& model, const nlohmann::json& segments = {}) {
  nlohmann::json file = {{"version", "1.0"}, {"added_tokens", nlohmann::json::array()}};
  file["model"] = model;
  for (const auto& [name, part] : segments.items()) file[name] = part;
  return file.dump();
}

/// A WordPiece model that knows the words "un", "##able" and "it".
inline nlohmann::json word_piece_model() {
  return {{"type", "WordPiece"},
          {"unk_token", "[UNK]"},
          {"continuing_subword_prefix", "##"},
          {"max_input_chars_per_word", 100},
          {"vocab", {{"[UNK]", 0}, {"un", 1}, {"##able", 2}, {"it", 3}}}};
}

/// A BPE model of the letters a, b and c that joins a and b, and then ab and c.
inline nlohmann::json bpe_model() {
  return {{"type", "BPE"},
          {"vocab", {{"a", 0}, {"b", 1}, {"c", 2}, {"ab", 3}, {"abc", 4}}},
          {"merges", nlohmann::json::array({"a b", "ab c"})}};
}

}  // namespace lab::tokenizer
