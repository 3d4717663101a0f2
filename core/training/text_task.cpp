#include <algorithm>
#include <unordered_map>

#include "core/training/task_types.h"
#include "core/training/text_words.h"

namespace attention::training {
namespace {

using Ids = std::vector<std::uint32_t>;

// Stands for words without a separate token.
constexpr std::uint32_t kUnknownWord = 0;

// The most frequent words, the first of equal ones first.
std::vector<std::string> vocabulary_of(const std::vector<std::string_view>& words, Index most) {
  struct Counted {
    std::string_view word;
    std::size_t count;
  };
  std::vector<Counted> counted;
  std::unordered_map<std::string_view, std::size_t> place;
  for (const std::string_view word : words) {
    const auto [at, is_new] = place.emplace(word, counted.size());
    if (is_new) counted.push_back({word, 0});
    ++counted[at->second].count;
  }
  std::ranges::stable_sort(counted, std::greater(), &Counted::count);
  std::vector<std::string> tokens = {"[UNK]"};
  for (std::size_t i = 0; i < std::min(counted.size(), static_cast<std::size_t>(most)); ++i)
    tokens.emplace_back(counted[i].word);
  return tokens;
}

class TextTask : public Task {
 public:
  TextTask(const TaskOptions& options, const std::vector<std::string_view>& words)
      : Task(vocabulary_of(words, options.vocabulary), options.length, true) {
    for (std::size_t id = 0; id < tokens().size(); ++id)
      id_of_.emplace(tokens()[id], static_cast<std::uint32_t>(id));
    text_ = ids_of_words(words);
    for (std::size_t i = 0; i + 2 < text_.size(); ++i) {
      const auto [after, is_new] = after_two_.emplace(two(text_, i + 1), text_[i + 2]);
      if (!is_new && after->second != text_[i + 2]) after->second = kNoTarget;
    }
  }

  // What follows two words that are always followed by the same one.
  Ids answers(const Ids& ids) const override {
    Ids result(ids.size(), kNoTarget);
    for (std::size_t i = 1; i < ids.size(); ++i) {
      const auto found = after_two_.find(two(ids, i));
      if (found != after_two_.end()) result[i] = found->second;
    }
    return result;
  }

  Ids ids_of(std::string_view text) const override { return ids_of_words(words_of(text)); }

 protected:
  Ids draw(std::uint64_t seed) const override {
    PortableRandom random(seed);
    const Index count = length() + 1;
    const auto first = text_.begin() + random_id(std::ssize(text_) - count + 1, random);
    return {first, first + count};
  }

 private:
  // The word at `i` and the one before it.
  static std::uint64_t two(const Ids& ids, std::size_t i) {
    return std::uint64_t{ids[i - 1]} << 32 | ids[i];
  }

  Ids ids_of_words(const std::vector<std::string_view>& words) const {
    Ids ids;
    for (const std::string_view word : words) {
      const auto found = id_of_.find(std::string(word));
      ids.push_back(found == id_of_.end() ? kUnknownWord : found->second);
    }
    return ids;
  }

  std::unordered_map<std::string, std::uint32_t> id_of_;
  std::unordered_map<std::uint64_t, std::uint32_t> after_two_;
  Ids text_;
};

}  // namespace

std::shared_ptr<const Task> make_text_task(const TaskOptions& options) {
  return std::make_shared<TextTask>(options, words_of(options.text));
}

}  // namespace attention::training
