#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/base/error.h"
#include "app/tokenizer/added/added_tokens.h"
#include "app/tokenizer/decoder/decoder.h"
#include "app/tokenizer/encoding.h"
#include "app/tokenizer/limits.h"
#include "app/tokenizer/model/model.h"
#include "app/tokenizer/normalizer/normalizer.h"
#include "app/tokenizer/postprocessor/post_processor.h"
#include "app/tokenizer/pretokenizer/pre_tokenizer.h"

namespace lab::tokenizer {

/// Longest text that is cut, in bytes.
inline constexpr std::size_t kLongestText = std::size_t{1} << 26U;

/// The stages of a tokenizer.json, in the order in which text passes through them. Each list is a
/// Sequence; an empty one does nothing.
struct Pipeline {
  AddedTokens added;
  std::vector<Normalizer> normalizers;
  std::vector<PreTokenizer> pre_tokenizers;
  Model model;
  std::vector<PostProcessor> post_processors;
  std::vector<Decoder> decoders;
  std::optional<Truncation> truncation;
  std::optional<Padding> padding;
};

/// What to encode besides the text, and how.
struct EncodeOptions {
  std::optional<std::string_view> pair = {};  ///< a second text
  bool add_special = true;                    ///< adds tokens such as [CLS]
  bool truncate = false;                      ///< cuts to the length that the file sets, if it does
  bool pad = false;  ///< fills up to the length that the file sets, if it does
};

/// A tokenizer as a tokenizer.json of Hugging Face describes it. Gives the ids, tokens and offsets
/// that their library `tokenizers` gives.
class Tokenizer {
 public:
  /// With these stages.
  explicit Tokenizer(Pipeline pipeline) : pipeline_(std::move(pipeline)) {}

  /// The tokens of `text`. Fails with kBadInput when a text is no valid UTF-8 or longer than
  /// kLongestText, when an unknown token is needed and missing, or when a pattern takes too long.
  Expected<Encoding> encode(std::string_view text, const EncodeOptions& options = {}) const;

  /// The text of `ids`. Ids without a token are left out, as are special tokens if `skip_special`.
  /// Fails with kBadInput when a pattern takes too long.
  Expected<std::string> decode(std::span<const std::uint32_t> ids, bool skip_special) const;

  /// What `added` adds to the text of `ids`: it may be spelt in another way than alone. Fails as
  /// decode() does.
  Expected<std::string> decode_added(std::vector<std::uint32_t> ids,
                                     std::span<const std::uint32_t> added, bool skip_special) const;

  /// The token with this id, if there is one: one of the model, or an added one.
  std::optional<std::string> token_of(std::uint32_t id) const;
  /// The id of `token`, if there is one.
  std::optional<std::uint32_t> id_of(std::string_view token) const;
  /// Number of different tokens.
  std::size_t size() const;

  /// Its stages, as they were read.
  const Pipeline& pipeline() const { return pipeline_; }

 private:
  Encoding encode_one(std::string_view text) const;

  Pipeline pipeline_;
};

}  // namespace lab::tokenizer
