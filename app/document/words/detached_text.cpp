#include "app/document/words/detached_text.h"

#include <algorithm>
#include <array>

#include "app/base/text_direction.h"
#include "app/base/wording.h"
#include "app/document/commands/command.h"
#include "app/document/model/layer_name.h"
#include "app/document/model/remap_edits.h"
#include "app/document/words/detached_cells.h"
#include "app/document/words/edit_follower.h"
#include "app/document/words/remap_cells.h"
#include "app/translation/words.h"
#include "core/layer/stage_info.h"

namespace lab {

using attention::Axis;
using attention::Override;
using attention::network::CellOverride;
using attention::network::HeadPatch;
using attention::network::Interventions;
using attention::network::StreamOverride;
using attention::network::Sublayer;

namespace {

// "a, b, c and 4 more" of `all` texts, of which at least the first few are given.
std::string first_few(const std::vector<std::string>& texts, std::size_t all) {
  std::string text;
  for (std::size_t i = 0; i < std::min(texts.size(), kMostNamedDetached); ++i)
    text += (i > 0 ? ", " : "") + texts[i];
  const std::size_t more = all - std::min(all, kMostNamedDetached);
  return more == 0 ? text : tr("{} and {} more", {text, std::to_string(more)});
}

// Names what is detached of a layer made by hand or of a trained model.
class DetachedNames {
 public:
  explicit DetachedNames(const Document& document)
      : lines_{query_line(document), key_line(document)},
        is_of_second_([](Sublayer, Axis axis) { return axis == Axis::kKeys; }) {}
  /// The model must outlive it.
  explicit DetachedNames(const ModelDocument& model)
      : lines_{text_line(model), decoder_text_line(model)},
        is_of_second_([&model](Sublayer sublayer, Axis axis) {
          return is_of_decoder_text(model.network, sublayer, axis);
        }),
        is_of_model_(true) {}

  DetachedCell of(const PairCell& cell, bool is_bias) const {
    DetachedCell named;
    const std::string query = named.index_name(&lines_[0], cell.row);
    const std::string pair = pair_text(query, named.index_name(&lines_[1], cell.col));
    named.name =
        is_bias ? tr("bias {} = {}", {pair, shortest(cell.value)}) : tr("mask cell {}", {pair});
    return named;
  }
  DetachedCell of(const CellOverride& one) const {
    const attention::StageInfo& info = attention::stage_info(one.cell.stage);
    DetachedCell named;
    const std::string row = named.index_name(line(info.rows, one.at.sublayer), one.cell.row);
    const std::string col = named.index_name(line(info.cols, one.at.sublayer), one.cell.col);
    named.name = with_value(subject_of(one), row, col, one.cell.value);
    return named;
  }
  DetachedCell of(const StreamOverride& one) const {
    DetachedCell named;
    const std::string row = named.index_name(line(Axis::kQueries, one.at.sublayer), one.row);
    named.name =
        with_value(tr("stream L{}", {layer_name(one.at)}), row, std::to_string(one.col), one.value);
    return named;
  }
  DetachedCell of(const HeadPatch& patch) const {
    const auto rows = static_cast<long>(patch.values->rows());
    return {tr("patch of {} for {}",
               {model_head_name(patch.at, patch.head), tr_count("{} token", "{} tokens", rows)}),
            {}};
  }

 private:
  // "L1H2 scores"; of a layer made by hand "scores, head 3", as its cells are called.
  std::string subject_of(const CellOverride& one) const {
    if (!is_of_model_) return cell_label({one.cell.stage, static_cast<int>(one.cell.head), 0, 0});
    const std::string subject = is_per_head(one.cell.stage) ? model_head_name(one.at, one.cell.head)
                                                            : "L" + layer_name(one.at);
    return subject + " " + std::string(stage_name(one.cell.stage));
  }
  static std::string with_value(const std::string& what, const std::string& row,
                                const std::string& col, float value) {
    return tr("override {}", {what + " · " + row + ", " + col + " = " + shortest(value)});
  }
  const TokenLine* line(Axis axis, Sublayer sublayer) const {
    if (axis != Axis::kQueries && axis != Axis::kKeys) return nullptr;
    return &lines_[is_of_second_(sublayer, axis) ? 1 : 0];
  }

