#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "app/figure/colour/palette.h"
#include "app/figure/compose/sheet.h"
#include "app/figure/figure_source.h"
#include "core/shared_matrix.h"

// The data of an HTML page, as JSON for its script.

namespace lab::figure {

/// One matrix of a page.
struct PageMap {
  attention::SharedMatrix values;
  Range range;  ///< its automatic_range
};

/// The maps of a stage in one state: one per head, or one for all.
struct PageHeads {
  std::vector<std::size_t> maps;              ///< their indices in PageContent::maps
  std::vector<std::vector<PanelMark>> marks;  ///< of each of them
};

/// One stage of a page.
struct PageStage {
  attention::Stage stage{};
  PageHeads heads;
  PageHeads kept;  ///< those of A that can be compared cell by cell; none without A
};

/// The content of a page, each matrix once: heads and stages may share one.
struct PageContent {
  std::vector<PageStage> stages;
  std::vector<PageMap> maps;
};

/// The theme of the page when it opens: "dark", or "automatic" for that of the system of the
/// reader.
std::string_view page_theme(const FigureOptions& options);

/// The stages of pipeline_stages and their matrices; those of state A only for
/// FigureType::kTwoStates.
PageContent page_content(const FigureSource& source);

/// The length in bytes of what page_numbers writes for `content`, found without writing it; at most
/// slightly too large.
std::size_t numbers_length(const PageContent& content);

/// Labels, stages, palettes and theme as one JSON object that can be embedded in HTML.
std::string page_data(const FigureSource& source, const PageContent& content);

/// The numbers: a JSON list of {"range": [lo, hi], "values": base64 of the float32 values row by
/// row, little-endian}.
std::string page_numbers(const PageContent& content);

}  // namespace lab::figure
