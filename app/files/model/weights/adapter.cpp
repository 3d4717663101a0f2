#include "app/files/model/weights/adapter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <regex>
#include <set>
#include <utility>

#include "app/base/bad_input.h"
#include "app/base/strict_json.h"
#include "app/files/io/bytes.h"
#include "app/files/io/paths.h"
#include "app/files/model/config_reader.h"
#include "app/files/model/families.h"
#include "app/files/model/tensor_finder.h"
#include "app/files/model/tensor_names.h"
#include "app/files/tensors/elements.h"

// Facts: PEFT 0.21 (tuners/lora/config.py and layer.py, utils/save_and_load.py).

namespace lab::files {
namespace {

using attention::Index;
using attention::Matrix;
using attention::Shape;
using attention::SharedMatrix;
using attention::network::ComputedRows;
using attention::network::StoredMatrix;
using nlohmann::json;

constexpr std::size_t kLargestAdapterConfig = std::size_t{1} << 24;
constexpr const char* kConfig = "/adapter_config.json";
constexpr std::array kWeightFiles = {"adapter_model.safetensors", "adapter_model.bin"};

// Members that change what is computed in ways that are not supported, where they are neither
// false, null nor empty.
constexpr std::array kRefused = {"use_dora",
                                 "use_qalora",
                                 "use_bdlora",
                                 "lora_bias",
                                 "kasa_config",
                                 "velora_config",
                                 "arrow_config",
                                 "monteclora_config",
                                 "target_parameters",
                                 "layer_replication",
                                 "trainable_token_indices",
                                 "alora_invocation_tokens",
                                 "megatron_config",
                                 "ensure_weight_tying"};

bool is_off(const json& value) {
  return value.is_null() || value == false ||
         ((value.is_array() || value.is_object()) && value.empty());
}

void check_supported(const ConfigReader& config) {
  if (const std::string type = config.text_or("peft_type", "LORA"); type != "LORA")
    config.refuse("peft_type", in_quotes(type) + " is not supported; only LORA is");
  for (const char* member : kRefused)
    if (const json* const value = config.find(member); value != nullptr && !is_off(*value))
      config.refuse(member, "is not supported");
  // Others change the base model when they begin.
  constexpr std::array kBeginnings = {"gaussian", "orthogonal", "eva"};
  const json* const beginning = config.find("init_lora_weights");
  if (beginning != nullptr && beginning->is_string() &&
      std::ranges::find(kBeginnings, beginning->get<std::string>()) == kBeginnings.end())
    config.refuse("init_lora_weights", in_quotes(beginning->get<std::string>()) +
                                           " is not supported, as it changes the base model too");
}

// base + gain · scale · left · right, in the rows in which the base is stored.
class LoraRows : public ComputedRows {
 public:
  LoraRows(StoredMatrix base, StoredMatrix left, SharedMatrix right, float scale, float gain = 1)
      : base_(std::move(base)),
        left_(std::move(left)),
        right_(std::move(right)),
        scale_(scale),
        gain_(gain) {}

  void read(Index row, Index first, Index count, float* to) const override {
    Eigen::Map<Matrix> result(to, 1, count);
    result = base_.row_range(row, 1).columns(first, count).values();
    if (gain_ == 0) return;
    result.noalias() +=
        gain_ * scale_ * (left_.row_range(row, 1).values() * right_->middleCols(first, count));
  }

  std::shared_ptr<const ComputedRows> with_adapter_gain(float gain) const override {
    return std::make_shared<LoraRows>(base_, left_, right_, scale_, gain);
  }

 private:
  StoredMatrix base_, left_;
  SharedMatrix right_;
  float scale_, gain_;
};

// base + scale · left · right for matrices of fitting shapes.
StoredMatrix with_change(const StoredMatrix& base, const StoredMatrix& left,
                         const StoredMatrix& right, float scale) {
  if (base.is_transposed())
    return with_change(base.transposed(), right.transposed(), left.transposed(), scale)
        .transposed();
  return {std::make_shared<LoraRows>(base, left, SharedMatrix(right.values()), scale),
          base.shape()};
}

// Puts the changes of one adapter into its base.
class AdapterWriter {
 public:
  AdapterWriter(const ConfigReader& config, const Description& description, Checkpoint& changes,
                Checkpoint& base)
      : config_(config),
        names_(names_of(description)),
        tied_(description.tied),
        changes_(changes),
        base_(base) {}

  std::string write() {
    separate_ties();
    replace_whole_tensors();
    for (const std::string& module : modules_with(".lora_A.weight")) add_linear(module);
    for (const std::string& module : modules_with(".lora_embedding_A")) add_embedding(module);
    if (!changes_.tensors().empty())
      throw BadInput("tensor " + in_quotes(changes_.tensors().begin()->first) +
                     " of the adapter changes nothing that is known");
    return summary();
  }

 private:
  std::vector<std::string> modules_with(std::string_view ending) const {
    std::vector<std::string> modules;
    for (const auto& [name, tensor] : changes_.tensors())
      if (name.ends_with(ending)) modules.push_back(name.substr(0, name.size() - ending.size()));
    return modules;
  }

