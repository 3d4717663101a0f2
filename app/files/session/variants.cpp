#include "app/files/session/variants.h"

#include <bit>
#include <cstdint>

#include "app/base/bad_input.h"
#include "app/base/machine_numbers.h"
#include "app/files/session/json_reading.h"
#include "app/files/session/stage_cell_json.h"

namespace lab::files {

using attention::HeadMix;
using attention::Index;
using attention::Override;
using nlohmann::json;

namespace {

HeadMix read_mix(const json& object, const std::string& path) {
  check_members(object, path, {"mute", "solo", "scale"});
  HeadMix mix;
  if (const json* mute = find(object, "mute")) mix.mute = read_bool(*mute, path + ".mute");
  if (const json* solo = find(object, "solo")) mix.solo = read_bool(*solo, path + ".solo");
  if (const json* scale = find(object, "scale")) mix.scale = read_float(*scale, path + ".scale");
  return mix;
}

Override read_override(const json& object, const std::string& path) {
  check_members(object, path, {"stage", "head", "row", "col", "value"});
  const StageCell cell = read_stage_cell(object, path);
  const float value = read_float(require(object, path, "value"), path + ".value");
  return {cell.stage, cell.head, cell.row, cell.col, value};
}

const char* boolean(bool value) { return value ? "true" : "false"; }

}  // namespace

bool is_default(float value, float by_default) {
  return std::bit_cast<std::uint32_t>(value) == std::bit_cast<std::uint32_t>(by_default);
}

std::vector<HeadMix> read_head_mix(const json& list, const std::string& path) {
  std::vector<HeadMix> mix;
  for (const json& value : checked_list(list, path))
    mix.push_back(read_mix(value, indexed(path, mix.size())));
  return mix;
}

std::string head_mix_json(const std::vector<HeadMix>& mix) {
  std::string text = "[";
  for (const HeadMix& head : mix) {
    if (text.size() > 1) text += ", ";
    text += std::string("{\"mute\": ") + boolean(head.mute) + ", \"solo\": " + boolean(head.solo) +
            ", \"scale\": ";
    append_json_float(text, head.scale);
    text += '}';
  }
  return text + ']';
}

std::vector<Override> read_overrides(const json& list, const std::string& path) {
  std::vector<Override> overrides;
  for (const json& value : checked_list(list, path))
    overrides.push_back(read_override(value, indexed(path, overrides.size())));
  return overrides;
}

std::string overrides_json(const std::vector<Override>& overrides) {
  std::string text = "[";
  for (const auto& [stage, head, row, col, value] : overrides) {
    if (text.size() > 1) text += ", ";
    text += "{" +
            stage_cell_json(
                {stage, static_cast<int>(head), static_cast<int>(row), static_cast<int>(col)}) +
            ", \"value\": ";
    append_json_float(text, value);
    text += '}';
  }
  return text + ']';
}

}  // namespace lab::files
