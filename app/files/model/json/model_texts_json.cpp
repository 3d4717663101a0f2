#include "app/files/model/json/model_texts_json.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "app/files/model/json/detached_edits_json.h"
#include "app/files/model/json/interventions_json.h"
#include "app/files/session/json_fields.h"
#include "app/files/session/session_sentences.h"

namespace lab::files {
namespace {

using attention::Index;
using attention::network::Network;

// Ids below `count`, the number of `what`.
struct IdsCodec : JsonList<std::uint32_t> {
  const char* what = "";
  Index count = 0;

  std::vector<std::uint32_t> read(const JsonCursor& list) const {
    return list.read_each([&](const JsonCursor& item) {
      const auto id = static_cast<std::uint32_t>(item.whole());
      if (id >= count)
        item.refuse(std::to_string(id) + ", should be below " + std::to_string(count) +
                    ", the number of " + what);
      return id;
    });
  }
};

// A text of a model: {"typed": "a small", "ids": [5, 7]}.
struct TextCodec {
  const Network& network;

  ModelText read(const JsonCursor& object) const {
    ModelText text;
    const FieldReader members(object.object_of({"typed", "ids"}));
    visit(text, members);
    if (text.ids.empty()) object.at("ids").refuse("there is no token");
    return text;
  }
  void write(JsonWriter& out, const ModelText& text) const {
    out.object([&] { visit(text, FieldWriter(out)); });
  }
  void visit(auto& text, auto&& members) const {
    members.unless_default("typed", text.text);
    members("ids", text.ids, IdsCodec{{}, "tokens", network.stack.embedding.tokens.rows()});
  }
};

// The numbers of its tokens stay those of the session, which edits of cells are about.
void note_other_tokens(const ModelSource& source, const ModelText& text, bool of_decoder,
                       std::vector<std::string>& notes) {
  if (!text.text || !source.tokenizer) return;
  const auto encoding = encode_text(source, *text.text, of_decoder);
  const auto same = [](const tokenizer::Token& token, std::uint32_t id) { return token.id == id; };
  if (encoding && std::ranges::equal(*encoding, text.ids, same)) return;
  notes.push_back("the tokenizer now gives other tokens for " + in_quotes(*text.text) +
                  "; those of the session are used");
}

// Fails as validate() does, naming the object that holds them.
void check_edits(const ModelDocument& document, const JsonCursor& object) {
  const attention::network::Tokens tokens = tokens_of(document);
  try {
    validate(document.interventions, document.network, std::ssize(tokens.ids),
             std::ssize(tokens.encoder_ids));
  } catch (const std::invalid_argument& problem) {
    if (object.path().empty()) throw;
    object.refuse(problem.what());
  }
}

void write_waiting_text(JsonWriter& out, const ModelDocument& shown) {
  write_texts(out, shown);
  write_interventions(out, shown.interventions);
  write_detached_edits(out, shown.detached);
  write_switched_off(out, shown.switched_off);
}

// `document` as if it had nothing but its model: no text, and nothing done to it.
ModelDocument without_texts(const ModelDocument& document) {
  ModelDocument empty = without_edits(document);
  empty.network = document.network;
  empty.text = empty.decoder_text = {};
  empty.types.clear();
  return empty;
}

WaitingText read_waiting_text(const JsonCursor& object, ModelDocument document,
                              std::vector<std::string>& notes) {
  object.object_of(members_of_text());
  read_texts(object, document, notes);
  document.interventions = read_interventions(object, document.network);
  document.switched_off = read_switched_off(object, document.network);
  read_cell_edits(object, document);
  return waiting_text(document);
}

}  // namespace

std::vector<std::string_view> members_of_text() {
  return {"text",    "decoder_text", "types",     "overrides",
          "patches", "stream",       "set_aside", "switched_off"};
}

void write_texts(JsonWriter& out, const ModelDocument& document) {
  const TextCodec codec{document.network};
  write_member(out, "text", document.text, codec);
  if (document.network.encoder) write_member(out, "decoder_text", document.decoder_text, codec);
  write_unless_default(out, "types", document.types);
}

void read_texts(const JsonCursor& object, ModelDocument& document,
                std::vector<std::string>& notes) {
  const Network& network = document.network;
  const FieldReader members(object);
  members("text", document.text, TextCodec{network});
  note_other_tokens(*document.source, document.text, false, notes);
  const auto decoder_text = object.find("decoder_text"), types = object.find("types");
  if (network.encoder) {
    members("decoder_text", document.decoder_text, TextCodec{network});
    note_other_tokens(*document.source, document.decoder_text, true, notes);
  } else if (decoder_text) {
    decoder_text->refuse("this model has no second stack");
  }
  if (!types) return;
  members("types", document.types,
          IdsCodec{{}, "types of tokens", network.stack.embedding.types.rows()});
  if (network.encoder || document.types.size() != document.text.ids.size())
    types->refuse("should be as many as there are ids");
}

void read_cell_edits(const JsonCursor& object, ModelDocument& document) {
  check_edits(document, object);
  read_detached_edits(object, document);
}

void write_model_batch(JsonWriter& out, const ModelDocument& document) {
  const ModelBatch& batch = document.batch;
  if (batch.texts.empty()) return;
  out.member("batch");
  out.begin('{');
  write_member(out, "current", batch.current, JsonFromOne());
  out.member("sentences");
  const ModelDocument empty = without_texts(document);
  out.list(batch.texts, [&](const auto& waiting) {
    out.object([&] {
      if (waiting) write_waiting_text(out, with_waiting_text(empty, *waiting));
    });
  });
  out.end('}');
}

void read_model_batch(const JsonCursor& object, ModelDocument& document,
                      std::vector<std::string>& notes) {
  const SentenceList list = read_sentence_list(object.object_of({"current", "sentences"}));
  ModelBatch batch{.texts = {}, .current = list.current};
  const ModelDocument empty = without_texts(document);
  list.sentences.for_each([&](const JsonCursor& one) {
    const bool shown = batch.texts.size() == list.current;
    if (shown) one.object_of({});
    batch.texts.push_back(
        shown ? nullptr
              : std::make_shared<const WaitingText>(read_waiting_text(one, empty, notes)));
  });
  if (batch.texts.size() > 1) document.batch = std::move(batch);
}

}  // namespace lab::files