  // The name of the base's tensor that the adapter calls `name`, with or without the prefix of
  // stacks; empty when there is none.
  std::string name_in_base(const std::string& name) const {
    if (base_.contains(name)) return name;
    for (const char* prefix : names_.prefixes) {
      if (prefix == nullptr) continue;
      if (base_.contains(prefix + name)) return prefix + name;
      const std::string start = prefix;
      if (!start.empty() && name.starts_with(start) && base_.contains(name.substr(start.size())))
        return name.substr(start.size());
    }
    return "";
  }

  // Tied tensors are each their own for PEFT: where the base has only one of two, and there is
  // something about either, it gets the other.
  void separate_ties() {
    if (!tied_) return;
    const std::string prefix = prefix_of_stacks(names_, base_);
    const auto full = [&](const char* name) {
      return *name == '*' ? prefix + (name + 1) : std::string(name);
    };
    for (const TiedTensor& tie : names_.ties)
      if (tie.tensor != nullptr) separate(full(tie.tensor), full(tie.source));
  }

  void separate(const std::string& one, const std::string& other) {
    const bool concerned = is_changed(one) || is_changed(other);
    if (!concerned || base_.contains(one) == base_.contains(other)) return;
    const bool has_one = base_.contains(one);
    base_.add(has_one ? other : one, base_.tensors().at(has_one ? one : other));
  }

  bool is_changed(const std::string& name) const {
    const std::string module = name.substr(0, name.rfind('.') + 1);
    const auto at = changes_.tensors().lower_bound(module);
    return at != changes_.tensors().end() && at->first.starts_with(module);
  }

  // Tensors that are there as a whole: modules_to_save, biases, and the base's own embeddings.
  void replace_whole_tensors() {
    std::vector<std::string> whole;
    for (const auto& [name, tensor] : changes_.tensors())
      if (name.find(".lora_") == name.npos) whole.push_back(name);
    for (const std::string& name : whole) {
      std::string plain = name;
      constexpr std::string_view kBase = ".base_layer.";
      const std::size_t at = plain.find(kBase);
      if (at != plain.npos) plain.replace(at, kBase.size(), ".");
      const std::string stored = name_in_base(plain);
      if (stored.empty())
        throw BadInput("tensor " + in_quotes(name) +
                       " of the adapter is for one that its base does not have");
      base_.take(stored);
      base_.add(stored, *changes_.take(name));
      if (at == plain.npos) ++whole_;
    }
  }

  // The setting of a module that a pattern gives, or `otherwise`. PEFT takes the first pattern that
  // matches in the order of the file, which is not known here.
  double setting(const char* patterns, const std::string& module, double otherwise) const {
    const auto all = config_.object(patterns);
    if (!all) return otherwise;
    std::optional<double> found;
    for (const auto& [pattern, value] : all->value().items()) {
      if (!matches(patterns, pattern, module)) continue;
      if (!value.is_number()) config_.refuse(patterns, in_quotes(pattern) + ": should be a number");
      if (found && *found != value.get<double>())
        config_.refuse(patterns, "two patterns match " + in_quotes(module) + " and differ");
      found = value.get<double>();
    }
    return found.value_or(otherwise);
  }

  bool matches(const char* patterns, const std::string& pattern, const std::string& module) const {
    try {
      return std::regex_match(module, std::regex("(.*\\.)?(" + pattern + ")"));
    } catch (const std::regex_error&) {
      config_.refuse(patterns, in_quotes(pattern) + " is no pattern that is understood");
    }
  }

  float scale_of(const std::string& module, Index rank) {
    const double expected =
        setting("rank_pattern", module, static_cast<double>(config_.size_or("r", 8)));
    if (expected != static_cast<double>(rank))
      throw BadInput("the adapter of " + in_quotes(module) + " has rank " + std::to_string(rank) +
                     ", but adapter_config.json says another");
    ranks_.insert(rank);
    const double alpha = setting("alpha_pattern", module, config_.number_or("lora_alpha", 8));
    const auto r = static_cast<double>(rank);
    return static_cast<float>(alpha / (config_.flag_or("use_rslora", false) ? std::sqrt(r) : r));
  }

  StoredMatrix take_matrix(const std::string& name) {
    if (!changes_.contains(name)) throw BadInput("tensor " + in_quotes(name) + " is missing");
    StoredMatrix matrix = changes_.matrix(name);
    changes_.take(name);
    if (matrix.empty()) throw BadInput("tensor " + in_quotes(name) + " is empty");
    return matrix;
  }

