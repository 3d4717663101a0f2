#include "app/figure/stage_figure.h"

#include <algorithm>
#include <cmath>

#include "app/figure/arithmetic_figure.h"
#include "app/figure/line_figure.h"
#include "app/figure/stage_sheet.h"

namespace lab {
namespace {

constexpr double kPointsPerMillimetre = 72 / 25.4;

double page_width(const FigureOptions& options) {
  const double asked =
      std::isfinite(options.width_mm) ? std::clamp(options.width_mm, 20.0, 2000.0) : 89;
  return asked * kPointsPerMillimetre;
}

Look look_of(const FigureOptions& options) {
  Look look;
  look.font = std::isfinite(options.font_size) ? std::clamp(options.font_size, 3.0, 40.0) : 7;
  look.dark = options.dark;
  look.background = options.dark ? Rgb{0x1d, 0x21, 0x27} : Rgb{255, 255, 255};
  look.text = options.dark ? Rgb{0xe6, 0xe9, 0xee} : Rgb{0x1b, 0x24, 0x30};
  look.muted = options.dark ? Rgb{0xa3, 0xad, 0xba} : Rgb{0x5a, 0x66, 0x75};
  look.line = options.dark ? Rgb{0x3d, 0x45, 0x50} : Rgb{0xc3, 0xc9, 0xd1};
  look.accent = options.dark ? Rgb{0x6a, 0xa1, 0xff} : Rgb{0x2f, 0x6f, 0xe4};
  look.selected = options.dark ? Rgb{0xff, 0x9a, 0x3d} : Rgb{0xd9, 0x66, 0x00};
  if (!options.family.empty())
    look.ruler = TextRuler(options.family + "," + std::string(kFigureFamily));
  return look;
}

bool has_maps(FigureKind kind) {
  return kind != FigureKind::kLines && kind != FigureKind::kArithmetic;
}

/// A sheet on its page.
struct Page {
  Sheet sheet;
  Look look;
  double width = 0;  // points
};

void use_common_numbers(Page& page, CommonLook& common) {
  for (std::size_t i = 0; i < page.sheet.panels.size(); ++i) {
    Panel& panel = page.sheet.panels[i];
    const double own = page.look.ruler.widest(panel.cell_texts, shape::Face::kSans, page.look.font);
    panel.number_width = common.number_width(i, own);
  }
}

Page page_of(const FigureSource& source) {
  Page page;
  page.look = page_look(source.options);
  page.width = page_width(source.options);
  page.sheet = stage_sheet(source, page.width, page.look.font);
  if (source.options.title) page.sheet.title = *source.options.title;
  if (source.common != nullptr) use_common_numbers(page, *source.common);
  return page;
}

bool numbers_fit(const Page& page) {
  const SheetPlaces places = lay_out_sheet(page.sheet, page.look, page.width);
  for (std::size_t i = 0; i < page.sheet.panels.size(); ++i)
    if (number_size(page.sheet.panels[i], places.panels[i], page.look) <= 0) return false;
  return true;
}

Figure figure_of(const FigureSource& source) {
  const FigureOptions& options = source.options;
  if (options.kind == FigureKind::kLines)
    return line_figure(source, page_look(options), page_width(options));
  if (options.kind == FigureKind::kArithmetic)
    return arithmetic_figure(source, page_look(options), page_width(options));
  const Page page = page_of(source);
  return draw_sheet(page.sheet, page.look, page.width);
}

}  // namespace

Look page_look(const FigureOptions& options) {
  Look look = look_of(options);
  // On a page too narrow for its letters, labels would leave no room for the map.
  look.font = std::min(look.font, page_width(options) / 18);
  return look;
}

Figure stage_figure(const Document& document, const attention::Trace& trace,
                    const FigureOptions& options, const KeptState* kept, CommonLook* common) {
  Figure figure = figure_of({document, trace, options, kept, common});
  figure.transparent = options.transparent;
  return figure;
}

std::optional<double> width_for_numbers(const Document& document, const attention::Trace& trace,
                                        FigureOptions options, double most_mm,
                                        const KeptState* kept) {
  options.annotate = true;
  if (!has_maps(options.kind)) return options.width_mm;
  const auto fits = [&](double width_mm) {
    options.width_mm = width_mm;
    return numbers_fit(page_of({document, trace, options, kept}));
  };
  double narrow = options.width_mm, wide = most_mm;
  if (fits(narrow)) return narrow;
  if (!fits(wide)) return std::nullopt;
  narrow = std::floor(narrow);
  while (wide - narrow > 1) {
    const double middle = std::floor((narrow + wide) / 2);
    (fits(middle) ? wide : narrow) = middle;
  }
  return wide;
}

}  // namespace lab
