#include "app/files/session/view_json.h"

#include <array>
#include <cmath>
#include <map>

#include "app/files/session/detached_json.h"
#include "app/files/session/stage_cell_json.h"

namespace lab::files {

using attention::Stage;
using attention::network::Answer;
using attention::network::LayerId;

namespace {

constexpr std::size_t kMostPins = 1000;
constexpr std::size_t kMostHeadsListed = 1 << 16;
constexpr std::size_t kMostTokensPinned = 1000;
constexpr std::size_t kMostCellsPinned = 10000;

// The matrix in the editor and its cursor, in one member.
struct EditedCell {
  std::string matrix;
  int row = 0, col = 0;
};

// A list of `count` finite numbers.
template <std::size_t count>
std::array<float, count> read_finite(const JsonCursor& list) {
  std::array<float, count> numbers{};
  list.numbers(count);
  for (std::size_t i = 0; i < count; ++i) {
    numbers[i] = list.item(i).number();
    if (!std::isfinite(numbers[i])) list.item(i).refuse("should be a finite number");
  }
  return numbers;
}

}  // namespace

template <>
struct JsonValue<MatrixRegion> {
  static MatrixRegion read(const JsonCursor& list) {
    const auto [x, y, w, h] = read_finite<4>(list);
    const bool inside = x >= 0 && y >= 0 && w > 0 && h > 0 && x + w <= 1.001f && y + h <= 1.001f;
    if (!inside) list.refuse("should be x, y, width and height within 0 … 1");
    return {x, y, w, h};
  }
  static void write(JsonWriter& out, const MatrixRegion& part) {
    out.row(Eigen::RowVector4f(part.x, part.y, part.w, part.h));
  }
};

template <>
struct JsonValue<ColourRange> {
  static ColourRange read(const JsonCursor& list) {
    const auto [lo, hi] = read_finite<2>(list);
    if (!(lo < hi)) list.refuse("should be two numbers, the smaller one first");
    return {lo, hi};
  }
  static void write(JsonWriter& out, const ColourRange& range) {
    out.row(Eigen::RowVector2f(range.lo, range.hi));
  }
};

template <>
struct JsonFields<ColourChoice> : OpenLines {
  static void visit(auto& colours, auto&& members) {
    members.unless_default("range", colours.range);
    members.unless_default("spread", colours.spread);
  }
};

// One value per stage: {"weights": …, "scores": …}.
template <typename Value>
struct JsonValue<std::map<Stage, Value>> {
  static std::map<Stage, Value> read(const JsonCursor& object) {
    std::map<Stage, Value> values;
    for (const auto& [name, value] : object.object().value().items()) {
      const JsonCursor member = object.at(name);
      const auto stage = attention::stage_from_name(name);
      if (!stage) member.refuse(in_quotes(name) + " is no stage");
      values[*stage] = JsonValue<Value>::read(member);
    }
    return values;
  }
  static void write(JsonWriter& out, const std::map<Stage, Value>& values) {
    out.object([&] {
      for (const auto& [stage, value] : values) write_member(out, stage_name(stage), value);
    });
  }
};

template <>
struct JsonFields<DetachedPins> : OpenLines {
  static void visit(auto& detached, auto&& members) {
    const RemovedTokens of_any_length(attention::Limits::kSeqLen);
    members.unless_default("queries", detached.queries, of_any_length);
    members.unless_default("keys", detached.keys, of_any_length);
    members("pins", detached.pins, JsonList<StageCell>{kMostPins});
  }
};

template <>
struct JsonValue<LayerId> {
  static LayerId read(const JsonCursor& value) {
    return value.named(layer_from_name, " is no layer, such as \"3\"");
  }
  static void write(JsonWriter& out, const LayerId& at) { out.string(lab::layer_name(at)); }
};

template <>
struct JsonValue<HeadRef> {
  static HeadRef read(const JsonCursor& value) {
    return value.named(model_head_from_name, " is no head, such as L0H1");
  }
  static void write(JsonWriter& out, const HeadRef& head) {
    out.string(model_head_name(head.at, head.head));
  }
};

template <>
struct JsonFields<LayerCell> : OpenLine {
  static void visit(auto& one, auto&& members) {
    members("layer", one.at);
    JsonFields<StageCell>::visit(one.cell, members);
  }
};

template <>
struct JsonFields<Answer> : StrictLine {
  static void visit(auto& answer, auto&& members) {
    members("row", answer.row);
    members("token", answer.token);
    members.unless_default("minus", answer.minus);
  }
};

template <>
struct JsonFields<ModelView> : StrictLines {
  static void visit(auto& view, auto&& members) {
    const JsonList<HeadRef> heads{kMostHeadsListed};
    const JsonList<LayerCell> cells{kMostCellsPinned};
    members.unless_default("tiles", view.tiles);
    members.unless_default("sorted", view.sorted);
    members.unless_default("chosen", view.chosen, heads);
    members.unless_default("marked", view.marked, heads);
    members.unless_default("answer", view.answer);
    members.unless_default("pinned", view.pinned, JsonList<std::uint32_t>{kMostTokensPinned});
    members.unless_default("pins", view.pins, cells);
    members.unless_default("pins_aside", view.detached_pins, cells);
    members.unless_default("layer", view.layer);
  }
};

struct MatrixName : JsonValue<std::string> {
  static std::string read(const JsonCursor& value) {
    std::string name = value.text();
    if (!matrix_from_name(name)) value.refuse(in_quotes(name) + " is no matrix");
    return name;
  }
};

template <>
struct JsonFields<EditedCell> : OpenLine {
  static void visit(auto& edited, auto&& members) {
    members("matrix", edited.matrix, MatrixName());
    members("row", edited.row);
    members("col", edited.col);
  }
};

namespace {

void visit_view(auto& view, auto&& members) {
  members("head", view.head, JsonFromOne());
  members("second_head", view.second_head, JsonFromOne());
  members.unless_default("further_heads", view.further_heads,
                         JsonList<int, JsonFromOne>{attention::Limits::kHeads});
  members("selected", view.selected);
  members.unless_default("pins", view.pins, JsonList<StageCell>{kMostPins});
  members.unless_default("pins_aside", view.detached_pins);
  members.unless_default("zoom", view.zoom);
  members.unless_default("large", view.large);
  JsonFields<ColourChoice>::visit(view.colours, members);
  members.unless_default("card_ranges", view.own_colours);
  members.unless_default("locked", view.locked);
  members.unless_default("heads_order", view.heads_order);
  members.unless_default("heads_shown", view.heads_shown);
  members.unless_default("token_lines", view.token_lines);
  members.unless_default("weights_palette", view.weights_palette);
}

// Reads the members that exist; adds a note for one that cannot be understood.
class NotingReader {
 public:
  NotingReader(const JsonCursor& object, std::vector<std::string>& notes)
      : object_(object), notes_(notes) {}

