#include "app/document/model/remap_edits.h"

#include <algorithm>

#include "app/document/model/text_tokens.h"
#include "app/document/words/remapped_line.h"
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

bool same_place(const CellOverride& a, const CellOverride& b) {
  return a.at == b.at && a.cell.stage == b.cell.stage && a.cell.head == b.cell.head &&
         a.cell.row == b.cell.row && a.cell.col == b.cell.col;
}
bool same_place(const HeadPatch& a, const HeadPatch& b) {
  return a.at == b.at && a.head == b.head && a.stage == b.stage;
}
bool same_place(const StreamOverride& a, const StreamOverride& b) {
  return a.at == b.at && a.row == b.row && a.col == b.col;
}

// The cells that there are.
class Cells {
 public:
  explicit Cells(const ModelDocument& model) : network_(model.network) {
    const attention::network::Tokens tokens = tokens_of(model);
    n_ = std::ssize(tokens.ids), encoder_n_ = std::ssize(tokens.encoder_ids);
  }

  bool has(const CellOverride& one) const {
    const auto* const attention = find_attention(network_, one.at);
    if (attention == nullptr || one.cell.row < 0 || one.cell.col < 0) return false;
    const attention::Shape shape =
        replaceable_shape(*attention, one.cell.stage, score_shape(one.at.sublayer, n_, encoder_n_));
    return one.cell.row < shape.rows && one.cell.col < shape.cols;
  }
  bool has(const HeadPatch& patch) const {
    const auto [queries, keys] = score_shape(patch.at.sublayer, n_, encoder_n_);
    const bool output = patch.stage == attention::Stage::kHeadOutput;
    return patch.values->rows() == queries && (output || patch.values->cols() == keys);
  }
  bool has(const StreamOverride& one) const {
    return one.row >= 0 && one.row < (one.at.sublayer == Sublayer::kEncoder ? encoder_n_ : n_);
  }

 private:
  const attention::network::Network& network_;
  Index n_ = 0, encoder_n_ = 0;
};

class EditRemapper {
 public:
  EditRemapper(ModelDocument& model, const FollowedTexts& texts)
      : model_(model), cells_(model), text_(texts.text), decoder_text_(texts.decoder_text) {}

  void remap() {
    const DetachedEdits& old = model_.detached;
    remap(model_.interventions, old.edits, now_.edits);
    remap(model_.switched_off, old.switched_off, now_.switched_off);
    forget_unused_tokens();
    model_.detached = std::move(now_);
  }

 private:
  void remap(Interventions& here, const Interventions& waiting, Interventions& detached) {
    remap_list(here.overrides, waiting.overrides, detached.overrides);
    remap_list(here.patches, waiting.patches, detached.patches);
    remap_list(here.stream, waiting.stream, detached.stream);
  }

  // A cell that another edit has meanwhile stays with that one.
  template <typename Item>
  void remap_list(std::vector<Item>& here, const std::vector<Item>& waiting,
                  std::vector<Item>& detached) {
    std::vector<Item> kept;
    const auto put = [&](const Item& placed) {
      const Item item =
          mapped(placed, [](RemappedLine& line, Index place) { return line.position(place); });
      const auto is_there = [&](const Item& other) { return same_place(item, other); };
      if (cells_.has(item) && std::ranges::none_of(kept, is_there)) return kept.push_back(item);
      mapped(placed, [](RemappedLine& line, Index place) { return line.use(place), place; });
      detached.push_back(placed);
    };
    for (const Item& item : here)
      put(mapped(item, [](RemappedLine& line, Index token) { return line.of_token(token); }));
    for (const Item& item : waiting)
      put(mapped(item, [](RemappedLine& line, Index place) { return line.of_place(place); }));
    here = std::move(kept);
  }

  RemappedLine& line_of(Sublayer sublayer, Axis axis) {
    return is_of_decoder_text(model_.network, sublayer, axis) ? decoder_text_ : text_;
  }

  // Gives rows and columns that stand for tokens a new value: map(line, value).
  template <typename Map>
  CellOverride mapped(CellOverride one, Map map) {
    const attention::StageInfo& info = attention::stage_info(one.cell.stage);
    const auto map_along = [&](Axis axis, Index& at) {
      if (axis == Axis::kQueries || axis == Axis::kKeys)
        at = map(line_of(one.at.sublayer, axis), at);
    };
    map_along(info.rows, one.cell.row);
    map_along(info.cols, one.cell.col);
    return one;
  }
  template <typename Map>
  StreamOverride mapped(StreamOverride one, Map map) {
    one.row = map(line_of(one.at.sublayer, Axis::kQueries), one.row);
    return one;
  }
  template <typename Map>
  HeadPatch mapped(HeadPatch patch, Map) {
    return patch;
  }

  void forget_unused_tokens() {
    now_.tokens = text_.keep(text_.used_words());
    now_.decoder_tokens = decoder_text_.keep(decoder_text_.used_words());
    const auto renumber = [&](auto& list) {
      for (auto& item : list)
        item = mapped(item, [](RemappedLine& line, Index at) { return line.renumbered(at); });
    };
    for (Interventions* detached : {&now_.edits, &now_.switched_off}) {
      renumber(detached->overrides);
      renumber(detached->stream);
    }
  }

  ModelDocument& model_;
  Cells cells_;
  RemappedLine text_, decoder_text_;
  DetachedEdits now_;
};

}  // namespace

WordLine text_line(const ModelDocument& model) {
  return word_line(text_tokens(model), model.detached.tokens);
}

WordLine decoder_text_line(const ModelDocument& model) {
  return word_line(decoder_text_tokens(model), model.detached.decoder_tokens);
}

bool is_of_decoder_text(const attention::network::Network& network, Sublayer sublayer, Axis axis) {
  if (!network.encoder || sublayer == Sublayer::kEncoder) return false;
  return sublayer == Sublayer::kSelf || axis == Axis::kQueries;
}

FollowedTexts follow_texts(const ModelDocument& before, const ModelDocument& after) {
  return {follow(text_line(before), followed_words(text_tokens(after))),
          follow(decoder_text_line(before), followed_words(decoder_text_tokens(after)))};
}

void remap_edits(ModelDocument& model, const FollowedTexts& texts) {
  EditRemapper(model, texts).remap();
}

void remap_edits(ModelDocument& model) {
  remap_edits(model, {unmoved(text_line(model)), unmoved(decoder_text_line(model))});
}

}  // namespace lab
