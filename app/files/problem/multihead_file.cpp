#include "app/files/problem/multihead_file.h"

#include <algorithm>
#include <array>

#include "app/base/bad_input.h"
#include "app/base/machine_numbers.h"
#include "app/document/commands/reducer.h"
#include "app/files/tensors/elements.h"
#include "core/layer/head_build.h"

namespace lab::files {
namespace {

using attention::Config;
using attention::Index;
using attention::Matrix;
using attention::SharedMatrix;

constexpr const char* kSentence = "The animal didn't cross the street because it was too tired";
constexpr const char* kKvSentence = "Das Tier ging nicht über die Straße";
constexpr std::string_view kJoined = "in_proj_weight", kSeparateQueries = "q_proj_weight";

// The prefix of these names for each layer, shortest first, then alphabetically.
std::vector<std::string> prefixes(const TensorFile& file) {
  std::vector<std::string> found;
  for (const Tensor& tensor : file.tensors)
    for (const std::string_view name : {kJoined, kSeparateQueries})
      if (tensor.name.ends_with(name))
        found.push_back(tensor.name.substr(0, tensor.name.size() - name.size()));
  std::erase_if(
      found, [](const std::string& prefix) { return !prefix.empty() && !prefix.ends_with('.'); });
  std::ranges::sort(found, [](const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  });
  return found;
}

// The name of the layer for people: without the trailing point.
std::string layer_name(const std::string& prefix) {
  return prefix.empty() ? prefix : prefix.substr(0, prefix.size() - 1);
}

std::string names_of(const std::vector<std::string>& all) {
  constexpr std::size_t kShown = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(all.size(), kShown); ++i)
    text += (i == 0 ? "" : ", ") + in_quotes(layer_name(all[i]));
  return all.size() > kShown ? text + " and " + std::to_string(all.size() - kShown) + " more"
                             : text;
}

std::string chosen_prefix(const TensorFile& file, const std::string& layer,
                          std::vector<std::string>& notes) {
  std::vector<std::string> all = prefixes(file);
  if (layer.empty()) {
    std::string first = all.front();
    all.erase(all.begin());
    if (!all.empty())
      notes.push_back("layer " + in_quotes(layer_name(first)) + " of several was taken; " +
                      "\"attention-lab convert --layer\" takes another: " + names_of(all));
    return first;
  }
  for (const std::string& prefix : all)
    if (layer_name(prefix) == layer) return prefix;
  throw BadInput("there is no layer " + in_quotes(layer) + "; there are " + names_of(all));
}

// The tensors of one layer.
class Layer {
 public:
  Layer(const TensorFile& file, std::string prefix) : file_(file), prefix_(std::move(prefix)) {
    for (const char* name : {"bias_k", "bias_v"})
      if (find(name))
        throw BadInput("tensor " + in_quotes(prefix_ + name) +
                       " (add_bias_kv=True) adds a key of "
                       "no token, which the model here does not have");
    const Tensor& out = require("out_proj.weight");
    if (out.shape.size() != 2 || out.shape[0] != out.shape[1] || out.shape[0] < 1 ||
        out.shape[0] > attention::Limits::kDModel)
      throw BadInput("tensor " + in_quotes(out.name) + " is " + shape_text(out.shape) +
                     ", it should be E × E (embed_dim), E at most " +
                     std::to_string(attention::Limits::kDModel));
    width_ = out.shape[0];
    if (!find(kJoined)) kdim_ = input_width("k_proj_weight"), vdim_ = input_width("v_proj_weight");
    if (find(kJoined)) kdim_ = vdim_ = width_;
  }

  Index width() const { return width_; }
  Index kdim() const { return kdim_; }
  Index vdim() const { return vdim_; }
  // True when keys and values cannot be made of the same embeddings as queries.
  bool has_other_inputs() const { return kdim_ != width_ || vdim_ != width_; }
  // The numbers of an embedding.
  Index d_model() const { return std::max({width_, kdim_, value_start() + vdim_}); }

  // Part 0 of 3 is for queries, 1 for keys, 2 for values, [d_model × E]; rows are inputs.
  SharedMatrix weight(int part) const {
    if (find(kJoined))
      return transposed(checked(kJoined, {3 * width_, width_}), part * width_, width_, 0);
    if (part == 0) return transposed(checked("q_proj_weight", {width_, width_}), 0, width_, 0);
    if (part == 1) return transposed(checked("k_proj_weight", {width_, kdim_}), 0, kdim_, 0);
    return transposed(checked("v_proj_weight", {width_, vdim_}), 0, vdim_, value_start());
  }
  SharedMatrix output() const {
    const Tensor& tensor = checked("out_proj.weight", {width_, width_});
    return SharedMatrix(
        Matrix(Eigen::Map<const Matrix>(tensor.values.data(), width_, width_).transpose()));
  }

