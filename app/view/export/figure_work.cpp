#include "app/view/export/figure_work.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace lab::view {
FigureWork::FigureWork(const Ui& ui, figure::FigureOptions options)
    : document_(ui.document()),
      trace_(ui.trace()),
      kept_(ui.state.compare.a),
      options_(std::move(options)) {
  if (options_.kind != figure::FigureKind::kTwoStates) return;
  document_ = ui.workspace.document(), trace_ = ui.workspace.trace();
}

std::optional<double> FigureWork::width() const {
  if (!options_.annotate) return options_.width_mm;
  return figure::width_for_numbers(document_, trace_, options_, figure::kWidestForNumbers,
                                   kept_.get());
}

Expected<std::string> FigureWork::made(const figure::FigureFormat& format,
                                       figure::WriteOptions writing,
                                       const figure::FigureOptions& options) const {
  writing.dpi = options.dpi;
  return figure::figure_file(document_, trace_, options, format, writing, kept_.get());
}

Expected<std::string> FigureWork::file(const figure::FigureFormat& format,
                                       figure::WriteOptions writing, double width_mm) const {
  figure::FigureOptions wide = options_;
  wide.width_mm = width_mm;
  return made(format, std::move(writing), wide);
}

Expected<std::string> FigureWork::file_of(const figure::FigureFormat& format,
                                          figure::WriteOptions writing, attention::Stage stage,
                                          attention::Index head) const {
  figure::FigureOptions one = options_;
  one.kind = figure::FigureKind::kMap, one.stage = stage, one.head = head;
  return made(format, std::move(writing), one);
}

figure::FigureImage FigureWork::image(double width, double height) const try {
  const figure::Figure figure = figure::stage_figure(document_, trace_, options_, kept_.get());
  return figure::figure_image(figure, std::min(width / figure.width, height / figure.height));
} catch (const std::out_of_range&) {
  return {};
}

}  // namespace lab::view
