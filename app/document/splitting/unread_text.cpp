#include "app/document/splitting/unread_text.h"

#include <algorithm>

#include "app/base/text_direction.h"
#include "app/base/visible_text.h"
#include "app/document/splitting/segments.h"
#include "app/translation/words.h"

namespace lab {
namespace {

constexpr std::size_t kMostNamed = 5;

// False where a byte is within no token.
std::vector<bool> read_bytes(std::size_t size, const std::vector<Token>& tokens) {
  std::vector<bool> read(size);
  for (const Token& token : tokens)
    for (std::size_t i = token.bytes.first; i < std::min<std::size_t>(token.bytes.last, size); ++i)
      read[i] = true;
  return read;
}

// True when all that no token has is blanks, which is nearly always so and needs no look at
// characters.
bool only_blanks_are_left(std::string_view sentence, const std::vector<bool>& read) {
  for (std::size_t i = 0; i < read.size(); ++i)
    if (!read[i] && sentence[i] != ' ') return false;
  return true;
}

// True when a token has a part of each of the characters. The tokens of a word that lacks one do
// not always know which: they count from the beginning of the word, as in the library tokenizers.
bool all_are_read(const std::vector<tokenizer::TextRange>& characters,
                  const std::vector<bool>& read) {
  return std::ranges::all_of(characters, [&](const tokenizer::TextRange& bytes) {
    const auto end = read.begin() + bytes.last;
    return std::find(read.begin() + bytes.first, end, true) != end;
  });
}

bool gives_no_token(const std::string& character, Splitting splitting) {
  splitting.special_tokens = false;
  const auto tokens = split_sentence(character, splitting);
  return tokens && tokens->empty();
}

// “é”, “7” and so on, as text that stands within a sentence.
std::string quoted_list(const std::vector<std::string>& characters) {
  std::string list;
  for (std::size_t i = 0; i < std::min(characters.size(), kMostNamed); ++i)
    list += (i == 0 ? "" : ", ") + tr("“{}”", {isolated(printable(characters[i]))});
  return characters.size() > kMostNamed ? list + ", …" : list;
}

}  // namespace

std::vector<std::string> unread_characters(std::string_view sentence,
                                           const std::vector<Token>& tokens,
                                           const Splitting& splitting) {
  std::vector<std::string> unread;
  const bool know_bytes = tokens.empty() || std::ranges::any_of(tokens, [](const Token& token) {
                            return !token.bytes.empty();
                          });
  if (!know_bytes) return unread;
  const std::vector<bool> read = read_bytes(sentence.size(), tokens);
  if (only_blanks_are_left(sentence, read)) return unread;
  const auto characters = segments(sentence, TokenMode::kCharacters);
  if (all_are_read(characters, read)) return unread;
  for (const tokenizer::TextRange& bytes : characters) {
    std::string character(part_of(sentence, bytes));
    if (std::ranges::find(unread, character) == unread.end() &&
        gives_no_token(character, splitting))
      unread.push_back(std::move(character));
  }
  return unread;
}

std::string unread_note(const std::vector<std::string>& characters) {
  return characters.empty() ? "" : tr("left out: {}", {quoted_list(characters)});
}

std::string no_token_text(std::string_view sentence, const Splitting& splitting) {
  const auto unread = unread_characters(sentence, {}, splitting);
  if (unread.empty()) return tr("The sentence is empty: type at least one word.");
  return tr("This vocabulary has no token for {}.", {quoted_list(unread)});
}

}  // namespace lab
