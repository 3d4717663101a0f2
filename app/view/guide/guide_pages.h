#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/lessons/reading/rich_text.h"

namespace lab::view {

/// The contents page, which links to all others.
inline constexpr std::string_view kContentsPage = "README.md";

/// A heading of a page and the text below it.
struct GuideSection {
  std::string title;
  std::string anchor;  ///< its name in links: "after-a-crash"
  std::string text;    ///< plain text, for the search
};

/// A page of the guide.
struct GuidePage {
  std::string file;   ///< "editing.md"
  std::string title;  ///< its name in the contents: "Editing"; empty for the contents
  lessons::RichText text;
  std::vector<GuideSection> sections;  ///< one for each heading of `text`; the first is the title
  std::string problem;                 ///< why it cannot be read; then there is no text
};

/// All pages in the order of the contents; the contents page is first.
struct Guide {
  std::vector<GuidePage> pages;
};

/// Reads the guide from `folder`: the contents page and every page that it links to. Never fails: a
/// page that cannot be read is included with its problem.
Guide read_guide(const std::string& folder);

/// The page with this file name, or null.
const GuidePage* find_page(const Guide& guide, std::string_view file);

/// The section with this anchor, or null.
const GuideSection* find_section(const GuidePage& page, std::string_view anchor);

/// The anchor of a heading in the format of GitHub: "After a crash" becomes "after-a-crash". Only
/// ASCII letters are converted to lower case.
std::string heading_anchor(std::string_view title);

}  // namespace lab::view
