#include "app/files/model/model_folder.h"

#include <algorithm>
#include <filesystem>

#include "app/base/bad_input.h"
#include "app/base/strict_json.h"
#include "app/document/available_memory.h"
#include "app/files/file_formats.h"
#include "app/files/import/import_file.h"
#include "app/files/io/bytes.h"
#include "app/files/io/paths.h"
#include "app/files/model/build_network.h"
#include "app/files/model/catalogue.h"
#include "app/files/model/closest_family.h"
#include "app/files/model/config_reader.h"
#include "app/files/model/families.h"
#include "app/files/model/gguf/gguf_model.h"
#include "app/files/model/model_list.h"
#include "app/files/model/model_session.h"
#include "app/files/model/quantised/quantised_weights.h"
#include "app/files/model/weights/adapter.h"
#include "app/files/model/weights/expert_stacks.h"
#include "app/files/model/weights/other_weights.h"
#include "app/files/tokenizer/chat_template_file.h"
#include "app/files/tokenizer/tokenizer_config.h"
#include "app/files/tokenizer/tokenizer_file.h"
#include "app/tokenizer/reading/read_tokenizer.h"

namespace lab::files {
namespace {

constexpr std::size_t kLargestConfig = std::size_t{1} << 24;

Expected<std::string> read_config(const std::string& folder) {
  const std::string path = folder + "/config.json";
  if (is_missing(path))
    return fail(ErrorType::kIo, "there is no config.json in " + in_quotes(folder));
  return read_bytes(path, kLargestConfig)
      .and_then([&](std::string&& text) -> Expected<std::string> {
        if (const std::string mistake = download_mistake(text); !mistake.empty())
          return fail(ErrorType::kBadInput, in_quotes(path) + " is " + mistake);
        return std::move(text);
      });
}

Expected<Description> description_in(const std::string& folder, const std::string& config) {
  return guarded([&] { return read_description(parse_json(config)); })
      .map_error([&](const Error& error) {
        return Error{error.type, in_quotes(folder + "/config.json") + ": " + error.message};
      });
}

// The error of a description, with the family that an unknown type of model is most like.
tl::unexpected<Error> with_closest_family(const std::string& folder, const std::string& config,
                                          Error error) {
  const auto type =
      guarded([&] { return ConfigReader(parse_json(config)).text_or("model_type", ""); });
  const bool known =
      !type || type->empty() ||
      std::ranges::any_of(families(), [&](const Family& f) { return *type == f.type; });
  if (known) return tl::make_unexpected(std::move(error));
  if (const auto checkpoint = Checkpoint::open(folder))
    if (const std::string closest = closest_family(*checkpoint); !closest.empty())
      error.message += "; " + closest;
  return tl::make_unexpected(std::move(error));
}

tl::unexpected<Error> in_folder(const std::string& folder, const Error& error) {
  if (error.type != ErrorType::kBadInput) return tl::make_unexpected(error);
  return fail(error.type, in_quotes(folder) + ": " + error.message);
}

// Sets where a model lies, and what it is called.
void name_after(const std::string& folder, ModelSource& source) {
  source.folder = folder;
  source.name = name_of_model(folder);
}

// What documents need of the description.
ModelSource source_of(const std::string& folder, const Description& description) {
  ModelSource source;
  name_after(folder, source);
  source.causal = description.causal;
  source.reads_types = description.token_types > 0;
  source.decoder_start = description.decoder_start;
  source.max_positions = description.max_positions;
  return source;
}

std::vector<std::string> notes_of(const std::string& folder, const Description& description,
                                  const std::vector<std::string>& of_tensors) {
  const std::string config = in_quotes(folder + "/config.json") + ": ";
  const std::string all = in_quotes(folder) + ": ";
  std::vector<std::string> notes;
  for (const std::string& note : description.notes) notes.push_back(config + note);
  for (const std::string& note : of_tensors) notes.push_back(all + note);
  return notes;
}

// Why a file of weights is not opened as a model, and what to do; empty for other files.
std::string refusal_of_weights(FileType type, const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  if (const char* const ending = file_format(type).weights) return other_weights(ending);
  if (type == FileType::kSafetensors && is_adapter_folder(folder))
    return "the weights of an adapter; give its folder, " + in_quotes(folder);
  if (type == FileType::kSafetensors)
    return !is_missing(folder + "/config.json")
               ? "the weights of a model; give its folder, " + in_quotes(folder)
               : "tensors without the config.json that says what model they are of; put both into "
                 "a folder and give that";
  // Not known by their content.
  return path.ends_with(".onnx") || path.ends_with(".msgpack") ? other_weights(path) : "";
}

// Why a file, or standard input, is no model.
tl::unexpected<Error> no_folder(const std::string& name) {
  const std::string prefix = (name == "-" ? "standard input" : in_quotes(name)) + ": ";
  const auto type =
      name == "-" ? peek_standard_input().map([](const std::string& b) { return file_type(b); })
                  : file_type_at(name);
  if (!type) return tl::make_unexpected(type.error());
  if (*type == FileType::kEmpty) return fail(ErrorType::kBadInput, prefix + refusal(*type).message);
  const std::string weights = refusal_of_weights(*type, name == "-" ? "" : full_path(name));
  if (!weights.empty()) return fail(ErrorType::kBadInput, prefix + weights);
  return fail(ErrorType::kBadInput,
              prefix + "neither a model's folder nor a session of a model, which begins with " +
                  "\"type\": " + in_quotes(kModelSessionType));
}

// What holds the model in a folder: the folder itself, or the only GGUF file there.
Expected<std::string> model_in(const std::string& folder) {
  const std::vector<std::string> files = gguf_models_in(folder);
  if (files.empty() || !is_missing(folder + "/config.json")) return folder;
  if (files.size() == 1) return files.front();
  std::string names;
  for (const std::string& file : files)
    names += (names.empty() ? "" : ", ") + in_quotes(file_name_of(file));
  return fail(ErrorType::kBadInput,
              in_quotes(folder) + " holds several models, of which one is to be given: " + names);
}

}  // namespace

bool is_model_path(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) return is_gguf_file(path);
  return !is_missing(path + "/config.json") || is_adapter_folder(path) ||
         !gguf_models_in(path).empty();
}

