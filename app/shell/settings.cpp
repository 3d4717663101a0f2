#include "app/shell/settings.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "app/files/io/bytes.h"
#include "app/files/io/paths.h"
#include "app/lessons/reading/lesson_library.h"

namespace lab::shell {
namespace {

using nlohmann::json;

constexpr std::size_t kLargestSettings = std::size_t{1} << 20;
constexpr float kSmallestZoom = 0.25f, kLargestZoom = 4;

std::string text_of(const json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

lessons::LessonsDone progress_of(const json& object) {
  lessons::LessonsDone progress;
  const auto found = object.find("lessons_answered");
  if (found == object.end() || !found->is_object()) return progress;
  for (const auto& [name, count] : found->items())
    if (count.is_number_unsigned()) progress[name] = count.get<std::size_t>();
  return progress;
}

Settings settings_of(const json& object) {
  Settings settings;
  settings.theme = figure::theme_from_name(text_of(object, "theme")).value_or(settings.theme);
  settings.weights_palette = figure::palette_from_name(text_of(object, "weights_palette"));
  settings.language = language_from_name(text_of(object, "language"));
  const auto zoom = object.find("zoom");
  if (zoom != object.end() && zoom->is_number()) {
    settings.zoom = std::clamp(zoom->get<float>(), kSmallestZoom, kLargestZoom);
  }
  const auto digits = object.find("digits");
  if (digits != object.end() && digits->is_number_integer())
    settings.digits = std::clamp(digits->get<int>(), view::kFewestDigits, view::kMostDigits);
  const auto offered = object.find("lesson_offered");
  settings.lesson_offered = offered != object.end() && *offered == true;
  settings.lessons = progress_of(object);
  const auto comma = object.find("decimal_comma");
  settings.decimal_comma = comma != object.end() && *comma == true;
  const auto exports = object.find("export");
  if (exports != object.end()) settings.exports = view::memory_from(exports->dump());
  return settings;
}

Settings settings_of(const view::ViewState& state, float display_scale, bool lesson_offered) {
  const float scale = state.present.on ? state.present.scale_outside : state.scale;
  return {state.present.theme_outside.value_or(state.theme),
          scale / display_scale,
          state.weights_palette,
          state.language,
          state.digits,
          lesson_offered,
          state.lessons_done,
          state.decimal_comma,
          view::memory_of(state.dialog)};
}

}  // namespace

Language language_of_environment() {
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
    const char* value = std::getenv(name);
    if (value != nullptr && *value != '\0')
      return std::string_view(value).starts_with("de") ? Language::kGerman : Language::kEnglish;
  }
  return Language::kEnglish;
}

std::string settings_path() {
  return files::user_path("XDG_CONFIG_HOME", ".config", "settings.json");
}

Expected<Settings> read_settings(const std::string& path) {
  std::error_code none;
  if (path.empty() || !std::filesystem::exists(path, none)) return Settings();
  const auto bytes = files::read_bytes(path, kLargestSettings);
  if (!bytes) return tl::make_unexpected(bytes.error());
  const json object = json::parse(*bytes, nullptr, false);
  if (object.is_object()) return settings_of(object);
  return fail(ErrorType::kBadInput, path + " is not a settings file; it is left unchanged");
}

Expected<void> write_settings(const std::string& path, const Settings& settings) {
  json object = {{"theme", figure::theme_name(settings.theme)}, {"zoom", settings.zoom}};
  if (settings.digits != view::kFewestDigits) object["digits"] = settings.digits;
  if (settings.exports != view::ExportMemory())
    object["export"] = json::parse(view::memory_text(settings.exports));
  if (settings.lesson_offered) object["lesson_offered"] = true;
  if (settings.weights_palette)
    object["weights_palette"] = figure::palette_name(*settings.weights_palette);
  if (settings.language) object["language"] = language_name(*settings.language);
  if (settings.decimal_comma) object["decimal_comma"] = true;
  if (!settings.lessons.empty()) object["lessons_answered"] = settings.lessons;
  std::error_code none;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), none);
  return files::write_bytes(path, object.dump(2) + "\n");
}

cli::KeptByWindow kept_by_window() {
  const auto settings = read_settings(settings_path());
  if (!settings) return {};
  cli::KeptByWindow kept{settings->lessons, {}, settings->digits};
  for (const auto& [name, choices] : settings->exports.presets) {
    kept.presets.push_back({name, choices.figure});
    kept.presets.back().look.dark = choices.dark.value_or(false);
  }
  return kept;
}

SettingsPersister::SettingsPersister(std::string path) : path_(std::move(path)) {
  if (const auto read = read_settings(path_)) {
    settings_ = *read;
  } else {
    problem_ = read.error().message;
    path_.clear();
  }
}

void SettingsPersister::apply(view::ViewState& state, float display_scale,
                              std::optional<figure::ThemeId> theme,
                              std::optional<Language> language) {
  state.theme = theme.value_or(settings_.theme);
  state.scale =
      std::clamp(settings_.zoom * display_scale, view::kSmallestScale, view::kLargestScale);
  state.weights_palette = settings_.weights_palette;
  state.digits = settings_.digits;
  state.language = language.value_or(settings_.language.value_or(language_of_environment()));
  state.lessons_done = settings_.lessons;
  state.decimal_comma = settings_.decimal_comma;
  view::recall(state.dialog, settings_.exports);
  state.error = std::exchange(problem_, {});
  settings_ = settings_of(state, display_scale, settings_.lesson_offered);
}

void SettingsPersister::keep(view::ViewState& state, float display_scale) {
  const bool offered = settings_.lesson_offered || state.lesson.offered;
  const Settings now = settings_of(state, display_scale, offered);
  if (now == settings_ || path_.empty()) return;
  settings_ = now;
  const auto written = write_settings(path_, now);
  if (written) return;
  state.error = written.error().message;
  path_.clear();
}

void SettingsPersister::offer_lesson(view::ViewState& state) {
  state.lesson.offered =
      !path_.empty() && !settings_.lesson_offered && !lessons::built_in_lessons().empty();
}

}  // namespace lab::shell
