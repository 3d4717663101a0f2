#include "app/files/training/trained_model.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/files/io/folder_writer.h"
#include "app/files/tensors/tensors.h"
#include "app/files/training/trained_tokenizer.h"

namespace lab::files {
namespace {

using attention::Index;
using attention::Matrix;
using attention::training::BlockRanges;
using attention::training::NormRanges;
using attention::training::ParameterLayout;
using attention::training::ParameterRange;
using attention::training::Task;
using attention::training::TrainedPositions;
using attention::training::TrainingOptions;
using attention::training::TrainingState;
using nlohmann::ordered_json;

// The names of the tensors, and how those of linear maps are stored.
struct TrainedNames {
  const char* tokens;
  const char* layer;
  const char* norm;
  const char* projections;
  const char* output;
  const char* mlp_norm;
  const char* up;
  const char* down;
  const char* final_norm;
  const char* read_out;
  bool stored_in_out;  // [in × out]; else [out × in]
  bool by_head;        // Q, K and V of a head follow each other; else those of all heads
};

constexpr TrainedNames kAsGpt2 = {"transformer.wte",  "transformer.h.", "ln_1",     "attn.c_attn",
                                  "attn.c_proj",      "ln_2",           "mlp.c_fc", "mlp.c_proj",
                                  "transformer.ln_f", "lm_head",        true,       false};
constexpr TrainedNames kAsNeox = {"gpt_neox.embed_in",
                                  "gpt_neox.layers.",
                                  "input_layernorm",
                                  "attention.query_key_value",
                                  "attention.dense",
                                  "post_attention_layernorm",
                                  "mlp.dense_h_to_4h",
                                  "mlp.dense_4h_to_h",
                                  "gpt_neox.final_layer_norm",
                                  "embed_out",
                                  false,
                                  true};

// Collects the tensors of a network.
class TensorsOfNetwork {
 public:
  TensorsOfNetwork(const ParameterLayout& layout, const TrainingState& state)
      : layout_(layout),
        state_(state),
        names_(layout.position_type == TrainedPositions::kLearned ? kAsGpt2 : kAsNeox),
        head_dim_(layout.d_model / layout.heads) {}

  TensorFile file() {
    file_.metadata["format"] = "pt";
    add(names_.tokens + std::string(".weight"), values(layout_.tokens));
    if (layout_.positions.size() > 0) add("transformer.wpe.weight", values(layout_.positions));
    for (std::size_t layer = 0; layer < layout_.blocks.size(); ++layer)
      add_block(names_.layer + std::to_string(layer) + ".", layout_.blocks[layer]);
    add_norm(names_.final_norm, layout_.final_norm);
    add(names_.read_out + std::string(".weight"), values(layout_.read_out).transpose());
    return std::move(file_);
  }

 private:
  Matrix values(const ParameterRange& range) const {
    return Eigen::Map<const Matrix>(state_.parameters.data() + range.first, range.shape.rows,
                                    range.shape.cols);
  }
  void add(const std::string& name, const Matrix& values) {
    file_.tensors.push_back(
        {name, {values.rows(), values.cols()}, {values.data(), values.data() + values.size()}});
  }
  void add_row(const std::string& name, const Matrix& row) {
    add(name, row);
    file_.tensors.back().shape = {row.size()};
  }
  void add_linear(const std::string& name, const Matrix& W, const Matrix& b) {
    add(name + ".weight", names_.stored_in_out ? W : Matrix(W.transpose()));
    add_row(name + ".bias", b);
  }
  void add_norm(const std::string& name, const NormRanges& range) {
    add_row(name + ".weight", values(range.weight));
    add_row(name + ".bias", values(range.bias));
  }

  void add_block(const std::string& layer, const BlockRanges& ranges) {
    add_norm(layer + names_.norm, ranges.attention_norm);
    add_linear(layer + names_.projections, with_filled_heads(values(ranges.projections.W)),
               with_filled_heads(values(ranges.projections.b)));
    add_linear(layer + names_.output, with_filled_rows(values(ranges.output.W)),
               values(ranges.output.b));
    if (layout_.d_mlp > 0) {
      add_norm(layer + names_.mlp_norm, ranges.mlp_norm);
      add_linear(layer + names_.up, values(ranges.up.W), values(ranges.up.b));
      add_linear(layer + names_.down, values(ranges.down.W), values(ranges.down.b));
    } else {
      add_no_mlp(layer);
    }
  }

  void add_no_mlp(const std::string& layer) {
    const Index d = layout_.d_model;
    add_row(layer + names_.mlp_norm + ".weight", Matrix::Ones(1, d));
    add_row(layer + names_.mlp_norm + ".bias", Matrix::Zero(1, d));
    add_linear(layer + names_.up, Matrix::Zero(d, 1), Matrix::Zero(1, 1));
    add_linear(layer + names_.down, Matrix::Zero(1, d), Matrix::Zero(1, d));
  }