  void add_linear(const std::string& module) {
    const StoredMatrix A = take_matrix(module + ".lora_A.weight");
    const StoredMatrix B = take_matrix(module + ".lora_B.weight");
    if (A.rows() != B.cols()) throw BadInput(unfitting(module, A, B));
    const std::string weight = base_weight(module);
    const StoredMatrix base = base_.matrix(weight);
    const float scale = scale_of(module, A.rows());
    const Shape out_in{B.rows(), A.cols()}, in_out{A.cols(), B.rows()};
    const bool turned = names_.stored_in_out && base.shape() == in_out;
    if (!turned && base.shape() != out_in) throw BadInput(unfitting(module, A, B));
    put(weight, turned ? with_change(base, A.transposed(), B.transposed(), scale)
                       : with_change(base, B, A, scale));
  }

  // An embedding [tokens × d]: A is [r × tokens], B [d × r].
  void add_embedding(const std::string& module) {
    const StoredMatrix A = take_matrix(module + ".lora_embedding_A");
    const StoredMatrix B = take_matrix(module + ".lora_embedding_B");
    const std::string weight = base_weight(module);
    const StoredMatrix base = base_.matrix(weight);
    if (A.rows() != B.cols() || base.shape() != Shape{A.cols(), B.rows()})
      throw BadInput(unfitting(module, A, B));
    put(weight, with_change(base, A.transposed(), B.transposed(), scale_of(module, A.rows())));
  }

  std::string base_weight(const std::string& module) const {
    std::string name = name_in_base(module + ".weight");
    if (name.empty())
      throw BadInput("the adapter changes " + in_quotes(module + ".weight") +
                     ", which its base does not have");
    return name;
  }

  std::string unfitting(const std::string& module, const StoredMatrix& A,
                        const StoredMatrix& B) const {
    return "the adapter of " + in_quotes(module) + " does not fit its base: A is " +
           shape_text({A.rows(), A.cols()}) + ", B " + shape_text({B.rows(), B.cols()});
  }

  void put(const std::string& name, const StoredMatrix& matrix) {
    CheckpointTensor tensor = *base_.take(name);
    tensor.shape = {matrix.rows(), matrix.cols()};
    tensor.computed = matrix;
    base_.add(name, std::move(tensor));
    ++changed_;
  }

  std::string summary() const {
    std::string text = std::to_string(changed_) + (changed_ == 1 ? " weight" : " weights");
    std::string ranks;
    for (const Index rank : ranks_) ranks += (ranks.empty() ? "" : ", ") + std::to_string(rank);
    if (!ranks.empty()) text += " (rank " + ranks + ")";
    if (whole_ > 0)
      text += " and replaces " + std::to_string(whole_) + (whole_ == 1 ? " tensor" : " tensors");
    return text;
  }

  const ConfigReader& config_;
  const ModelNames& names_;
  bool tied_;
  Checkpoint& changes_;
  Checkpoint& base_;
  std::set<Index> ranks_;
  int changed_ = 0, whole_ = 0;
};

}  // namespace

bool is_adapter_folder(const std::string& folder) {
  if (is_missing(folder + kConfig)) return false;
  if (is_missing(folder + "/config.json")) return true;
  constexpr std::array kModels = {"/model.safetensors", "/model.safetensors.index.json",
                                  "/pytorch_model.bin", "/pytorch_model.bin.index.json"};
  return std::ranges::all_of(kModels, [&](const char* file) { return is_missing(folder + file); });
}

Expected<Adapter> read_adapter(const std::string& folder) {
  const std::string path = folder + kConfig;
  return read_bytes(path, kLargestAdapterConfig).and_then([&](const std::string& text) {
    return guarded([&] {
             const json written = parse_json(text);
             const ConfigReader config(written);
             check_supported(config);
             return Adapter{folder, text, config.text_or("base_model_name_or_path", "")};
           })
        .map_error([&](const Error& error) {
          return Error{error.type, in_quotes(path) + ": " + error.message};
        });
  });
}

std::vector<std::string> paths_of_base(const Adapter& adapter) {
  namespace fs = std::filesystem;
  if (adapter.base.empty()) return {};
  const fs::path base = adapter.base;
  const fs::path beside = fs::path(full_path(adapter.folder + "/..")).lexically_normal();
  std::vector<std::string> paths;
  if (base.is_relative()) paths.push_back((beside / base).string());
  paths.push_back(full_path(adapter.base));
  const fs::path name = base.has_filename() ? base.filename() : base.parent_path().filename();
  paths.push_back((beside / name).string());
  return paths;
}

Expected<std::string> apply_adapter(const Adapter& adapter, const Description& description,
                                    Checkpoint& checkpoint) {
  const auto file = std::ranges::find_if(
      kWeightFiles, [&](const char* name) { return !is_missing(adapter.folder + "/" + name); });
  if (file == kWeightFiles.end())
    return fail(ErrorType::kIo,
                "there is no adapter_model.safetensors in " + in_quotes(adapter.folder));
  auto changes = Checkpoint::open_file(adapter.folder, *file);
  if (!changes) return tl::make_unexpected(changes.error());
  return guarded([&] {
    const json written = parse_json(adapter.config);
    const ConfigReader config(written);
    checkpoint.add_files(*changes);
    return AdapterWriter(config, description, *changes, checkpoint).write();
  });
}

}  // namespace lab::files
