#include "app/files/model/json/model_texts_json.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "app/files/model/json/detached_edits_json.h"
#include "app/files/model/json/model_edits_json.h"
#include "app/files/session/json_fields.h"
#include "app/files/session/session_sentences.h"

namespace lab::files {

template <>
struct JsonFields<chat::Turn> : StrictLine {
  static void visit(auto& turn, auto&& members) {
    members("role", turn.role);
    members("content", turn.content);
  }
};

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

IdsCodec tokens_of_vocabulary(const Network& network) {
  return {{}, "tokens", network.stack.embedding.tokens.rows()};
}

// A text without a template: {"typed": "a small"} or {"ids": [5, 7]}.
struct PlainTextCodec {
  const Network& network;

  PlainText read(const JsonCursor& object) const {
    PlainText text;
    visit(text, FieldReader(object.object_of({"typed", "ids"})));
    return text;
  }
  void write(JsonWriter& out, const PlainText& text) const {
    out.object([&] { visit(text, FieldWriter(out)); });
  }
  void visit(auto& text, auto&& members) const {
    members.unless_default("typed", text.text);
    members.unless_default("ids", text.ids, tokens_of_vocabulary(network));
  }
};

// The parts of a rendered text that are of turns: [{"turn": 1, "begin": 18, "end": 20}]. What is
// between them is of the template.
struct PartsCodec {
  std::vector<chat::RenderedPart> read(const JsonCursor& list) const {
    return list.read_each([](const JsonCursor& item) {
      item.object_of({"turn", "begin", "end"});
      chat::RenderedPart part;
      part.turn = static_cast<std::size_t>(JsonFromOne::read(item.at("turn")));
      part.begin = static_cast<std::size_t>(item.at("begin").whole());
      part.end = static_cast<std::size_t>(item.at("end").whole());
      return part;
    });
  }
  void write(JsonWriter& out, const std::vector<chat::RenderedPart>& parts) const {
    std::vector<chat::RenderedPart> of_turns;
    for (const chat::RenderedPart& part : parts)
      if (part.turn) of_turns.push_back(part);
    out.list(of_turns, [&](const chat::RenderedPart& part) {
      out.begin('{', JsonLayout::kOneLine);
      write_member(out, "turn", *part.turn, JsonFromOne());
      write_member(out, "begin", part.begin);
      write_member(out, "end", part.end);
      out.end('}');
    });
  }
};

// A conversation: {"on": true, "turns": [{"role": "user", "content": "Hi"}], "plain": …}.
struct ChatCodec {
  const Network& network;

  ModelChat read(const JsonCursor& object) const {
    ModelChat chat;
    visit(chat, FieldReader(object.object_of({"on", "turns", "plain", "from_turns"})));
    if (chat.turns.empty()) object.at("turns").refuse("there is no turn");
    return chat;
  }
  void write(JsonWriter& out, const ModelChat& chat) const {
    out.object([&] { visit(chat, FieldWriter(out)); });
  }
  void visit(auto& chat, auto&& members) const {
    members.unless_default("on", chat.on);
    members("turns", chat.turns);
    members.unless_default("plain", chat.plain, PlainTextCodec{network});
    members.unless_default("from_turns", chat.parts, PartsCodec{});
  }
};

// The parts of all `size` bytes of a text, given those of turns. Throws BadInput where these are
// not in order, or are of no turn.
std::vector<chat::RenderedPart> all_parts(const ModelChat& chat, std::size_t size,
                                          const JsonCursor& object) {
  std::vector<chat::RenderedPart> parts;
  std::size_t at = 0;
  const auto add_template = [&](std::size_t end) {
    if (at < end) parts.push_back({at, end, std::nullopt});
  };
  for (const chat::RenderedPart& part : chat.parts) {
    if (part.begin < at || part.end <= part.begin || part.end > size)
      object.at("from_turns").refuse("should be parts of the text, one after the other");
    if (*part.turn >= chat.turns.size())
      object.at("from_turns")
          .refuse("there is no turn " + std::to_string(*part.turn + 1) + " of " +
                  std::to_string(chat.turns.size()));
    add_template(part.begin);
    parts.push_back(part);
    at = part.end;
  }
  add_template(size);
  return parts;
}

// A text of a model: {"typed": "a small", "ids": [5, 7]}.
struct TextCodec {
  const Network& network;

  ModelText read(const JsonCursor& object) const {
    ModelText text;
    const FieldReader members(object.object_of({"typed", "ids", "chat"}));
    visit(text, members);
    if (text.ids.empty()) object.at("ids").refuse("there is no token");
    if (!text.chat.on) {
      text.chat.plain = {};
      text.chat.parts.clear();
    } else if (!text.text) {
      object.at("chat").refuse("it is on, and \"typed\" is missing: the text of its template");
    } else {
      text.chat.parts = all_parts(text.chat, text.text->size(), object.at("chat"));
    }
    return text;
  }
  void write(JsonWriter& out, const ModelText& text) const {
    out.object([&] { visit(text, FieldWriter(out)); });
  }
  void visit(auto& text, auto&& members) const {
    members.unless_default("typed", text.text);
    members("ids", text.ids, tokens_of_vocabulary(network));
    members.unless_default("chat", text.chat, ChatCodec{network});
  }
};

// The numbers of its tokens stay those of the session, which edits of cells are about.
void note_other_tokens(const ModelSource& source, const ModelText& text, bool of_decoder,
                       std::vector<std::string>& notes) {
  if (!text.text || !source.tokenizer) return;
  const auto encoding = encode_text(source, text, of_decoder);
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
