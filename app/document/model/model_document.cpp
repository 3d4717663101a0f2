#include "app/document/model/model_document.h"

#include <algorithm>

#include "app/base/bad_input.h"

namespace lab {
namespace {

using attention::Index;
using attention::Stage;
using attention::network::CellOverride;
using attention::network::HeadPatch;
using attention::network::Interventions;
using attention::network::Network;
using attention::network::StreamOverride;
using attention::network::Sublayer;

using Ids = std::vector<std::uint32_t>;

// Fills in the ids of a text, and the types of its tokens unless `types` is null.
Expected<void> tokenise(const ModelSource& source, ModelText& text, bool of_decoder, Ids* types) {
  if (!text.text) return {};
  const auto encoding = encode_text(source, *text.text, of_decoder);
  if (!encoding) return tl::make_unexpected(encoding.error());
  text.ids.clear();
  for (const tokenizer::Token& token : *encoding) text.ids.push_back(token.id);
  if (types != nullptr)
    for (const tokenizer::Token& token : *encoding) types->push_back(token.type_id);
  return {};
}

Expected<void> read_texts(ModelDocument& document) {
  const ModelSource& source = *document.source;
  const bool two = source.network.encoder.has_value();
  document.types.clear();
  Ids* const types = source.reads_types && !two ? &document.types : nullptr;
  if (auto done = tokenise(source, document.text, false, types); !done) return done;
  if (auto done = tokenise(source, document.decoder_text, true, nullptr); !done) return done;
  if (document.text.ids.empty()) return fail(ErrorKind::kBadInput, "the text has no token");
  Ids& decoder = document.decoder_text.ids;
  if (!two && (!decoder.empty() || document.decoder_text.text))
    return fail(ErrorKind::kBadInput, "this model has no second stack");
  if (two && decoder.empty() && source.decoder_start) decoder = {*source.decoder_start};
  if (two && decoder.empty()) return fail(ErrorKind::kBadInput, "the decoder's text has no token");
  return {};
}

// Which cells there are.
struct Room {
  const Network& network;
  Index n, encoder_n;

  bool has(const CellOverride& override) const {
    const auto* const attention = find_attention(network, override.at);
    if (attention == nullptr) return false;
    const attention::Shape shape = replaceable_shape(
        *attention, override.cell.stage, score_shape(override.at.sublayer, n, encoder_n));
    return override.cell.row < shape.rows && override.cell.col < shape.cols;
  }
  bool has(const HeadPatch& patch) const {
    const auto [queries, keys] = score_shape(patch.at.sublayer, n, encoder_n);
    const bool output = patch.stage == Stage::kHeadOutput;
    return patch.values->rows() == queries && (output || patch.values->cols() == keys);
  }
  bool has(const StreamOverride& override) const {
    return override.row < (override.at.sublayer == Sublayer::kEncoder ? encoder_n : n);
  }
};

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

// Moves what fits from `from` to `to`; what is there already stays.
template <typename Item, typename Fits>
void move_fitting(std::vector<Item>& from, std::vector<Item>& to, Fits fits) {
  std::erase_if(from, [&](const Item& item) {
    if (!fits(item)) return false;
    if (std::ranges::none_of(to, [&](const Item& other) { return same_place(item, other); }))
      to.push_back(item);
    return true;
  });
}

// Returns what fits and sets aside what does not.
void refit(ModelDocument& document) {
  const attention::network::Tokens tokens = tokens_of(document);
  const Room room{document.network, std::ssize(tokens.ids), std::ssize(tokens.encoder_ids)};
  const auto fits = [&](const auto& item) { return room.has(item); };
  const auto fits_not = [&](const auto& item) { return !room.has(item); };
  Interventions &here = document.interventions, &aside = document.set_aside;
  // What is set aside now replaces what was, before anything returns.
  const auto refit_list = [&](auto& items, auto& waiting) {
    std::remove_reference_t<decltype(items)> gone;
    move_fitting(items, gone, fits_not);
    move_fitting(waiting, items, fits);
    move_fitting(waiting, gone, [](const auto&) { return true; });
    waiting = std::move(gone);
  };
  refit_list(here.overrides, aside.overrides);
  refit_list(here.patches, aside.patches);
  refit_list(here.stream, aside.stream);
}

std::string counted(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " override or patch" : " overrides and patches");
}

// How many of `waiting` are in `items`.
template <typename Item>
std::size_t count_in(const std::vector<Item>& waiting, const std::vector<Item>& items) {
  return static_cast<std::size_t>(std::ranges::count_if(waiting, [&](const Item& item) {
    return std::ranges::any_of(items, [&](const Item& other) { return same_place(item, other); });
  }));
}

std::size_t returned_count(const Interventions& waiting, const Interventions& here) {
  return count_in(waiting.overrides, here.overrides) + count_in(waiting.patches, here.patches) +
         count_in(waiting.stream, here.stream);
}

}  // namespace

