#include "app/lessons/model/model_edits.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "app/base/bad_input.h"
#include "app/base/machine_numbers.h"
#include "app/base/strict_json.h"
#include "app/base/strings.h"
#include "app/document/commands/reducer.h"
#include "app/document/history/history.h"
#include "app/document/model/layer_command.h"
#include "app/document/model/layer_name.h"
#include "app/document/model/shown_layer.h"
#include "app/document/training/task_title.h"
#include "app/document/training/training_document.h"
#include "app/files/model/model_list.h"
#include "app/files/opened_model.h"
#include "app/files/tokenizer/tokenizer_file.h"
#include "app/files/training/run_folder.h"
#include "app/lessons/model/live_evaluator.h"
#include "app/translation/words.h"

namespace lab::lessons {
namespace {

using attention::network::LayerId;

constexpr std::string_view kTrain = "train:";

struct NamedOption {
  std::string_view name;
  void (*set)(attention::training::TrainingOptions& options, std::int64_t value);
};
constexpr std::array kNamedOptions = {
    NamedOption{"layers", [](auto& options, auto value) { options.layers = value; }},
    NamedOption{"heads", [](auto& options, auto value) { options.heads = value; }},
    NamedOption{"d_model", [](auto& options, auto value) { options.d_model = value; }},
    NamedOption{"d_k", [](auto& options, auto value) { options.d_k = value; }},
    NamedOption{"vocabulary", [](auto& options, auto value) { options.task.vocabulary = value; }},
    NamedOption{"length", [](auto& options, auto value) { options.task.length = value; }},
    NamedOption{"shortest",
                [](auto& options, auto value) { options.task.shortest_period = value; }},
    NamedOption{"longest", [](auto& options, auto value) { options.task.longest_period = value; }},
    NamedOption{"rotary",
                [](auto& options, auto value) {
                  using attention::training::TrainedPositions;
                  options.positions =
                      value != 0 ? TrainedPositions::kRotary : TrainedPositions::kLearned;
                }},
    NamedOption{"batch", [](auto& options, auto value) { options.batch = value; }},
    NamedOption{"seed", [](auto& options, auto value) {
                  options.seed = static_cast<std::uint64_t>(value);
                }}};

void read_option(std::string_view option, attention::training::TrainingOptions& options) {
  const std::size_t equals = std::min(option.find('='), option.size());
  const std::string_view name = option.substr(0, equals);
  const std::string_view value = option.substr(std::min(equals + 1, option.size()));
  const auto known = std::ranges::find(kNamedOptions, name, &NamedOption::name);
  const auto number = parse_number<int>(value);
  if (name == "rate") {
    options.learning_rate = parse_number<float>(value).value_or(0);
  } else if (known != kNamedOptions.end() && number) {
    known->set(options, *number);
  } else {
    throw BadInput(in_quotes(option) + " is no option of a training, such as layers=2");
  }
}

void read_options(std::string_view text, attention::training::TrainingOptions& options) {
  for (text = trimmed(text); !text.empty();) {
    const std::size_t blank = std::min(text.find(' '), text.size());
    read_option(text.substr(0, blank), options);
    text = trimmed(text.substr(blank));
  }
}

bool names_layer(std::string_view line) {
  const auto found = guarded([&] {
    const nlohmann::json object = parse_json(line);
    return object.is_object() && object.contains("layer");
  });
  return found && *found;
}

HeadRef head_called(std::string_view name) {
  if (const auto head = model_head_from_name(name)) return *head;
  throw BadInput(in_quotes(name) + " is not a head of a trained model, such as L0H0");
}

ModelCommand mute_edit(std::string_view text) {
  const HeadRef head = head_called(text);
  return {head.at, SetHeadMix{.head = static_cast<int>(head.head), .mute = true}};
}

ModelCommand gain_edit(std::string_view text) {
  const std::size_t blank = std::min(text.find(' '), text.size());
  const HeadRef head = head_called(text.substr(0, blank));
  const auto gain = parse_number<float>(trimmed(text.substr(blank)));
  if (!gain) throw BadInput("a head is followed by its gain, as in \"gain L0H0 0.5\"");
  return {head.at, SetHeadMix{.head = static_cast<int>(head.head), .scale = *gain}};
}

// In quotes if it begins or ends with a blank.
ModelCommand text_edit(std::string_view text) {
  const bool quoted = text.size() >= 2 && text.front() == '"' && text.back() == '"';
  return {{}, SetSentence{std::string(quoted ? text.substr(1, text.size() - 2) : text)}};
}

ModelCommand train_edit(std::string_view text) {
  const auto step = parse_number<int>(text);
  if (!step || *step < 0) throw BadInput("\"train\" is followed by a step, as in \"train 400\"");
  return {{}, TrainTo{.step = *step}};
}

struct ShortEdit {
  std::string_view name;
  ModelCommand (*read)(std::string_view text);
};
constexpr std::array kShortEdits = {ShortEdit{"mute ", mute_edit}, ShortEdit{"gain ", gain_edit},
                                    ShortEdit{"text ", text_edit}, ShortEdit{"train ", train_edit}};

// Takes the steps that were not taken yet.
Document trained(const Document& document, const TrainTo& edit) {
  const ModelDocument& model = *document.layer.model;
  const TrainingPosition* const training = training_of(model);
  if (training == nullptr)
    throw BadInput("only a network that is trained here can be trained further");
  const auto step = static_cast<std::uint64_t>(edit.step);
  const bool taken =
      !has_edited_weights(model) && step <= training->run->last_step(training->branch);
  auto changed = taken ? at_step(model, training->branch, step) : trained_up_to(model, step);
  return shown_layer(std::make_shared<const ModelDocument>(value_or_bad_input(std::move(changed))),
                     document.layer.at, &document);
}

Document edited_model(const Document& document, const ModelCommand& edit) {
  if (edit.layer && find_attention(document.layer.model->network, *edit.layer) == nullptr)
    throw BadInput(without_attention(document.layer.model->network, *edit.layer));
  LiveEvaluator evaluator;
  const Document now = evaluator.evaluate(document).document;
  if (const auto* train = std::get_if<TrainTo>(&edit.command)) return trained(now, *train);
  return value_or_bad_input(apply_at(now, edit.command, edit.layer));
}

}  // namespace

LessonSource lesson_source(std::string_view text) {
  const std::size_t blank = std::min(text.find(' '), text.size());
  const std::string_view rest = trimmed(text.substr(blank));
  const bool quoted = rest.size() >= 2 && rest.front() == '"' && rest.back() == '"';
  if (!quoted) return {std::string(text)};
  return {std::string(text.substr(0, blank)), std::string(rest.substr(1, rest.size() - 2))};
}

bool is_built_in_model(const std::string& name) {
  return std::ranges::any_of(files::list_models(), [&](const files::ModelInfo& model) {
    return model.built_in && model.name == name;
  });
}

Expected<Document> open_lesson_model(const LessonSource& source) {
  return files::open_model_source(source.name, source.text)
      .map([](files::Opened&& opened) { return std::move(opened.document); })
      .and_then([](Document&& document) {
        return guarded([&] {
          LiveEvaluator evaluator;  // the model may have too few positions for the text
          return evaluator.evaluate(document).document;
        });
      });
}

bool is_training_source(const std::string& name) { return name.starts_with(kTrain); }

Expected<Document> open_lesson_training(const LessonSource& source) {
  return guarded([&] {
    const auto type = attention::training::task_from_name(source.name.substr(kTrain.size()));
    if (!type)
      throw BadInput("there is no task " + in_quotes(source.name) + "; an example is train:repeat");
    attention::training::TrainingOptions options = attention::training::default_options(*type);
    read_options(source.text.value_or(""), options);
    auto run = std::make_shared<TrainingRun>(options);
    const std::string text = example_text(*run, 0);
    auto model = value_or_bad_input(files::run_source(std::move(run), task_title(*type)));
    auto document = value_or_bad_input(make_model_document(std::move(model), ModelText{text, {}}));
    return shown_layer(std::make_shared<const ModelDocument>(std::move(document)), {});
  });
}

Expected<ModelCommand> read_edit(std::string_view line) {
  for (const ShortEdit& one : kShortEdits)
    if (line.starts_with(one.name))
      return guarded([&] { return one.read(trimmed(line.substr(one.name.size()))); });
  if (names_layer(line)) return model_command_from_json_line(line);
  return files::read_command(line).map([](Command&& command) {
    return ModelCommand{{}, std::move(command)};
  });
}

Expected<Document> edited(const Document& document, const ModelCommand& edit) {
  if (document.layer.model) return guarded([&] { return edited_model(document, edit); });
  if (!edit.layer) return lab::apply(document, edit.command);
  return fail(ErrorType::kBadInput, "there is no layer here: no trained model is open");
}

std::string edit_label(const ModelCommand& edit, const Document& before, const Document& after) {
  if (!edit.layer) return step_label(edit.command, before, after);
  const auto* mix = std::get_if<SetHeadMix>(&edit.command);
  if (mix && mix->mute == true) return tr("{} muted", {model_head_name(*edit.layer, mix->head)});
  return step_label(edit.command, at_layer(before, *edit.layer), after);
}

Document at_layer(const Document& document, const LayerId& at) {
  if (at == document.layer.at) return document;
  if (find_attention(document.layer.model->network, at) == nullptr)
    throw BadInput(without_attention(document.layer.model->network, at));
  return shown_layer(document.layer.model, at);
}

}  // namespace lab::lessons
