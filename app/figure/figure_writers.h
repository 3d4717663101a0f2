#pragma once

#include <span>
#include <string>
#include <string_view>

#include "app/base/error.h"
#include "app/figure/figure.h"
#include "app/figure/figure_source.h"
#include "core/numerics/work_watch.h"

namespace lab::figure {

/// What the writer of a file wants to know besides the figure.
struct WriteOptions {
  double dpi = 300;                       ///< of pictures that are made of pixels
  std::string session{};                  ///< to be carried in the file, as JSON; empty: none
  attention::WorkWatch* watch = nullptr;  ///< sees how far it is and may stop it, by
                                          ///< attention::WorkStopped; may be null
};

/// A kind of file that a figure can be written as.
struct FigureFormat {
  std::string_view ending;  ///< of its files, with the dot
  std::string_view name;    ///< for people: "PNG"
  bool of_pixels = false;   ///< has a resolution
  bool carries = false;     ///< can carry the session
  /// The bytes of the file; fails as the writer says. Null for a page.
  Expected<std::string> (*write)(const Figure& figure, const WriteOptions& options) = nullptr;
  /// The same of a page, which holds all stages and heads and is not made of a figure; else null.
  Expected<std::string> (*write_page)(const FigureSource& source,
                                      const WriteOptions& options) = nullptr;
};

/// Every format of figures, in the order of menus.
std::span<const FigureFormat> figure_formats();

/// The format of files with that ending, or null.
const FigureFormat* figure_format(std::string_view ending);

}  // namespace lab::figure
