#pragma once

#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/document/analysis/model_analysis.h"
#include "app/document/training/background_trainer.h"
#include "app/document/workspace.h"
#include "app/view/state/jobs.h"
#include "app/view/state/panel.h"
#include "app/view/state/view_state.h"
#include "app/view/toolkit/desktop_services.h"
#include "app/view/toolkit/fonts.h"
#include "app/view/toolkit/labels.h"
#include "app/view/toolkit/rect.h"
#include "app/view/toolkit/text_lines.h"
#include "app/view/toolkit/theme.h"
#include "app/view/toolkit/widget_registry.h"

namespace lab {
class BatchMeans;
}

namespace lab::view {

class MetricsCache;
class SensitivityMaps;
class FigurePreview;
class ValuesCache;
class TileMaps;

/// What every panel is given: the state to read, the view state it may change, the queue for
/// intents, and the means to draw.
struct Ui {
  const Workspace& workspace;
  ViewState& state;
  std::vector<Intent>& intents;
  const Theme& theme;
  const Fonts& fonts;
  LabelCache& labels;
  TextLinesMemo& text_lines;
  ValuesCache& values;
  MetricsCache& metrics;
  SensitivityMaps& sensitivity;
  BatchMeans& means;  ///< over the sentences of a batch
  TextureSink& textures;
  WidgetRegistry& widgets;
  DesktopServices& desktop;
  Jobs& jobs;
  BackgroundTrainer& trainer;
  FigurePreview& preview;
  TileMaps& tiles;
  AnalysisRequest& requested;  ///< of the trained model, for the next frames: what is shown of it
  const AnalysisResult& analysis;  ///< what is known of that
  const AnalysisResult& unedited;  ///< predictions of the model without its edits; empty: none
  std::span<const PanelInfo* const> panels;
  const Snapshot* kept = nullptr;  ///< shown in place of the workspace's state

  /// What is shown: the workspace's state, or the one in its place.
  const Document& document() const { return kept ? kept->document : workspace.document(); }
  /// The layer of what is shown.
  const attention::Problem& problem() const { return document().problem; }
  /// The numbers of every stage of it.
  const attention::Trace& trace() const { return kept ? kept->trace : workspace.trace(); }
  /// The forward pass of the trained model that document() is a layer of; null when it is none.
  const SharedNetworkTrace& network_trace() const {
    return kept ? kept->network : workspace.network_trace();
  }
  /// The document as last edited, for panels that edit: it is ahead of document() while it is
  /// evaluated in the background, and has no trace yet. Panels that do not edit read document().
  const Document& edited() const { return workspace.edited(); }
  /// `points` at the window's scale, in whole pixels.
  float px(float points) const { return std::floor(points * state.scale + 0.5f); }
  /// A number as it is shown, with the decimals that the user wants, at least `least`; see
  /// explain::adaptive_text.
  std::string number(double value, int least = kFewestDigits) const;
  /// The result of `command`, or why it is refused. An intent that carries the result is executed
  /// without applying the command again.
  Expected<Attempt> attempt(const Command& command) const { return workspace.attempt(command); }
  /// Queues an intent, which is executed after all panels are drawn.
  void queue(Intent intent) { intents.push_back(std::move(intent)); }
  /// Selects the cell of that stage which is nearest to the selected one.
  void select_stage(attention::Stage stage);
  /// Gives the keys to the selected cell if it can be overridden: Enter and F2 open its field,
  /// Delete removes its override.
  void give_keys_to_stage();
  /// The draw list of the ImGui window being built.
  ImDrawList& canvas() const { return *ImGui::GetWindowDrawList(); }
  /// Records a widget under its stable name, clipped to the visible part of the current window.
  void name(std::string name, const Rect& rect);
  /// The same for the ImGui item that was submitted last.
  void name_item(std::string name);

 private:
  void bring_into_view(const Rect& rect);
};

}  // namespace lab::view
