#include "app/figure/compose/stage_figure.h"

#include <algorithm>
#include <cmath>

#include "app/base/visible_text.h"
#include "app/figure/compose/shown_tokens.h"
#include "app/figure/compose/stage_sheet.h"

namespace lab::figure {
namespace {

constexpr double kSmallestFont = 3, kLargestFont = 40;  // points

double page_width(const FigureOptions& options) {
  const double asked =
      std::isfinite(options.width_mm) ? std::clamp(options.width_mm, 20.0, 2000.0) : 89;
  return asked * kPointsPerMillimetre;
}

Look look_of(const FigureOptions& options) {
  Look look;
  look.options = options;
  look.font = std::isfinite(options.font_size)
                  ? std::clamp(options.font_size, kSmallestFont, kLargestFont)
                  : 7;
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

bool has_maps(FigureType type) {
  return type != FigureType::kLines && type != FigureType::kArithmetic;
}

/// A sheet on its page.
struct Page {
  Sheet sheet;
  Look look;
  PageSize size;
};

void use_common_numbers(Page& page, CommonLook& common) {
  for (std::size_t i = 0; i < page.sheet.panels.size(); ++i) {
    Panel& panel = page.sheet.panels[i];
    const double width =
        page.look.ruler.widest(panel.cell_texts, shape::Face::kSans, page.look.font);
    panel.number_width = common.number_width(i, width);
  }
}

Page page_with(const FigureSource& source, const Look& look) {
  Page page;
  page.look = look;
  page.size = page_size(source.options);
  page.sheet = stage_sheet(source, page.size.width, page.look.font);
  if (!source.options.title) page.sheet.subtitle = printable(source.options.subtitle);
  page.sheet.title = asked_title(source.options).value_or(page.sheet.title);
  if (source.common != nullptr) use_common_numbers(page, *source.common);
  return page;
}

/// With a smaller font where a larger one would leave no space for the maps.
Page page_of(const FigureSource& source) {
  constexpr double kStep = 0.93;
  Look look = page_look(source.options);
  Page page = page_with(source, look);
  while (!has_room(page.sheet, look, page.size) && look.font * kStep >= kSmallestFont) {
    look.font *= kStep;
    page = page_with(source, look);
  }
  return page;
}

/// The figure made by `draw`, with a smaller font if it would be too high.
template <typename Draw>
Figure fitted(const FigureSource& source, Draw&& draw) {
  const PageSize page = page_size(source.options);
  Look look = page_look(source.options);
  Figure figure = draw(source, look, page.width);
  while (figure.height > page.most_height && look.font > kSmallestFont) {
    const double share = std::clamp(page.most_height / figure.height, 0.5, 0.97);
    look.font = std::max(kSmallestFont, look.font * share);
    figure = draw(source, look, page.width);
  }
  return figure;
}

bool numbers_fit(const Page& page) {
  const SheetLayout layout = lay_out_sheet(page.sheet, page.look, page.size);
  for (std::size_t i = 0; i < page.sheet.panels.size(); ++i)
    if (number_size(page.sheet.panels[i], layout.panels[i], page.look) <= 0) return false;
  return true;
}

Figure figure_of(const FigureSource& source) {
  const FigureOptions& options = source.options;
  if (options.type == FigureType::kLines) return fitted(source, line_figure);
  if (options.type == FigureType::kArithmetic) return fitted(source, arithmetic_figure);
  const Page page = page_of(source);
  return draw_sheet(page.sheet, page.look, page.size);
}

}  // namespace

PageSize page_size(const FigureOptions& options) {
  PageSize page{page_width(options)};
  const std::optional<double>& height = options.height_mm;
  if (height && std::isfinite(*height))
    page.most_height = std::clamp(*height, 20.0, 2000.0) * kPointsPerMillimetre;
  return page;
}

Look page_look(const FigureOptions& options) {
  Look look = look_of(options);
  // On a page too narrow for its font, labels would leave no space for the map.
  look.font = std::min(look.font, page_width(options) / 18);
  return look;
}

std::optional<std::string> asked_title(const FigureOptions& options) {
  const auto& title = options.title;
  if (!title) return std::nullopt;
  return title->find_first_not_of(' ') == std::string::npos ? "" : printable(*title);
}

Figure stage_figure(const Document& document, const attention::Trace& trace,
                    const FigureOptions& options, const Snapshot* kept, CommonLook* common) {
  const RenamedTokens renamed(document, options, kept);
  Figure figure = figure_of({renamed.document(), trace, options, renamed.kept(), common});
  figure.transparent = options.transparent;
  return figure;
}

std::optional<double> width_for_numbers(const Document& document, const attention::Trace& trace,
                                        FigureOptions options, double most_mm,
                                        const Snapshot* kept) {
  options.annotate = true;
  if (!has_maps(options.type)) return options.width_mm;
  const RenamedTokens renamed(document, options, kept);
  const auto fits = [&](double width_mm) {
    options.width_mm = width_mm;
    return numbers_fit(page_of({renamed.document(), trace, options, renamed.kept()}));
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

std::optional<double> font_size_for_numbers(const Document& document, const attention::Trace& trace,
                                            FigureOptions options, const Snapshot* kept) {
  options.annotate = true;
  if (!has_maps(options.type)) return std::nullopt;
  const RenamedTokens renamed(document, options, kept);
  const int largest = static_cast<int>(std::ceil(std::min(options.font_size, kLargestFont))) - 1;
  for (int size = largest; size >= static_cast<int>(kSmallestFont); --size) {
    options.font_size = size;
    if (numbers_fit(page_of({renamed.document(), trace, options, renamed.kept()}))) return size;
  }
  return std::nullopt;
}

}  // namespace lab::figure
