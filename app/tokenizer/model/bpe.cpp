#include "app/tokenizer/model/bpe.h"

#include <queue>

#include "app/base/bad_input.h"
#include "app/tokenizer/unicode/utf8.h"

namespace lab::tokenizer {
namespace {

std::uint64_t key_of(std::uint32_t left, std::uint32_t right) {
  return (std::uint64_t{left} << 32U) | right;
}

constexpr std::int32_t kNoSymbol = -1;

}  // namespace

// The symbols of a word, and the merges that could be made, best first.
class Bpe::Word {
 public:
  explicit Word(const Bpe& model) : model_(model) {}

  void add(std::uint32_t id, std::size_t size) {
    const auto at = static_cast<std::int32_t>(symbols_.size());
    if (at > 0) symbols_.back().next = at;
    symbols_.push_back({id, static_cast<std::uint32_t>(size), at - 1, kNoSymbol});
  }

  void merge_all() {
    for (std::int32_t at = 0; at + 1 < static_cast<std::int32_t>(symbols_.size()); ++at)
      propose(at, at + 1);
    while (!proposed_.empty()) {
      const Proposal best = proposed_.top();
      proposed_.pop();
      if (still_valid(best)) join(best);
    }
  }

  std::vector<ModelToken> tokens() const {
    std::vector<ModelToken> tokens;
    std::uint32_t first = 0;
    for (const Symbol& symbol : symbols_) {
      if (symbol.size == 0) continue;
      tokens.push_back({symbol.id, {first, first + symbol.size}});
      first += symbol.size;
    }
    return tokens;
  }

 private:
  // A piece of a word while neighbours are joined. Joined ones have size 0.
  struct Symbol {
    std::uint32_t id = 0;
    std::uint32_t size = 0;  // in bytes of the word
    std::int32_t previous = kNoSymbol;
    std::int32_t next = kNoSymbol;
  };

  struct Proposal {
    std::uint32_t rank = 0;
    std::int32_t at = 0;
    std::uint32_t id = 0;
    bool operator<(const Proposal& other) const {  // the best is the greatest
      return rank != other.rank ? rank > other.rank : at > other.at;
    }
  };

  Symbol& symbol(std::int32_t at) { return symbols_[static_cast<std::size_t>(at)]; }

  void propose(std::int32_t left, std::int32_t right) {
    if (const Merge* merge = model_.merge_of(symbol(left).id, symbol(right).id))
      proposed_.push({merge->rank, left, merge->id});
  }

  // False if one of the two symbols was joined with another meanwhile.
  bool still_valid(const Proposal& proposal) {
    const Symbol& left = symbol(proposal.at);
    if (left.size == 0 || left.next == kNoSymbol) return false;
    const Merge* merge = model_.merge_of(left.id, symbol(left.next).id);
    return merge != nullptr && merge->id == proposal.id;
  }

  void join(const Proposal& proposal) {
    Symbol& left = symbol(proposal.at);
    Symbol& right = symbol(left.next);
    left.id = proposal.id;
    left.size += right.size;
    left.next = right.next;
    right.size = 0;
    if (left.next != kNoSymbol) symbol(left.next).previous = proposal.at;
    if (left.previous != kNoSymbol) propose(left.previous, proposal.at);
    if (left.next != kNoSymbol) propose(proposal.at, left.next);
  }

  const Bpe& model_;
  std::vector<Symbol> symbols_;
  std::priority_queue<Proposal> proposed_;
};

// Spells a word in the pieces that stand for single characters.
class Bpe::Spelling {
 public:
  Spelling(const Bpe& model, Word& word) : model_(model), word_(word) {}

  void spell(std::string_view text) {
    for_each_character(
        text, [&](char32_t, std::size_t at, std::size_t size) { add_character(text, at, size); });
    add_unknown();
  }

 private:
  void add_character(std::string_view text, std::size_t at, std::size_t size) {
    std::string_view name = text.substr(at, size);
    const bool prefixed = at > 0 && !model_.options_.continuing_subword_prefix.empty();
    const bool suffixed = at + size == text.size() && !model_.options_.end_of_word_suffix.empty();
    std::string longer;
    if (prefixed || suffixed) {
      if (prefixed) longer = model_.options_.continuing_subword_prefix;
      longer += name;
      if (suffixed) longer += model_.options_.end_of_word_suffix;
      name = longer;
    }
    if (const auto id = model_.vocabulary_.id_of(name)) {
      add_unknown();
      word_.add(*id, size);
    } else if (!add_bytes(name)) {
      note_unknown(size);
    }
  }

  // Adds one token per byte, if there is one for each. Unknown characters before it stay pending,
  // as in the reference.
  bool add_bytes(std::string_view name) {
    if (!model_.options_.byte_fallback) return false;
    const auto id_of = [&](char byte) {
      return model_.byte_ids_[static_cast<unsigned char>(byte)];
    };
    for (const char byte : name)
      if (!id_of(byte)) return false;
    for (const char byte : name) word_.add(*id_of(byte), 1);
    return true;
  }

  void note_unknown(std::size_t size) {
    if (model_.options_.unk_token.empty()) return;
    if (!model_.options_.fuse_unk) add_unknown();
    unknown_size_ += size;
  }

  void add_unknown() {
    if (unknown_size_ == 0) return;
    const auto id = model_.vocabulary_.id_of(model_.options_.unk_token);
    if (!id) {
      throw BadInput("the vocabulary has no piece " + in_quotes(model_.options_.unk_token) +
                     " for unknown characters");
    }
    word_.add(*id, unknown_size_);
    unknown_size_ = 0;
  }

  const Bpe& model_;
  Word& word_;
  std::size_t unknown_size_ = 0;  // of the unknown characters not yet added
};

Bpe::Bpe(Vocabulary vocabulary, BpeOptions options)
    : vocabulary_(std::move(vocabulary)),
      options_(std::move(options)),
      byte_ids_(byte_ids(vocabulary_)) {}

std::uint32_t Bpe::piece(std::string_view text) const {
  const auto id = vocabulary_.id_of(text);
  if (!id) throw BadInput("the vocabulary has no piece " + in_quotes(text));
  return *id;
}

void Bpe::add_merge(std::string_view left, std::string_view right) {
  const std::size_t prefix = options_.continuing_subword_prefix.size();
  if (right.size() < prefix)
    throw BadInput(in_quotes(right) + " is shorter than the prefix of continuing pieces");
  std::string joined(left);
  joined += right.substr(prefix);
  const std::uint32_t left_id = piece(left);
  const std::uint32_t right_id = piece(right);
  merges_[key_of(left_id, right_id)] = {next_rank_++, piece(joined)};
}

const Bpe::Merge* Bpe::merge_of(std::uint32_t left, std::uint32_t right) const {
  const auto found = merges_.find(key_of(left, right));
  return found == merges_.end() ? nullptr : &found->second;
}

std::vector<ModelToken> Bpe::tokens_of(std::string_view word) const {
  if (options_.ignore_merges) {
    if (const auto id = vocabulary_.id_of(word))
      return {{*id, {0, static_cast<std::uint32_t>(word.size())}}};
  }
  Word symbols(*this);
  Spelling(*this, symbols).spell(word);
  symbols.merge_all();
  return symbols.tokens();
}

}  // namespace lab::tokenizer
