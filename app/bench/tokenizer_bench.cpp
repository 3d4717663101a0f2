// How long tokenizers take:
//
//   cmake --preset release && cmake --build --preset release --target tokenizer-bench
//   build/release/bin/tokenizer-bench
//
// Opening a file of 128 000 pieces and 17 MB, a keystroke in a sentence of 2 000 tokens, and
// megabytes of one letter and of blanks, whose time should grow no faster than the text.
// tokenizer_peer.py compares `given`, the text and the tokenizer that TEXT and TOKENIZER in the
// environment name, with the reference.

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "app/files/io/bytes.h"
#include "app/files/tokenizer/tokenizer_file.h"
#include "app/tokenizer/reading/read_tokenizer.h"

namespace lab {
namespace {

using nlohmann::json;

const tokenizer::Tokenizer& english() {
  static const tokenizer::Tokenizer opened = [] {
    auto result = files::open_tokenizer("english");
    if (!result) std::exit(EXIT_FAILURE);
    return std::move(*result);
  }();
  return opened;
}

void encode(benchmark::State& state, const std::string& text) {
  std::size_t tokens = 0;
  for (auto _ : state) {
    const auto encoding = english().encode(text);
    if (!encoding) std::exit(EXIT_FAILURE);
    tokens = encoding->size();
  }
  state.counters["tokens"] = static_cast<double>(tokens);
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
  state.SetComplexityN(static_cast<std::int64_t>(text.size()));
}

/// A whole sentence of 2 000 tokens, as after each keystroke in it.
void keystroke(benchmark::State& state) {
  std::string text;
  while (english().encode(text)->size() < 2000)
    text += "The animal didn't cross the street because it was too tired, said question " +
            std::to_string(text.size()) + ". ";
  encode(state, text);
}

void one_letter(benchmark::State& state) {
  encode(state, std::string(static_cast<std::size_t>(state.range(0)), 'a'));
}

void blanks(benchmark::State& state) {
  encode(state, std::string(static_cast<std::size_t>(state.range(0)), ' '));
}

// A BPE as large as that of Llama 3, 17 MB: 128 000 pieces, words of base 26, and 280 000 merges,
// each of two pieces that make another one.
std::string large_file() {
  constexpr std::size_t kPieces = 128'000, kMerges = 280'000;
  std::vector<std::string> words;
  for (char letter = 'a'; letter <= 'z'; ++letter) words.emplace_back(1, letter);
  for (std::size_t i = 0; words.size() < kPieces; ++i)
    for (char letter = 'a'; letter <= 'z'; ++letter) words.push_back(words[i] + letter);
  json vocabulary = json::object();
  json merges = json::array();
  for (std::size_t id = 0; id < words.size(); ++id) {
    const std::string& word = words[id];
    vocabulary[word] = id;
    for (std::size_t cut = word.size() - 1; cut > 0 && merges.size() < kMerges; --cut)
      merges.push_back({word.substr(0, cut), word.substr(cut)});
  }
  const json file = {{"version", "1.0"},
                     {"model", {{"type", "BPE"}, {"vocab", vocabulary}, {"merges", merges}}}};
  return file.dump(2);
}

void open_large_file(benchmark::State& state) {
  const std::string file = large_file();
  for (auto _ : state)
    if (!tokenizer::read_tokenizer(file)) std::exit(EXIT_FAILURE);
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * file.size()));
  state.counters["bytes"] = static_cast<double>(file.size());
}

void given(benchmark::State& state) {
  const char* name = std::getenv("TOKENIZER");
  const char* path = std::getenv("TEXT");
  if (name == nullptr || path == nullptr) {
    state.SkipWithError("TEXT and TOKENIZER name no files");
    return;
  }
  const auto text = files::read_bytes(path);
  const auto opened = files::open_tokenizer(name);
  if (!text || !opened) std::exit(EXIT_FAILURE);
  std::size_t tokens = 0;
  for (auto _ : state) tokens = opened->encode(*text).value().size();
  state.counters["tokens"] = static_cast<double>(tokens);
}

BENCHMARK(keystroke)->Unit(benchmark::kMillisecond);
BENCHMARK(one_letter)
    ->RangeMultiplier(2)
    ->Range(1 << 18, 1 << 20)
    ->Complexity()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(blanks)
    ->RangeMultiplier(2)
    ->Range(1 << 18, 1 << 20)
    ->Complexity()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(open_large_file)->Unit(benchmark::kMillisecond);
BENCHMARK(given)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace lab

BENCHMARK_MAIN();
