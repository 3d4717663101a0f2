#include <charconv>

#include "app/base/strict_json.h"
#include "app/files/model/config_reader.h"
#include "app/files/training/run_json.h"

namespace lab::files {
namespace {

using attention::Index;
using attention::training::CurvePoint;
using attention::training::HeadMeasures;
using attention::training::History;
using attention::training::MeasuredPoint;
using attention::training::TrainingOptions;

[[noreturn]] void refuse_member(const std::string& place, const std::string& problem) {
  throw BadInput(place + ": " + problem);
}

const nlohmann::json& member_of(const nlohmann::json& object, std::string_view name,
                                std::string_view place) {
  if (!object.is_object()) refuse_member(std::string(place), "should be an object");
  const auto found = object.find(name);
  if (found == object.end()) refuse_member(std::string(place).append(name), "is missing");
  return *found;
}

const nlohmann::json& list_of(const nlohmann::json& object, std::string_view name,
                              std::string_view place) {
  const nlohmann::json& list = member_of(object, name, place);
  if (!list.is_array()) refuse_member(std::string(place).append(name), "should be a list");
  return list;
}

std::uint64_t whole_number(const nlohmann::json& value, const std::string& place) {
  if (!value.is_number_unsigned()) refuse_member(place, "should be a whole number");
  return value.get<std::uint64_t>();
}

std::string text_of(const nlohmann::json& value, const std::string& place) {
  if (!value.is_string()) refuse_member(place, "should be a text");
  return value.get<std::string>();
}

std::uint64_t read_seed(const nlohmann::json& options) {
  const std::string text = text_of(member_of(options, "seed", "options."), "options.seed");
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error != std::errc() || end != text.data() + text.size())
    refuse_member("options.seed", "should be a whole number in quotes");
  return seed;
}

template <typename Kind>
Kind read_kind(const nlohmann::json& options, const char* name,
               std::optional<Kind> (*kind_named)(std::string_view)) {
  const std::string place = "options." + std::string(name);
  const std::string text = text_of(member_of(options, name, "options."), place);
  const std::optional<Kind> kind = kind_named(text);
  if (!kind) refuse_member(place, "there is no " + in_quotes(text));
  return *kind;
}

TrainingOptions read_options(const nlohmann::json& file) {
  const nlohmann::json& object = member_of(file, "options", "");
  const ConfigReader reader(object, "options.");
  TrainingOptions options;
  options.task.kind = read_kind(object, "task", attention::training::task_from_name);
  options.positions =
      read_kind(object, "positions", attention::training::trained_positions_from_name);
  options.task.vocabulary = reader.size("vocabulary");
  options.task.length = reader.size("length");
  options.task.shortest_period = reader.size("shortest_period");
  options.task.longest_period = reader.size("longest_period");
  options.task.distance = reader.size("distance");
  options.task.text = reader.text_or("text", "");
  options.layers = reader.size("layers");
  options.heads = reader.size("heads");
  options.d_model = reader.size("d_model");
  options.d_k = reader.size("d_k");
  options.mlp = reader.flag_or("mlp", false);
  options.batch = reader.size("batch");
  options.learning_rate = static_cast<float>(reader.number_or("learning_rate", 0));
  options.seed = read_seed(object);
  const std::vector<std::string> wrong = attention::training::complaints(options);
  if (!wrong.empty()) refuse_member("options", wrong.front());
  return options;
}

std::vector<float> read_numbers(const nlohmann::json& object, const std::string& name,
                                const std::string& place) {
  std::vector<float> numbers;
  for (const nlohmann::json& value : list_of(object, name, place))
    numbers.push_back(json_float(value));
  return numbers;
}

void require_length(std::size_t length, std::size_t expected, const std::string& place) {
  if (length != expected)
    refuse_member(place,
                  std::to_string(length) + " numbers, should be " + std::to_string(expected));
}

void read_curve(const nlohmann::json& file, History& history) {
  const nlohmann::json& curve = member_of(file, "curve", "");
  const nlohmann::json& steps = list_of(curve, "step", "curve.");
  const auto column = [&](const char* name) {
    std::vector<float> numbers = read_numbers(curve, name, "curve.");
    require_length(numbers.size(), steps.size(), "curve." + std::string(name));
    return numbers;
  };
  const auto loss = column("loss"), known = column("known_loss"), norm = column("gradient_norm");
  std::uint64_t last = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const std::uint64_t step = whole_number(steps[i], "curve.step");
    if (step <= last) refuse_member("curve.step", "should rise from step to step");
    last = step;
    history.add(CurvePoint{step, loss[i], known[i], norm[i]});
  }
}

