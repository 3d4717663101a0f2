#include "app/files/session/json_writer.h"
#include "app/files/training/run_json.h"

namespace lab::files {
namespace {

using attention::training::CurvePoint;
using attention::training::HeadMeasures;
using attention::training::MeasuredPoint;
using attention::training::TaskOptions;
using attention::training::TrainingOptions;

void write_whole(JsonWriter& out, std::string_view name, std::uint64_t value) {
  out.member(name);
  out.raw(std::to_string(value));
}

void write_task(JsonWriter& out, const TaskOptions& task) {
  out.member("task");
  out.string(task_name(task.kind));
  write_whole(out, "vocabulary", static_cast<std::uint64_t>(task.vocabulary));
  write_whole(out, "length", static_cast<std::uint64_t>(task.length));
  write_whole(out, "shortest_period", static_cast<std::uint64_t>(task.shortest_period));
  write_whole(out, "longest_period", static_cast<std::uint64_t>(task.longest_period));
  write_whole(out, "distance", static_cast<std::uint64_t>(task.distance));
  if (task.text.empty()) return;
  out.member("text");
  out.string(task.text);
}

void write_options(JsonWriter& out, const TrainingOptions& options) {
  out.member("options");
  out.begin('{');
  write_task(out, options.task);
  write_whole(out, "layers", static_cast<std::uint64_t>(options.layers));
  write_whole(out, "heads", static_cast<std::uint64_t>(options.heads));
  write_whole(out, "d_model", static_cast<std::uint64_t>(options.d_model));
  write_whole(out, "d_k", static_cast<std::uint64_t>(options.d_k));
  out.member("mlp");
  out.raw(options.mlp ? "true" : "false");
  out.member("positions");
  out.string(trained_positions_name(options.positions));
  write_whole(out, "batch", static_cast<std::uint64_t>(options.batch));
  out.member("learning_rate");
  out.number(options.learning_rate);
  // As text: other readers of JSON have no whole numbers of 64 bits.
  out.member("seed");
  out.string(std::to_string(options.seed));
  out.end('}');
}

// A list of one number of each point.
template <typename Points, typename NumberOf>
void write_column(JsonWriter& out, std::string_view name, const Points& points,
                  NumberOf number_of) {
  attention::RowVector column(static_cast<attention::Index>(points.size()));
  for (std::size_t i = 0; i < points.size(); ++i)
    column(static_cast<attention::Index>(i)) = number_of(points[i]);
  out.member(name);
  out.row(column);
}

template <typename Points>
void write_steps(JsonWriter& out, const Points& points) {
  std::vector<std::uint64_t> steps;
  steps.reserve(points.size());
  for (const auto& point : points) steps.push_back(point.step);
  out.member("step");
  out.whole_numbers(steps);
}

void write_curve(JsonWriter& out, const std::vector<CurvePoint>& curve) {
  out.member("curve");
  out.begin('{');
  write_steps(out, curve);
  write_column(out, "loss", curve, [](const CurvePoint& p) { return p.loss; });
  write_column(out, "known_loss", curve, [](const CurvePoint& p) { return p.known_loss; });
  write_column(out, "gradient_norm", curve, [](const CurvePoint& p) { return p.gradient_norm; });
  out.end('}');
}

void write_numbers(JsonWriter& out, std::string_view name, const std::vector<float>& numbers) {
  out.member(name);
  out.row(attention::RowVector::Map(numbers.data(), std::ssize(numbers)));
}

void write_measured(JsonWriter& out, const MeasuredPoint& point) {
  out.element();
  out.begin('{');
  write_whole(out, "step", point.step);
  const auto column = [&](std::string_view name, auto number_of) {
    write_column(out, name, point.heads, number_of);
  };
  column("previous", [](const HeadMeasures& h) { return h.scores.previous; });
  column("first", [](const HeadMeasures& h) { return h.scores.first; });
  column("duplicate", [](const HeadMeasures& h) { return h.scores.duplicate; });
  column("induction", [](const HeadMeasures& h) { return h.scores.induction; });
  column("self", [](const HeadMeasures& h) { return h.self; });
  column("entropy", [](const HeadMeasures& h) { return h.entropy; });
  write_numbers(out, "head_gradients", point.head_gradients);
  write_numbers(out, "position_loss", point.position_loss);
  out.end('}');
}

void write_edits(JsonWriter& out, const std::vector<RunEdit>& edits) {
  out.member("edits");
  out.begin('[');
  for (const RunEdit& edit : edits) {
    out.element();
    out.begin('{');
    write_whole(out, "step", edit.step);
    out.member("what");
    out.string(edit.what);
    out.end('}');
  }
  out.end(']');
}

}  // namespace

std::string write_run_json(const SavedRun& run, const std::vector<std::string>& states) {
  JsonWriter out;
  out.begin('{');
  out.member("type");
  out.string("attention-lab training run");
  write_whole(out, "version", 1);
  write_options(out, run.options);
  out.member("states");
  out.strings(states);
  write_edits(out, run.edits);
  write_curve(out, run.history.curve());
  out.member("measured");
  out.begin('[');
  for (const MeasuredPoint& point : run.history.measured()) write_measured(out, point);
  out.end(']');
  out.end('}');
  return out.take();
}

}  // namespace lab::files