  // Columns of Q, K and V as the file has them, with zeros where a head is smaller. Its scores are
  // divided by the root of the larger size there.
  Matrix with_filled_heads(const Matrix& columns) const {
    const Index d_k = layout_.d_k, heads = layout_.heads;
    const float scale = std::sqrt(static_cast<float>(head_dim_) / static_cast<float>(d_k));
    Matrix filled = Matrix::Zero(columns.rows(), 3 * heads * head_dim_);
    for (Index type = 0; type < 3; ++type) {
      for (Index head = 0; head < heads; ++head) {
        const Index range = names_.by_head ? head * 3 + type : type * heads + head;
        filled.middleCols(range * head_dim_, d_k) =
            (type == 0 ? scale : 1) * columns.middleCols(type * layout_.width() + head * d_k, d_k);
      }
    }
    return filled;
  }
  Matrix with_filled_rows(const Matrix& W_O) const {
    Matrix filled = Matrix::Zero(layout_.heads * head_dim_, W_O.cols());
    for (Index head = 0; head < layout_.heads; ++head)
      filled.middleRows(head * head_dim_, layout_.d_k) =
          W_O.middleRows(head * layout_.d_k, layout_.d_k);
    return filled;
  }

  const ParameterLayout& layout_;
  const TrainingState& state_;
  const TrainedNames& names_;
  Index head_dim_;
  TensorFile file_;
};

ordered_json gpt2_config(const ParameterLayout& layout) {
  return {{"architectures", {"GPT2LMHeadModel"}},
          {"model_type", "gpt2"},
          {"vocab_size", layout.vocabulary},
          {"n_positions", layout.length},
          {"n_embd", layout.d_model},
          {"n_layer", layout.blocks.size()},
          {"n_head", layout.heads},
          {"n_inner", std::max<Index>(1, layout.d_mlp)},
          {"activation_function", "gelu_new"},
          {"layer_norm_epsilon", 1e-5}};
}

ordered_json neox_config(const ParameterLayout& layout) {
  // A little more than the fraction, of which the reader takes the whole part.
  const auto d_k = static_cast<double>(layout.d_k);
  const Index head_dim = layout.d_model / layout.heads;
  const double part = std::min(1.0, (d_k + 0.25) / static_cast<double>(head_dim));
  return {{"architectures", {"GPTNeoXForCausalLM"}},
          {"model_type", "gpt_neox"},
          {"vocab_size", layout.vocabulary},
          {"max_position_embeddings", layout.length},
          {"hidden_size", layout.d_model},
          {"num_hidden_layers", layout.blocks.size()},
          {"num_attention_heads", layout.heads},
          {"intermediate_size", std::max<Index>(1, layout.d_mlp)},
          {"hidden_act", "gelu_new"},
          {"layer_norm_eps", 1e-5},
          {"use_parallel_residual", false},
          {"attention_bias", true},
          {"rotary_pct", part},
          {"rotary_emb_base", 10000}};
}

std::string config_json(const ParameterLayout& layout) {
  ordered_json config = layout.position_type == TrainedPositions::kLearned ? gpt2_config(layout)
                                                                           : neox_config(layout);
  config["tie_word_embeddings"] = false;
  config["bos_token_id"] = nullptr;
  config["eos_token_id"] = nullptr;
  config["torch_dtype"] = "float32";
  return config.dump(1) + "\n";
}

}  // namespace

std::vector<NamedFile> trained_model_files(const TrainingOptions& options, const Task& task,
                                           const TrainingState& state) {
  const ParameterLayout layout(options, task.vocabulary());
  const ordered_json tokenizer_config = {{"tokenizer_class", "PreTrainedTokenizerFast"},
                                         {"clean_up_tokenization_spaces", false}};
  // The config comes last: a folder without one is no model.
  return {{"model.safetensors", write_safetensors(TensorsOfNetwork(layout, state).file())},
          {"tokenizer.json", tokenizer_json(task, options.task.type)},
          {"tokenizer_config.json", tokenizer_config.dump(1) + "\n"},
          {"config.json", config_json(layout)}};
}

Expected<void> write_trained_model(const std::string& folder, const TrainingOptions& options,
                                   const Task& task, const TrainingState& state) {
  std::vector<NamedFile> files = trained_model_files(options, task, state);
  std::vector<std::string> names;
  names.reserve(files.size());
  for (const NamedFile& file : files) names.push_back(file.name);
  return write_folder(
      folder, names,
      [&](std::size_t range) -> Expected<std::string> { return std::move(files[range].bytes); },
      [](std::size_t) {});
}

}  // namespace lab::files
