#include "app/tokenizer/model/unigram.h"

#include <algorithm>
#include <limits>

#include "app/base/bad_input.h"
#include "app/tokenizer/unicode/utf8.h"

namespace lab::tokenizer {
namespace {

// An unknown character costs this much more than the worst piece.
constexpr double kUnknownPenalty = 10;

PrefixTable pieces_of(const Vocabulary& vocabulary) {
  std::vector<PrefixTable::Entry> entries;
  for (std::uint32_t id = 0; id < vocabulary.id_end(); ++id) {
    const auto text = vocabulary.text_of(id);
    // Of equal pieces, the last one counts.
    if (text && !text->empty() && vocabulary.id_of(*text) == id) entries.emplace_back(*text, id);
  }
  return PrefixTable(std::move(entries));
}

}  // namespace

Unigram::Unigram(Vocabulary vocabulary, std::vector<double> scores,
                 std::optional<std::uint32_t> unk_id, bool byte_fallback, bool single_precision)
    : vocabulary_(std::move(vocabulary)),
      pieces_(pieces_of(vocabulary_)),
      scores_(std::move(scores)),
      unk_id_(unk_id),
      byte_fallback_(byte_fallback),
      single_precision_(single_precision),
      byte_ids_(byte_ids(vocabulary_)) {
  if (unk_id_ && *unk_id_ >= scores_.size())
    throw BadInput("unk_id is " + std::to_string(*unk_id_) + ", but the last piece has the id " +
                   std::to_string(scores_.size()) + " − 1");
  double least = std::numeric_limits<double>::infinity();
  for (const double score : scores_) least = std::min(least, score);
  unknown_score_ = least - kUnknownPenalty;
  if (single_precision_) unknown_score_ = static_cast<float>(unknown_score_);
}

std::uint32_t Unigram::unknown() const {
  if (!unk_id_) throw BadInput("the text has an unknown character, and the model no unk_id");
  return *unk_id_;
}

std::vector<Unigram::Best> Unigram::best_ways(std::string_view word) const {
  std::vector<Best> best(word.size() + 1);
  const auto offer = [&](std::size_t from, std::size_t to, double score, std::uint32_t id) {
    double total = score + best[from].score;
    if (single_precision_) total = static_cast<float>(total);
    if (best[to].from < 0 || total > best[to].score)
      best[to] = {total, id, static_cast<std::int64_t>(from)};
  };
  for_each_character(word, [&](char32_t, std::size_t at, std::size_t size) {
    bool known = false;
    pieces_.for_each_prefix(word.substr(at), [&](std::size_t length, std::uint32_t id) {
      offer(at, at + length, scores_[id], id);
      known = known || length == size;
    });
    if (!known) offer(at, at + size, unknown_score_, unknown());
  });
  return best;
}

// The pieces of the best way, from left to right; unknown ones side by side are one.
std::vector<TextRange> Unigram::cut(std::string_view word) const {
  const std::vector<Best> best = best_ways(word);
  std::vector<TextRange> pieces;
  bool after_unknown = false;
  for (std::size_t end = word.size(); end > 0;) {
    const auto first = static_cast<std::uint32_t>(best[end].from);
    const bool is_unknown = best[end].id == unk_id_;
    if (is_unknown && after_unknown)
      pieces.back().first = first;
    else
      pieces.push_back({first, static_cast<std::uint32_t>(end)});
    after_unknown = is_unknown;
    end = first;
  }
  std::ranges::reverse(pieces);
  return pieces;
}

void Unigram::add_tokens(std::string_view word, TextRange piece,
                         std::vector<ModelToken>& tokens) const {
  const std::string_view text = part_of(word, piece);
  if (const auto id = vocabulary_.id_of(text)) {
    tokens.push_back({*id, piece, true});
    return;
  }
  const auto id_of = [&](char byte) { return byte_ids_[static_cast<unsigned char>(byte)]; };
  if (byte_fallback_ &&
      std::ranges::all_of(text, [&](char byte) { return id_of(byte).has_value(); })) {
    for (const char byte : text) tokens.push_back({*id_of(byte), piece, false});
    return;
  }
  tokens.push_back({unknown(), piece, true});
}

std::vector<ModelToken> Unigram::tokens_of(std::string_view word) const {
  std::vector<ModelToken> tokens;
  for (const TextRange piece : cut(word)) add_tokens(word, piece, tokens);
  return tokens;
}

}  // namespace lab::tokenizer
