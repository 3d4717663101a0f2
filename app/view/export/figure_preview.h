#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "app/figure/figure_image.h"
#include "app/figure/figure_options.h"
#include "app/translation/words.h"
#include "app/view/state/export_state.h"
#include "app/view/toolkit/rect.h"
#include "app/view/toolkit/texture_sink.h"

namespace lab::view {

/// Everything a preview depends on; while it is equal the picture is reused.
struct PreviewKey {
  figure::FigureOptions options;
  std::size_t state = 0;                ///< History::state_id
  std::uint64_t numbers = 0;            ///< version of the output
  const void* kept = nullptr;           ///< the state A that is compared
  int width = 0, height = 0;            ///< of the place in pixels
  std::optional<MotionState> motion{};  ///< of an animation
  std::string moving{};                 ///< what changes in it
  Language words = Language::kEnglish;  ///< the language of its text
  bool decimal_comma = false;           ///< of its numbers
  WholeModel whole = WholeModel::kNone;
  const void* model_numbers = nullptr;  ///< see model_figure_numbers()
  std::uint64_t sensitivity = 0;  ///< SensitivityMaps::number() of what moves a number; 0: numbers
  bool operator==(const PreviewKey&) const = default;
};

/// A picture of a figure in the window, redrawn only when it changes.
class FigurePreview {
 public:
  /// Textures go to `sink`, which must outlive the preview.
  explicit FigurePreview(TextureSink& sink) : sink_(sink) {}
  ~FigurePreview() { forget(); }
  /// Can be neither copied nor moved: it owns its texture.
  FigurePreview(const FigurePreview&) = delete;
  FigurePreview& operator=(const FigurePreview&) = delete;

  /// Draws the figure that `make` returns for the key into `bounds`, in full and centred at its
  /// top.
  void draw(ImDrawList& list, const Rect& bounds, const PreviewKey& key,
            const std::function<figure::FigureImage()>& make);
  /// Releases the texture.
  void forget();

 private:
  TextureSink& sink_;
  std::optional<PreviewKey> shown_;
  figure::FigureImage image_;  // without pixels
  TextureId texture_ = 0;
};

}  // namespace lab::view
