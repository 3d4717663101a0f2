#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "app/tokenizer/text/pieces.h"
#include "app/tokenizer/text/prefix_table.h"

namespace lab::tokenizer {

/// A token that is found in the text before the model sees it, such as "[MASK]".
struct AddedToken {
  std::string content;
  std::string pattern;       ///< what is looked for: `content`, normalized if `normalized`
  bool single_word = false;  ///< not within a word
  bool lstrip = false;       ///< takes the white space before it
  bool rstrip = false;       ///< takes the white space after it
  bool normalized = true;    ///< looked for after normalization, not before
  bool special = false;      ///< left out when special tokens are skipped in decoding
};

/// A word such as ">>fra<<" that may stand at the beginning of a text, or after an added token, and
/// is one token (Marian's names of languages). Not in tokenizer.json.
struct LeadingCode {
  std::string begin;  ///< empty: there is none
  std::string end;
  std::map<std::string, std::uint32_t, std::less<>> ids;
  std::uint32_t unk_id = 0;  ///< of other words between `begin` and `end`
};

/// All added tokens of a tokenizer.
class AddedTokens {
 public:
  /// None.
  AddedTokens() = default;
  /// `tokens` by id.
  explicit AddedTokens(std::map<std::uint32_t, AddedToken> tokens);
  ~AddedTokens() = default;
  /// What was moved from can only be destroyed or assigned to.
  AddedTokens(AddedTokens&&) = default;
  AddedTokens& operator=(AddedTokens&&) = default;
  AddedTokens(const AddedTokens&) = delete;  // the tables refer to the tokens
  AddedTokens& operator=(const AddedTokens&) = delete;

  /// Makes each token in the text a separate piece, leftmost first and the longest of those.
  /// Those that are `normalized` are looked for if `normalized` is true, the others if not.
  void split(Pieces& pieces, bool normalized) const;

  void set_leading_code(LeadingCode code) { code_ = std::move(code); }

  /// All of them, in the order of their ids.
  const std::map<std::uint32_t, AddedToken>& by_id() const { return tokens_; }
  /// The id of the token with this content, if there is one.
  std::optional<std::uint32_t> id_of(std::string_view content) const;
  /// True if `text` is the content of a special token.
  bool is_special(std::string_view text) const;

 private:
  struct Found {
    TextRange bytes;
    std::uint32_t id = 0;
  };

  std::vector<Found> find(std::string_view text, const PrefixTable& table) const;
  std::optional<Found> widened(std::string_view text, Found found, std::uint32_t end_before) const;

  void add_text(std::string_view text, TextRange bytes, std::vector<SubPiece>& segments) const;

  LeadingCode code_;
  std::map<std::uint32_t, AddedToken> tokens_;
  std::unordered_map<std::string_view, std::uint32_t> ids_;
  PrefixTable raw_;
  PrefixTable normalized_;
};

}  // namespace lab::tokenizer
