#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "app/figure/colour/palette.h"
#include "app/figure/compose/sheet.h"
#include "app/figure/figure_source.h"
#include "core/shared_matrix.h"

// What a page of HTML knows of a document, as JSON for its script.

namespace lab::figure {

/// One matrix that a page holds.
struct PageMap {
  attention::SharedMatrix values;
  Range range;  ///< its automatic_range
};

/// The maps that one state has of a stage, for each head or the one for all.
struct PageHeads {
  std::vector<std::size_t> maps;              ///< which of the page's maps
  std::vector<std::vector<PanelMark>> marks;  ///< of each of them
};

/// One stage of a page.
struct PageStage {
  attention::Stage stage{};
  PageHeads heads;
  PageHeads kept;  ///< those of A that can be compared cell by cell; none without A
};

/// Everything that a page shows, each matrix once: heads and stages may share one.
struct PageContent {
  std::vector<PageStage> stages;
  std::vector<PageMap> maps;
};

/// The look that the page opens with: "dark", or "automatic" for what the reader's system has.
std::string_view page_theme(const FigureOptions& options);

/// The stages of pipeline_stages and their matrices; those of A of FigureKind::kTwoStates alone.
PageContent page_content(const FigureSource& source);

/// The length in bytes of the numbers of `content` as page_numbers writes them, without writing
/// them; a little more at most.
std::size_t numbers_length(const PageContent& content);

/// Labels, stages, palettes and look, in one JSON object that can stand in HTML.
std::string page_data(const FigureSource& source, const PageContent& content);

/// The numbers: a JSON list of {"range": [lo, hi], "values": base64 of the float32 values row by
/// row, least byte first}.
std::string page_numbers(const PageContent& content);

}  // namespace lab::figure
