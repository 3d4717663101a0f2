#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/document/batch/batch_means.h"
#include "app/view/export/figure_preview.h"
#include "app/view/maps/metrics_cache.h"
#include "app/view/maps/sensitivity_maps.h"
#include "app/view/maps/values_cache.h"
#include "app/view/model/model_numbers.h"
#include "app/view/model/tile_maps.h"
#include "app/view/state/ui.h"

namespace lab::view {

/// Everything that is drawn in the window. Draws one ImGui frame at a time from the workspace's
/// state; what the user requests is returned as intents.
class MainView {
 public:
  /// Textures go to `sink`; file dialogs and pictures for the clipboard are `desktop`'s. Both must
  /// outlive the view.
  MainView(TextureSink& sink, DesktopServices& desktop)
      : sink_(sink), desktop_(desktop), labels_(sink), values_(sink) {
    state_.requests.ask(request::GiveKeyboard{TextField::kSentence});
  }

  /// Prepares the next frame, before ImGui::NewFrame: sets the language of the state, and loads
  /// fonts and style when the scale, the theme or the script of the sentence changed. Returns true
  /// when the font atlas was rebuilt.
  bool prepare(const Workspace& workspace);
  /// Draws one frame. Returns the requested intents. A document that was opened since the last
  /// frame is shown from its start: head 1 with its strongest pair.
  std::vector<Intent> draw(const Workspace& workspace);

  /// True when the frame that was drawn last changed the scale and prepare() must be called.
  bool scale_changed() const { return loaded_scale_ != state_.scale; }

  /// Seconds until something changes by itself and a frame must be drawn; nothing if nothing will.
  std::optional<double> seconds_to_next_frame(const Workspace& workspace) const;

  /// The background jobs.
  Jobs& jobs() { return jobs_; }
  /// The trainer of the model that is shown.
  BackgroundTrainer& trainer() { return trainer_; }
  /// What moves the number that is asked about.
  SensitivityMaps& sensitivity() { return sensitivity_; }
  /// What heads do on average over the sentences of a batch.
  BatchMeans& means() { return means_; }
  /// What is known about a trained model.
  ModelNumbers& model_numbers() { return numbers_; }
  /// What is shown and how.
  ViewState& state() { return state_; }
  /// The rectangles of all widgets in the last frame.
  const WidgetRegistry& widgets() const { return widgets_; }
  /// The background colour.
  figure::Rgb background() const { return theme_for(state_.theme).page; }

 private:
  void follow_language();
  void show(const Workspace& workspace);

  TextureSink& sink_;
  TileMaps tiles_;
  ModelNumbers numbers_;
  DesktopServices& desktop_;
  LabelCache labels_;
  TextLinesMemo text_lines_;
  ValuesCache values_;
  MetricsCache metrics_;
  SensitivityMaps sensitivity_;
  BatchMeans means_;
  WidgetRegistry widgets_;
  ViewState state_;
  Fonts fonts_;
  std::optional<int> opened_;  // Workspace::opened of the document that is shown
  float loaded_scale_ = 0;
  std::string loaded_text_;
  std::size_t loaded_kept_ = 0;  // characters of text boxes that had a picture
  const Theme* styled_for_ = nullptr;
  Jobs jobs_;
  bool job_ended_ = false;  // in the last frame
  BackgroundTrainer trainer_;
  FigurePreview preview_{sink_};
};

}  // namespace lab::view
