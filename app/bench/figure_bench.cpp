// How long a figure takes from the evaluated document to the bytes of its file, the layout
// included:
//
//   cmake --preset release && cmake --build --preset release --target figure-bench
//   build/release/bin/figure-bench

#include <benchmark/benchmark.h>

#include <cstdlib>

#include "app/document/document.h"
#include "app/figure/animation/animation_file.h"
#include "app/figure/animation/animation_types.h"
#include "app/figure/figure_file.h"
#include "core/layer/evaluator.h"

namespace lab {
namespace {

Document words(int count, int heads) {
  attention::Config config;
  config.n_heads = heads;
  std::string sentence;
  for (int i = 0; i < count; ++i) sentence += "word" + std::to_string(i) + " ";
  return make_document(sentence, config, 7);
}

/// From the document to the bytes of the file, layout included.
void write_file(benchmark::State& state, const Document& document,
                const figure::FigureOptions& options, const figure::FigureFormat& format) {
  attention::Evaluator evaluator;
  const attention::Trace& trace = evaluator.evaluate(document.problem);
  for (auto _ : state) {
    const auto bytes = figure::figure_file(document, trace, options, format, {});
    if (!bytes) std::exit(EXIT_FAILURE);
    state.counters["bytes"] = static_cast<double>(bytes->size());
  }
}

/// A map of 11 × 11 with its numbers, as wide as the column of a journal.
void annotated_map(benchmark::State& state, const char* ending) {
  figure::FigureOptions options;
  options.annotate = true;
  write_file(state,
             make_document("The animal didn't cross the street because it was too tired",
                           attention::Config{}, 7),
             options, *figure::figure_format(ending));
}

/// 12 heads of 128 tokens on a page.
void grid(benchmark::State& state, const char* ending) {
  figure::FigureOptions options;
  options.type = figure::FigureType::kHeads;
  options.width_mm = 183;
  write_file(state, words(128, 12), options, *figure::figure_format(ending));
}

/// 1 024 × 1 024 cells.
void large_map(benchmark::State& state, const char* ending) {
  write_file(state, words(1024, 1), {}, *figure::figure_format(ending));
}

/// A sweep of 30 pictures of an 11 × 11 map, as wide as the column of a journal.
void sweep(benchmark::State& state, const char* ending) {
  const figure::Animation animation = figure::sweep_animation(
      make_document("The animal didn't cross the street because it was too tired",
                    attention::Config{}, 7),
      {}, SetTemperature{}, 0.2f, 4, {30, 15, false});
  for (auto _ : state) {
    const auto bytes = figure::animation_file(animation, *figure::animation_format(ending), {});
    if (!bytes) std::exit(EXIT_FAILURE);
    state.counters["bytes"] = static_cast<double>(bytes->size());
  }
}

void declare() {
  using Run = void (*)(benchmark::State&, const char*);
  constexpr std::pair<const char*, Run> kRuns[] = {
      {"/11x11", annotated_map}, {"/12x128", grid}, {"/1024", large_map}};
  for (const figure::FigureFormat& format : figure::figure_formats())
    for (const auto& [what, run] : kRuns) {
      const bool too_large = format.ending == ".tex" && run != annotated_map;
      const std::string name = "figure/" + std::string(format.ending.substr(1)) + what;
      if (!too_large)
        benchmark::RegisterBenchmark(name.c_str(), run, format.ending.data())
            ->Unit(benchmark::kMillisecond);
    }
  for (const figure::AnimationFormat& format : figure::animation_formats())
    benchmark::RegisterBenchmark(
        ("figure/" + std::string(format.ending.substr(1)) + "/sweep").c_str(), sweep,
        format.ending.data())
        ->Unit(benchmark::kMillisecond);
}

}  // namespace
}  // namespace lab

int main(int argc, char** argv) {
  lab::declare();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return EXIT_FAILURE;
  benchmark::RunSpecifiedBenchmarks();
}
