// Times of the window on a trained model, without the rasteriser: from an edit or a key to the
// frame that shows the new prediction, beside what the forward pass alone takes, and building a
// frame with many heads. Models have random weights; sizes are layers x d_model x heads. The window
// has 1600 x 1000 pixels.
//
//   cmake --preset release && cmake --build --preset release --target model-window-bench
//   build/release/bin/model-window-bench

#include <benchmark/benchmark.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

#include "app/bench/random_gpt2.h"
#include "app/document/model/model_document.h"
#include "app/document/model/shown_layer.h"
#include "app/document/training/training_document.h"
#include "app/files/open.h"
#include "app/files/opened_model.h"
#include "app/files/training/run_folder.h"
#include "app/tests/view/screen.h"

namespace lab {
namespace {

using attention::Index;
using attention::network::LayerId;
using attention::network::NetworkEvaluator;
using attention::network::Sublayer;

// Words that the tokenizer of the built-in model has as one piece each.
std::string text_of(int tokens) {
  std::string text = "the";
  for (int i = 1; i < tokens; ++i) text += i % 2 == 0 ? " the" : " a";
  return text;
}

Document opened(const std::string& source, const std::string& text) {
  auto model = files::open_model_source(source, text);
  if (!model) throw std::runtime_error(model.error().message);
  return std::move(model->document);
}

// The model with the tokenizer of the built-in one, so that text can be typed.
std::string with_tokenizer(const RandomGpt2& model) {
  const auto own = std::filesystem::path(files::assets_folder()) / "models/words/tokenizer.json";
  std::filesystem::copy_file(own, model.file("tokenizer.json"));
  return model.path();
}

// The window on a model, which draws until its prediction is that of the newest edit.
struct ModelWindow : Screen {
  ModelWindow(const std::string& source, int tokens) : Screen(opened(source, text_of(tokens))) {
    frames(3);
    show_prediction();
  }
  void show_prediction() {
    while (!view.model_numbers().analysis().predictions.current) draw_later();
  }
  // What comes after the prediction, such as the logit lens, is no part of the next edit's time.
  void rest(benchmark::State& state) {
    state.PauseTiming();
    while (view.model_numbers().busy()) draw_later();
    state.ResumeTiming();
  }
  // A window draws when there is something new, not as often as it can: that would take the
  // processor from the forward pass.
  void draw_later() {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    frames();
  }
  const ModelDocument& model() const { return *document().layer.model; }
};

// The built-in model, from its name to the frame with its numbers.
void first_frame(benchmark::State& state) {
  for (auto _ : state) ModelWindow window("words", 14);
}

intent::Apply muted(Index layer, bool mute) {
  return {SetHeadMix{.head = 3, .mute = mute}, {}, LayerId{Sublayer::kSelf, layer}};
}

void mute(benchmark::State& state, const std::string& source) {
  ModelWindow window(source, 16);
  bool on = false;
  for (auto _ : state) {
    window.workspace.queue(muted(state.range(0), on = !on));
    window.frames();
    window.show_prediction();
    window.rest(state);
  }
}

// The same edit in the forward pass alone.
void mute_pass(benchmark::State& state, const std::string& source) {
  const Document document = opened(source, text_of(16));
  ModelDocument model = *document.layer.model;
  NetworkEvaluator evaluator(2);
  evaluator.evaluate(model.network, tokens_of(model));
  bool on = false;
  for (auto _ : state) {
    model.interventions.gains.clear();
    if (on = !on; on)
      model.interventions.gains.push_back({{Sublayer::kSelf, state.range(0)}, 3, 1, true, false});
    evaluator.evaluate(model.network, tokens_of(model), model.interventions);
  }
}

void key(benchmark::State& state, const std::string& source) {
  ModelWindow window(source, 16);
  bool longer = false;
  for (auto _ : state) {
    longer = !longer;
    window.workspace.queue(intent::Apply{SetSentence{longer ? "a" + text_of(16) : text_of(16)}});
    window.frames();
    window.show_prediction();
    window.rest(state);
  }
}

void key_pass(benchmark::State& state, const std::string& source) {
  const Document first = opened(source, text_of(16)), second = opened(source, "a" + text_of(16));
  NetworkEvaluator evaluator(2);
  bool other = false;
  for (auto _ : state) {
    const ModelDocument& model = *(other ? second : first).layer.model;
    other = !other;
    evaluator.evaluate(model.network, tokens_of(model));
  }
}

// Builds frames while the pointer goes to and fro over the tiles.
void tiles(benchmark::State& state, const std::string& source, int tokens) {
  ModelWindow window(source, tokens);
  const view::Rect card = window.place("panel/layers");
  int count = 0;
  for (auto _ : state) {
    const float share = 0.1f + 0.8f * static_cast<float>(++count % 97) / 97;
    window.move({card.x + card.w * share, card.y + card.h * share});
  }
}

Document untrained() {
  auto run = std::make_shared<TrainingRun>(attention::training::TrainingOptions{});
  const std::string text = example_text(*run, 0);
  auto model =
      make_model_document(files::run_source(std::move(run), "repeat").value(), ModelText{text, {}});
  return shown_layer(std::make_shared<const ModelDocument>(std::move(model.value())), {});
}

// Frames at 60 a second while steps are taken in the background, those that show a new step and
// evaluate the network at it included.
void training(benchmark::State& state) {
  Screen window(untrained());
  window.key(Key::kF8);
  const TrainingRun& run = *training_of(*window.document().layer.model)->run;
  std::chrono::duration<double, std::milli> longest{0};  // what an input waits for at most
  for (auto _ : state) {
    state.PauseTiming();
    std::this_thread::sleep_for(std::chrono::milliseconds(15));
    state.ResumeTiming();
    const auto begun = std::chrono::steady_clock::now();
    window.frames();
    longest = std::max(longest, decltype(longest)(std::chrono::steady_clock::now() - begun));
  }
  state.counters["longest_ms"] = longest.count();
  state.counters["steps"] = static_cast<double>(run.last_step(0));
  window.key(Key::kF8);
}

void memory(benchmark::State& state, const std::string& source) {
  double most = 0;
  for (auto _ : state) {
    const double before = own_megabytes();
    const ModelWindow window(source, 128);
    most = std::max(most, own_megabytes() - before);
  }
  state.counters["own_MB"] = most;
}

using Bench = void (*)(benchmark::State&, const std::string&);

benchmark::internal::Benchmark* add(const std::string& name, Bench bench,
                                    const std::string& source) {
  return benchmark::RegisterBenchmark(name.c_str(), bench, source)
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
}

}  // namespace
}  // namespace lab

