#include "app/files/session/detached_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/base/bad_input.h"
#include "app/base/machine_numbers.h"
#include "app/document/words/remap_cells.h"
#include "app/files/session/json_reading.h"
#include "app/files/session/variants.h"

namespace lab::files {
namespace {

using attention::Axis;
using attention::Index;
using attention::Override;
using nlohmann::json;

constexpr const char* kDetached = "set_aside";

std::string within(const char* name) { return std::string(kDetached) + "." + name; }

// The lines of words that places refer to.
struct Lines {
  WordLine queries, keys;
};

const PlacedWord& word_at(const WordLine& line, Index place, const std::string& path) {
  if (place >= std::ssize(line))
    wrong(path, std::to_string(place) + ", should be below " + std::to_string(line.size()) +
                    ", the number of words and removed words");
  return line[static_cast<std::size_t>(place)];
}

// Lists of row and column, and also the value if `absent` is not the only other one.
std::vector<PairCell> read_cells(const json& object, const char* name, const Lines& lines,
                                 bool has_value) {
  std::vector<PairCell> cells;
  const json* list = find(object, name);
  if (!list) return cells;
  for (const json& value : checked_list(*list, within(name))) {
    const std::string path = indexed(within(name), cells.size());
    const std::size_t count = has_value ? 3 : 2;
    if (checked_list(value, path).size() != count)
      wrong(path, std::to_string(value.size()) + " numbers, should be " + std::to_string(count));
    PairCell cell{read_size(value[0], path + "[0]"), read_size(value[1], path + "[1]"), 0};
    if (has_value) cell.value = read_float(value[2], path + "[2]");
    const bool removed = word_at(lines.queries, cell.row, path + "[0]").removed |
                         word_at(lines.keys, cell.col, path + "[1]").removed;
    if (!removed) wrong(path, "neither word was removed");
    cells.push_back(cell);
  }
  const auto place = [](const PairCell& cell) { return std::pair(cell.row, cell.col); };
  std::ranges::sort(cells, {}, place);
  if (std::ranges::adjacent_find(cells, {}, place) != cells.end())
    wrong(within(name), "names a cell twice");
  return cells;
}

std::vector<Override> read_detached_overrides(const json& object, const Lines& lines) {
  const json* list = find(object, "overrides");
  if (!list) return {};
  const std::string path = within("overrides");
  std::vector<Override> overrides = read_overrides(*list, path);
  for (std::size_t i = 0; i < overrides.size(); ++i) {
    const Override& o = overrides[i];
    const attention::StageInfo& info = attention::stage_info(o.stage);
    const auto check = [&](Axis axis, Index place, const char* name) {
      if (axis == Axis::kQueries) word_at(lines.queries, place, indexed(path, i) + name);
      if (axis == Axis::kKeys) word_at(lines.keys, place, indexed(path, i) + name);
    };
    check(info.rows, o.row, ".row");
    check(info.cols, o.col, ".col");
    if (is_given(o.stage)) wrong(indexed(path, i) + ".stage", "is an input, not overridden");
  }
  auto places = overrides;
  const auto place = [](const Override& o) { return std::tuple(o.stage, o.head, o.row, o.col); };
  std::ranges::sort(places, {}, place);
  if (std::ranges::adjacent_find(places, {}, place) != places.end())
    wrong(path, "names a cell twice");
  return overrides;
}

std::string cell_text(const PairCell& cell, bool has_value) {
  std::string text = "[" + std::to_string(cell.row) + ", " + std::to_string(cell.col);
  if (has_value) append_json_float(text += ", ", cell.value);
  return text + "]";
}

void write_cells(JsonWriter& out, const char* name, const std::vector<PairCell>& cells,
                 bool has_value) {
  if (cells.empty()) return;
  out.member(name);
  std::string text = "[";
  for (const PairCell& cell : cells) {
    if (text.size() > 1) text += ", ";
    text += cell_text(cell, has_value);
  }
  out.raw(text + "]");
}

std::string read_optional(const json& object, const std::string& path, const char* name) {
  const json* value = find(object, name);
  return value ? read_string(*value, path + "." + name) : std::string();
}

std::string optional_member(const char* name, const std::string& value) {
  return value.empty() ? value : ", " + json_string(name) + ": " + json_string(value);
}

}  // namespace

std::vector<RemovedToken> read_removed_tokens(const json& object, const char* name,
                                              const std::string& object_path, Index tokens) {
  std::vector<RemovedToken> words;
  const json* list = find(object, name);
  if (!list) return words;
  const std::string list_path = object_path + "." + name;
  for (const json& value : checked_list(*list, list_path)) {
    const std::string path = indexed(list_path, words.size());
    const json& word = checked_object(value, path);
    const std::string text = read_string(require(word, path, "text"), path + ".text");
    const json* key = find(word, "key");
    const Index before = read_size(require(word, path, "before"), path + ".before");
    const Index last = words.empty() ? 0 : words.back().before;
    if (before < last || before > tokens)
      wrong(path + ".before", std::to_string(before) + ", should be " + std::to_string(last) +
                                  " … " + std::to_string(tokens));
    words.push_back({{.text = text,
                      .key = key ? read_string(*key, path + ".key") : text,
                      .shown = read_optional(word, path, "shown"),
                      .word = read_optional(word, path, "word")},
                     before});
  }
  return words;
}

void write_removed_tokens(JsonWriter& out, const char* name,
                          const std::vector<RemovedToken>& words) {
  if (words.empty()) return;
  out.member(name);
  out.begin('[');
  for (const auto& [token, before] : words) {
    out.element();
    out.raw("{\"text\": " + json_string(token.text) + ", \"key\": " + json_string(token.key) +
            optional_member("shown", token.shown) + optional_member("word", token.word) +
            ", \"before\": " + std::to_string(before) + "}");
  }
  out.end(']');
}

void read_detached(const json& object, Document& document) {
  checked_object(object, kDetached);
  Detached detached;
  detached.queries = read_removed_tokens(object, "queries", kDetached, document.problem.seq_len());
  detached.keys = read_removed_tokens(object, "keys", kDetached, document.problem.kv_len());
  Document with_words = document;
  with_words.detached = std::make_shared<const Detached>(detached);
  const Lines lines{query_line(with_words), key_line(with_words)};
  detached.mask = read_cells(object, "mask", lines, false);
  detached.bias = read_cells(object, "bias", lines, true);
  detached.overrides = read_detached_overrides(object, lines);
  document.detached = std::make_shared<const Detached>(std::move(detached));
  remap_cells(document);
}

void write_detached(JsonWriter& out, const Detached& detached) {
  if (detached.empty()) return;
  out.member(kDetached);
  out.begin('{');
  write_removed_tokens(out, "queries", detached.queries);
  write_removed_tokens(out, "keys", detached.keys);
  write_cells(out, "mask", detached.mask, false);
  write_cells(out, "bias", detached.bias, true);
  if (!detached.overrides.empty()) {
    out.member("overrides");
    out.raw(overrides_json(detached.overrides));
  }
  out.end('}');
}

}  // namespace lab::files
