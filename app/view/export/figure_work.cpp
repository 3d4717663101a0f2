#include "app/view/export/figure_work.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "app/explain/number_text.h"
#include "app/translation/words.h"
#include "app/view/export/model_figures.h"
#include "app/view/maps/sensitivity.h"

namespace lab::view {
namespace {

std::string points_text(double size) {
  return explain::format_significant(static_cast<float>(size), 3);
}

}  // namespace

bool takes_sensitivity(const Ui& ui, const figure::FigureOptions& options) {
  using figure::FigureType;
  return shows_sensitivity(ui) && options.type != FigureType::kLines &&
         options.type != FigureType::kArithmetic && options.type != FigureType::kTwoStates;
}

FigureWork::FigureWork(const Ui& ui, figure::FigureOptions options)
    : document_(ui.document()),
      trace_(ui.trace()),
      kept_(ui.state.compare.a),
      options_(std::move(options)),
      session_document_(document_) {
  if (takes_sensitivity(ui, options_)) {
    Snapshot sensitivity = sensitivity_snapshot(ui);
    document_ = std::move(sensitivity.document), trace_ = std::move(sensitivity.trace);
    options_.gradient_of = ui.sensitivity.name;
  }
  if (options_.type != figure::FigureType::kTwoStates) return;
  session_document_ = document_ = ui.workspace.document(), trace_ = ui.workspace.trace();
}

FigureWork::FigureWork(const Ui& ui, figure::FigureOptions options, WholeModel whole)
    : FigureWork(ui, std::move(options)) {
  if (whole == WholeModel::kNone) return;
  kept_.reset();
  options_.gradient_of.clear();
  if (whole == WholeModel::kAttention) {
    Snapshot all = attention_of_all_layers(ui);
    options_ = all_layers_options(ui, all.document, std::move(options_));
    document_ = std::move(all.document), trace_ = std::move(all.trace);
    return;
  }
  model_ = model_figure_of(ui, whole);
  if (!model_) problem_ = numbers_pending_text();
}

std::string FigureWork::smaller_letters_note() const {
  const auto size = figure::font_size_for_numbers(document_, trace_, options_, kept_.get());
  if (!size) return tr("Without numbers: there are too many cells at any width");
  return tr("Without numbers: they have no room at {} pt; at {} pt they have",
            {points_text(options_.font_size), points_text(*size)});
}

std::string FigureWork::numbers_note() const try {
  if (!options_.annotate || model_ || !problem_.empty()) return {};
  const auto enough = figure::width_for_numbers(document_, trace_, options_,
                                                figure::kWidestForNumbers, kept_.get());
  if (enough == options_.width_mm) return {};
  if (!enough) return smaller_letters_note();
  return tr("Without numbers: the cells are too small; a width of {} mm has room for them",
            {std::to_string(static_cast<int>(*enough))});
} catch (const std::out_of_range&) {
  return {};  // there is no figure
}

Expected<std::string> FigureWork::made(const figure::FigureFormat& format,
                                       figure::WriteOptions writing,
                                       const figure::FigureOptions& options) const {
  writing.dpi = options.dpi;
  if (!problem_.empty()) return fail(ErrorType::kUsage, problem_);
  if (model_) return figure::model_figure_file(*model_, options, format, writing);
  return figure::figure_file(document_, trace_, options, format, writing, kept_.get());
}

Expected<std::string> FigureWork::file(const figure::FigureFormat& format,
                                       figure::WriteOptions writing) const {
  return made(format, std::move(writing), options_);
}

Expected<std::string> FigureWork::file_of(const figure::FigureFormat& format,
                                          figure::WriteOptions writing, attention::Stage stage,
                                          attention::Index head) const {
  figure::FigureOptions one = options_;
  one.type = figure::FigureType::kMap, one.stage = stage, one.head = head;
  return made(format, std::move(writing), one);
}

figure::FigureImage FigureWork::image(double width, double height) const try {
  if (!problem_.empty()) return {};
  const figure::Figure figure =
      model_ ? figure::model_figure(*model_, options_)
             : figure::stage_figure(document_, trace_, options_, kept_.get());
  return figure::figure_image(figure, std::min(width / figure.width, height / figure.height));
} catch (const std::out_of_range&) {
  return {};
}

}  // namespace lab::view
