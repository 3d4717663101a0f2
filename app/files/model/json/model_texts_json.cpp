#include "app/files/model/json/model_texts_json.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "app/base/bad_input.h"
#include "app/files/model/json/detached_edits_json.h"
#include "app/files/model/json/interventions_json.h"
#include "app/files/session/json_reading.h"
#include "app/files/session/session_sentences.h"

namespace lab::files {
namespace {

using attention::Index;
using attention::network::Interventions;
using attention::network::Network;
using nlohmann::json;

void write_ids(JsonWriter& out, const char* name, const std::vector<std::uint32_t>& ids) {
  out.member(name);
  out.whole_numbers(ids);
}

void write_model_text(JsonWriter& out, const char* name, const ModelText& text) {
  out.member(name);
  out.begin('{');
  if (text.text) {
    out.member("typed");
    out.string(*text.text);
  }
  write_ids(out, "ids", text.ids);
  out.end('}');
}

std::vector<std::uint32_t> read_ids(const json& list, const std::string& path, const char* what,
                                    Index count) {
  std::vector<std::uint32_t> ids;
  for (const json& value : checked_list(list, path)) {
    const std::string own = indexed(path, ids.size());
    ids.push_back(static_cast<std::uint32_t>(read_size(value, own)));
    if (ids.back() >= count)
      wrong(own, std::to_string(ids.back()) + ", should be below " + std::to_string(count) +
                     ", the number of " + what);
  }
  return ids;
}

// The text in the member `name` of `object`, whose path is `before` it.
ModelText read_model_text(const json& object, const std::string& before, const char* name,
                          const Network& network) {
  const json* const member = find(object, name);
  if (!member) wrong(before + name, "is missing");
  const std::string path = before + name;
  check_members(*member, path, {"typed", "ids"});
  ModelText text;
  if (const json* typed = find(*member, "typed")) text.text = read_string(*typed, path + ".typed");
  const Index tokens = network.stack.embedding.tokens.rows();
  text.ids = read_ids(require(*member, path, "ids"), path + ".ids", "tokens", tokens);
  if (text.ids.empty()) wrong(path + ".ids", "there is no token");
  return text;
}

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
void check_edits(const ModelDocument& document, const std::string& path) {
  const attention::network::Tokens tokens = tokens_of(document);
  try {
    validate(document.interventions, document.network, std::ssize(tokens.ids),
             std::ssize(tokens.encoder_ids));
  } catch (const std::invalid_argument& problem) {
    if (path.empty()) throw;
    wrong(path.substr(0, path.size() - 1), problem.what());
  }
}

void write_waiting_text(JsonWriter& out, const ModelDocument& shown) {
  write_texts(out, shown);
  write_interventions(out, shown.interventions);
  write_detached_edits(out, shown.detached);
  if (shown.switched_off == Interventions{}) return;
  out.member("switched_off");
  out.begin('{');
  write_interventions(out, shown.switched_off);
  out.end('}');
}

// `document` as if it had nothing but its model: no text, and nothing done to it.
ModelDocument without_texts(const ModelDocument& document) {
  ModelDocument empty = without_edits(document);
  empty.network = document.network;
  empty.text = empty.decoder_text = {};
  empty.types.clear();
  return empty;
}

WaitingText read_waiting_text(const json& object, const std::string& path, ModelDocument document,
                              std::vector<std::string>& notes) {
  check_members(object, path, members_of_text());
  const std::string before = path + ".";
  read_texts(object, before, document, notes);
  document.interventions = read_interventions(object, before, document.network);
  if (const json* off = find(object, "switched_off")) {
    check_members(*off, before + "switched_off", {"overrides", "patches", "stream"});
    document.switched_off = read_interventions(*off, before + "switched_off.", document.network);
  }
  read_cell_edits(object, before, document);
  return waiting_text(document);
}

}  // namespace

std::vector<std::string> members_of_text() {
  return {"text",    "decoder_text", "types",     "overrides",
          "patches", "stream",       "set_aside", "switched_off"};
}

void write_texts(JsonWriter& out, const ModelDocument& document) {
  write_model_text(out, "text", document.text);
  if (document.network.encoder) write_model_text(out, "decoder_text", document.decoder_text);
  if (!document.types.empty()) write_ids(out, "types", document.types);
}

void read_texts(const json& object, const std::string& path, ModelDocument& document,
                std::vector<std::string>& notes) {
  const Network& network = document.network;
  document.text = read_model_text(object, path, "text", network);
  note_other_tokens(*document.source, document.text, false, notes);
  if (network.encoder) {
    document.decoder_text = read_model_text(object, path, "decoder_text", network);
    note_other_tokens(*document.source, document.decoder_text, true, notes);
  } else if (object.contains("decoder_text")) {
    wrong(path + "decoder_text", "this model has no second stack");
  }
  if (const json* types = find(object, "types")) {
    const Index kinds = network.stack.embedding.types.rows();
    document.types = read_ids(*types, path + "types", "types of tokens", kinds);
    if (network.encoder || document.types.size() != document.text.ids.size())
      wrong(path + "types", "should be as many as there are ids");
  }
}

void read_cell_edits(const json& object, const std::string& path, ModelDocument& document) {
  check_edits(document, path);
  read_detached_edits(object, path, document);
}

void write_model_batch(JsonWriter& out, const ModelDocument& document) {
  const ModelBatch& batch = document.batch;
  if (batch.texts.empty()) return;
  out.member("batch");
  out.begin('{');
  out.member("current");
  out.raw(std::to_string(batch.current + 1));
  out.member("sentences");
  out.begin('[');
  const ModelDocument empty = without_texts(document);
  for (const auto& waiting : batch.texts) {
    out.element();
    out.begin('{');
    if (waiting) write_waiting_text(out, with_waiting_text(empty, *waiting));
    out.end('}');
  }
  out.end(']');
  out.end('}');
}

void read_model_batch(const json& object, ModelDocument& document,
                      std::vector<std::string>& notes) {
  check_members(object, "batch", {"current", "sentences"});
  const SentenceList list = read_sentence_list(object);
  ModelBatch batch{.texts = {}, .current = list.current};
  const ModelDocument empty = without_texts(document);
  for (std::size_t i = 0; i < list.sentences.size(); ++i) {
    const std::string path = indexed("batch.sentences", i);
    const json& one = list.sentences[i];
    if (i == list.current) check_members(one, path, {});
    batch.texts.push_back(i == list.current ? nullptr
                                            : std::make_shared<const WaitingText>(
                                                  read_waiting_text(one, path, empty, notes)));
  }
  if (batch.texts.size() > 1) document.batch = std::move(batch);
}

}  // namespace lab::files