  // [1 × E], empty when the layer has no biases.
  SharedMatrix bias(int part) const { return row("in_proj_bias", 3 * width_, part); }
  SharedMatrix output_bias() const { return row("out_proj.bias", width_, 0); }

 private:
  const Tensor* find(std::string_view name) const {
    return file_.find(prefix_ + std::string(name));
  }
  const Tensor& require(std::string_view name) const {
    const Tensor* tensor = find(name);
    if (!tensor)
      throw BadInput("tensor " + in_quotes(prefix_ + std::string(name)) +
                     " of nn.MultiheadAttention is missing");
    return *tensor;
  }
  const Tensor& checked(std::string_view name, const std::vector<std::int64_t>& shape) const {
    const Tensor& tensor = require(name);
    if (tensor.shape != shape)
      throw BadInput("tensor " + in_quotes(tensor.name) + " is " + shape_text(tensor.shape) +
                     ", it should be " + shape_text(shape));
    return tensor;
  }
  // The E rows from `first` on, each of `inputs` numbers, which are those of an embedding from
  // `start` on.
  SharedMatrix transposed(const Tensor& tensor, Index first, Index inputs, Index start) const {
    const float* begin = tensor.values.data() + first * inputs;
    Matrix matrix = Matrix::Zero(d_model(), width_);
    matrix.middleRows(start, inputs) = Eigen::Map<const Matrix>(begin, width_, inputs).transpose();
    return SharedMatrix(std::move(matrix));
  }
  // Values have numbers of their own where they are not made of the same ones as keys.
  Index value_start() const { return kdim_ == vdim_ ? 0 : kdim_; }
  Index input_width(const char* name) const {
    const Tensor& tensor = require(name);
    const bool fits = tensor.shape.size() == 2 && tensor.shape[0] == width_ &&
                      tensor.shape[1] >= 1 && tensor.shape[1] <= attention::Limits::kDModel;
    if (fits) return tensor.shape[1];
    throw BadInput("tensor " + in_quotes(tensor.name) + " is " + shape_text(tensor.shape) +
                   ", it should be " + std::to_string(width_) + " × at most " +
                   std::to_string(attention::Limits::kDModel));
  }
  SharedMatrix row(std::string_view name, Index length, int part) const {
    if (!find(name)) return {};
    const Tensor& tensor = checked(name, {length});
    return SharedMatrix(
        Matrix(Eigen::Map<const Matrix>(tensor.values.data() + part * width_, 1, width_)));
  }

