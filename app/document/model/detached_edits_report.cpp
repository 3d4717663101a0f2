#include "app/document/model/detached_edits_report.h"

#include <algorithm>

#include "app/base/wording.h"
#include "app/document/model/layer_name.h"
#include "app/document/model/remap_edits.h"
#include "app/document/words/detached_cells.h"
#include "app/translation/words.h"
#include "core/layer/stage_info.h"

namespace lab {
namespace {

using attention::Axis;
using attention::Index;
using attention::network::CellOverride;
using attention::network::HeadPatch;
using attention::network::Interventions;
using attention::network::StreamOverride;
using attention::network::Sublayer;

// Names what is detached of a model.
class EditNames {
 public:
  explicit EditNames(const ModelDocument& model)
      : network_(model.network), text_(text_line(model)), decoder_text_(decoder_text_line(model)) {}

  DetachedCell of(const CellOverride& one) const {
    const attention::StageInfo& info = attention::stage_info(one.cell.stage);
    DetachedCell named;
    const std::string row = named.index_name(line(info.rows, one.at.sublayer), one.cell.row);
    const std::string col = named.index_name(line(info.cols, one.at.sublayer), one.cell.col);
    const std::string subject = is_per_head(one.cell.stage) ? model_head_name(one.at, one.cell.head)
                                                            : "L" + layer_name(one.at);
    named.name = with_value(subject + " " + std::string(stage_name(one.cell.stage)), row, col,
                            one.cell.value);
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
  static std::string with_value(const std::string& what, const std::string& row,
                                const std::string& col, float value) {
    return tr("override {}", {what + " · " + row + ", " + col + " = " + shortest(value)});
  }

  const TokenLine* line(Axis axis, Sublayer sublayer) const {
    if (axis != Axis::kQueries && axis != Axis::kKeys) return nullptr;
    return is_of_decoder_text(network_, sublayer, axis) ? &decoder_text_ : &text_;
  }

  const attention::network::Network& network_;
  TokenLine text_, decoder_text_;
};

// What is detached, whether it is switched off or not.
template <typename Item>
std::vector<Item> all_of(const DetachedEdits& detached, std::vector<Item> Interventions::*list) {
  std::vector<Item> all = detached.edits.*list;
  const std::vector<Item>& off = detached.switched_off.*list;
  all.insert(all.end(), off.begin(), off.end());
  return all;
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

DetachedReport detached_edits_report(const ModelDocument& before, const ModelDocument& after) {
  DetachedReport report;
  if (!shows_the_same_text(before, after)) return report;
  if (before.detached == after.detached || after.detached.empty()) return report;
  const EditNames old_names(before), names(after);
  const auto add = [&]<typename Item>(std::vector<Item> Interventions::*list, std::string_view one,
                                      std::string_view many) {
    const auto name_by = [](const EditNames& all) {
      return [&all](const Item& item) { return all.of(item); };
    };
    add_cells(report,
              added_cells(all_of(after.detached, list), all_of(before.detached, list),
                          name_by(names), name_by(old_names)),
              one, many);
  };
  add(&Interventions::overrides, tr_later("{} override"), tr_later("{} overrides"));
  add(&Interventions::stream, tr_later("{} override of the stream"),
      tr_later("{} overrides of the stream"));
  add(&Interventions::patches, tr_later("{} patch"), tr_later("{} patches"));
  return report;
}

std::string detached_edits_text(const ModelDocument& before, const ModelDocument& after) {
  if (!shows_the_same_text(before, after)) return {};
  const std::size_t then = count_of(before.detached), now = count_of(after.detached);
  if (now > then) return detached_text(detached_edits_report(before, after));
  if (now == then) return {};
  const std::size_t back = returned_count(before, after);
  if (back == 0) return counted(then - now) + " that had been detached: cleared";
  return counted(back) + " that had been detached: back";
}

}  // namespace lab