std::vector<HeadMeasures> read_heads(const nlohmann::json& object, std::size_t count) {
  std::vector<HeadMeasures> heads(count);
  const auto read = [&](const char* name, auto member) {
    const std::vector<float> numbers = read_numbers(object, name, "measured.");
    require_length(numbers.size(), count, "measured." + std::string(name));
    for (std::size_t i = 0; i < count; ++i) member(heads[i]) = numbers[i];
  };
  read("previous", [](HeadMeasures& h) -> float& { return h.scores.previous; });
  read("first", [](HeadMeasures& h) -> float& { return h.scores.first; });
  read("duplicate", [](HeadMeasures& h) -> float& { return h.scores.duplicate; });
  read("induction", [](HeadMeasures& h) -> float& { return h.scores.induction; });
  read("self", [](HeadMeasures& h) -> float& { return h.self; });
  read("entropy", [](HeadMeasures& h) -> float& { return h.entropy; });
  return heads;
}

void read_measured(const nlohmann::json& file, const TrainingOptions& options, History& history) {
  const auto heads = static_cast<std::size_t>(options.layers * options.heads);
  const auto length = static_cast<std::size_t>(options.task.length);
  for (const nlohmann::json& object : list_of(file, "measured", "")) {
    MeasuredPoint point;
    point.step = whole_number(member_of(object, "step", "measured."), "measured.step");
    if (!history.measured().empty() && point.step <= history.measured().back().step)
      refuse_member("measured.step", "should rise");
    point.heads = read_heads(object, heads);
    point.head_gradients = read_numbers(object, "head_gradients", "measured.");
    point.position_loss = read_numbers(object, "position_loss", "measured.");
    if (!point.head_gradients.empty())
      require_length(point.head_gradients.size(), heads, "measured.head_gradients");
    if (!point.position_loss.empty())
      require_length(point.position_loss.size(), length, "measured.position_loss");
    history.add(std::move(point));
  }
}

// A name within the folder, such as this program writes.
std::string state_name(const nlohmann::json& value) {
  std::string name = text_of(value, "states");
  const bool plain = name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-.") == name.npos;
  if (!plain || !name.starts_with("state-") || !name.ends_with(".safetensors"))
    refuse_member("states", in_quotes(name) + " is no name of a state");
  return name;
}

}  // namespace

RunText read_run_json(std::string_view text) {
  const nlohmann::json file = parse_json(text);
  const std::string type = file.is_object() ? file.value("type", nlohmann::json()).dump() : "";
  if (type != "\"attention-lab training run\"")
    throw BadInput("this is no run of training, whose \"type\" is \"attention-lab training run\"");
  if (whole_number(member_of(file, "version", ""), "version") > 1)
    refuse_member("version", "this run was saved by a newer version of Attention Lab");
  RunText result;
  result.run.options = read_options(file);
  for (const nlohmann::json& name : list_of(file, "states", ""))
    result.states.push_back(state_name(name));
  for (const nlohmann::json& edit : list_of(file, "edits", ""))
    result.run.edits.push_back({whole_number(member_of(edit, "step", "edits."), "edits.step"),
                                text_of(member_of(edit, "what", "edits."), "edits.what")});
  read_curve(file, result.run.history);
  read_measured(file, result.run.options, result.run.history);
  return result;
}

}  // namespace lab::files
