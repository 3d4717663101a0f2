#include "app/files/model/weights/other_weights.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <vector>

#include "app/base/bad_input.h"
#include "app/files/file_formats.h"

namespace lab::files {
namespace {

constexpr const char* kAdapter = "adapter_model.";

struct Form {
  const char* ending;
  const char* what;
};
// An adapter and GGUF have words of their own.
constexpr std::array kForms = {
    Form{".gguf", nullptr},
    Form{".bin", "weights in a pickle, which are read as pytorch_model.bin beside a config.json"},
    Form{".pt", "weights in a pickle, which are read as pytorch_model.bin beside a config.json"},
    Form{".pth", "weights in a pickle, which are read as pytorch_model.bin beside a config.json"},
    Form{".h5", "weights in HDF5, for TensorFlow, which are not read"},
    Form{".msgpack", "weights for Flax, which are not read"},
    Form{".onnx", "a model in ONNX, which is not read"},
};

}  // namespace

std::string other_weights(const std::string& name) {
  if (std::filesystem::path(name).filename().string().starts_with(kAdapter))
    return "an adapter (LoRA) without the adapter_config.json that says how to use it; put both "
           "into "
           "a folder and give that";
  const auto form =
      std::ranges::find_if(kForms, [&](const Form& f) { return name.ends_with(f.ending); });
  if (form == kForms.end()) return {};
  if (form->what == nullptr) return refusal(FileType::kGguf).message;
  return std::string(form->what) +
         "; save the model in Python with transformers' model.save_pretrained(NEW), which writes "
         "safetensors, and open NEW";
}

std::string other_weights_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error))
    names.push_back(at->path().filename().string());
  std::ranges::sort(names);  // adapters first
  for (const std::string& name : names)
    if (const std::string what = other_weights(name); !what.empty())
      return "; " + in_quotes(name) + " is " + what;
  return {};
}

}  // namespace lab::files
