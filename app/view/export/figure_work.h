#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/figure/figure_file.h"
#include "app/figure/figure_image.h"
#include "app/figure/model/model_figure.h"
#include "app/view/state/ui.h"

namespace lab::view {

/// True when a figure shows what moves a number in place of the numbers, as the maps of the window
/// do. Lines and arithmetic are of the numbers themselves, and so is what is compared with A.
bool takes_sensitivity(const Ui& ui, const figure::FigureOptions& options);

/// Makes figures in the background from the current numbers.
class FigureWork {
 public:
  /// Copies what `options` need from the state that is shown; two states are A and the current one.
  FigureWork(const Ui& ui, figure::FigureOptions options);
  /// A figure of the whole trained model in its place, unless `whole` is kNone; without its numbers
  /// it cannot be made yet.
  FigureWork(const Ui& ui, figure::FigureOptions options, WholeModel whole);

  /// A figure of another state than the one that is shown.
  FigureWork(const Snapshot& state, figure::FigureOptions options)
      : document_(state.document),
        trace_(state.trace),
        options_(std::move(options)),
        session_document_(document_) {}

  /// The document that the figure shows.
  const Document& document() const { return document_; }
  /// The document that the file can be opened as again.
  const Document& session_document() const { return session_document_; }
  /// Its numbers.
  const attention::Trace& trace() const { return trace_; }
  /// How it is drawn.
  const figure::FigureOptions& options() const { return options_; }

  /// Why the numbers that are requested in its cells are not drawn, and which width or font size
  /// would hold them; empty when they are drawn or not requested.
  std::string numbers_note() const;
  /// The file of that format; fails as figure_file does.
  Expected<std::string> file(const figure::FigureFormat& format,
                             figure::WriteOptions writing) const;
  /// The same for another stage and head, as wide as the options say.
  Expected<std::string> file_of(const figure::FigureFormat& format, figure::WriteOptions writing,
                                attention::Stage stage, attention::Index head) const;
  /// The figure as large as fits into that many pixels; empty when it cannot be drawn.
  figure::FigureImage image(double width, double height) const;

 private:
  std::string smaller_letters_note() const;
  Expected<std::string> made(const figure::FigureFormat& format, figure::WriteOptions writing,
                             const figure::FigureOptions& options) const;

  Document document_;
  attention::Trace trace_;
  std::shared_ptr<const Snapshot> kept_;
  figure::FigureOptions options_;
  std::optional<figure::ModelFigure> model_;
  std::string problem_;        // why there is no figure; empty: there is
  Document session_document_;  // what the file can be opened as again
};

}  // namespace lab::view