Expected<std::string> model_folder(const std::string& name) {
  const std::string path = full_path(name);
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return model_in(path);
  if (is_gguf_file(path)) return path;
  const CatalogueModel* const known = find_in_catalogue(name);
  for (const ModelInfo& model : list_models()) {
    const bool got = known != nullptr && is_listed_as(*known, model.name);
    if (model.name != name && !got) continue;
    if (model.problem.empty()) return model.folder;
    return fail(ErrorType::kIo, in_quotes(name) + " in the models of " + model.store + " (" +
                                    in_quotes(model.folder) +
                                    ") is not complete: " + model.problem);
  }
  if (name == "-" || !is_missing(path)) return no_folder(name);
  if (known != nullptr)
    return fail(ErrorType::kIo, "the model " + in_quotes(name) +
                                    " is not on this machine yet; \"attention-lab get " + name +
                                    "\" downloads it (" + bytes_text(known->size) + ", licence " +
                                    known->licence + ")");
  return fail(ErrorType::kIo, "there is no model " + in_quotes(name) +
                                  "; give a GGUF file, a folder with a config.json, or a name that "
                                  "\"attention-lab models\" lists");
}

namespace {

// The weights in a folder, with what a person should know about how they are stored.
struct OpenedWeights {
  Checkpoint checkpoint;
  std::vector<std::string> notes;
};

Expected<OpenedWeights> weights_in(const std::string& folder, const std::string& config,
                                   const Description& description) {
  auto checkpoint = Checkpoint::open(folder);
  if (!checkpoint) return in_folder(folder, checkpoint.error());
  auto notes = guarded([&] {
    const nlohmann::json written = parse_json(config);
    const ModelNames& names = names_of(description);
    auto found = widen_quantised_weights(written, names.stored_in_out, *checkpoint);
    if (names.stack.experts.gate_up != nullptr) split_expert_stacks(*checkpoint);
    return found;
  });
  if (!notes) return in_folder(folder, notes.error());
  return OpenedWeights{std::move(*checkpoint), std::move(*notes)};
}

// The network that a description and a checkpoint make, and what a person should know.
Expected<Model> built_model(const std::string& path, const Description& description,
                            std::optional<WeightsHash> config, Checkpoint checkpoint) {
  auto built = guarded([&] { return build_network(description, checkpoint); });
  if (!built) return in_folder(path, built.error());
  Model model(source_of(path, description), description, std::move(config), std::move(checkpoint),
              notes_of(path, description, built->notes));
  model.network = std::move(built->network);
  return model;
}

Expected<Model> open_gguf(const std::string& path, attention::WorkWatch* watch) {
  auto read = read_gguf_model(path);
  if (!read) return in_folder(path, read.error());
  const auto description = guarded([&] {
    Description adapted = read_description(read->config);
    adapt_to_gguf(*read, adapted);
    return adapted;
  });
  if (!description) return in_folder(path, description.error());
  auto model = built_model(path, *description, {}, std::move(read->checkpoint));
  if (!model) return model;
  for (const std::string& note : read->notes) model->notes.push_back(in_quotes(path) + ": " + note);
  if (read->tokenizer.is_null()) return model;
  auto opened = tokenizer::read_tokenizer(read->tokenizer.dump(), watch);
  if (!opened) return in_folder(path, opened.error());
  model->tokenizer = std::make_shared<const tokenizer::Tokenizer>(std::move(*opened));
  return model;
}

// Opens the model in `folder`, changed by `adapter` where there is one.
Expected<Model> open_folder(const std::string& folder, const std::optional<Adapter>& adapter,
                            attention::WorkWatch* watch) {
  const auto config = read_config(folder);
  if (!config) return tl::make_unexpected(config.error());
  const auto description = description_in(folder, *config);
  if (!description) return with_closest_family(folder, *config, description.error());
  auto weights = weights_in(folder, *config, *description);
  if (!weights) return tl::make_unexpected(weights.error());
  if (adapter) {
    const auto changed = apply_adapter(*adapter, *description, weights->checkpoint);
    if (!changed) return in_folder(adapter->folder, changed.error());
    weights->notes.push_back("the adapter " + in_quotes(adapter->folder) + " changes " + *changed);
  }
  const WeightsHash hash = config_hash(adapter ? *config + adapter->config : *config);
  auto model = built_model(folder, *description, hash, std::move(weights->checkpoint));
  if (!model) return model;
  for (const std::string& note : weights->notes)
    model->notes.push_back(in_quotes(folder) + ": " + note);
  if (adapter) {
    name_after(adapter->folder, *model);
    model->adapter = adapter->folder;
  }
  auto tokenizer = tokenizer_in(folder, watch);
  if (!tokenizer) return tl::make_unexpected(tokenizer.error());
  model->tokenizer = std::move(*tokenizer);
  auto target = target_tokenizer_in(folder, watch);
  if (!target) return tl::make_unexpected(target.error());
  model->target_tokenizer = std::move(*target);
  if (is_missing(folder + "/tokenizer.json")) return model;
  std::string note = tokenizer_config_note(folder, *model->tokenizer);
  if (!note.empty()) model->notes.push_back(std::move(note));
  return model;
}

// The model with the chat template that its files bring along; one that cannot be read is no
// obstacle to opening it.
Expected<Model> with_chat_template(Expected<Model> model, const std::string& path) {
  if (!model || !model->tokenizer) return model;
  auto found = chat_template_at(path, *model->tokenizer);
  if (found)
    model->chat_template = std::move(*found);
  else
    model->chat_problem = found.error().message;
  return model;
}

}  // namespace

