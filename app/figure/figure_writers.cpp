#include "app/figure/figure_writers.h"

#include <algorithm>
#include <array>

#include "app/translation/words.h"

namespace lab::figure {
namespace {

constexpr std::array kFigureFormats{
    FigureFormat{".png", "PNG", true, true, write_png},
    FigureFormat{".svg", "SVG", false, true, write_svg},
    FigureFormat{".pdf", "PDF", false, true, write_pdf},
    FigureFormat{".tex", "LaTeX", false, false, write_latex},
    FigureFormat{".html", tr_later("HTML page"), false, true, nullptr, write_html},
};

}  // namespace

std::span<const FigureFormat> figure_formats() { return kFigureFormats; }

const FigureFormat* figure_format(std::string_view ending) {
  const auto found = std::ranges::find(kFigureFormats, ending, &FigureFormat::ending);
  return found == kFigureFormats.end() ? nullptr : &*found;
}

}  // namespace lab::figure
