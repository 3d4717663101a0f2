#include "app/files/session/json_writer.h"
#include "app/files/training/run_json.h"

namespace lab::files {
namespace {

using attention::training::CurvePoint;
using attention::training::HeadMeasures;
using attention::training::History;
using attention::training::MeasuredPoint;
using attention::training::TaskOptions;
using attention::training::TrainingOptions;

void write_whole(JsonWriter& json, std::string_view name, std::uint64_t value) {
  json.member(name);
  json.raw(std::to_string(value));
}

void write_task(JsonWriter& json, const TaskOptions& task) {
  json.member("task");
  json.string(task_name(task.kind));
  write_whole(json, "vocabulary", static_cast<std::uint64_t>(task.vocabulary));
  write_whole(json, "length", static_cast<std::uint64_t>(task.length));
  write_whole(json, "shortest_period", static_cast<std::uint64_t>(task.shortest_period));
  write_whole(json, "longest_period", static_cast<std::uint64_t>(task.longest_period));
  write_whole(json, "distance", static_cast<std::uint64_t>(task.distance));
  if (task.text.empty()) return;
  json.member("text");
  json.string(task.text);
}

void write_options(JsonWriter& json, const TrainingOptions& options) {
  json.member("options");
  json.begin('{');
  write_task(json, options.task);
  write_whole(json, "layers", static_cast<std::uint64_t>(options.layers));
  write_whole(json, "heads", static_cast<std::uint64_t>(options.heads));
  write_whole(json, "d_model", static_cast<std::uint64_t>(options.d_model));
  write_whole(json, "d_k", static_cast<std::uint64_t>(options.d_k));
  json.member("mlp");
  json.raw(options.mlp ? "true" : "false");
  json.member("positions");
  json.string(trained_positions_name(options.positions));
  write_whole(json, "batch", static_cast<std::uint64_t>(options.batch));
  json.member("learning_rate");
  json.number(options.learning_rate);
  // As text: other readers of JSON have no whole numbers of 64 bits.
  json.member("seed");
  json.string(std::to_string(options.seed));
  json.end('}');
}

// A list of one number of each point.
template <typename Points, typename NumberOf>
void write_column(JsonWriter& json, std::string_view name, const Points& points,
                  NumberOf number_of) {
  attention::RowVector column(static_cast<attention::Index>(points.size()));
  for (std::size_t i = 0; i < points.size(); ++i)
    column(static_cast<attention::Index>(i)) = number_of(points[i]);
  json.member(name);
  json.row(column);
}

template <typename Points>
void write_steps(JsonWriter& json, const Points& points) {
  std::vector<std::uint64_t> steps;
  for (const auto& point : points) steps.push_back(point.step);
  json.member("step");
  json.whole_numbers(steps);
}

void write_curve(JsonWriter& json, const std::vector<CurvePoint>& curve) {
  json.member("curve");
  json.begin('{');
  write_steps(json, curve);
  write_column(json, "loss", curve, [](const CurvePoint& p) { return p.loss; });
  write_column(json, "known_loss", curve, [](const CurvePoint& p) { return p.known_loss; });
  write_column(json, "gradient_norm", curve, [](const CurvePoint& p) { return p.gradient_norm; });
  json.end('}');
}

void write_numbers(JsonWriter& json, std::string_view name, const std::vector<float>& numbers) {
  json.member(name);
  json.row(attention::RowVector::Map(numbers.data(), std::ssize(numbers)));
}

void write_measured(JsonWriter& json, const MeasuredPoint& point) {
  json.element();
  json.begin('{');
  write_whole(json, "step", point.step);
  const auto column = [&](std::string_view name, auto number_of) {
    write_column(json, name, point.heads, number_of);
  };
  column("previous", [](const HeadMeasures& h) { return h.scores.previous; });
  column("first", [](const HeadMeasures& h) { return h.scores.first; });
  column("duplicate", [](const HeadMeasures& h) { return h.scores.duplicate; });
  column("induction", [](const HeadMeasures& h) { return h.scores.induction; });
  column("self", [](const HeadMeasures& h) { return h.self; });
  column("entropy", [](const HeadMeasures& h) { return h.entropy; });
  write_numbers(json, "head_gradients", point.head_gradients);
  write_numbers(json, "position_loss", point.position_loss);
  json.end('}');
}

void write_edits(JsonWriter& json, const std::vector<RunEdit>& edits) {
  json.member("edits");
  json.begin('[');
  for (const RunEdit& edit : edits) {
    json.element();
    json.begin('{');
    write_whole(json, "step", edit.step);
    json.member("what");
    json.string(edit.what);
    json.end('}');
  }
  json.end(']');
}

}  // namespace

std::string write_run_json(const SavedRun& run, const std::vector<std::string>& states) {
  JsonWriter json;
  json.begin('{');
  json.member("type");
  json.string("attention-lab training run");
  write_whole(json, "version", 1);
  write_options(json, run.options);
  json.member("states");
  json.strings(states);
  write_edits(json, run.edits);
  write_curve(json, run.history.curve());
  json.member("measured");
  json.begin('[');
  for (const MeasuredPoint& point : run.history.measured()) write_measured(json, point);
  json.end(']');
  json.end('}');
  return json.take();
}

}  // namespace lab::files