Expected<tokenizer::Encoding> encode_text(const ModelSource& source, const std::string& text,
                                          bool of_decoder) {
  if (!source.tokenizer)
    return fail(ErrorKind::kBadInput, "there is no tokenizer.json in " + in_quotes(source.folder) +
                                          "; give the ids of tokens instead of a text");
  auto encoding = source.tokenizer->encode(text, {.add_special = !of_decoder});
  const auto first = source.decoder_start;
  if (!encoding || !of_decoder || !first) return encoding;
  const bool begins = !encoding->empty() && encoding->front().id == *first;
  if (begins) return encoding;
  tokenizer::Token token;
  token.id = *first;
  token.text = source.tokenizer->token_of(*first).value_or("");
  token.special = true;
  encoding->insert(encoding->begin(), std::move(token));
  return encoding;
}

Expected<ModelDocument> make_model_document(std::shared_ptr<const ModelSource> source,
                                            ModelText text, ModelText decoder_text) {
  attention::network::Network network = source->network;
  ModelDocument document{
      .source = std::move(source),
      .text = std::move(text),
      .decoder_text = std::move(decoder_text),
      .network = std::move(network),
  };
  if (auto done = read_texts(document); !done) return tl::make_unexpected(done.error());
  return document;
}

Expected<ModelDocument> with_texts(const ModelDocument& document, ModelText text,
                                   ModelText decoder_text) {
  ModelDocument changed = document;
  changed.text = std::move(text);
  changed.decoder_text = std::move(decoder_text);
  if (auto done = read_texts(changed); !done) return tl::make_unexpected(done.error());
  refit(changed);
  return changed;
}

ModelDocument without_edits(const ModelDocument& document) {
  ModelDocument plain = document;
  plain.network = document.source->network;
  plain.interventions = plain.set_aside = plain.switched_off = {};
  plain.weights_off.reset();
  return plain;
}

bool is_edited(const ModelDocument& document) {
  return !(document.interventions == Interventions{}) ||
         !(document.network == document.source->network);
}

attention::network::Tokens tokens_of(const ModelDocument& document) {
  if (!document.network.encoder)
    return {.ids = document.text.ids, .types = document.types, .encoder_ids = {}};
  return {.ids = document.decoder_text.ids, .types = {}, .encoder_ids = document.text.ids};
}

std::size_t cell_edit_count(const Interventions& interventions) {
  return interventions.overrides.size() + interventions.patches.size() +
         interventions.stream.size();
}

std::string set_aside_news(const ModelDocument& before, const ModelDocument& after) {
  const std::size_t then = cell_edit_count(before.set_aside);
  const std::size_t now = cell_edit_count(after.set_aside);
  if (now > then)
    return counted(now - then) +
           " of positions that the text does not have now: set aside, and back with a longer text";
  if (now == then) return {};
  const std::size_t back = returned_count(before.set_aside, after.interventions);
  if (back == 0) return counted(then - now) + " that had been set aside: cleared";
  return counted(back) + " that had been set aside: back";
}

}  // namespace lab
