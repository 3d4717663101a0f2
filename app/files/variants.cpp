#include "app/files/variants.h"

#include <bit>
#include <cstdint>

#include "app/files/float_text.h"
#include "app/files/json_reading.h"
#include "app/files/reading.h"

namespace lab {

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

attention::Stage read_stage(const json& object, const std::string& path) {
  const std::string name = read_string(require(object, path, "stage"), path + ".stage");
  const auto stage = attention::stage_from_name(name);
  if (!stage) wrong(path + ".stage", in_quotes(name) + " is no stage");
  return *stage;
}

Override read_override(const json& object, const std::string& path) {
  check_members(object, path, {"stage", "head", "row", "col", "value"});
  const auto place = [&](const char* name) {
    return read_size(require(object, path, name), path + "." + name);
  };
  Override read;
  read.stage = read_stage(object, path);
  const int head = object.contains("head") ? place("head") : 1;
  if (head < 1) wrong(path + ".head", "0, should be a whole number from 1");
  read.head = head - 1;
  read.row = place("row");
  read.col = place("col");
  read.value = read_float(require(object, path, "value"), path + ".value");
  return read;
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
    text += "{\"stage\": " + json_string(stage_name(stage)) +
            ", \"head\": " + std::to_string(head + 1) + ", \"row\": " + std::to_string(row) +
            ", \"col\": " + std::to_string(col) + ", \"value\": ";
    append_json_float(text, value);
    text += '}';
  }
  return text + ']';
}

}  // namespace lab
