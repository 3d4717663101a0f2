#include "app/document/model/model_document.h"

#include "app/base/bad_input.h"
#include "app/document/model/remap_edits.h"
#include "app/document/model/text_tokens.h"
#include "app/document/splitting/unread_text.h"

namespace lab {
namespace {

using attention::network::Interventions;

using Ids = std::vector<std::uint32_t>;

// Fills in the ids of a text, and the types of its tokens unless `types` is null.
Expected<void> tokenise(const ModelSource& source, ModelText& text, bool of_decoder, Ids* types) {
  if (!text.text) return {};
  const auto encoding = encode_text(source, text, of_decoder);
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
  if (document.text.ids.empty())
    return fail(ErrorType::kBadInput, no_token_text(document.text.text.value_or(""),
                                                    splitting_of(document.source, false)));
  Ids& decoder = document.decoder_text.ids;
  if (!two && (!decoder.empty() || document.decoder_text.text))
    return fail(ErrorType::kBadInput, "this model has no second stack");
  if (two && decoder.empty() && source.decoder_start) decoder = {*source.decoder_start};
  if (two && decoder.empty()) return fail(ErrorType::kBadInput, "the decoder's text has no token");
  return {};
}

}  // namespace

const attention::network::Network& unedited_network(const ModelDocument& document) {
  return document.adapted ? *document.adapted : document.source->network;
}

Expected<tokenizer::Encoding> encode_text(const ModelSource& source, const std::string& text,
                                          bool of_decoder) {
  if (!source.tokenizer)
    return fail(ErrorType::kBadInput, "there is no tokenizer.json in " + in_quotes(source.folder) +
                                          "; give the ids of tokens instead of a text");
  auto encoding = source.tokenizer_of(of_decoder)->encode(text, {.add_special = !of_decoder});
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

Expected<tokenizer::Encoding> encode_text(const ModelSource& source, const ModelText& text,
                                          bool of_decoder) {
  if (!text.chat.on || !source.tokenizer) return encode_text(source, *text.text, of_decoder);
  return source.tokenizer->encode(*text.text, {.add_special = false});
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
  remap_edits(changed, follow_texts(document, changed));
  return changed;
}

ModelDocument without_edits(const ModelDocument& document) {
  ModelDocument plain = document;
  plain.network = document.source->network;
  plain.interventions = plain.switched_off = {};
  plain.detached = {};
  plain.weights_off.reset();
  plain.batch = {};
  plain.adapter_gain = 1;
  plain.adapted = nullptr;
  return plain;
}

bool reads_the_same(const ModelDocument& a, const ModelDocument& b) {
  return a.source == b.source && a.text == b.text && a.decoder_text == b.decoder_text;
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

}  // namespace lab
