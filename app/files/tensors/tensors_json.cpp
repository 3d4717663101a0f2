#include "app/base/machine_numbers.h"
#include "app/files/tensors/tensors.h"

namespace lab::files {
namespace {

// The values, one line per row (the last dimension), indented by six.
void append_values(std::string& text, const Tensor& tensor) {
  const std::size_t row = tensor.shape.empty() ? 1 : static_cast<std::size_t>(tensor.shape.back());
  for (std::size_t i = 0; i < tensor.values.size(); ++i) {
    if (i > 0) text += ',';
    text += i % row == 0 ? "\n      " : " ";
    append_json_float(text, tensor.values[i]);
  }
}

void append_tensor(std::string& text, const Tensor& tensor) {
  text += "    " + json_string(tensor.name) + ": {\"shape\": [";
  for (std::size_t d = 0; d < tensor.shape.size(); ++d)
    text += (d > 0 ? ", " : "") + std::to_string(tensor.shape[d]);
  text += "], \"values\": [";
  append_values(text, tensor);
  text += "]}";
}

}  // namespace

std::string write_tensors_json(const TensorFile& file) {
  std::string text = "{\n  \"metadata\": {";
  const char* separator = "\n";
  for (const auto& [name, value] : file.metadata) {
    text += separator + ("    " + json_string(name)) + ": " + json_string(value);
    separator = ",\n";
  }
  text += file.metadata.empty() ? "},\n  \"tensors\": {" : "\n  },\n  \"tensors\": {";
  separator = "\n";
  for (const Tensor& tensor : file.tensors) {
    text += separator;
    append_tensor(text, tensor);
    separator = ",\n";
  }
  return text + (file.tensors.empty() ? "}\n}\n" : "\n  }\n}\n");
}

}  // namespace lab::files
