#include "app/figure/text/text_layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string_view>

namespace lab::figure {
namespace {

constexpr double kSmallest = 1, kLargest = 16384;  // pixels
constexpr std::size_t kLongest = 4096;             // bytes

using CharsPtr = std::unique_ptr<char, decltype(&g_free)>;

const char* family_list(TextFace face) {
  switch (face) {
    case TextFace::kSans:
    case TextFace::kSansBold:
      return "Inter,DejaVu Sans,sans-serif";
    case TextFace::kMono:
      return "JetBrains Mono,DejaVu Sans Mono,monospace";
    case TextFace::kSerifItalic:
      return "DejaVu Serif,serif";
  }
  return "sans-serif";
}

DescriptionPtr description_of(TextFace face, const std::string& family, double size) {
  DescriptionPtr d(pango_font_description_new());
  const std::string families =
      family.empty() ? family_list(face) : family + "," + family_list(face);
  pango_font_description_set_family(d.get(), families.c_str());
  if (face == TextFace::kSansBold)
    pango_font_description_set_weight(d.get(), PANGO_WEIGHT_SEMIBOLD);
  if (face == TextFace::kSerifItalic) pango_font_description_set_style(d.get(), PANGO_STYLE_ITALIC);
  const double em = std::isfinite(size) ? std::clamp(size, kSmallest, kLargest) : kSmallest;
  pango_font_description_set_absolute_size(d.get(), em * PANGO_SCALE);
  return d;
}

/// Valid UTF-8 of at most kLongest bytes of `text`, cut between characters.
CharsPtr valid_text(std::string_view text) {
  std::size_t length = std::min(text.size(), kLongest);
  while (length < text.size() && length > 0 && (text[length] & 0xc0) == 0x80) --length;
  return {g_utf8_make_valid(text.data(), static_cast<gssize>(length)), g_free};
}

bool is_ascii(const char* text) {
  return std::all_of(text, text + std::strlen(text), [](char c) { return (c & 0x80) == 0; });
}

/// Text is shown as typed: no "->" that turns into an arrow. Only in ASCII, since other scripts
/// need their contextual forms.
void forbid_ligatures(PangoLayout* layout, const char* text) {
  if (!is_ascii(text)) return;
  PangoAttrList* attributes = pango_attr_list_new();
  pango_attr_list_insert(attributes, pango_attr_font_features_new("calt=0"));
  pango_layout_set_attributes(layout, attributes);
  pango_attr_list_unref(attributes);
}

void set_content(PangoLayout* layout, const TextRequest& request) {
  const CharsPtr text = valid_text(request.text);
  if (request.markup && pango_parse_markup(text.get(), -1, 0, nullptr, nullptr, nullptr, nullptr)) {
    pango_layout_set_markup(layout, text.get(), -1);
    return;
  }
  pango_layout_set_text(layout, text.get(), -1);
  forbid_ligatures(layout, text.get());
}

void limit_width(PangoLayout* layout, int widest) {
  int width = 0;
  pango_layout_get_pixel_size(layout, &width, nullptr);
  if (width <= widest) return;
  pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END);
  pango_layout_set_width(layout, widest * PANGO_SCALE);
}

}  // namespace

ContextPtr make_text_context() {
  ContextPtr context(pango_font_map_create_context(pango_cairo_font_map_get_default()));
  cairo_font_options_t* options = cairo_font_options_create();
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_SLIGHT);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  pango_cairo_context_set_font_options(context.get(), options);
  cairo_font_options_destroy(options);
  pango_context_set_round_glyph_positions(context.get(), FALSE);
  pango_context_set_base_dir(context.get(), PANGO_DIRECTION_LTR);
  return context;
}

PangoContext* text_context() {
  thread_local const ContextPtr context = make_text_context();
  return context.get();
}

LayoutPtr lay_out(PangoContext* context, const TextRequest& request, int widest) {
  LayoutPtr layout(pango_layout_new(context));
  pango_layout_set_single_paragraph_mode(layout.get(), TRUE);
  pango_layout_set_font_description(
      layout.get(), description_of(request.face, request.family, request.size).get());
  set_content(layout.get(), request);
  limit_width(layout.get(), widest);
  return layout;
}

}  // namespace lab::figure
