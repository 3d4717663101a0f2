#include "app/files/session/view_json.h"

#include <cmath>

#include "app/base/bad_input.h"
#include "app/files/session/detached_json.h"
#include "app/files/session/json_reading.h"
#include "app/files/session/model_view_json.h"
#include "app/files/session/stage_cell_json.h"

namespace lab::files {
namespace {

using attention::Stage;
using nlohmann::json;

constexpr const char* kView = "view";
constexpr std::size_t kMostPins = 1000;

std::vector<StageCell> read_pins(const json& list, const std::string& path) {
  std::vector<StageCell> pins;
  for (const json& pin : checked_list(list, path, kMostPins))
    pins.push_back(read_stage_cell(pin, indexed(path, pins.size())));
  return pins;
}

DetachedPins read_detached_pins(const json& object, const std::string& path) {
  checked_object(object, path);
  DetachedPins detached;
  constexpr attention::Index kAnyLength = attention::Limits::kSeqLen;
  detached.queries = read_removed_tokens(object, "queries", path, kAnyLength);
  detached.keys = read_removed_tokens(object, "keys", path, kAnyLength);
  detached.pins = read_pins(require(object, path, "pins"), path + ".pins");
  return detached;
}

std::vector<int> read_heads(const json& list, const std::string& path) {
  std::vector<int> heads;
  for (const json& head : checked_list(list, path, attention::Limits::kHeads))
    heads.push_back(read_head(head, indexed(path, heads.size())));
  return heads;
}

// `count` finite numbers.
std::vector<float> read_numbers(const json& list, const std::string& path, std::size_t count) {
  if (checked_list(list, path).size() != count)
    wrong(path, std::to_string(list.size()) + " numbers, should be " + std::to_string(count));
  std::vector<float> numbers;
  for (const json& value : list) {
    const std::string place = indexed(path, numbers.size());
    numbers.push_back(read_float(value, place));
    if (!std::isfinite(numbers.back())) wrong(place, "should be a finite number");
  }
  return numbers;
}

MatrixPart read_part(const json& list, const std::string& path) {
  const std::vector<float> sides = read_numbers(list, path, 4);
  const MatrixPart part{sides[0], sides[1], sides[2], sides[3]};
  const bool inside = part.x >= 0 && part.y >= 0 && part.w > 0 && part.h > 0 &&
                      part.x + part.w <= 1.001f && part.y + part.h <= 1.001f;
  if (!inside) wrong(path, "should be x, y, width and height within 0 … 1");
  return part;
}

ColourRange read_range(const json& list, const std::string& path) {
  const std::vector<float> ends = read_numbers(list, path, 2);
  if (!(ends[0] < ends[1])) wrong(path, "should be two numbers, the smaller one first");
  return {ends[0], ends[1]};
}

ColourChoice read_colours(const json& object, const std::string& path) {
  ColourChoice colours;
  checked_object(object, path);
  if (const json* range = find(object, "range"))
    colours.range = read_string(*range, path + ".range");
  if (const json* spread = find(object, "spread"))
    colours.spread = read_string(*spread, path + ".spread");
  return colours;
}

// One value per stage: {"weights": …, "scores": …}.
template <typename Value>
std::map<Stage, Value> read_by_stage(const json& object, const std::string& path,
                                     Value (*read)(const json&, const std::string&)) {
  std::map<Stage, Value> values;
  for (const auto& [name, value] : checked_object(object, path).items()) {
    std::string place = path;
    place.append(".").append(name);
    values[stage_named(name, place)] = read(value, place);
  }
  return values;
}

void read_edited(const json& object, const std::string& path, SessionView& view) {
  checked_object(object, path);
  const std::string name = read_string(require(object, path, "matrix"), path + ".matrix");
  if (!matrix_from_name(name)) wrong(path + ".matrix", in_quotes(name) + " is no matrix");
  const int row = read_size(require(object, path, "row"), path + ".row");
  const int col = read_size(require(object, path, "col"), path + ".col");
  view.edited = name;
  view.edited_row = row;
  view.edited_col = col;
}

// Reads one member if it exists; adds a note when it cannot be understood.
class Members {
 public:
  Members(const json& object, std::vector<std::string>& notes) : object_(object), notes_(notes) {}

  template <typename Read>
  void operator()(const char* name, Read&& read) {
    const json* value = find(object_, name);
    if (!value) return;
    try {
      read(*value, std::string(kView) + "." + name);
    } catch (const BadInput& error) {
      notes_.push_back(std::string(error.what()) + "; it is left out");
    }
  }
  void text(const char* name, std::string& read) {
    (*this)(name, [&](const json& value, const auto& path) { read = read_string(value, path); });
  }

