#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

// What the files of a tokenizer's folder share, whatever its vocabulary is kept in.

namespace lab::files {

/// The bytes of a file of `folder`; nothing when it is not there. Throws Error when it cannot be
/// read, or is larger than any part of a tokenizer.
std::optional<std::string> tokenizer_part(const std::string& folder, const char* name);

/// The object in a JSON file of `folder`, empty when it is not there. Throws Error, and BadInput,
/// which names the file, when it is damaged.
nlohmann::json json_part(const std::string& folder, const char* name);

/// tokenizer_config.json with what the files of older versions, special_tokens_map.json and
/// added_tokens.json, add to it: `added_tokens_decoder` is always there. Throws as json_part().
nlohmann::json whole_tokenizer_config(const std::string& folder);

/// What the configuration says of special tokens besides those with names.
struct ExtraTokens {
  std::optional<nlohmann::json> list;                   ///< unset: it says nothing
  nlohmann::json by_member = nlohmann::json::object();  ///< of the model alone: image_token …
};

/// The same for a folder whose configuration is `whole` (see whole_tokenizer_config). Throws as
/// json_part().
ExtraTokens extra_tokens(const std::string& folder, const nlohmann::json& whole);

/// The added tokens of a tokenizer.json, each with its id and flags, as transformers adds them.
class AddedList {
 public:
  /// `vocabulary`: the pieces and their ids. New tokens get the ids from `next_id` on.
  AddedList(const std::map<std::string, std::uint64_t>& vocabulary, std::uint64_t next_id)
      : vocabulary_(vocabulary), next_(next_id) {}

  /// Adds `token`, a text or an object with flags, unless it is there; special where it does not
  /// say.
  void add(const nlohmann::json& token, bool special);
  /// The tokens that the configuration adds by id, in that order. Those in `named` are special;
  /// `raw`: all are looked for before the text is normalised.
  void add_by_id(const nlohmann::json& config, const std::vector<std::string>& named = {},
                 bool raw = false);

  const nlohmann::json& list() const { return list_; }
  /// The id of a token or piece; nothing when there is none.
  std::optional<std::uint64_t> find(const std::string& content) const;
  /// The same. Throws BadInput when there is none.
  std::uint64_t id_of(const std::string& content) const;

 private:
  const std::map<std::string, std::uint64_t>& vocabulary_;
  nlohmann::json list_ = nlohmann::json::array();
  std::map<std::string, std::uint64_t> ids_;
  std::uint64_t next_ = 0;
};

/// A part of a template: a text ("A", "B"), or a token with its id.
struct TemplatePart {
  std::string token;
  std::uint64_t id = 0;
  int type = 0;  ///< of its tokens
  bool is_text = false;
};

/// The post-processor that writes these parts for one text and for two.
nlohmann::json template_of(const std::vector<TemplatePart>& single,
                           const std::vector<TemplatePart>& pair);

}  // namespace lab::files
