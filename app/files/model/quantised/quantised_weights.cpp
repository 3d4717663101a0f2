#include "app/files/model/quantised/quantised_weights.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "app/base/bad_input.h"
#include "app/files/model/config_reader.h"
#include "app/files/model/quantised/methods.h"

namespace lab::files {
namespace {

using attention::network::StoredFormat;
using nlohmann::json;

constexpr const char* kMember = "quantization_config";
constexpr const char* kMethod = "quant_method";

struct Method {
  std::string_view name;
  void (*widen)(const WeightsConfig& config, Checkpoint& checkpoint);
  bool rounds_activations;  // as its own kernels compute
};
constexpr std::array kMethods = {
    Method{"fp8", widen_fp8, true},
    Method{"fbgemm_fp8", widen_fbgemm_fp8, true},
    Method{"gptq", widen_gptq, false},
    Method{"awq", widen_awq, false},
    Method{"bitsandbytes", widen_bitsandbytes, false},
    Method{"compressed-tensors", widen_compressed, false},
    Method{"mxfp4", widen_mxfp4, false},
};

// The type of the model's weights; what is not known is left to the methods.
std::optional<StoredFormat> type_of_weights(const ConfigReader& config) {
  for (const char* name : {"dtype", "torch_dtype"}) {
    const json* const type = config.find(name);
    if (type == nullptr) continue;
    if (*type == "float32") return StoredFormat::kFloat32;
    if (*type == "float16") return StoredFormat::kFloat16;
    if (*type == "bfloat16") return StoredFormat::kBFloat16;
  }
  return std::nullopt;
}

const Method& method_of(const ConfigReader& settings) {
  std::string name = settings.text_or(kMethod, "");
  const bool bits =
      settings.flag_or("load_in_8bit", false) || settings.flag_or("load_in_4bit", false);
  if (name.empty() && bits) name = "bitsandbytes";
  const auto found = std::ranges::find(kMethods, name, &Method::name);
  if (found != kMethods.end()) return *found;
  std::string supported;
  for (const Method& method : kMethods)
    supported += (supported.empty() ? "" : ", ") + std::string(method.name);
  settings.refuse(kMethod, in_quotes(name) + " is not supported; supported are " + supported);
}

// True when config.json says that what goes into linear maps is rounded too.
bool activations_are_rounded(const Method& method, const ConfigReader& settings) {
  if (method.rounds_activations) return true;
  if (method.name == "bitsandbytes") return settings.flag_or("load_in_8bit", false);
  const auto groups = settings.object("config_groups");
  return groups && std::ranges::any_of(groups->value(), [](const json& group) {
           return group.is_object() && group.contains("input_activations") &&
                  !group["input_activations"].is_null();
         });
}

// Takes out the scales of activations and of caches.
void take_other_scales(Checkpoint& checkpoint) {
  constexpr std::array kEndings = {".input_scale",      ".input_zero_point", ".output_scale",
                                   ".activation_scale", ".input_scale_ub",   ".k_scale",
                                   ".v_scale",          ".output_zero_point"};
  const auto is_other = [&](const std::string& name) {
    return std::ranges::any_of(kEndings, [&](const char* end) { return name.ends_with(end); });
  };
  std::vector<std::string> names;
  for (const auto& [name, tensor] : checkpoint.tensors())
    if (is_other(name)) names.push_back(name);
  for (const std::string& name : names) checkpoint.take(name);
}

}  // namespace

std::vector<std::string> widen_quantised_weights(const json& config, bool in_out,
                                                 Checkpoint& checkpoint) {
  const ConfigReader reader(config);
  const auto settings = reader.object(kMember);
  if (!settings) return {};
  if (in_out) reader.refuse(kMember, "quantised weights of this family are not supported");
  const Method& method = method_of(*settings);
  method.widen({*settings, type_of_weights(reader)}, checkpoint);
  take_other_scales(checkpoint);
  const bool any = std::ranges::any_of(
      checkpoint.tensors(), [](const auto& tensor) { return !tensor.second.computed.empty(); });
  if (!any)
    return {"config.json says that weights are quantised (" + std::string(method.name) +
            "), but none of them is"};
  std::string note = "weights are quantised (" + std::string(method.name) +
                     ") and are widened while they are used";
  if (activations_are_rounded(method, *settings))
    note += "; the inputs of linear maps, which other programs round too, are not rounded here";
  return {note};
}

}  // namespace lab::files
