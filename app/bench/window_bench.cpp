// Times of the window without the rasteriser: what it takes to build a frame, and from an edit to
// the frame that shows it. Sizes are seq_len x d_model x n_heads; the window has 1600 x 1000
// pixels. Counters tell the matrices that were uploaded in one iteration.

#include <benchmark/benchmark.h>

#include <string>

#include "app/document/document.h"
#include "app/files/open.h"
#include "app/tests/view/screen.h"

namespace lab {
namespace {

struct Sizes {
  int seq_len, d_model, n_heads;

  std::string name() const {
    return std::to_string(seq_len) + "x" + std::to_string(d_model) + "x" + std::to_string(n_heads);
  }
};

Document document_of(const Sizes& sizes) {
  attention::Config config;
  config.d_model = config.d_out = sizes.d_model;
  config.n_heads = sizes.n_heads;
  config.d_k = config.d_v = sizes.d_model / sizes.n_heads;
  std::string sentence;
  for (int i = 0; i < sizes.seq_len; ++i) sentence += "w" + std::to_string(i) + " ";
  return make_document(sentence, config, 1);
}

// The pointer goes to and fro over the map, so that each frame points at another cell.
ImVec2 on_the_way(const view::Rect& map, int frame) {
  const float share = 0.1f + 0.8f * static_cast<float>(frame % 97) / 97;
  return {map.x + map.w * share, map.y + map.h * (0.9f - 0.7f * share)};
}

void count_uploads(benchmark::State& state, Screen& screen, std::uint64_t before) {
  state.counters["uploads"] = benchmark::Counter(
      static_cast<double>(screen.sink.uploads() - before), benchmark::Counter::kAvgIterations);
}

// A frame with the pointer on a map, all cards on screen.
void frame(benchmark::State& state, const Document& document) {
  Screen screen(document);
  const view::Rect map = screen.place("stage/weights");
  int count = 0;
  const auto before = screen.sink.uploads();
  for (auto _ : state) screen.move(on_the_way(map, ++count));
  count_uploads(state, screen, before);
}

// A step of a drag in W_Q, from the pointer to the frame that shows what came of it.
void drag(benchmark::State& state, const Document& document) {
  Screen screen(document);
  const view::Rect cell = screen.place("matrix/W_Q/0/0");
  screen.move({cell.x + 4, cell.y + 4});
  screen.press();
  int count = 0;
  for (auto _ : state) {
    screen.move({cell.x + 4, cell.y - 20 - static_cast<float>(++count % 50)});
    screen.frames(1);
  }
  screen.release();
}

// A letter at the end of the sentence: another last token, and every stage after it.
void keystroke(benchmark::State& state, const Document& document) {
  Screen screen(document);
  screen.click("sentence");
  screen.key(view::Key::kEnd);
  int count = 0;
  for (auto _ : state) {
    if (++count % 2 != 0) {
      screen.type("x");
    } else {
      screen.key(view::Key::kBackspace);
    }
  }
}

// Zooms into the weights and pans, pointing at a cell all the time.
void zoom_and_pan(benchmark::State& state, const Document& document) {
  Screen screen(document);
  const view::Rect map = screen.place("stage/weights");
  screen.move({map.x + map.w / 2, map.y + map.h / 2});
  int count = 0;
  const auto before = screen.sink.uploads();
  for (auto _ : state) {
    view::compat::feed_scroll(ImGui::GetIO(), {0, ++count % 40 < 20 ? 1.0f : -1.0f});
    screen.move(on_the_way(map, count));
  }
  count_uploads(state, screen, before);
}

// Another palette and another range in each frame.
void palette_and_range(benchmark::State& state, const Document& document) {
  Screen screen(document);
  screen.key(view::Key::kEscape);
  int count = 0;
  const auto before = screen.sink.uploads();
  for (auto _ : state) {
    screen.view.state().weights_palette =
        ++count % 2 != 0 ? figure::Palette::kMagma : figure::Palette::kViridis;
    screen.view.state().inspection.ranges.all.ends =
        count % 3 == 0 ? view::RangeEnds::kShared : view::RangeEnds::kAutomatic;
    screen.frames(1);
  }
  count_uploads(state, screen, before);
}

using Bench = void (*)(benchmark::State&, const Document&);

void add(const std::string& name, Bench bench, const Document& document) {
  benchmark::RegisterBenchmark(name.c_str(), bench, document)
      ->Unit(benchmark::kMillisecond)
      ->MeasureProcessCPUTime()
      ->UseRealTime();
}

}  // namespace
}  // namespace lab

int main(int argc, char** argv) {
  using lab::Sizes;
  const auto refer = lab::files::open_document("refer");
  if (!refer) return 1;
  const Sizes small{64, 512, 8}, medium{128, 512, 8}, large{1024, 768, 12};
  lab::add("frame/refer", lab::frame, *refer);
  lab::add("frame/" + small.name(), lab::frame, document_of(small));
  lab::add("drag/refer", lab::drag, *refer);
  lab::add("drag/" + medium.name(), lab::drag, document_of(medium));
  lab::add("keystroke/" + medium.name(), lab::keystroke, document_of(medium));
  lab::add("zoom_and_pan/" + large.name(), lab::zoom_and_pan, document_of(large));
  lab::add("palette_and_range/" + medium.name(), lab::palette_and_range, document_of(medium));
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