  template <typename Field, typename Codec = JsonValue<Field>>
  void operator()(const char* name, Field& field, const Codec& codec = {}) const {
    const auto member = object_.find(name);
    if (!member) return;
    try {
      field = codec.read(*member);
    } catch (const BadInput& error) {
      notes_.push_back(std::string(error.what()) + "; it is left out");
    }
  }
  template <typename Field, typename Codec = JsonValue<Field>>
  void unless_default(const char* name, Field& field, const Codec& codec = {}) const {
    (*this)(name, field, codec);
  }

 private:
  const JsonCursor& object_;
  std::vector<std::string>& notes_;
};

}  // namespace

SessionView read_view(const JsonCursor& object, std::vector<std::string>& notes) {
  SessionView view;
  if (!object.value().is_object()) {
    notes.emplace_back("view should be an object; it is left out");
    return view;
  }
  const NotingReader members(object, notes);
  visit_view(view, members);
  EditedCell edited;
  members("edited", edited);
  view.edited = std::move(edited.matrix);
  view.edited_row = edited.row;
  view.edited_col = edited.col;
  members("model", view.model);
  return view;
}

void write_view(JsonWriter& out, const SessionView& view) {
  out.member("view");
  out.begin('{');
  visit_view(view, FieldWriter(out));
  if (!view.edited.empty())
    write_member(out, "edited", EditedCell{view.edited, view.edited_row, view.edited_col});
  write_unless_default(out, "model", view.model);
  out.end('}');
}

}  // namespace lab::files
