#include "app/files/model/weights/shard_index.h"

#include "app/base/bad_input.h"
#include "app/base/strict_json.h"

namespace lab::files {
namespace {

using nlohmann::json;

bool is_outside(const std::string& name) {
  return name.empty() || name.find_first_of(std::string_view("/\\\0", 3)) != name.npos ||
         name.starts_with("..");
}

}  // namespace

ShardIndex read_shard_index(std::string_view text) {
  const json index = parse_json(text);
  if (!index.is_object() || !index.contains("weight_map") || !index["weight_map"].is_object())
    throw BadInput("weight_map is missing");
  ShardIndex shards;
  for (const auto& [tensor, file] : index["weight_map"].items()) {
    if (!file.is_string())
      throw BadInput("weight_map: " + in_quotes(tensor) + ": should be the name of a file");
    const auto& name = file.get_ref<const std::string&>();
    if (is_outside(name))
      throw BadInput("weight_map: " + in_quotes(name) + " is no file in the model's own folder");
    shards[name].insert(tensor);
  }
  if (shards.empty()) throw BadInput("weight_map names no file");
  return shards;
}

}  // namespace lab::files
