#include "app/files/training/run_json.h"

#include "app/base/machine_numbers.h"
#include "app/base/strict_json.h"
#include "app/files/model/config_reader.h"
#include "app/files/session/json_fields.h"

namespace lab::files {

using attention::training::CurvePoint;
using attention::training::HeadMeasures;
using attention::training::History;
using attention::training::MeasuredPoint;
using attention::training::TaskType;
using attention::training::TrainedPositions;
using attention::training::TrainingOptions;

namespace {

constexpr const char* kRunType = "attention-lab training run";

JsonCursor short_words(const JsonCursor& value) {
  return {value.value(), value.path(), kShortWording};
}

// The value called by a name.
template <typename Type>
struct KindCodec {
  std::optional<Type> (*from_name)(std::string_view);
  std::string_view (*name_of)(Type);

  Type read(const JsonCursor& value) const {
    const std::string name = short_words(value).text();
    const std::optional<Type> type = from_name(name);
    if (!type) value.refuse("there is no " + in_quotes(name));
    return *type;
  }
  void write(JsonWriter& out, Type type) const { out.string(name_of(type)); }
};
constexpr KindCodec<TaskType> kTaskCodec{attention::training::task_from_name,
                                         attention::training::task_name};
constexpr KindCodec<TrainedPositions> kPositionsCodec{
    attention::training::trained_positions_from_name, attention::training::trained_positions_name};

struct SizeCodec {
  static attention::Index read(const JsonCursor& value) { return read_size(value); }
  static void write(JsonWriter& out, attention::Index size) { out.whole(size); }
};

struct RateCodec {
  static float read(const JsonCursor& value) {
    if (!value.value().is_number()) value.wrong("a number");
    return static_cast<float>(value.value().get<double>());
  }
  static void write(JsonWriter& out, float rate) { out.number(rate); }
};

// As text: other readers of JSON have no whole numbers of 64 bits.
struct SeedCodec {
  static std::uint64_t read(const JsonCursor& value) {
    const auto seed = parse_number<std::uint64_t>(short_words(value).text());
    if (!seed) value.refuse("should be a whole number in quotes");
    return *seed;
  }
  static void write(JsonWriter& out, std::uint64_t seed) { out.string(std::to_string(seed)); }
};

void visit_options(auto& options, auto&& members) {
  auto& task = options.task;
  members("task", task.type, kTaskCodec);
  members("vocabulary", task.vocabulary, SizeCodec());
  members("length", task.length, SizeCodec());
  members("shortest_period", task.shortest_period, SizeCodec());
  members("longest_period", task.longest_period, SizeCodec());
  members("distance", task.distance, SizeCodec());
  members.unless_default("text", task.text);
  members("layers", options.layers, SizeCodec());
  members("heads", options.heads, SizeCodec());
  members("d_model", options.d_model, SizeCodec());
  members("d_k", options.d_k, SizeCodec());
  members.may_miss("mlp", options.mlp);
  members("positions", options.positions, kPositionsCodec);
  members("batch", options.batch, SizeCodec());
  members.may_miss("learning_rate", options.learning_rate, RateCodec());
  members("seed", options.seed, SeedCodec());
}

// Calls visit(name, number) for each of the columns of points; number(point) is a reference.
template <typename Visit>
void for_each_column(const CurvePoint*, Visit visit) {
  visit(
      "loss", [](auto& p) -> auto& { return p.loss; });
  visit(
      "known_loss", [](auto& p) -> auto& { return p.known_loss; });
  visit(
      "gradient_norm", [](auto& p) -> auto& { return p.gradient_norm; });
}
template <typename Visit>
void for_each_column(const HeadMeasures*, Visit visit) {
  visit(
      "previous", [](auto& h) -> auto& { return h.scores.previous; });
  visit(
      "first", [](auto& h) -> auto& { return h.scores.first; });
  visit(
      "duplicate", [](auto& h) -> auto& { return h.scores.duplicate; });
  visit(
      "induction", [](auto& h) -> auto& { return h.scores.induction; });
  visit(
      "self", [](auto& h) -> auto& { return h.self; });
  visit(
      "entropy", [](auto& h) -> auto& { return h.entropy; });
}

// --- writing

void write_numbers(JsonWriter& out, std::string_view name, const std::vector<float>& numbers) {
  out.member(name);
  out.row(attention::RowVector::Map(numbers.data(), std::ssize(numbers)));
}

// A list of the numbers of all points for each column.
template <typename Point>
void write_columns(JsonWriter& out, const std::vector<Point>& points) {
  for_each_column(points.data(), [&](const char* name, auto number) {
    std::vector<float> numbers;
    numbers.reserve(points.size());
    for (const Point& point : points) numbers.push_back(number(point));
    write_numbers(out, name, numbers);
  });
}

void write_curve(JsonWriter& out, const std::vector<CurvePoint>& curve) {
  out.begin('{');
  std::vector<std::uint64_t> steps;
  steps.reserve(curve.size());
  for (const CurvePoint& point : curve) steps.push_back(point.step);
  write_member(out, "step", steps);
  write_columns(out, curve);
  out.end('}');
}

void write_measured(JsonWriter& out, const MeasuredPoint& point) {
  out.begin('{');
  write_member(out, "step", point.step);
  write_columns(out, point.heads);
  write_numbers(out, "head_gradients", point.head_gradients);
  write_numbers(out, "position_loss", point.position_loss);
  out.end('}');
}

// --- reading

// An object whose members messages call by `prefix`, which ends in a dot.
JsonCursor section(const JsonCursor& object, const char* prefix,
                   const JsonWording& wording = kShortWording) {
  return JsonCursor(object.value(), std::string(prefix), wording).object();
}

TrainingOptions read_options(const JsonCursor& file) {
  const JsonCursor object = file.at("options");
  TrainingOptions options;
  options.learning_rate = 0;
  visit_options(options, FieldReader(section(object, "options.", kTextWording)));
  const std::vector<std::string> wrong = attention::training::complaints(options);
  if (!wrong.empty()) object.refuse(wrong.front());
  return options;
}

std::vector<float> read_numbers(const JsonCursor& object, const char* name) {
  std::vector<float> numbers;
  const JsonCursor list = object.at(name).list();
  for (const auto& value : list.value()) numbers.push_back(json_float(value));
  return numbers;
}

void require_length(const JsonCursor& list, std::size_t expected) {
  const std::size_t length = list.value().size();
  if (length != expected)
    list.refuse(std::to_string(length) + " numbers, should be " + std::to_string(expected));
}

template <typename Point>
void read_columns(const JsonCursor& object, std::vector<Point>& points) {
  for_each_column(points.data(), [&](const char* name, auto number) {
    const std::vector<float> numbers = read_numbers(object, name);
    require_length(object.at(name), points.size());
    for (std::size_t i = 0; i < points.size(); ++i) number(points[i]) = numbers[i];
  });
}

void read_curve(const JsonCursor& curve, History& history) {
  const JsonCursor steps = curve.at("step").list();
  std::vector<CurvePoint> points(steps.value().size());
  read_columns(curve, points);
  std::uint64_t last = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i].step = JsonCursor(steps.value()[i], steps.path(), kShortWording).seed();
    if (points[i].step <= last) steps.refuse("should rise from step to step");
    last = points[i].step;
    history.add(points[i]);
  }
}

