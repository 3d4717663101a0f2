#include "app/files/tensors/metadata.h"

#include "app/base/bad_input.h"
#include "app/base/machine_numbers.h"
#include "app/base/strict_json.h"

namespace lab::files {

Metadata metadata_from_json(const nlohmann::json& object) {
  if (!object.is_object())
    throw BadInput("__metadata__: " + json_text(object) + ", should be an object");
  Metadata metadata;
  for (const auto& [name, value] : object.items()) {
    if (!value.is_string())
      throw BadInput("__metadata__: " + in_quotes(name) + " is " + json_text(value) +
                     ", should be a string");
    metadata[name] = value.get<std::string>();
  }
  return metadata;
}

std::string metadata_to_json(const Metadata& metadata) {
  std::string text = "{";
  for (const auto& [name, value] : metadata) {
    if (text.size() > 1) text += ',';
    text += json_string(name) + ':' + json_string(value);
  }
  return text + '}';
}

}  // namespace lab::files
