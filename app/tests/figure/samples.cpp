#include "app/tests/figure/samples.h"
#include "app/tests/rooms.h"

#include <cairo.h>

#include <cstring>
#include <limits>

namespace lab {
namespace {

std::string many_words(int count) {
  const std::string words[] = {"the ", "quick ", "foxes ", "internationalisation ", "didn't "};
  std::string sentence;
  for (int i = 0; i < count; ++i) sentence += words[i % 5];
  return sentence;
}

Sample evaluated(std::string name, Document document) {
  attention::Evaluator evaluator;
  attention::Trace trace = evaluator.evaluate(document.problem);
  return {std::move(name), std::move(document), std::move(trace)};
}

Sample crossing() {
  Document document = sample("", "seven words that ask only two words").document;
  document.problem.embedding_kv = attention::SharedMatrix(attention::Matrix::Random(2, 8));
  document.kv_tokens = {{"Sprachmodell", "Sprachmodell"}, {"ist", "ist"}};
  return evaluated("cross-attention", std::move(document));
}

Sample broken() {
  Document document = sample("", "one row is broken", 2, true).document;
  document.problem.embedding.edit(
      [](attention::Matrix& x) { x(2, 1) = std::numeric_limits<float>::quiet_NaN(); });
  return evaluated("NaN and −∞", std::move(document));
}

Sample named_dimensions() {
  Document document = sample("", "The animal didn't cross the street").document;
  document.dimensions = {"animate", "place",    "action",  "function",
                         "plural",  "position", "negated", "state"};
  return evaluated("named dimensions", std::move(document));
}

cairo_status_t read_bytes(void* source, unsigned char* data, unsigned int length) {
  auto& rest = *static_cast<std::string_view*>(source);
  if (rest.size() < length) return CAIRO_STATUS_READ_ERROR;
  std::memcpy(data, rest.data(), length);
  rest.remove_prefix(length);
  return CAIRO_STATUS_SUCCESS;
}

}  // namespace

Sample sample(const std::string& name, const std::string& sentence, int heads, bool causal) {
  attention::Config config;
  config.n_heads = heads;
  config.d_k = config.d_v = 4;
  config.mask.causal = causal;
  return evaluated(name, make_document(sentence, config, 7));
}

Sample street() {
  return sample("", "The animal didn't cross the street because it was too tired");
}

std::vector<Sample> samples() {
  std::vector<Sample> all;
  all.push_back(sample("one token", "Hello"));
  all.push_back(sample("one head", "I like attention", 1));
  all.push_back(
      sample("eleven tokens", "The animal didn't cross the street because it was too tired"));
  all.push_back(sample("masked", "The cat sat on the mat", 3, true));
  all.push_back(sample("64 tokens, 8 heads", many_words(64), 8));
  all.push_back(
      sample("scripts", "สวัสดีชาวโลก 😀 עברית 日本語 Donaudampfschifffahrtsgesellschaft ok"));
  all.push_back(sample("long words", std::string(300, 'W') + " " + std::string(200, 'm') + " a"));
  all.push_back(named_dimensions());
  all.push_back(crossing());
  all.push_back(broken());
  return all;
}

Figure figure_of(const Sample& sample, const FigureOptions& options) {
  return stage_figure(sample.document, sample.trace, options);
}

std::vector<std::string> texts_of(const Figure& figure) {
  std::vector<std::string> texts;
  for (const shape::Text& text : shapes_of<shape::Text>(figure)) texts.push_back(text.text);
  return texts;
}

Picture decoded(const std::string& png) {
  std::string_view rest = png;
  cairo_surface_t* surface = cairo_image_surface_create_from_png_stream(read_bytes, &rest);
  Picture picture{
      cairo_image_surface_get_width(surface), cairo_image_surface_get_height(surface), {}};
  const unsigned char* data = cairo_image_surface_get_data(surface);
  const int stride = cairo_image_surface_get_stride(surface);
  for (int y = 0; y < picture.height; ++y)
    for (int x = 0; x < picture.width; ++x) {
      std::uint32_t p = 0;
      std::memcpy(&p, data + static_cast<std::ptrdiff_t>(y) * stride + x * 4, 4);
      picture.pixels.push_back({static_cast<std::uint8_t>(p >> 16),
                                static_cast<std::uint8_t>(p >> 8), static_cast<std::uint8_t>(p)});
    }
  cairo_surface_destroy(surface);
  return picture;
}

Figure page() {
  Figure figure;
  figure.width = 200, figure.height = 100;
  return figure;
}

Figure page_with(const Shape& shape) {
  Figure figure = page();
  figure.shapes.push_back(shape);
  return figure;
}

shape::Text text_of(const std::string& text) {
  shape::Text shape;
  shape.text = text, shape.x = 50, shape.y = 40, shape.size = 10;
  return shape;
}

}  // namespace lab
