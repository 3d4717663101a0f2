#include "app/view/export/export_memory.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "app/base/names.h"
#include "app/figure/options_json.h"

namespace lab::view {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, kExportModes> kModeNames{"figure", "numbers", "folder",
                                                                "animation"};
constexpr std::array<std::string_view, 8> kMotionNames{
    "walk", "number", "cell", "temperature", "head scale", "last edit", "states", "training"};
static_assert(kMotionNames.size() == static_cast<std::size_t>(Motion::kTraining) + 1);

constexpr std::array<std::string_view, 9> kWholeNames{
    "layer", "attention", "effect", "written", "patched", "entropy", "read-out", "next", "curves"};
static_assert(kWholeNames.size() == static_cast<std::size_t>(WholeModel::kCurves) + 1);

json choices_json(const ExportState& choices) {
  json object{{"make", name_of_id(kModeNames, choices.mode)},
              {"figure", json::parse(figure::look_text(choices.figure))},
              {"of", name_of_id(kWholeNames, choices.whole)},
              {"marks", choices.marks},
              {"all_heads", choices.all_heads},
              {"all_stages", choices.all_stages},
              {"motion", name_of_id(kMotionNames, choices.motion.what)},
              {"seconds", choices.motion.seconds},
              {"back", choices.motion.back}};
  if (choices.dark) object["dark"] = *choices.dark;
  for (std::size_t mode = 0; mode < kModeNames.size(); ++mode)
    object["formats"][std::string(kModeNames[mode])] = {{"first", choices.endings[mode]},
                                                        {"also", choices.also[mode]}};
  return object;
}

template <typename Value>
void take_member(const json& object, const char* name, Value& value) {
  const auto found = object.find(name);
  if (found == object.end()) return;
  try {
    found->get_to(value);
  } catch (const json::exception&) {
    return;  // of another kind than this version writes
  }
}

template <typename Id, std::size_t n>
void take_name(const json& object, const char* name, const std::array<std::string_view, n>& names,
               Id& id) {
  std::string text;
  take_member(object, name, text);
  id = id_from_name<Id>(names, text).value_or(id);
}

bool is_ending(const std::string& text) { return text.size() > 1 && text.front() == '.'; }

void take_formats(const json& formats, ExportState& choices) {
  for (std::size_t mode = 0; mode < kModeNames.size(); ++mode) {
    json of_mode;
    take_member(formats, std::string(kModeNames[mode]).c_str(), of_mode);
    if (!of_mode.is_object()) continue;
    std::string first;
    take_member(of_mode, "first", first);
    if (is_ending(first)) choices.endings[mode] = first;
    take_member(of_mode, "also", choices.also[mode]);
    std::erase_if(choices.also[mode], [](const std::string& text) { return !is_ending(text); });
  }
}

ExportState choices_from(const json& object) {
  ExportState choices;
  if (!object.is_object()) return choices;
  take_name(object, "make", kModeNames, choices.mode);
  take_name(object, "motion", kMotionNames, choices.motion.what);
  take_name(object, "of", kWholeNames, choices.whole);
  take_member(object, "marks", choices.marks);
  take_member(object, "all_heads", choices.all_heads);
  take_member(object, "all_stages", choices.all_stages);
  take_member(object, "seconds", choices.motion.seconds);
  choices.motion.seconds = std::clamp(choices.motion.seconds, 0.1, 33.0);
  take_member(object, "back", choices.motion.back);
  if (const auto dark = object.find("dark"); dark != object.end() && dark->is_boolean())
    choices.dark = dark->get<bool>();
  if (const auto look = object.find("figure"); look != object.end())
    choices.figure = figure::with_look(choices.figure, look->dump());
  json formats;
  take_member(object, "formats", formats);
  if (formats.is_object()) take_formats(formats, choices);
  return choices;
}

}  // namespace

ExportState lasting_choices(ExportState choices) {
  const figure::FigureOptions defaults;
  choices.figure.stage = defaults.stage;
  choices.figure.title.reset();
  choices.figure.names.clear();
  choices.queries.clear(), choices.keys.clear();
  choices.all_sentences = false;
  const MotionState motion = choices.motion;
  choices.motion = {};
  choices.motion.what = motion.what, choices.motion.seconds = motion.seconds;
  choices.motion.back = motion.back;
  return choices;
}

figure::FigureType chosen_type(const DialogState& dialog) {
  const figure::FigureType type = dialog.exporting.figure.type;
  const auto& shown = dialog.shown_figure;
  return shown && shown->shown == type ? shown->chosen : type;
}

void keep_choices(DialogState& dialog) {
  dialog.last_export = lasting_choices(dialog.exporting);
  dialog.last_export.figure.type = chosen_type(dialog);
}

ExportMemory memory_of(const DialogState& dialog) {
  return {dialog.last_export, dialog.presets, dialog.export_folder};
}

std::string memory_text(const ExportMemory& memory) {
  json presets = json::object();
  for (const ExportPreset& preset : memory.presets)
    presets[preset.name] = choices_json(preset.choices);
  json object{{"last", choices_json(memory.choices)}, {"presets", presets}};
  if (!memory.folder.empty()) object["folder"] = memory.folder;
  return object.dump(-1, ' ', false, json::error_handler_t::replace);
}

ExportMemory memory_from(std::string_view text) {
  const json object = json::parse(text, nullptr, false);
  ExportMemory memory;
  if (!object.is_object()) return memory;
  json last, presets;
  take_member(object, "last", last);
  take_member(object, "presets", presets);
  take_member(object, "folder", memory.folder);
  memory.choices = choices_from(last);
  for (const auto& [name, choices] : presets.items())
    if (choices.is_object()) memory.presets.push_back({name, choices_from(choices)});
  return memory;
}

void recall(DialogState& dialog, const ExportMemory& memory) {
  dialog.exporting = dialog.last_export = memory.choices;
  dialog.presets = memory.presets;
  dialog.export_folder = memory.folder;
}

}  // namespace lab::view