  std::array<TokenLine, 2> lines_;
  IsOfSecondLine is_of_second_;
  bool is_of_model_ = false;
};

// What is detached, whether it is switched off or not.
Interventions all_detached(const ModelDocument& model) {
  Interventions all = model.detached.edits;
  const auto append = [](auto& list, const auto& more) {
    list.insert(list.end(), more.begin(), more.end());
  };
  append(all.overrides, model.detached.switched_off.overrides);
  append(all.stream, model.detached.switched_off.stream);
  append(all.patches, model.detached.switched_off.patches);
  return all;
}
Interventions all_detached(const Document& document) {
  Interventions all;
  for (const auto* overrides : {&document.detached->overrides, &document.detached->switched_off})
    for (const Override& cell : *overrides) all.overrides.push_back({{}, cell});
  return all;
}

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

// Adds the edits that `now` has and `was` has not.
void add_edits(DetachedReport& report, const Interventions& now, const DetachedNames& names,
               const Interventions& was, const DetachedNames& old_names) {
  const auto add = [&]<typename Item>(std::vector<Item> Interventions::*list, std::string_view one,
                                      std::string_view many) {
    const auto name_by = [](const DetachedNames& all) {
      return [&all](const Item& item) { return all.of(item); };
    };
    add_cells(report, added_cells(now.*list, was.*list, name_by(names), name_by(old_names)), one,
              many);
  };
  add(&Interventions::overrides, tr_later("{} override"), tr_later("{} overrides"));
  add(&Interventions::stream, tr_later("{} override of the stream"),
      tr_later("{} overrides of the stream"));
  add(&Interventions::patches, tr_later("{} patch"), tr_later("{} patches"));
}

DetachedReport detached_between(const Document& before, const Document& after) {
  if (before.layer.model && after.layer.model)
    return detached_report(*before.layer.model, *after.layer.model);
  if (before.detached == after.detached || after.detached->empty()) return {};
  const Detached &was = *before.detached, &now = *after.detached;
  const DetachedNames old_names(before), names(after);
  DetachedReport report;
  add_edits(report, all_detached(after), names, all_detached(before), old_names);
  const auto pairs = [](const DetachedNames& all, bool is_bias) {
    return [&all, is_bias](const PairCell& cell) { return all.of(cell, is_bias); };
  };
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

std::size_t count_of(const DetachedEdits& detached) {
  return cell_edit_count(detached.edits) + cell_edit_count(detached.switched_off);
}

// The same edit, wherever its tokens are.
bool same_edit(const CellOverride& a, const CellOverride& b) {
  return a.at == b.at && a.cell.stage == b.cell.stage && a.cell.head == b.cell.head &&
         attention::same_bits(a.cell.value, b.cell.value);
}
bool same_edit(const StreamOverride& a, const StreamOverride& b) {
  return a.at == b.at && a.col == b.col && attention::same_bits(a.value, b.value);
}
bool same_edit(const HeadPatch& a, const HeadPatch& b) { return a == b; }

// How many of those that were detached have an effect again.
std::size_t returned_count(const ModelDocument& before, const ModelDocument& after) {
  const auto count_in = [&]<typename Item>(std::vector<Item> Interventions::*list) {
    return std::ranges::count_if(before.detached.edits.*list, [&](const Item& item) {
      const auto is_it = [&](const Item& other) { return same_edit(item, other); };
      return std::ranges::count_if(after.interventions.*list, is_it) >
             std::ranges::count_if(before.interventions.*list, is_it);
    });
  };
  return static_cast<std::size_t>(count_in(&Interventions::overrides) +
                                  count_in(&Interventions::stream) +
                                  count_in(&Interventions::patches));
}

std::string counted(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " override or patch" : " overrides and patches");
}

}  // namespace

DetachedReport detached_report(const ModelDocument& before, const ModelDocument& after) {
  DetachedReport report;
  if (!shows_the_same_text(before, after)) return report;
  if (before.detached == after.detached || after.detached.empty()) return report;
  add_edits(report, all_detached(after), DetachedNames(after), all_detached(before),
            DetachedNames(before));
  return report;
}

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

std::string detached_or_returned_text(const ModelDocument& before, const ModelDocument& after) {
  if (!shows_the_same_text(before, after)) return {};
  const std::size_t then = count_of(before.detached), now = count_of(after.detached);
  if (now > then) return detached_text(detached_report(before, after));
  if (now == then) return {};
  const std::size_t back = returned_count(before, after);
  if (back == 0) return counted(then - now) + " that had been detached: cleared";
  return counted(back) + " that had been detached: back";
}

}  // namespace lab
