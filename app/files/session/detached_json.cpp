#include "app/files/session/detached_json.h"

#include <algorithm>

#include "app/document/words/remap_cells.h"
#include "app/files/session/variants.h"

namespace lab::files {
namespace {

using attention::Axis;
using attention::Index;
using attention::Override;

// The lines of words that places refer to.
struct Lines {
  TokenLine queries, keys;
};

const LineToken& token_at(const TokenLine& line, Index index, const JsonCursor& cursor) {
  if (index >= std::ssize(line))
    cursor.refuse(std::to_string(index) + ", should be below " + std::to_string(line.size()) +
                  ", the number of words and removed words");
  return line[static_cast<std::size_t>(index)];
}

// A list of row and column, and also the value where it can be more than one.
struct CellCodec {
  bool has_value = false;
  const Lines* lines = nullptr;  // for reading

  PairCell read(const JsonCursor& list) const {
    list.numbers(has_value ? 3 : 2);
    const JsonCursor row = list.item(0), col = list.item(1);
    PairCell cell{row.whole(), col.whole(), 0};
    if (has_value) cell.value = list.item(2).number();
    const LineToken& query = token_at(lines->queries, cell.row, row);
    const LineToken& key = token_at(lines->keys, cell.col, col);
    if (!query.removed && !key.removed) list.refuse("neither word was removed");
    return cell;
  }
  void write(JsonWriter& out, const PairCell& cell) const {
    out.raw("[" + std::to_string(cell.row) + ", " + std::to_string(cell.col));
    if (has_value) out.raw(", "), out.number(cell.value);
    out.raw("]");
  }
};

template <typename Item, typename KeyOf>
void refuse_repeated(std::vector<Item>& items, KeyOf key_of, const JsonCursor& list) {
  std::ranges::sort(items, {}, key_of);
  if (std::ranges::adjacent_find(items, {}, key_of) != items.end())
    list.refuse("names a cell twice");
}

// Cells by row and column, on one line.
struct CellListCodec : JsonList<PairCell, CellCodec> {
  std::vector<PairCell> read(const JsonCursor& list) const {
    auto cells = JsonList::read(list);
    refuse_repeated(
        cells, [](const PairCell& cell) { return std::pair(cell.row, cell.col); }, list);
    return cells;
  }
};

struct DetachedOverrideCodec : JsonList<Override> {
  const Lines* lines = nullptr;  // for reading

  std::vector<Override> read(const JsonCursor& list) const {
    std::vector<Override> overrides = JsonList::read(list);
    for (std::size_t i = 0; i < overrides.size(); ++i) check(overrides[i], list.item(i));
    auto sorted = overrides;
    refuse_repeated(
        sorted, [](const Override& o) { return std::tuple(o.stage, o.head, o.row, o.col); }, list);
    return overrides;
  }
  void check(const Override& one, const JsonCursor& item) const {
    const attention::StageInfo& info = attention::stage_info(one.stage);
    const auto check_along = [&](Axis axis, Index index, const char* name) {
      if (axis == Axis::kQueries) token_at(lines->queries, index, item.at(name));
      if (axis == Axis::kKeys) token_at(lines->keys, index, item.at(name));
    };
    check_along(info.rows, one.row, "row");
    check_along(info.cols, one.col, "col");
    if (is_input(one.stage)) item.at("stage").refuse("is an input, not overridden");
  }
};

void visit_words(auto& detached, auto&& members, Index queries, Index keys) {
  members.unless_default("queries", detached.queries, RemovedTokens{queries});
  members.unless_default("keys", detached.keys, RemovedTokens{keys});
}

void visit_cells(auto& detached, auto&& members, const Lines* lines) {
  const CellListCodec mask{{.codec = {false, lines}}}, bias{{.codec = {true, lines}}};
  members.unless_default("mask", detached.mask, mask);
  members.unless_default("bias", detached.bias, bias);
  const DetachedOverrideCodec overrides{{.layout = JsonLayout::kOneLine}, lines};
  members.unless_default("overrides", detached.overrides, overrides);
  members.unless_default("switched_off", detached.switched_off, overrides);
}

}  // namespace

std::vector<RemovedToken> RemovedTokens::read(const JsonCursor& list) const {
  std::vector<RemovedToken> words;
  list.for_each([&](const JsonCursor& item) {
    RemovedToken word = JsonValue<RemovedToken>::read(item);
    if (!item.has("key")) word.token.key = word.token.text;
    const Index last = words.empty() ? 0 : words.back().before;
    if (word.before < last || word.before > tokens)
      item.at("before").refuse(std::to_string(word.before) + ", should be " + std::to_string(last) +
                               " … " + std::to_string(tokens));
    words.push_back(std::move(word));
  });
  return words;
}

void read_detached(const JsonCursor& object, Document& document) {
  const FieldReader members(object.object());
  Detached detached;
  visit_words(detached, members, document.problem.seq_len(), document.problem.kv_len());
  Document with_words = document;
  with_words.detached = std::make_shared<const Detached>(detached);
  const Lines lines{query_line(with_words), key_line(with_words)};
  visit_cells(detached, members, &lines);
  document.detached = std::make_shared<const Detached>(std::move(detached));
  remap_cells(document);
}

void write_detached(JsonWriter& out, const Detached& detached) {
  if (detached.empty()) return;
  out.member("set_aside");
  out.begin('{');
  visit_words(detached, FieldWriter(out), 0, 0);
  visit_cells(detached, FieldWriter(out), nullptr);
  out.end('}');
}

}  // namespace lab::files
