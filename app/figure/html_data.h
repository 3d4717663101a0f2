#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "app/figure/html_writer.h"

// What a page of HTML knows of a document, as JSON for its script.

namespace lab {

/// One matrix that a page holds.
struct PageMap {
  attention::SharedMatrix values;
  Range range;  ///< its automatic_range
};

/// One stage of a page.
struct PageStage {
  attention::Stage stage{};
  std::vector<std::size_t> maps;  ///< which of the page's maps, for each head or the one for all
};

/// Everything that a page shows, each matrix once: heads and stages may share one.
struct PageContent {
  std::vector<PageStage> stages;
  std::vector<PageMap> maps;
};

/// "automatic", "light", "dark".
std::string_view page_theme_name(PageTheme theme);

/// The stages of pipeline_stages and their matrices.
PageContent page_content(const Document& document, const attention::Trace& trace);

/// The length in bytes of the numbers of `content` as page_numbers writes them, without writing
/// them; a little more at most.
std::size_t numbers_length(const PageContent& content);

/// Labels, stages, palettes and look, in one JSON object that can stand in HTML.
std::string page_data(const Document& document, const PageContent& content,
                      const HtmlOptions& options);

/// The numbers: a JSON list of {"range": [lo, hi], "values": base64 of the float32 values row by
/// row, least byte first}.
std::string page_numbers(const PageContent& content);

}  // namespace lab
