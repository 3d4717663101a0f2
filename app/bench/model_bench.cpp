// How long a model of GPT-2's sizes (550 MB, random weights) takes from its folder to the first
// numbers of layer 0, and how much memory of its own the program needs for that; the pages of the
// mapped file are not counted:
//
//   cmake --preset release && cmake --build --preset release --target model-bench
//   build/release/bin/model-bench

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "app/files/model/model_folder.h"
#include "core/network/network_evaluator.h"

namespace lab {
namespace {

using attention::network::Network;
using attention::network::NetworkEvaluator;
using attention::network::Tokens;

constexpr std::int64_t kLayers = 12, kModel = 768, kVocabulary = 50257, kPositions = 1024;

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
  void add_norm(const std::string& name) {
    add(name + ".weight", {kModel});
    add(name + ".bias", {kModel});
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

Tensors gpt2() {
  Tensors tensors;
  tensors.add("wte.weight", {kVocabulary, kModel});
  tensors.add("wpe.weight", {kPositions, kModel});
  for (int layer = 0; layer < kLayers; ++layer) {
    const std::string block = "h." + std::to_string(layer) + ".";
    tensors.add_norm(block + "ln_1");
    tensors.add_linear(block + "attn.c_attn", kModel, 3 * kModel);
    tensors.add_linear(block + "attn.c_proj", kModel, kModel);
    tensors.add_norm(block + "ln_2");
    tensors.add_linear(block + "mlp.c_fc", kModel, 4 * kModel);
    tensors.add_linear(block + "mlp.c_proj", 4 * kModel, kModel);
  }
  tensors.add_norm("ln_f");
  return tensors;
}

// The folder of the model, removed at the end.
class Folder {
 public:
  Folder()
      : path_(std::filesystem::temp_directory_path() /
              ("attention-lab-model-bench-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(path_);
    const nlohmann::json config = {
        {"model_type", "gpt2"}, {"n_layer", kLayers},        {"n_head", 12},
        {"n_embd", kModel},     {"vocab_size", kVocabulary}, {"n_positions", kPositions}};
    std::ofstream(path_ / "config.json") << config.dump();
    gpt2().write(path_ / "model.safetensors");
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

// Memory of the process that is no part of a file, in MB.
double own_megabytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("RssAnon:")) return std::stod(line.substr(8)) / 1024;
  return 0;
}

void open_until_layer_0(benchmark::State& state) {
  const Folder folder;
  double most = 0;
  for (auto _ : state) {
    const double before = own_megabytes();
    const auto model = files::open_model(folder.path());
    if (!model) std::exit(EXIT_FAILURE);
    Network first = model->network;
    first.stack.blocks.resize(1);
    NetworkEvaluator evaluator;
    Tokens tokens;
    tokens.ids = {11, 22, 33, 44, 55, 66, 77, 88, 99, 111, 222, 333};
    benchmark::DoNotOptimize(evaluator.evaluate(first, tokens).stack.head_weights(0, 0).sum());
    most = std::max(most, own_megabytes() - before);
  }
  state.counters["own_MB"] = most;
}

BENCHMARK(open_until_layer_0)
    ->Name("model/open_until_layer_0/12x768x12")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
}  // namespace lab

BENCHMARK_MAIN();
