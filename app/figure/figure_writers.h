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

/// The figure as a PNG, with its resolution and the session in a compressed iTXt chunk with the
/// keyword kSessionMark. Fails with kBadInput when the image would exceed 16 384 pixels on a side
/// or 200 megapixels, and with kFailed when memory runs out. Throws attention::WorkStopped when
/// options.watch says so.
Expected<std::string> write_png(const Figure& figure, const WriteOptions& options);

/// An RGB image (3 bytes per pixel, rows from the top, no padding) as a PNG. Fails as above.
/// Precondition: rgb.size() == width · height · 3.
Expected<std::string> write_png(std::string_view rgb, int width, int height);

/// The figure as SVG: text is text, cells are rectangles, or images where there are thousands; the
/// session is in its metadata. Fails with kBadInput when the page has no size, and with kFailed
/// when memory runs out. Throws attention::WorkStopped when options.watch says so.
Expected<std::string> write_svg(const Figure& figure, const WriteOptions& options);

/// The figure as a one-page PDF of its size: vectors, and text in embedded fonts that can be
/// searched and copied; emoji, and maps of more than a few thousand cells, are images. The session
/// is attached as the file kPdfAttachment. The bytes are the same on every run, and contain a date
/// only where source_date() gives one. Fails with kBadInput when the page has no size or is longer
/// than 14 400 points on a side, and with kFailed when memory runs out. Throws
/// attention::WorkStopped when options.watch says so.
Expected<std::string> write_pdf(const Figure& figure, const WriteOptions& options);

/// The same for several pages, in order; the title of the document is that of the first.
/// Precondition: there is a page.
Expected<std::string> write_pdf_pages(std::span<const Figure> pages, const WriteOptions& options);

/// The figure as a LaTeX document of one page, drawn with TikZ; pdflatex, lualatex and xelatex
/// compile it as it is. Its text is text, its formulas are formulas. Embeds no session. Fails with
/// kBadInput when the page has a size that TeX cannot have, with kUsage when the figure has so many
/// cells that compiling it would take very long, and with kFailed when memory runs out. Throws
/// attention::WorkStopped when options.watch says so.
Expected<std::string> write_latex(const Figure& figure, const WriteOptions& options);

/// The longest page in bytes: about 12 million numbers, for example 512 tokens and 10 heads.
inline constexpr std::size_t kLongestPage = 64'000'000;

/// A self-contained HTML page: every number of every stage and head bit for bit, with maps, a
/// table, and the keys and texts that readers without a mouse or a screen need. Its
/// Content-Security-Policy keeps it from fetching anything.
///
/// It opens with what the options describe, and its reader can change all of it: two heads and,
/// only for kTwoStates, the two states with their difference; lines and arithmetic are a figure
/// above the maps. A stage that is not among pipeline_stages is replaced by the nearest one before
/// it. The theme is dark, or that of the system of the reader. Embeds options.session.
///
/// Fails with kBadInput, before memory is allocated, when the page would be longer than
/// kLongestPage. Throws std::out_of_range as stage_figure does.
Expected<std::string> write_html(const FigureSource& source, const WriteOptions& options);

}  // namespace lab::figure
