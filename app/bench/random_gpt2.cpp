#include "app/bench/random_gpt2.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <random>
#include <utility>
#include <vector>

namespace lab {
namespace {

// The tensors of a GPT-2, one after the other.
class Tensors {
 public:
  void add(const std::string& name, std::vector<std::int64_t> shape) {
    std::int64_t numbers = 1;
    for (const std::int64_t size : shape) numbers *= size;
    header_[name] = {{"dtype", "F32"},
                     {"shape", shape},
                     {"data_offsets", {4 * numbers_, 4 * (numbers_ + numbers)}}};
    numbers_ += numbers;
  }
  void add_linear(const std::string& name, std::int64_t in, std::int64_t out) {
    add(name + ".weight", {in, out});
    add(name + ".bias", {out});
  }
  void add_norm(const std::string& name, std::int64_t size) {
    add(name + ".weight", {size});
    add(name + ".bias", {size});
  }

  void write(const std::filesystem::path& path) const {
    const std::string header = header_.dump();
    const std::uint64_t size = header.size();
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(&size), sizeof size);
    file << header;
    std::minstd_rand random(7);
    std::uniform_real_distribution<float> weights(-0.05f, 0.05f);
    std::vector<float> some(1 << 20);
    for (float& number : some) number = weights(random);
    for (std::int64_t left = numbers_; left > 0; left -= std::ssize(some))
      file.write(reinterpret_cast<const char*>(some.data()),
                 static_cast<std::streamsize>(std::min(left, std::ssize(some)) * 4));
  }

 private:
  nlohmann::json header_;
  std::int64_t numbers_ = 0;
};

Tensors gpt2(const Gpt2Sizes& sizes) {
  const std::int64_t model = sizes.d_model;
  Tensors tensors;
  tensors.add("wte.weight", {sizes.vocabulary, model});
  tensors.add("wpe.weight", {sizes.positions, model});
  for (std::int64_t layer = 0; layer < sizes.layers; ++layer) {
    const std::string block = "h." + std::to_string(layer) + ".";
    tensors.add_norm(block + "ln_1", model);
    tensors.add_linear(block + "attn.c_attn", model, 3 * model);
    tensors.add_linear(block + "attn.c_proj", model, model);
    tensors.add_norm(block + "ln_2", model);
    tensors.add_linear(block + "mlp.c_fc", model, 4 * model);
    tensors.add_linear(block + "mlp.c_proj", 4 * model, model);
  }
  tensors.add_norm("ln_f", model);
  return tensors;
}

}  // namespace

std::string Gpt2Sizes::name() const {
  return std::to_string(layers) + "x" + std::to_string(d_model) + "x" + std::to_string(heads);
}

RandomGpt2::RandomGpt2(const Gpt2Sizes& sizes)
    : path_(std::filesystem::temp_directory_path() /
            ("attention-lab-" + sizes.name() + "-" + std::to_string(::getpid()))) {
  std::filesystem::create_directories(path_);
  const nlohmann::json config = {
      {"model_type", "gpt2"},           {"n_layer", sizes.layers},
      {"n_head", sizes.heads},          {"n_embd", sizes.d_model},
      {"vocab_size", sizes.vocabulary}, {"n_positions", sizes.positions}};
  std::ofstream(path_ / "config.json") << config.dump();
  gpt2(sizes).write(path_ / "model.safetensors");
}

double own_megabytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("RssAnon:")) return std::stod(line.substr(8)) / 1024;
  return 0;
}

}  // namespace lab