int main(int argc, char** argv) {
  using lab::Gpt2Sizes;
  const Gpt2Sizes gpt2, many{48, 512, 64, 4000, 64};
  const lab::RandomGpt2 large(gpt2), tall(many);
  const std::string source = lab::with_tokenizer(large), high = lab::with_tokenizer(tall);
  benchmark::RegisterBenchmark("first_frame/words", lab::first_frame)
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
  for (const int layer : {0, 6, 11}) {
    lab::add("mute/" + gpt2.name(), lab::mute, source)->Arg(layer);
    lab::add("mute/" + gpt2.name() + "/pass_alone", lab::mute_pass, source)->Arg(layer);
  }
  lab::add("key/" + gpt2.name(), lab::key, source);
  lab::add("key/" + gpt2.name() + "/pass_alone", lab::key_pass, source);
  const auto frame = [](const std::string& name, const std::string& model, int tokens) {
    benchmark::RegisterBenchmark(name.c_str(), lab::tiles, model, tokens)
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
  };
  frame("frame/" + gpt2.name() + "/64_tokens", source, 64);
  frame("frame/" + many.name() + "/32_tokens", high, 32);
  benchmark::RegisterBenchmark("frame/training", lab::training)
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime()
      ->Iterations(300);
  lab::add("memory/" + gpt2.name() + "/128_tokens", lab::memory, source)->Iterations(1);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
