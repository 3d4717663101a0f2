#include "app/files/session/token_keys.h"

#include <cstring>
#include <set>
#include <unordered_map>

namespace lab::files {
namespace {

using attention::Index;
using attention::RowVector;

bool same_bits(const RowVector& a, const RowVector& b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(float)) == 0;
}

// Gives every token the key of its row: its text, or text@position if an equal word before it has
// another row. Adds the rows to the lexicon.
class KeyMaker {
 public:
  explicit KeyMaker(const std::vector<std::string>& texts) : taken_(texts.begin(), texts.end()) {}

  std::string key(const std::string& text, std::size_t position, const RowVector& row) {
    auto& known = entries_[text];
    for (const auto& entry : known)
      if (same_bits(entry->second, row)) return entry->first;
    std::string name = text;
    if (!known.empty()) {
      name += "@" + std::to_string(position);
      while (!taken_.insert(name).second) name += '@';
    }
    known.push_back(lexicon_.emplace(name, row).first);
    return name;
  }

  Lexicon take_lexicon() { return std::move(lexicon_); }

 private:
  std::set<std::string> taken_;
  std::unordered_map<std::string, std::vector<Lexicon::iterator>> entries_;  // by text
  Lexicon lexicon_;
};

}  // namespace

NamedRows name_rows(const std::vector<std::string>& texts, const attention::Matrix& rows) {
  KeyMaker keys(texts);
  NamedRows named;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (i > 0) named.sentence += ' ';
    named.sentence += texts[i];
    const RowVector row = rows.row(static_cast<Index>(i));
    named.tokens.push_back({texts[i], keys.key(texts[i], i, row)});
  }
  named.lexicon = keys.take_lexicon();
  return named;
}

void set_query_tokens(Document& document, const std::vector<std::string>& texts) {
  auto [sentence, tokens, lexicon] = name_rows(texts, *document.problem.embedding);
  document.sentence = std::move(sentence);
  document.tokens = std::move(tokens);
  document.lexicon = std::make_shared<const Lexicon>(std::move(lexicon));
}

void set_kv_tokens(Document& document, const std::vector<std::string>& texts) {
  auto [sentence, tokens, lexicon] = name_rows(texts, *document.problem.embedding_kv);
  document.kv_sentence = std::move(sentence);
  document.kv_tokens = std::move(tokens);
  document.kv_lexicon = std::make_shared<const Lexicon>(std::move(lexicon));
  document.shared_tokens = false;
}

}  // namespace lab::files
