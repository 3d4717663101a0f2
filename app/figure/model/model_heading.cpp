#include "app/figure/model/model_heading.h"

#include <string>

#include "app/base/printable.h"
#include "app/figure/text/text_wrap.h"

namespace lab::figure {

double draw_heading(const ModelCaption& caption, const FigureOptions& options, const Look& look,
                    Figure& figure) {
  using shape::Face;
  const Metrics m(look.font);
  const double room = figure.width - 2 * m.margin;
  double y = m.margin;
  const auto line = [&](const std::string& text, double size, Rgb colour, Face face) {
    figure.shapes.emplace_back(
        shape::Text{m.margin, y, text, size, colour, shape::Align::kLeft, face, 0, false});
  };
  const double large = 1.2 * look.font;
  if (!figure.title.empty())
    for (const std::string& part :
         wrapped(look.ruler, figure.title, Face::kSansBold, large, room)) {
      y += y > m.margin ? kTitleLine * look.font : large;
      line(part, large, look.text, Face::kSansBold);
    }
  if (!options.title)
    for (const std::string& part :
         wrapped(look.ruler, printable(caption_text(caption)), Face::kSans, look.font, room)) {
      y += kSubtitleLine * look.font;
      line(part, look.font, look.muted, Face::kSans);
    }
  return y > m.margin ? y + 0.9 * look.font : y;
}

}  // namespace lab::figure
