#include "app/figure/model/token_figures.h"

#include "app/document/model/layer_document.h"
#include "app/document/model/token_name.h"
#include "app/document/training/training_document.h"
#include "app/translation/words.h"

namespace lab::figure {
namespace {

using attention::Index;

std::string label_of_row(const ModelDocument& document, Index row) {
  const std::vector<Token> tokens = model_tokens(*document.source, tokens_of(document).ids);
  return token_label(tokens[static_cast<std::size_t>(row)]);
}

std::string title_of_next(const ModelDocument& document, const std::string& token) {
  if (answers_each_token(document)) return tr("The likeliest answers at “{}”", {token});
  return document.source->causal ? tr("The likeliest tokens after “{}”", {token})
                                 : tr("The likeliest tokens in place of “{}”", {token});
}

}  // namespace

std::string place_of_line(Index line) {
  return line == 0 ? tr("in##before the first layer") : "L" + std::to_string(line - 1);
}

ModelMaps lens_figure(const ModelDocument& document, const LensGrid& lens) {
  ModelMap map;
  map.name = "probability";
  map.is_signed = false;
  map.row_caption = tr("token##axis"), map.column_caption = tr("after layer##axis");
  map.values = attention::Matrix(lens.rows, lens.layers);
  for (Index row = 0; row < lens.rows; ++row) {
    map.row_labels.push_back(label_of_row(document, row));
    for (Index layer = 0; layer < lens.layers; ++layer) {
      const Prediction& top = lens.at(layer, row);
      map.values(row, layer) = top.probability;
      map.words.push_back(token_label(*document.source, top.id));
    }
  }
  for (Index layer = 0; layer < lens.layers; ++layer)
    map.column_labels.push_back(place_of_line(layer));
  return {caption_of(document),
          tr("Logit lens: the likeliest token after each layer"),
          {std::move(map)}};
}

ModelBars next_figure(const ModelDocument& document, Index row, const std::vector<Prediction>& top,
                      const std::vector<float>& before) {
  const std::string token = label_of_row(document, row);
  ModelBars bars{caption_of(document), title_of_next(document, token), {}, {}};
  for (std::size_t i = 0; i < top.size(); ++i) {
    ModelBar bar;
    bar.token = token_label(*document.source, top[i].id);
    bar.probability = top[i].probability;
    if (!before.empty()) bar.before = before[i];
    bar.accent = i == 0;
    bars.bars.push_back(std::move(bar));
  }
  return bars;
}

}  // namespace lab::figure
