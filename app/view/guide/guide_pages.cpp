#include "app/view/guide/guide_pages.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/base/bad_input.h"
#include "app/base/strings.h"
#include "app/files/io/bytes.h"
#include "app/view/guide/guide_links.h"

namespace lab::view {
namespace {

constexpr std::size_t kLargestPage = std::size_t{1} << 20;

using Spans = std::vector<lessons::TextSpan>;

std::string text_of(const Spans& spans) {
  std::string text;
  for (const lessons::TextSpan& span : spans) text += span.text;
  return text;
}

// Calls `visit` with the spans of the block and of every table cell.
template <typename Visit>
void for_all_spans(const lessons::TextBlock& block, Visit&& visit) {
  visit(block.spans);
  for (const lessons::TextRow& row : block.rows)
    for (const Spans& cell : row) visit(cell);
}

// Repeated headings get a number, as on GitHub.
std::string own_anchor(const std::vector<GuideSection>& sections, const std::string& title) {
  const auto same = std::ranges::count(sections, title, &GuideSection::title);
  return heading_anchor(title) + (same == 0 ? "" : "-" + std::to_string(same));
}

std::vector<GuideSection> sections_of(const lessons::RichText& text) {
  std::vector<GuideSection> sections;
  for (const lessons::TextBlock& block : text) {
    if (block.type == lessons::TextBlock::Type::kHeading) {
      const std::string title = text_of(block.spans);
      sections.push_back({title, own_anchor(sections, title), {}});
    }
    if (sections.empty()) continue;
    for_all_spans(block,
                  [&](const Spans& spans) { sections.back().text += text_of(spans) + "\n"; });
  }
  return sections;
}

GuidePage read_page(const std::filesystem::path& folder, const std::string& file,
                    const std::string& title) {
  GuidePage page{file, title, {}, {}, {}};
  const auto read =
      files::read_text_file((folder / file).string(), kLargestPage).and_then([](const auto& bytes) {
        return guarded([&] { return lessons::page_text(bytes); });
      });
  if (read) page.text = *read;
  if (!read) page.problem = read.error().message;
  page.sections = sections_of(page.text);
  return page;
}

// The file and the link text of every page that `contents` links to.
std::vector<std::pair<std::string, std::string>> linked_pages(const GuidePage& contents) {
  std::vector<std::pair<std::string, std::string>> pages;
  const auto add = [&](const lessons::TextSpan& span) {
    const auto location = location_of_link(span.target, contents.file);
    if (!location || location->page == contents.file) return;
    const bool known =
        std::ranges::any_of(pages, [&](const auto& page) { return page.first == location->page; });
    if (!known) pages.emplace_back(location->page, span.text);
  };
  for (const lessons::TextBlock& block : contents.text)
    for_all_spans(block, [&](const Spans& spans) { std::ranges::for_each(spans, add); });
  return pages;
}

}  // namespace

Guide read_guide(const std::string& folder) {
  Guide guide;
  guide.pages.push_back(read_page(folder, std::string(kContentsPage), {}));
  for (const auto& [file, title] : linked_pages(guide.pages.front()))
    guide.pages.push_back(read_page(folder, file, title));
  return guide;
}

const GuidePage* find_page(const Guide& guide, std::string_view file) {
  const auto found = std::ranges::find(guide.pages, file, &GuidePage::file);
  return found == guide.pages.end() ? nullptr : &*found;
}

const GuideSection* find_section(const GuidePage& page, std::string_view anchor) {
  const auto found = std::ranges::find(page.sections, anchor, &GuideSection::anchor);
  return found == page.sections.end() ? nullptr : &*found;
}

std::string heading_anchor(std::string_view title) {
  std::string anchor;
  for (const char c : title) {
    const bool beyond_ascii = static_cast<unsigned char>(c) >= 0x80;
    if (c >= 'A' && c <= 'Z') anchor += static_cast<char>(c - 'A' + 'a');
    if ((c >= 'a' && c <= 'z') || is_digit(c) || c == '-' || c == '_' || beyond_ascii) anchor += c;
    if (c == ' ') anchor += '-';
  }
  return anchor;
}

}  // namespace lab::view
