#include "app/figure/model/model_caption.h"

#include "app/translation/words.h"

namespace lab::figure {

std::string caption_text(const ModelCaption& caption) {
  std::string line = caption.model;
  const auto add = [&](const std::string& part) {
    if (!part.empty()) line += (line.empty() ? "" : " · ") + part;
  };
  if (!caption.text.empty()) add(tr("“{}”", {caption.text}));
  add(caption.edits);
  return line;
}

}  // namespace lab::figure
