#include "app/connection/array_spec.h"

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/base/bad_input.h"
#include "app/base/names.h"
#include "app/connection/request_json.h"
#include "core/config.h"

namespace lab::connection {
namespace {

constexpr std::array<std::string_view, 3> kTypeNames = {"weights", "qkv", "layer"};
constexpr std::size_t kLongestName = 200;
// Beyond any model.
constexpr std::int64_t kMostLayers = 4096;

ArrayType read_type(const nlohmann::json& request) {
  const std::string name = text_member(request, "what", "weights");
  const auto type = id_from_name<ArrayType>(kTypeNames, name);
  if (!type) throw BadInput("\"what\" is " + in_quotes(name) + "; it is weights, qkv or layer");
  return *type;
}

std::string read_name(const nlohmann::json& request) {
  std::string name = text_member(request, "name");
  if (name.empty() || name.size() > kLongestName)
    throw BadInput("the name of the arrays has 1 to " + std::to_string(kLongestName) + " bytes");
  return name;
}

}  // namespace

ArraySpec read_array_spec(const nlohmann::json& request) {
  ArraySpec spec;
  spec.name = read_name(request);
  spec.title = text_member(request, "title", spec.name);
  spec.type = read_type(request);
  spec.tokens = text_lists_member(request, "tokens", attention::Limits::kSeqLen);
  spec.key_tokens = text_lists_member(request, "key_tokens", attention::Limits::kSeqLen);
  const std::int64_t layers = integer_member(request, "layers", 1);
  if (layers < 1 || layers > kMostLayers)
    throw BadInput("\"layers\" is " + std::to_string(layers) + "; it is 1 to " +
                   std::to_string(kMostLayers));
  spec.layers = static_cast<int>(layers);
  spec.lazy = flag_member(request, "lazy");
  return spec;
}

}  // namespace lab::connection
