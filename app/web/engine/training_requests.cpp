// What a page can ask while it trains a small model.
#include <array>
#include <chrono>
#include <string>

#include "app/base/bad_input.h"
#include "app/document/model/shown_layer.h"
#include "app/document/training/task_title.h"
#include "app/document/training/training_document.h"
#include "app/files/training/run_folder.h"
#include "app/web/engine/describe.h"
#include "app/web/engine/engine.h"
#include "app/web/engine/requests.h"
#include "app/web/engine/training_session.h"

namespace lab::web {
namespace {

using attention::training::TaskType;
using attention::training::TrainingOptions;
using nlohmann::json;

json options_json(const TrainingOptions& options) {
  return {{"task", attention::training::task_name(options.task.type)},
          {"vocabulary", options.task.vocabulary},
          {"length", options.task.length},
          {"layers", options.layers},
          {"heads", options.heads},
          {"d_model", options.d_model},
          {"d_k", options.d_k},
          {"mlp", options.mlp},
          {"positions", attention::training::trained_positions_name(options.positions)},
          {"batch", options.batch},
          {"learningRate", options.learning_rate},
          {"seed", options.seed}};
}

/// What can be learned, with the options that each begins with.
json list_tasks(Engine& /*engine*/, const json& /*request*/) {
  json list = json::array();
  for (const TaskType type : attention::training::kAllTasks)
    list.push_back({{"task", attention::training::task_name(type)},
                    {"title", task_title(type)},
                    {"words", task_words(type)},
                    {"options", options_json(attention::training::default_options(type))}});
  return {{"tasks", std::move(list)}};
}

TrainingOptions options_of(const json& request) {
  const std::string name = request.at("task").get<std::string>();
  const auto type = attention::training::task_from_name(name);
  if (!type) throw BadInput("there is no task " + in_quotes(name));
  TrainingOptions options = attention::training::default_options(*type);
  options.task.vocabulary = request.value("vocabulary", options.task.vocabulary);
  options.task.length = request.value("length", options.task.length);
  options.task.text = request.value("text", options.task.text);
  options.layers = request.value("layers", options.layers);
  options.heads = request.value("heads", options.heads);
  options.d_model = request.value("d_model", options.d_model);
  options.d_k = request.value("d_k", options.d_k);
  options.mlp = request.value("mlp", options.mlp);
  const auto positions =
      attention::training::trained_positions_from_name(request.value("positions", "learned"));
  if (!positions) throw BadInput("there are no such positions");
  options.positions = *positions;
  options.batch = request.value("batch", options.batch);
  options.learning_rate = request.value("learningRate", options.learning_rate);
  options.seed = request.value("seed", options.seed);
  if (const auto wrong = attention::training::complaints(options); !wrong.empty())
    throw BadInput(wrong.front());
  return options;
}

/// A new model at step 0 that learns "task", with the members of its options that are given.
json new_training(Engine& engine, const json& request) {
  auto run = std::make_shared<TrainingRun>(options_of(request));
  const std::string example = example_text(*run, 0);
  auto source = value_or_bad_input(files::run_source(run, task_title(run->options().task.type)));
  auto model = value_or_bad_input(make_model_document(std::move(source), {example, {}}));
  const auto at = nearest_layer(model.network, {});
  engine.open(shown_layer(std::make_shared<const ModelDocument>(std::move(model)), at), {});
  return describe_state(engine.workspace());
}

const TrainingPosition& position_of(Engine& engine) {
  const auto& model = engine.workspace().edited().layer.model;
  const TrainingPosition* const position = model ? training_of(*model) : nullptr;
  if (position == nullptr) throw BadInput("what is open is not trained here");
  return *position;
}

json curves_json(const TrainingCurves& curves) {
  json heads = json::array();
  for (const HeadCurves& head : curves.heads)
    heads.push_back({{"induction", head.induction},
                     {"previous", head.previous},
                     {"first", head.first},
                     {"self", head.self},
                     {"duplicate", head.duplicate},
                     {"entropy", head.entropy},
                     {"gradient", head.gradient}});
  return {{"steps", curves.steps},
          {"loss", curves.loss},
          {"knownLoss", curves.known_loss},
          {"gradient", curves.gradient},
          {"measuredSteps", curves.measured_steps},
          {"heads", std::move(heads)},
          {"positionLoss", curves.position_loss}};
}

/// The curves of the branch that is shown, and which of its steps is.
json training_curves(Engine& engine, const json& /*request*/) {
  const TrainingPosition& position = position_of(engine);
  TrainingCurves curves;
  position.run->update(position.branch, curves);
  json answer = curves_json(curves);
  answer["branch"] = position.branch;
  answer["branches"] = position.run->branches();
  answer["step"] = position.state->step;
  answer["lastStep"] = position.run->last_step(position.branch);
  answer["options"] = options_json(position.run->options());
  return answer;
}

/// Trains for "slice" milliseconds (30), not beyond step "until" (0: without end), and shows the
/// newest step, in place of a preview. Answers whether there is "more" to do.
json train(Engine& engine, const json& request) {
  position_of(engine);
  if (!engine.training())
    engine.set_training(
        value_or_bad_input(TrainingSession::begin(*engine.workspace().edited().layer.model)));
  TrainingSession& session = *engine.training();
  const bool more = session.train(std::chrono::milliseconds(request.value("slice", 30)),
                                  request.value("until", std::uint64_t{0}));
  engine.workspace().queue(
      intent::Preview{TrainTo{session.branch(), static_cast<int>(session.step())}});
  json answer = drained(engine);
  answer["more"] = more;
  answer["step"] = session.step();
  if (!session.problem().empty()) answer["problem"] = tr(session.problem());
  return answer;
}

/// Ends training: what was reached becomes a step of the history.
json end_training(Engine& engine, const json& /*request*/) {
  engine.set_training(nullptr);
  if (engine.workspace().history().previewing()) {
    const TrainingPosition& position = position_of(engine);
    position.run->pin(position.branch, position.state);
    engine.workspace().queue(intent::Commit{});
  }
  return drained(engine);
}

/// Another example of the task, "number".
json another_example(Engine& engine, const json& request) {
  const std::string text =
      example_text(*position_of(engine).run, request.at("number").get<std::uint64_t>());
  engine.workspace().queue(intent::Apply{.command = SetSentence{text}});
  return drained(engine);
}

constexpr std::array kTrainingRequests = std::to_array<Request>({
    {"tasks", list_tasks},
    {"new_training", new_training},
    {"curves", training_curves},
    {"train", train},
    {"end_training", end_training},
    {"another_example", another_example},
});

}  // namespace

std::span<const Request> training_requests() { return kTrainingRequests; }

}  // namespace lab::web