 private:
  const json& object_;
  std::vector<std::string>& notes_;
};

void write_text(JsonWriter& out, const char* name, const std::string& text) {
  if (text.empty()) return;
  out.member(name);
  out.string(text);
}

void write_colours(JsonWriter& out, const ColourChoice& colours) {
  write_text(out, "range", colours.range);
  write_text(out, "spread", colours.spread);
}

void write_own_colours(JsonWriter& out, const std::map<Stage, ColourChoice>& own) {
  if (own.empty()) return;
  out.member("card_ranges");
  out.begin('{');
  for (const auto& [stage, colours] : own) {
    out.member(stage_name(stage));
    out.begin('{');
    write_colours(out, colours);
    out.end('}');
  }
  out.end('}');
}

void write_heads(JsonWriter& out, const char* name, const std::vector<int>& heads) {
  if (heads.empty()) return;
  std::vector<int> numbers(heads);
  for (int& number : numbers) ++number;
  out.member(name);
  out.whole_numbers(numbers);
}

void write_pins(JsonWriter& out, const std::vector<StageCell>& pins) {
  out.member("pins");
  out.begin('[');
  for (const StageCell& pin : pins) {
    out.element();
    out.raw("{" + stage_cell_json(pin) + "}");
  }
  out.end(']');
}

void write_detached_pins(JsonWriter& out, const DetachedPins& detached) {
  if (detached == DetachedPins{}) return;
  out.member("pins_aside");
  out.begin('{');
  write_removed_tokens(out, "queries", detached.queries);
  write_removed_tokens(out, "keys", detached.keys);
  write_pins(out, detached.pins);
  out.end('}');
}

// Writes {"weights": [0, 1]}; `numbers` turns a value into a row.
template <typename Value, typename Numbers>
void write_by_stage(JsonWriter& out, const char* name, const std::map<Stage, Value>& values,
                    Numbers&& numbers) {
  if (values.empty()) return;
  out.member(name);
  out.begin('{');
  for (const auto& [stage, value] : values) {
    out.member(stage_name(stage));
    out.row(numbers(value));
  }
  out.end('}');
}

}  // namespace

SessionView read_view(const json& object, std::vector<std::string>& notes) {
  SessionView view;
  if (!object.is_object()) {
    notes.emplace_back("view should be an object; it is left out");
    return view;
  }
  Members read(object, notes);
  read("head", [&](const json& value, const auto& path) { view.head = read_head(value, path); });
  read("second_head",
       [&](const json& value, const auto& path) { view.second_head = read_head(value, path); });
  read("further_heads",
       [&](const json& value, const auto& path) { view.further_heads = read_heads(value, path); });
  read("selected",
       [&](const json& value, const auto& path) { view.selected = read_stage_cell(value, path); });
  read("pins", [&](const json& value, const auto& path) { view.pins = read_pins(value, path); });
  read("pins_aside", [&](const json& value, const auto& path) {
    view.detached_pins = read_detached_pins(value, path);
  });
  read("zoom", [&](const json& value, const auto& path) {
    view.zoom = read_by_stage(value, path, read_part);
  });
  read("large", [&](const json& value, const auto& path) {
    view.large = stage_named(read_string(value, path), path);
  });
  read.text("range", view.colours.range);
  read.text("spread", view.colours.spread);
  read("card_ranges", [&](const json& value, const auto& path) {
    view.own_colours = read_by_stage(value, path, read_colours);
  });
  read("locked", [&](const json& value, const auto& path) {
    view.locked = read_by_stage(value, path, read_range);
  });
  read.text("heads_order", view.heads_order);
  read.text("heads_shown", view.heads_shown);
  read.text("token_lines", view.token_lines);
  read.text("weights_palette", view.weights_palette);
  read("edited", [&](const json& value, const auto& path) { read_edited(value, path, view); });
  read("model",
       [&](const json& value, const auto& path) { view.model = read_model_view(value, path); });
  return view;
}

void write_view(JsonWriter& out, const SessionView& view) {
  out.member(kView);
  out.begin('{');
  out.member("head");
  out.raw(std::to_string(view.head + 1));
  out.member("second_head");
  out.raw(std::to_string(view.second_head + 1));
  write_heads(out, "further_heads", view.further_heads);
  out.member("selected");
  out.raw("{" + stage_cell_json(view.selected) + "}");
  if (!view.pins.empty()) write_pins(out, view.pins);
  write_detached_pins(out, view.detached_pins);
  write_by_stage(out, "zoom", view.zoom, [](const MatrixPart& part) {
    return Eigen::RowVector4f(part.x, part.y, part.w, part.h);
  });
  if (view.large) write_text(out, "large", std::string(stage_name(*view.large)));
  write_colours(out, view.colours);
  write_own_colours(out, view.own_colours);
  write_by_stage(out, "locked", view.locked,
                 [](const ColourRange& range) { return Eigen::RowVector2f(range.lo, range.hi); });
  write_text(out, "heads_order", view.heads_order);
  write_text(out, "heads_shown", view.heads_shown);
  write_text(out, "token_lines", view.token_lines);
  write_text(out, "weights_palette", view.weights_palette);
  if (!view.edited.empty()) {
    out.member("edited");
    out.raw("{\"matrix\": " + json_string(view.edited) +
            ", \"row\": " + std::to_string(view.edited_row) +
            ", \"col\": " + std::to_string(view.edited_col) + "}");
  }
  if (!(view.model == ModelView{})) {
    out.member("model");
    write_model_view(out, view.model);
  }
  out.end('}');
}

}  // namespace lab::files
