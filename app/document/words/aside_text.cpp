#include "app/document/words/aside_text.h"

#include <algorithm>

#include "app/base/wording.h"
#include "app/document/commands/command.h"
#include "app/document/model/aside_edits_news.h"
#include "app/document/words/aside_cells.h"
#include "app/document/words/carry_cells.h"
#include "app/translation/words.h"

namespace lab {

using attention::Axis;
using attention::Index;
using attention::Override;

namespace {

// "a, b, c and 4 more" of `all` texts, of which at least the first few are given.
std::string first_few(const std::vector<std::string>& texts, std::size_t all) {
  std::string text;
  for (std::size_t i = 0; i < std::min(texts.size(), kMostNamedAside); ++i)
    text += (i > 0 ? ", " : "") + texts[i];
  const std::size_t more = all - std::min(all, kMostNamedAside);
  return more == 0 ? text : tr("{} and {} more", {text, std::to_string(more)});
}

// Names what a document has set aside.
class AsideNames {
 public:
  explicit AsideNames(const Document& document)
      : queries_(query_line(document)), keys_(key_line(document)) {}

  AsideCell of(const PairCell& cell, bool is_bias) const {
    AsideCell named;
    const std::string query = named.place(&queries_, cell.row);
    const std::string pair = pair_text(query, named.place(&keys_, cell.col));
    named.name =
        is_bias ? tr("bias {} = {}", {pair, shortest(cell.value)}) : tr("mask cell {}", {pair});
    return named;
  }

  AsideCell of(const Override& o) const {
    const attention::StageInfo& info = attention::stage_info(o.stage);
    AsideCell named;
    const std::string row = named.place(line(info.rows), o.row);
    const std::string col = named.place(line(info.cols), o.col);
    const std::string cell = cell_label({o.stage, static_cast<int>(o.head), 0, 0});
    named.name = tr("override {}", {cell + " · " + row + ", " + col + " = " + shortest(o.value)});
    return named;
  }

 private:
  const WordLine* line(Axis axis) const {
    if (axis == Axis::kQueries) return &queries_;
    return axis == Axis::kKeys ? &keys_ : nullptr;
  }

  WordLine queries_, keys_;
};

std::string quoted_words(const AsideNews& news) {
  std::vector<std::string> quoted;
  for (const std::string& word : news.words) quoted.push_back("“" + word + "”");
  return first_few(quoted, quoted.size());
}

std::string all_counts(const AsideNews& news) {
  std::string text;
  for (const std::string& count : news.counts) text += (text.empty() ? "" : ", ") + count;
  return text;
}

}  // namespace

void AsideNews::add(std::string count_text, std::size_t count,
                    const std::vector<std::string>& cell_names,
                    const std::vector<std::string>& gone) {
  counts.push_back(std::move(count_text));
  cells += count;
  names.insert(names.end(), cell_names.begin(), cell_names.end());
  for (const std::string& word : gone)
    if (std::ranges::find(words, word) == words.end()) words.push_back(word);
}

namespace {

AsideNews set_aside_between(const Document& before, const Document& after) {
  if (before.layer.model && after.layer.model)
    return aside_edits_news(*before.layer.model, *after.layer.model);
  if (before.set_aside == after.set_aside || after.set_aside->empty()) return {};
  const SetAside &was = *before.set_aside, &now = *after.set_aside;
  const AsideNames old_names(before), names(after);
  AsideNews news;
  const auto overrides = [](const AsideNames& all) {
    return [&all](const Override& o) { return all.of(o); };
  };
  const auto pairs = [](const AsideNames& all, bool is_bias) {
    return [&all, is_bias](const PairCell& cell) { return all.of(cell, is_bias); };
  };
  add_cells(news, added_cells(now.overrides, was.overrides, overrides(names), overrides(old_names)),
            tr_later("{} override"), tr_later("{} overrides"));
  add_cells(news, added_cells(now.mask, was.mask, pairs(names, false), pairs(old_names, false)),
            tr_later("{} mask cell"), tr_later("{} mask cells"));
  add_cells(news, added_cells(now.bias, was.bias, pairs(names, true), pairs(old_names, true)),
            tr_later("{} bias cell"), tr_later("{} bias cells"));
  return news;
}

std::string dropped_count(const AsideNews& news) {
  return tr_count("{} number", "{} numbers", static_cast<long>(news.dropped.count));
}

std::string set_aside_text(const AsideNews& news) {
  if (news.counts.empty()) return {};
  const std::string names = first_few(news.names, news.cells);
  if (news.words.empty())
    return tr(
        "Set aside, because these cells do not exist now: {}. Undo brings it back, or the "
        "setting that had them.",
        {names});
  return tr("Set aside with {}: {}. Undo brings it back, or typing the same word.",
            {quoted_words(news), names});
}

std::string dropped_text(const AsideNews& news) {
  if (news.dropped.empty()) return {};
  const auto& matrices = news.dropped.matrices;
  return tr(
      "Lost with the smaller size: {} in {}. Undo brings them back; a larger size begins "
      "with new ones.",
      {dropped_count(news), first_few(matrices, matrices.size())});
}

std::string set_aside_note(const AsideNews& news) {
  if (news.counts.empty()) return {};
  if (news.words.empty()) return tr("set aside: {}", {all_counts(news)});
  return tr("set aside with {}: {}", {quoted_words(news), all_counts(news)});
}

std::string dropped_note(const AsideNews& news) {
  if (news.dropped.empty()) return {};
  const auto& matrices = news.dropped.matrices;
  return tr("lost: {} in {}", {dropped_count(news), first_few(matrices, matrices.size())});
}

std::string both(const std::string& first, const char* between, const std::string& second) {
  return first + (first.empty() || second.empty() ? "" : between) + second;
}

}  // namespace

AsideNews aside_news(const Document& before, const Document& after) {
  AsideNews news = set_aside_between(before, after);
  news.dropped = dropped_numbers(before, after);
  return news;
}

std::string aside_text(const AsideNews& news) {
  return both(dropped_text(news), " ", set_aside_text(news));
}

std::string aside_note(const AsideNews& news) {
  return both(dropped_note(news), "; ", set_aside_note(news));
}

}  // namespace lab
