#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The tokenizer classes of transformers 5.24 that build their stages themselves, from
// tokenizer_config.json and their own defaults. Of tokenizer.json they read the vocabulary, the
// merges, a table of SentencePiece and the post-processor. All other classes read the whole file.

namespace lab::files {

/// The text of a token, which is written as a text or as an object with its flags; empty when it is
/// neither.
std::string content_of(const nlohmann::json& token);

/// The value of `key`, where null counts as missing.
nlohmann::json value_or(const nlohmann::json& config, const char* key,
                        const nlohmann::json& otherwise);

/// Special tokens by the member of the configuration that names them.
using NamedTokens = std::map<std::string, std::string>;

/// The members that name special tokens, in the order in which transformers adds them.
inline constexpr const char* kNamedTokens[] = {"bos_token", "eos_token", "unk_token", "sep_token",
                                               "pad_token", "cls_token", "mask_token"};

/// One of those classes.
struct RebuildingClass {
  std::vector<std::string_view> names;  ///< without "Fast" at the end
  /// normalizer, pre_tokenizer and model as in a tokenizer.json, the model without its vocabulary;
  /// null: in ways not known here.
  nlohmann::json (*stages)(const nlohmann::json& config);
  NamedTokens tokens;  ///< those that it has where the configuration names none
  /// The members of the configuration that name the tokens around a text, in order; unset where
  /// the post-processor of the file decides.
  std::optional<std::vector<std::string>> around;
  /// Of bytes: a template puts these there, the second of them also before a second text; else
  /// RobertaProcessing does, which leaves blanks out of what tokens cover.
  bool by_template = false;
};

/// The class of that name; null when it reads the whole file, or there is none.
const RebuildingClass* class_of_name(std::string_view name);

/// The name, without "Fast" at the end, of the class that transformers takes for a folder with this
/// tokenizer_config.json (`config`) and config.json (`model`): mostly the one that they name, or
/// the one that models of its type have. "TokenizersBackend" is the one that reads the whole file.
std::string class_name_of_folder(const nlohmann::json& config, const nlohmann::json& model);

/// The class of class_name_of_folder(); null: it reads the whole file. `bytes`: the tokenizer is
/// one of bytes, for which transformers does not take LlamaTokenizer by its name.
const RebuildingClass* class_of_folder(const nlohmann::json& config, const nlohmann::json& model,
                                       bool bytes);

}  // namespace lab::files
