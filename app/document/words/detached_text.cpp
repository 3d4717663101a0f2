#include "app/document/words/detached_text.h"

#include <algorithm>

#include "app/base/text_direction.h"
#include "app/base/wording.h"
#include "app/document/commands/command.h"
#include "app/document/model/detached_edits_report.h"
#include "app/document/words/detached_cells.h"
#include "app/document/words/remap_cells.h"
#include "app/translation/words.h"

namespace lab {

using attention::Axis;
using attention::Index;
using attention::Override;

namespace {

// "a, b, c and 4 more" of `all` texts, of which at least the first few are given.
std::string first_few(const std::vector<std::string>& texts, std::size_t all) {
  std::string text;
  for (std::size_t i = 0; i < std::min(texts.size(), kMostNamedDetached); ++i)
    text += (i > 0 ? ", " : "") + texts[i];
  const std::size_t more = all - std::min(all, kMostNamedDetached);
  return more == 0 ? text : tr("{} and {} more", {text, std::to_string(more)});
}

// Names what a document has detached.
class DetachedNames {
 public:
  explicit DetachedNames(const Document& document)
      : queries_(query_line(document)), keys_(key_line(document)) {}

  DetachedCell of(const PairCell& cell, bool is_bias) const {
    DetachedCell named;
    const std::string query = named.index_name(&queries_, cell.row);
    const std::string pair = pair_text(query, named.index_name(&keys_, cell.col));
    named.name =
        is_bias ? tr("bias {} = {}", {pair, shortest(cell.value)}) : tr("mask cell {}", {pair});
    return named;
  }

  DetachedCell of(const Override& o) const {
    const attention::StageInfo& info = attention::stage_info(o.stage);
    DetachedCell named;
    const std::string row = named.index_name(line(info.rows), o.row);
    const std::string col = named.index_name(line(info.cols), o.col);
    const std::string cell = cell_label({o.stage, static_cast<int>(o.head), 0, 0});
    named.name = tr("override {}", {cell + " · " + row + ", " + col + " = " + shortest(o.value)});
    return named;
  }

 private:
  const TokenLine* line(Axis axis) const {
    if (axis == Axis::kQueries) return &queries_;
    return axis == Axis::kKeys ? &keys_ : nullptr;
  }

  TokenLine queries_, keys_;
};

std::string quoted_words(const DetachedReport& report) {
  std::vector<std::string> quoted;
  for (const std::string& word : report.words) quoted.push_back("“" + word + "”");
  return first_few(quoted, quoted.size());
}

std::string all_counts(const DetachedReport& report) {
  std::string text;
  for (const std::string& count : report.counts) text += (text.empty() ? "" : ", ") + count;
  return text;
}

}  // namespace

void DetachedReport::add(std::string count_text, std::size_t count,
                         const std::vector<std::string>& cell_names,
                         const std::vector<std::string>& removed) {
  counts.push_back(std::move(count_text));
  cells += count;
  names.insert(names.end(), cell_names.begin(), cell_names.end());
  for (const std::string& word : removed)
    if (std::ranges::find(words, word) == words.end()) words.push_back(word);
}

namespace {

DetachedReport detached_between(const Document& before, const Document& after) {
  if (before.layer.model && after.layer.model)
    return detached_edits_report(*before.layer.model, *after.layer.model);
  if (before.detached == after.detached || after.detached->empty()) return {};
  const Detached &was = *before.detached, &now = *after.detached;
  const DetachedNames old_names(before), names(after);
  DetachedReport report;
  const auto overrides = [](const DetachedNames& all) {
    return [&all](const Override& o) { return all.of(o); };
  };
  const auto pairs = [](const DetachedNames& all, bool is_bias) {
    return [&all, is_bias](const PairCell& cell) { return all.of(cell, is_bias); };
  };
  add_cells(report,
            added_cells(now.overrides, was.overrides, overrides(names), overrides(old_names)),
            tr_later("{} override"), tr_later("{} overrides"));
  add_cells(report, added_cells(now.mask, was.mask, pairs(names, false), pairs(old_names, false)),
            tr_later("{} mask cell"), tr_later("{} mask cells"));
  add_cells(report, added_cells(now.bias, was.bias, pairs(names, true), pairs(old_names, true)),
            tr_later("{} bias cell"), tr_later("{} bias cells"));
  return report;
}

std::string dropped_count(const DetachedReport& report) {
  return tr_count("{} number", "{} numbers", static_cast<long>(report.dropped.count));
}

std::string detached_cells_text(const DetachedReport& report) {
  if (report.counts.empty()) return {};
  const std::string names = first_few(report.names, report.cells);
  if (report.words.empty())
    return tr(
        "Detached, because these cells do not exist now: {}. Undo brings it back, or the "
        "setting that had them.",
        {names});
  return tr("Detached with {}: {}. Undo brings it back, or typing the same word.",
            {quoted_words(report), names});
}

std::string dropped_text(const DetachedReport& report) {
  if (report.dropped.empty()) return {};
  const auto& matrices = report.dropped.matrices;
  return tr(
      "Lost with the smaller size: {} in {}. Undo brings them back; a larger size begins "
      "with new ones.",
      {dropped_count(report), first_few(matrices, matrices.size())});
}

std::string detached_cells_note(const DetachedReport& report) {
  if (report.counts.empty()) return {};
  if (report.words.empty()) return tr("detached: {}", {all_counts(report)});
  return tr("detached with {}: {}", {quoted_words(report), all_counts(report)});
}

std::string dropped_note(const DetachedReport& report) {
  if (report.dropped.empty()) return {};
  const auto& matrices = report.dropped.matrices;
  return tr("lost: {} in {}", {dropped_count(report), first_few(matrices, matrices.size())});
}

std::string both(const std::string& first, const char* between, const std::string& second) {
  return first + (first.empty() || second.empty() ? "" : between) + second;
}

}  // namespace

DetachedReport detached_report(const Document& before, const Document& after) {
  DetachedReport report = detached_between(before, after);
  report.dropped = dropped_numbers(before, after);
  return report;
}

std::string detached_text(const DetachedReport& report) {
  return both(dropped_text(report), " ", detached_cells_text(report));
}

std::string detached_note(const DetachedReport& report) {
  return both(dropped_note(report), "; ", detached_cells_note(report));
}

}  // namespace lab
