#include "app/figure/cairo/colour_glyphs.h"

#include <fontconfig/fontconfig.h>
#include <pango/pangocairo.h>
#include <pango/pangofc-font.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string_view>

#include "app/figure/cairo/cairo_canvas.h"
#include "app/figure/text/text_layout.h"

namespace lab::figure {
namespace {

constexpr double kPixelsHigh = 136;        // as the bitmaps of Noto Color Emoji are
constexpr double kMostPixelsOfRun = 8192;  // across a run

struct IterDeleter {
  void operator()(PangoLayoutIter* iter) const { pango_layout_iter_free(iter); }
};
using IterPtr = std::unique_ptr<PangoLayoutIter, IterDeleter>;
using FontPtr = std::unique_ptr<PangoFont, ObjectDeleter>;

bool has_colours(PangoFont* font) {
  if (!PANGO_IS_FC_FONT(font)) return false;
  FcBool colour = FcFalse;
  FcPattern* pattern = pango_fc_font_get_pattern(PANGO_FC_FONT(font));
  return FcPatternGetBool(pattern, FC_COLOR, 0, &colour) == FcResultMatch && colour == FcTrue;
}

void make_empty(PangoGlyphString* glyphs) {
  for (int i = 0; i < glyphs->num_glyphs; ++i) glyphs->glyphs[i].glyph = PANGO_GLYPH_EMPTY;
}

/// The font, size and text of a run.
std::string key_of(std::string_view text, PangoFont* font) {
  const DescriptionPtr description(pango_font_describe_with_absolute_size(font));
  const std::unique_ptr<char, decltype(&g_free)> name(
      pango_font_description_to_string(description.get()), g_free);
  return std::string(name.get()) + '\n' + std::string(text);
}

/// The ink extent of a run in units of the surface, relative to the start of its baseline.
Box ink_of(const PangoGlyphItem& run) {
  PangoRectangle ink;
  pango_glyph_string_extents(run.glyphs, run.item->analysis.font, &ink, nullptr);
  const double unit = 1.0 / PANGO_SCALE;
  return {ink.x * unit, ink.y * unit, ink.width * unit, ink.height * unit};
}

/// The number of pixels per unit for a run.
double sharpness(const Box& ink) {
  return std::min(kPixelsHigh / ink.height, kMostPixelsOfRun / ink.width);
}

SurfacePtr picture_of(PangoGlyphItem& run, const char* text, const Box& ink) {
  const double scale = sharpness(ink);
  SurfacePtr surface(cairo_image_surface_create(CAIRO_FORMAT_ARGB32,
                                                static_cast<int>(std::ceil(ink.width * scale)),
                                                static_cast<int>(std::ceil(ink.height * scale))));
  const CairoPtr cairo(cairo_create(surface.get()));
  cairo_scale(cairo.get(), scale, scale);
  cairo_move_to(cairo.get(), -ink.x, -ink.y);
  pango_cairo_show_glyph_item(cairo.get(), text, &run);
  return surface;
}

/// Makes the emoji searchable: a blank glyph represents its text. A glyph that stands for a blank
/// goes before it, because readers that know only one meaning of a glyph take the first.
void add_unseen(cairo_t* cairo, PangoLayout* layout, const std::string& text) {
  const FontPtr font(pango_context_load_font(pango_layout_get_context(layout),
                                             pango_layout_get_font_description(layout)));
  if (!PANGO_IS_CAIRO_FONT(font.get())) return;
  cairo_scaled_font_t* scaled = pango_cairo_font_get_scaled_font(PANGO_CAIRO_FONT(font.get()));
  cairo_glyph_t* glyphs = nullptr;
  int count = 0;
  cairo_scaled_font_text_to_glyphs(scaled, 0, 0, "  ", 2, &glyphs, &count, nullptr, nullptr,
                                   nullptr);
  const std::unique_ptr<cairo_glyph_t, decltype(&cairo_glyph_free)> owned(glyphs, cairo_glyph_free);
  if (count != 2) return;
  const std::string both = " " + text;
  const cairo_text_cluster_t clusters[] = {{1, 1}, {static_cast<int>(text.size()), 1}};
  cairo_set_scaled_font(cairo, scaled);
  cairo_show_text_glyphs(cairo, both.data(), static_cast<int>(both.size()), glyphs, 2, clusters, 2,
                         {});
}

}  // namespace

void ColourGlyphs::show(cairo_t* cairo, PangoLayout* layout) {
  const IterPtr iter(pango_layout_get_iter(layout));
  do {
    PangoGlyphItem* run = pango_layout_iter_get_run(iter.get());
    if (run == nullptr || !has_colours(run->item->analysis.font)) continue;
    PangoRectangle logical;
    pango_layout_iter_get_run_extents(iter.get(), nullptr, &logical);
    const Saved saved(cairo);
    cairo_translate(cairo, static_cast<double>(logical.x) / PANGO_SCALE,
                    static_cast<double>(pango_layout_iter_get_baseline(iter.get())) / PANGO_SCALE);
    show_picture(cairo, layout, *run);
  } while (pango_layout_iter_next_run(iter.get()));
  cairo_move_to(cairo, 0, 0);
  pango_cairo_show_layout(cairo, layout);
}

void ColourGlyphs::show_picture(cairo_t* cairo, PangoLayout* layout, PangoGlyphItem& run) {
  const char* text = pango_layout_get_text(layout);
  const std::string run_text(text + run.item->offset, static_cast<std::size_t>(run.item->length));
  const Box ink = ink_of(run);
  if (ink.width > 0 && ink.height > 0) {
    add_unseen(cairo, layout, run_text);
    SurfacePtr& picture = pictures_[key_of(run_text, run.item->analysis.font)];
    if (!picture) picture = picture_of(run, text, ink);
    const double scale = sharpness(ink);
    cairo_translate(cairo, ink.x, ink.y);
    cairo_scale(cairo, 1 / scale, 1 / scale);
    cairo_set_source_surface(cairo, picture.get(), 0, 0);
    cairo_paint(cairo);
  }
  make_empty(run.glyphs);
}

}  // namespace lab::figure
