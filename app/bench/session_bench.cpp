// How long saving a session takes, the file synced to disk, and opening it:
//
//   cmake --preset release && cmake --build --preset release --target session-bench
//   build/release/bin/session-bench

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>

#include "app/files/io/bytes.h"
#include "app/files/open.h"
#include "app/files/session/session.h"

namespace lab {
namespace {

/// A layer as large as in the paper, with every number written out: 64 tokens, d_model 512, 8
/// heads.
Document paper_size() {
  attention::Config config;
  config.d_model = config.d_out = 512;
  config.n_heads = 8;
  config.d_k = config.d_v = 64;
  std::string sentence;
  for (int i = 0; i < 64; ++i) sentence += "word" + std::to_string(i) + " ";
  return make_document(sentence, config, 7);
}

std::string session_file() {
  return std::filesystem::temp_directory_path() / "attention-lab-session-bench.json";
}

void save(benchmark::State& state) {
  const Document document = paper_size();
  for (auto _ : state) {
    if (!files::write_bytes(session_file(), files::write_session(document)))
      std::exit(EXIT_FAILURE);
  }
  state.counters["bytes"] = static_cast<double>(std::filesystem::file_size(session_file()));
  std::filesystem::remove(session_file());
}

void open(benchmark::State& state) {
  if (!files::write_bytes(session_file(), files::write_session(paper_size())))
    std::exit(EXIT_FAILURE);
  for (auto _ : state) {
    const auto document = files::open_document(session_file());
    if (!document) std::exit(EXIT_FAILURE);
  }
  std::filesystem::remove(session_file());
}

BENCHMARK(save)->Name("save/64x512x8")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(open)->Name("open/64x512x8")->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace lab

BENCHMARK_MAIN();
