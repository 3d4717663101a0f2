#pragma once

#include <span>
#include <string>
#include <string_view>

#include "app/base/error.h"
#include "app/figure/figure.h"
#include "app/figure/figure_source.h"
#include "core/numerics/work_watch.h"

namespace lab::figure {

/// What a writer needs to know besides the figure.
struct WriteOptions {
  double dpi = 300;                       ///< the resolution of pixel images
  std::string session{};                  ///< JSON to embed in the file; empty: none
  attention::WorkWatch* watch = nullptr;  ///< gets progress and may stop the work by
                                          ///< attention::WorkStopped; may be null
};

/// A file format for figures.
struct FigureFormat {
  std::string_view ending;      ///< of its files, with the dot
  std::string_view name;        ///< for people: "PNG"
  bool of_pixels = false;       ///< has a resolution
  bool embeds_session = false;  ///< can embed the session
  /// The bytes of the file. Fails with kBadInput when the page has a size that the format cannot
  /// have, with kUsage when the format cannot hold what is on it, and otherwise as the writer says.
  /// Null for a page.
  Expected<std::string> (*write)(const Figure& figure, const WriteOptions& options) = nullptr;
  /// The same for a page, which shows all stages and heads and is not made from a figure; else
  /// null.
  Expected<std::string> (*write_page)(const FigureSource& source,
                                      const WriteOptions& options) = nullptr;
};

/// Every format of figures, in the order of menus.
std::span<const FigureFormat> figure_formats();

/// The format of files with that ending, or null.
const FigureFormat* figure_format(std::string_view ending);

}  // namespace lab::figure
