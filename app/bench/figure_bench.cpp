// How long a figure takes from the evaluated document to the bytes of its file, the layout
// included:
//
//   cmake --preset release && cmake --build --preset release --target figure-bench
//   build/release/bin/figure-bench

#include <benchmark/benchmark.h>

#include <cstdlib>

#include "app/document/document.h"
#include "app/figure/figure_writers.h"
#include "app/figure/stage_figure.h"
#include "core/evaluator.h"

namespace lab {
namespace {

/// A map of 11 × 11 with its numbers, as wide as the column of a journal.
void annotated_map(benchmark::State& state, const char* ending) {
  const Document document = make_document(
      "The animal didn't cross the street because it was too tired", attention::Config{}, 7);
  attention::Evaluator evaluator;
  const attention::Trace& trace = evaluator.evaluate(document.problem);
  FigureOptions options;
  options.annotate = true;
  const FigureFormat* format = figure_format(ending);
  for (auto _ : state) {
    const auto bytes = format->write(stage_figure(document, trace, options), {});
    if (!bytes) std::exit(EXIT_FAILURE);
    state.counters["bytes"] = static_cast<double>(bytes->size());
  }
}

void declare() {
  for (const FigureFormat& format : figure_formats()) {
    const std::string name = "figure/" + std::string(format.ending.substr(1)) + "/11x11";
    benchmark::RegisterBenchmark(name.c_str(), annotated_map, format.ending.data())
        ->Unit(benchmark::kMillisecond);
  }
}

}  // namespace
}  // namespace lab

int main(int argc, char** argv) {
  lab::declare();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return EXIT_FAILURE;
  benchmark::RunSpecifiedBenchmarks();
}
