#include "app/tokenizer/text/rewriter.h"

#include "app/base/visible_text.h"
#include "app/tokenizer/unicode/utf8.h"

namespace lab::tokenizer {

void Rewriter::write(char32_t character, TextRange source) {
  const std::size_t before = to_.text.size();
  if (character < 0x80)
    to_.text += static_cast<char>(character);
  else
    append_utf8(to_.text, character);
  to_.sources.insert(to_.sources.end(), to_.text.size() - before, source);
}

void Rewriter::copy(std::size_t bytes) {
  to_.text.append(from_.text, next_, bytes);
  const auto first = from_.sources.begin() + next_;
  to_.sources.insert(to_.sources.end(), first, first + static_cast<std::ptrdiff_t>(bytes));
  next_ += static_cast<std::uint32_t>(bytes);
}

void Rewriter::skip(std::size_t characters) {
  for (; characters > 0 && next_ < piece_.last; --characters)
    next_ += static_cast<std::uint32_t>(character_size(from_.text[next_]));
}

void Rewriter::replace(char32_t character, std::size_t removed) {
  if (next_ >= piece_.last) return insert(character);
  write(character, from_.sources[next_]);
  skip(1 + removed);
}

void Rewriter::insert(char32_t character) {
  write(character, next_ > piece_.first ? from_.sources[next_ - 1] : TextRange{origin_, origin_});
}

void Rewriter::insert(std::string_view text) {
  for_each_character(text,
                     [&](char32_t character, std::size_t, std::size_t) { insert(character); });
}

void Rewriter::prepend(std::string_view text) {
  for_each_character(text, [&](char32_t character, std::size_t, std::size_t) {
    write(character, from_.sources[piece_.first]);
  });
}

void apply(Rewriter& rewriter, CharacterChange changed) {
  if (changed.change > 0)
    rewriter.insert(changed.character);
  else
    rewriter.replace(changed.character, static_cast<std::size_t>(-changed.change));
}

}  // namespace lab::tokenizer