void read_measured(const JsonCursor& object, const TrainingOptions& options, History& history) {
  const auto heads = static_cast<std::size_t>(options.layers * options.heads);
  const auto length = static_cast<std::size_t>(options.task.length);
  MeasuredPoint point;
  FieldReader{object}("step", point.step);
  if (!history.measured().empty() && point.step <= history.measured().back().step)
    object.at("step").refuse("should rise");
  point.heads.resize(heads);
  read_columns(object, point.heads);
  point.head_gradients = read_numbers(object, "head_gradients");
  point.position_loss = read_numbers(object, "position_loss");
  if (!point.head_gradients.empty()) require_length(object.at("head_gradients"), heads);
  if (!point.position_loss.empty()) require_length(object.at("position_loss"), length);
  history.add(std::move(point));
}

// A name within the folder, such as this program writes.
std::string state_name(const JsonCursor& value) {
  std::string name = value.text();
  const bool plain = name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-.") == name.npos;
  if (!plain || !name.starts_with("state-") || !name.ends_with(".safetensors"))
    value.refuse(in_quotes(name) + " is no name of a state");
  return name;
}

}  // namespace

template <>
struct JsonFields<RunEdit> : OpenLines {
  static void visit(auto& edit, auto&& members) {
    members("step", edit.step);
    members("what", edit.what);
  }
};

std::string write_run_json(const SavedRun& run, const std::vector<std::string>& states) {
  JsonWriter out;
  out.begin('{');
  write_member(out, "type", std::string(kRunType));
  write_member(out, "version", 1);
  out.member("options");
  out.object([&] { visit_options(run.options, FieldWriter(out)); });
  write_member(out, "states", states);
  write_member(out, "edits", run.edits);
  out.member("curve");
  write_curve(out, run.history.curve());
  out.member("measured");
  out.list(run.history.measured(), [&](const MeasuredPoint& point) { write_measured(out, point); });
  out.end('}');
  return out.take();
}

RunText read_run_json(std::string_view text) {
  const nlohmann::json written = parse_json(text);
  const JsonCursor file(written, "", kShortWording);
  if (const auto type = file.find("type"); !type || type->value() != kRunType)
    throw BadInput("this is no run of training, whose \"type\" is \"attention-lab training run\"");
  if (const JsonCursor version = file.at("version"); version.seed() > 1)
    version.refuse("this run was saved by a newer version of Attention Lab");
  RunText result;
  result.run.options = read_options(file);
  const auto for_each_item = [&](const char* name, const std::string& prefix, auto read) {
    const JsonCursor list = file.at(name).list();
    for (const auto& item : list.value()) read(JsonCursor(item, prefix, kShortWording));
  };
  for_each_item("states", "states",
                [&](const JsonCursor& item) { result.states.push_back(state_name(item)); });
  for_each_item("edits", "edits.", [&](const JsonCursor& item) {
    result.run.edits.push_back(JsonValue<RunEdit>::read(item));
  });
  read_curve(section(file.at("curve"), "curve."), result.run.history);
  for_each_item("measured", "measured.", [&](const JsonCursor& item) {
    read_measured(item.object(), result.run.options, result.run.history);
  });
  return result;
}

}  // namespace lab::files
