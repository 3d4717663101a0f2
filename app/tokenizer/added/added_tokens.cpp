#include "app/tokenizer/added/added_tokens.h"

#include <algorithm>

#include "app/tokenizer/unicode/properties.h"
#include "app/tokenizer/unicode/utf8.h"

namespace lab::tokenizer {
namespace {

bool ends_with_word(std::string_view text) {
  return !text.empty() &&
         is_word_character(character_at(text, character_before(text, text.size())));
}

bool begins_with_word(std::string_view text) {
  return !text.empty() && is_word_character(character_at(text, 0));
}

// Where the white space before byte `end` begins.
std::uint32_t blank_before(std::string_view text, std::uint32_t end) {
  while (end > 0) {
    const std::size_t last = character_before(text, end);
    if (!is_white_space(character_at(text, last))) break;
    end = static_cast<std::uint32_t>(last);
  }
  return end;
}

// Where the white space from byte `at` on ends.
std::uint32_t blank_after(std::string_view text, std::uint32_t at) {
  while (at < text.size() && is_white_space(character_at(text, at)))
    at += static_cast<std::uint32_t>(character_size(text[at]));
  return at;
}

}  // namespace

AddedTokens::AddedTokens(std::map<std::uint32_t, AddedToken> tokens) : tokens_(std::move(tokens)) {
  std::unordered_map<std::string_view, std::uint32_t> raw;
  std::unordered_map<std::string_view, std::uint32_t> normalized;
  for (const auto& [id, token] : tokens_) {
    ids_[token.content] = id;
    if (!token.pattern.empty())
      (token.normalized ? normalized : raw).try_emplace(token.pattern, id);
  }
  raw_ = PrefixTable({raw.begin(), raw.end()});
  normalized_ = PrefixTable({normalized.begin(), normalized.end()});
}

std::optional<std::uint32_t> AddedTokens::id_of(std::string_view content) const {
  const auto found = ids_.find(content);
  return found == ids_.end() ? std::nullopt : std::optional(found->second);
}

bool AddedTokens::is_special(std::string_view text) const {
  const auto id = id_of(text);
  return id && tokens_.at(*id).special;
}

// `found` with the white space that it takes; nothing if it is within a word. `end_before` is where
// the token before it ends.
std::optional<AddedTokens::Found> AddedTokens::widened(std::string_view text, Found found,
                                                       std::uint32_t end_before) const {
  const AddedToken& token = tokens_.at(found.id);
  const std::string_view before = text.substr(0, found.bytes.first);
  const std::string_view after = text.substr(found.bytes.last);
  if (token.single_word && (ends_with_word(before) || begins_with_word(after))) return std::nullopt;
  if (token.lstrip) found.bytes.first = std::max(blank_before(text, found.bytes.first), end_before);
  if (token.rstrip) found.bytes.last = blank_after(text, found.bytes.last);
  return found;
}

std::vector<AddedTokens::Found> AddedTokens::find(std::string_view text,
                                                  const PrefixTable& table) const {
  std::vector<Found> all;
  if (table.empty()) return all;
  std::uint32_t end_before = 0;
  for (std::uint32_t at = 0; at < text.size();) {
    Found longest;
    if (!table.none_begins_with(text[at])) {
      table.for_each_prefix(text.substr(at), [&](std::size_t size, std::uint32_t id) {
        longest = {{at, at + static_cast<std::uint32_t>(size)}, id};
      });
    }
    if (longest.bytes.empty()) {
      ++at;
      continue;
    }
    at = longest.bytes.last;
    if (const auto found = widened(text, longest, end_before)) {
      all.push_back(*found);
      end_before = found->bytes.last;
    }
  }
  return all;
}

// A text between added tokens, which may begin with a code.
void AddedTokens::add_text(std::string_view text, TextRange bytes,
                           std::vector<SubPiece>& segments) const {
  const std::string_view part = part_of(text, bytes);
  const std::size_t end = part.starts_with(code_.begin) ? part.find(code_.end) : part.npos;
  if (end == part.npos) return segments.push_back({bytes, std::nullopt});
  const std::string_view code = part.substr(0, end + code_.end.size());
  const auto known = code_.ids.find(code);
  const auto cut = bytes.first + static_cast<std::uint32_t>(code.size());
  segments.push_back({{bytes.first, cut}, known == code_.ids.end() ? code_.unk_id : known->second});
  if (cut < bytes.last) segments.push_back({{cut, bytes.last}, std::nullopt});
}

void AddedTokens::split(Pieces& pieces, bool normalized) const {
  const PrefixTable& table = normalized ? normalized_ : raw_;
  // Without tokens too, a normalised piece begins where its first character comes from.
  const bool codes = !normalized && !code_.begin.empty();
  if (table.empty() && !normalized && !codes) return;
  const auto add_between = [&](std::string_view text, TextRange bytes,
                               std::vector<SubPiece>& segments) {
    if (codes)
      add_text(text, bytes, segments);
    else
      segments.push_back({bytes, std::nullopt});
  };
  pieces.split([&](std::string_view text, std::vector<SubPiece>& segments) {
    std::uint32_t before = 0;
    for (const Found& found : find(text, table)) {
      if (before < found.bytes.first) add_between(text, {before, found.bytes.first}, segments);
      segments.push_back({found.bytes, found.id});
      before = found.bytes.last;
    }
    const auto end = static_cast<std::uint32_t>(text.size());
    if (before != end) add_between(text, {before, end}, segments);
  });
}

}  // namespace lab::tokenizer
