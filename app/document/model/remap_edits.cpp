#include "app/document/model/remap_edits.h"

#include "app/document/model/text_tokens.h"
#include "app/document/words/edit_follower.h"

namespace lab {
namespace {

using attention::Axis;
using attention::Index;
using attention::network::CellOverride;
using attention::network::HeadPatch;
using attention::network::Interventions;
using attention::network::StreamOverride;
using attention::network::Sublayer;

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

// Moves what is done to a model, whether it has an effect or is switched off.
void remap(const Cells& cells, EditFollower& follower, Interventions& here,
           const Interventions& waiting, Interventions& detached) {
  const auto has = [&](const auto& edit) { return cells.has(edit); };
  follower.remap(here.overrides, waiting.overrides, detached.overrides, has);
  follower.remap(here.patches, waiting.patches, detached.patches, has);
  follower.remap(here.stream, waiting.stream, detached.stream, has);
}

}  // namespace

TokenLine text_line(const ModelDocument& model) {
  return token_line(text_tokens(model), model.detached.tokens);
}

TokenLine decoder_text_line(const ModelDocument& model) {
  return token_line(decoder_text_tokens(model), model.detached.decoder_tokens);
}

bool is_of_decoder_text(const attention::network::Network& network, Sublayer sublayer, Axis axis) {
  if (!network.encoder || sublayer == Sublayer::kEncoder) return false;
  return sublayer == Sublayer::kSelf || axis == Axis::kQueries;
}

FollowedTexts follow_texts(const ModelDocument& before, const ModelDocument& after) {
  return {follow(text_line(before), followed_tokens(text_tokens(after))),
          follow(decoder_text_line(before), followed_tokens(decoder_text_tokens(after)))};
}

void remap_edits(ModelDocument& model, const FollowedTexts& texts) {
  const Cells cells(model);
  EditFollower follower(texts.text, texts.decoder_text, [&](Sublayer sublayer, Axis axis) {
    return is_of_decoder_text(model.network, sublayer, axis);
  });
  const DetachedEdits& old = model.detached;
  DetachedEdits now;
  remap(cells, follower, model.interventions, old.edits, now.edits);
  remap(cells, follower, model.switched_off, old.switched_off, now.switched_off);
  now.tokens = follower.first().keep(follower.first().used_tokens());
  now.decoder_tokens = follower.second().keep(follower.second().used_tokens());
  for (Interventions* detached : {&now.edits, &now.switched_off}) {
    follower.renumber(detached->overrides);
    follower.renumber(detached->stream);
  }
  model.detached = std::move(now);
}

void remap_edits(ModelDocument& model) {
  remap_edits(model, {unmoved(text_line(model)), unmoved(decoder_text_line(model))});
}

}  // namespace lab