  const TensorFile& file_;
  std::string prefix_;
  Index width_ = 0, kdim_ = 0, vdim_ = 0;
};

std::optional<int> stored_heads(const TensorFile& file) {
  for (const char* name : {"num_heads", "n_heads"}) {
    const auto at = file.metadata.find(name);
    if (at == file.metadata.end()) continue;
    if (const auto heads = parse_number<int>(at->second)) return heads;
    throw BadInput(std::string("metadata ") + name + " is " + in_quotes(at->second) +
                   ", it should be a whole number");
  }
  return std::nullopt;
}

int default_heads(Index width) {
  constexpr Index kDefaultWidth = 64;
  if (width % kDefaultWidth == 0) return static_cast<int>(width / kDefaultWidth);
  for (const int heads : {8, 4, 2})
    if (width % heads == 0) return heads;
  return 1;
}

int chosen_heads(const TensorFile& file, const MultiheadChoice& choice, Index width,
                 std::vector<std::string>& notes) {
  std::optional<int> heads = choice.heads;
  if (!heads) heads = stored_heads(file);
  if (!heads) {
    heads = default_heads(width);
    notes.push_back("the file does not tell n_heads; " + std::to_string(*heads) +
                    (*heads == 1 ? " was" : " were") +
                    " taken. Another n_heads in Model cuts the same matrices anew, as does "
                    "\"attention-lab convert --heads\"");
  }
  if (*heads >= 1 && width % *heads == 0) return *heads;
  throw BadInput(std::to_string(*heads) + " heads cannot share " + std::to_string(width) +
                 " numbers (embed_dim): it must be a multiple of them");
}

Config config_of(const Layer& layer, int heads) {
  Config config;
  config.d_model = config.d_out = static_cast<int>(layer.width());
  config.n_heads = heads;
  if (const auto split = attention::split_config(config)) config = *split;
  if (!layer.has_other_inputs()) return config;
  config.d_model = static_cast<int>(layer.d_model());
  config.head_build = attention::HeadBuild::kSeparate;
  return config;
}

void note_other_inputs(const Layer& layer, std::vector<std::string>& notes) {
  const std::string kdim = std::to_string(layer.kdim()), vdim = std::to_string(layer.vdim());
  const std::string d_model = std::to_string(layer.d_model());
  notes.push_back("keys are made of " + kdim + " numbers (kdim), values of " + vdim +
                  " (vdim), queries of " + std::to_string(layer.width()) +
                  ": of the d_model = " + d_model +
                  " numbers of an embedding, W_Q, W_K and W_V read those and have rows of 0 for "
                  "the others; keys and values come from a second sentence");
}

Document read(const TensorFile& file, std::string title, const MultiheadChoice& choice,
              std::vector<std::string>& notes) {
  const Layer layer(file, chosen_prefix(file, choice.layer, notes));
  const Config config = config_of(layer, chosen_heads(file, choice, layer.width(), notes));
  attention::validate(config);
  attention::JoinedParameters joined;
  joined.W_Q = layer.weight(0), joined.W_K = layer.weight(1), joined.W_V = layer.weight(2);
  joined.b_Q = layer.bias(0), joined.b_K = layer.bias(1), joined.b_V = layer.bias(2);
  joined.W_O = layer.output(), joined.b_O = layer.output_bias();
  Document document = make_document(kSentence, config, 1);
  if (layer.has_other_inputs()) {
    note_other_inputs(layer, notes);
    auto crossed = lab::apply(document, SetKvSentence{kKvSentence});
    if (!crossed) throw BadInput(crossed.error().message);
    document = std::move(*crossed);
  }
  document.title = std::move(title);
  document.problem.parameters = attention::split(joined, config);
  attention::validate(document.problem);
  return document;
}

// --- writing

// `parts` [E × E each] stacked and transposed: rows are outputs.
Tensor stacked_weights(std::string name, const std::vector<SharedMatrix>& parts) {
  const Index width = parts.front()->rows();
  Tensor tensor{std::move(name), {static_cast<Index>(parts.size()) * width, width}, {}};
  for (const SharedMatrix& part : parts) {
    const Matrix rows = part->transpose();
    tensor.values.insert(tensor.values.end(), rows.data(), rows.data() + rows.size());
  }
  return tensor;
}

Tensor stacked_biases(std::string name, const std::vector<SharedMatrix>& parts, Index width) {
  Tensor tensor{std::move(name), {static_cast<Index>(parts.size()) * width}, {}};
  const Matrix nothing = Matrix::Zero(1, width);
  for (const SharedMatrix& part : parts) {
    const Matrix& row = part.empty() ? nothing : *part;
    tensor.values.insert(tensor.values.end(), row.data(), row.data() + row.size());
  }
  return tensor;
}

const char* why_not_multihead(const Config& config) {
  if (config.n_kv_heads != 0) return "heads share keys and values";
  if (config.d_out != config.d_model) return "d_out is not d_model";
  if (!attention::can_split(config)) return "n_heads · d_k and n_heads · d_v are not d_model";
  return nullptr;
}

}  // namespace

bool holds_multihead(const TensorFile& file) { return !prefixes(file).empty(); }

Expected<Document> document_from_multihead(const TensorFile& file, std::string title,
                                           const MultiheadChoice& choice,
                                           std::vector<std::string>& notes) {
  return guarded([&] { return read(file, std::move(title), choice, notes); });
}

Expected<TensorFile> multihead_tensors(const Document& document) {
  const Config& config = document.problem.config;
  if (const char* why = why_not_multihead(config))
    return fail(ErrorType::kBadInput,
                std::string("nn.MultiheadAttention has no such layer: ") + why);
  const attention::JoinedParameters all = attention::join(document.problem.parameters, config);
  TensorFile file{{}, {{"num_heads", std::to_string(config.n_heads)}}};
  file.tensors.push_back(stacked_weights("in_proj_weight", {all.W_Q, all.W_K, all.W_V}));
  file.tensors.push_back(stacked_weights("out_proj.weight", {all.W_O}));
  const bool biases = !all.b_Q.empty() || !all.b_K.empty() || !all.b_V.empty() || !all.b_O.empty();
  if (!biases || !config.biases) return file;
  const Index width = config.d_model;
  file.tensors.push_back(stacked_biases("in_proj_bias", {all.b_Q, all.b_K, all.b_V}, width));
  file.tensors.push_back(stacked_biases("out_proj.bias", {all.b_O}, width));
  return file;
}

}  // namespace lab::files