Expected<std::string> folder_of_base(const Adapter& adapter) {
  const auto is_base = [](const std::string& path) {
    std::error_code none;
    return std::filesystem::is_directory(path, none) && !is_missing(path + "/config.json") &&
           !is_adapter_folder(path);
  };
  const std::string what = in_quotes(adapter.folder) + ": an adapter (LoRA)";
  if (adapter.base.empty())
    return fail(ErrorType::kBadInput,
                what + " that does not say of what model: base_model_name_or_path is missing");
  for (const std::string& path : paths_of_base(adapter))
    if (is_base(path)) return path;
  for (const ModelInfo& model : list_models())
    if (model.name == adapter.base && model.problem.empty() && is_base(model.folder))
      return model.folder;
  return fail(ErrorType::kIo, what + " of " + in_quotes(adapter.base) +
                                  ", which is not on this machine: put the folder of that model " +
                                  "beside it, or get it with \"attention-lab get " + adapter.base +
                                  "\"");
}

Expected<Model> open_model(const std::string& name, attention::WorkWatch* watch) {
  const auto folder = model_folder(name);
  if (!folder) return tl::make_unexpected(folder.error());
  if (is_gguf_file(*folder)) return with_chat_template(open_gguf(*folder, watch), *folder);
  if (!is_adapter_folder(*folder))
    return with_chat_template(open_folder(*folder, std::nullopt, watch), *folder);
  const auto adapter = read_adapter(*folder);
  if (!adapter) return tl::make_unexpected(adapter.error());
  const auto base = folder_of_base(*adapter);
  if (!base) return tl::make_unexpected(base.error());
  return with_chat_template(open_folder(*base, *adapter, watch), *base);
}

attention::Index work_of_opening(const std::string& folder) {
  std::error_code none;
  const auto size = std::filesystem::file_size(folder + "/tokenizer.json", none);
  return none ? 0 : 2 * static_cast<attention::Index>(size);
}

attention::Index size_of_weights(const std::string& folder) {
  attention::Index bytes = 0;
  std::error_code none;
  if (is_gguf_file(folder)) {
    for (const std::string& part : gguf_parts(folder))
      if (const auto size = std::filesystem::file_size(part, none); !none)
        bytes += static_cast<attention::Index>(size);
    return bytes;
  }
  for (const char* ending : {".safetensors", ".bin"}) {
    for (const auto& entry : std::filesystem::directory_iterator(folder, none))
      if (entry.path().extension() == ending)
        bytes += static_cast<attention::Index>(entry.file_size(none));
    if (bytes > 0) break;
  }
  return bytes;
}

Expected<void> check_readable(const Model& model) {
  const std::string damaged = model.checkpoint.damaged_file();
  if (damaged.empty()) return {};
  return fail(ErrorType::kIo, "cannot read all of " + in_quotes(damaged) +
                                  ": it was truncated, or the disk failed, while it was in use");
}

}  // namespace lab::files
