#include "app/figure/model/model_caption.h"

#include <string>

#include "app/base/visible_text.h"
#include "app/document/model/layer_document.h"
#include "app/explain/model_edits.h"
#include "app/figure/compose/sheet.h"
#include "app/figure/text/figure_text.h"
#include "app/translation/words.h"

namespace lab::figure {
namespace {

// The texts joined from the pieces where ids were entered.
std::string text_of_tokens(const ModelSource& model, const std::vector<std::uint32_t>& ids) {
  std::string text;
  for (const Token& token : model_tokens(model, ids))
    text += (text.empty() ? "" : " ") + token_label(token);
  return text;
}

std::string shown_text(const ModelSource& model, const ModelText& text) {
  return text.text ? *text.text : text_of_tokens(model, text.ids);
}

}  // namespace

ModelCaption caption_of(const ModelDocument& document) {
  const ModelSource& model = *document.source;
  ModelCaption caption{model.name, shown_text(model, document.text),
                       explain::edits_in_words(document)};
  if (const std::string second = shown_text(model, document.decoder_text); !second.empty())
    caption.text += (caption.text.empty() ? "" : " → ") + second;
  return caption;
}

std::string caption_text(const ModelCaption& caption) {
  std::string line = caption.model;
  const auto add = [&](const std::string& segment) {
    if (!segment.empty()) line += (line.empty() ? "" : " · ") + segment;
  };
  if (!caption.text.empty()) add(tr("“{}”", {caption.text}));
  add(caption.edits);
  return line;
}

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
    for (const std::string& segment :
         wrapped(look.ruler, figure.title, Face::kSansBold, large, room)) {
      y += y > m.margin ? kTitleLine * look.font : large;
      line(segment, large, look.text, Face::kSansBold);
    }
  if (!options.title)
    for (const std::string& segment :
         wrapped(look.ruler, printable(caption_text(caption)), Face::kSans, look.font, room)) {
      y += kSubtitleLine * look.font;
      line(segment, look.font, look.muted, Face::kSans);
    }
  return y > m.margin ? y + 0.9 * look.font : y;
}

}  // namespace lab::figure
