// The function of MD4C that reads Markdown, for a page: the package of MD4C has no version for
// WebAssembly. As much of CommonMark as lessons use: headings, paragraphs, lists, quotes, fenced
// code; see inlines.h for what is within them.
#include <md4c.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "app/web/markdown/inlines.h"

namespace {

using lab::web::InlineEvent;
using Line = std::string_view;
using Lines = std::vector<Line>;

std::size_t indent_of(Line line) { return std::min(line.find_first_not_of(' '), line.size()); }
Line without_indent(Line line) { return line.substr(indent_of(line)); }
bool is_empty(Line line) { return line.find_first_not_of(" \t\r") == line.npos; }

// The marker of an item: "- " or "12. ".
struct Marker {
  std::size_t width = 0;  // with the blank after it; 0: there is none
  bool numbered = false;
  unsigned number = 0;
};

Marker marker_of(Line line) {
  const Line text = without_indent(line);
  if (text.size() > 1 && text[1] == ' ' && Line("-+*").find(text[0]) != Line::npos)
    return {indent_of(line) + 2};
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  if (digits == 0 || digits > 9 || digits + 1 >= text.size() || text[digits + 1] != ' ' ||
      Line(".)").find(text[digits]) == Line::npos)
    return {};
  unsigned number = 0;
  for (const char digit : text.substr(0, digits)) number = 10 * number + (digit - '0');
  return {indent_of(line) + digits + 2, true, number};
}

std::size_t heading_level(Line line) {
  const Line text = without_indent(line);
  const std::size_t level = std::min(text.find_first_not_of('#'), text.size());
  const bool ends = level == text.size() || text[level] == ' ';
  return level >= 1 && level <= 6 && ends ? level : 0;
}

// The marks that begin fenced code; empty when none does.
Line fence_of(Line line) {
  const Line text = without_indent(line);
  if (text.empty() || (text[0] != '`' && text[0] != '~')) return {};
  const std::size_t length = std::min(text.find_first_not_of(text[0]), text.size());
  return length >= 3 ? text.substr(0, length) : Line();
}

bool is_rule(Line line) {
  const Line text = without_indent(line);
  if (text.empty() || Line("-*_").find(text[0]) == Line::npos) return false;
  const bool only = std::ranges::all_of(text, [&](char c) { return c == text[0] || c == ' '; });
  return only && std::ranges::count(text, text[0]) >= 3;
}

bool begins_block(Line line) {
  return is_empty(line) || heading_level(line) > 0 || !fence_of(line).empty() || is_rule(line) ||
         without_indent(line).starts_with('>') || marker_of(line).width > 0;
}

// Reads blocks and calls the parser's functions; throws int, their result, where they refuse.
class BlockReader {
 public:
  BlockReader(const MD_PARSER& parser, void* user) : parser_(parser), user_(user) {}

  void read(const Lines& lines, bool tight = false) {
    for (std::size_t i = 0; i < lines.size();) {
      const Line line = lines[i];
      if (is_empty(line)) {
        ++i;
      } else if (const std::size_t level = heading_level(line)) {
        heading(without_indent(line).substr(level), static_cast<unsigned>(level));
        ++i;
      } else if (const Line fence = fence_of(line); !fence.empty()) {
        i = code(lines, i, fence);
      } else if (is_rule(line)) {
        enter(MD_BLOCK_HR);
        leave(MD_BLOCK_HR);
        ++i;
      } else if (without_indent(line).starts_with('>')) {
        i = quote(lines, i);
      } else if (marker_of(line).width > 0) {
        i = list(lines, i);
      } else {
        i = paragraph(lines, i, tight);
      }
    }
  }

 private:
  static void check(int result) {
    if (result != 0) throw result;
  }
  void enter(MD_BLOCKTYPE type, void* detail = nullptr) {
    check(parser_.enter_block(type, detail, user_));
  }
  void leave(MD_BLOCKTYPE type, void* detail = nullptr) {
    check(parser_.leave_block(type, detail, user_));
  }
  void text(MD_TEXTTYPE type, Line part) {
    check(parser_.text(type, part.data(), static_cast<MD_SIZE>(part.size()), user_));
  }

  void span(const InlineEvent& event) {
    MD_SPAN_A_DETAIL link{};
    link.href.text = event.target.data();
    link.href.size = static_cast<MD_SIZE>(event.target.size());
    const auto call =
        event.type == InlineEvent::Type::kEnter ? parser_.enter_span : parser_.leave_span;
    check(call(event.span, &link, user_));
  }
  void inlines(const Lines& lines) {
    for (const InlineEvent& event : lab::web::inline_events(lines)) {
      if (event.type == InlineEvent::Type::kText) {
        if (!event.text.empty()) text(event.text_type, event.text);
      } else {
        span(event);
      }
    }
  }

  void heading(Line line, unsigned level) {
    const std::size_t end = line.find_last_not_of(" #\r");
    line = end == line.npos ? Line() : line.substr(0, end + 1);
    MD_BLOCK_H_DETAIL detail{level};
    enter(MD_BLOCK_H, &detail);
    inlines({without_indent(line)});
    leave(MD_BLOCK_H, &detail);
  }

  std::size_t code(const Lines& lines, std::size_t i, Line fence) {
    const std::size_t indent = indent_of(lines[i]);
    MD_BLOCK_CODE_DETAIL detail{};
    enter(MD_BLOCK_CODE, &detail);
    for (++i; i < lines.size(); ++i) {
      const Line closing = fence_of(lines[i]);
      if (closing.size() >= fence.size() && closing[0] == fence[0]) {
        ++i;
        break;
      }
      text(MD_TEXT_CODE, lines[i].substr(std::min(indent, indent_of(lines[i]))));
      text(MD_TEXT_CODE, "\n");
    }
    leave(MD_BLOCK_CODE, &detail);
    return i;
  }

  std::size_t quote(const Lines& lines, std::size_t i) {
    Lines inside;
    for (; i < lines.size(); ++i) {
      Line line = without_indent(lines[i]);
      if (line.starts_with('>')) {
        line.remove_prefix(line.starts_with("> ") ? 2 : 1);
      } else if (begins_block(lines[i])) {
        break;
      }
      inside.push_back(line);
    }
    enter(MD_BLOCK_QUOTE);
    read(inside);
    leave(MD_BLOCK_QUOTE);
    return i;
  }

  std::size_t paragraph(const Lines& lines, std::size_t i, bool tight) {
    Lines inside;
    do inside.push_back(without_indent(lines[i++]));
    while (i < lines.size() && !begins_block(lines[i]));
    while (inside.back().ends_with(' ')) inside.back().remove_suffix(1);
    if (!tight) enter(MD_BLOCK_P);
    inlines(inside);
    if (!tight) leave(MD_BLOCK_P);
    return i;
  }

  // The lines of the item that begins at `i`, which moves behind them.
  static Lines item_lines(const Lines& lines, std::size_t& i, bool& loose) {
    const std::size_t width = marker_of(lines[i]).width;
    Lines inside{lines[i].substr(width)};
    bool empty_before = false;
    for (++i; i < lines.size(); ++i) {
      if (is_empty(lines[i])) {
        empty_before = true;
        inside.push_back(lines[i]);
        continue;
      }
      const bool within = indent_of(lines[i]) >= width;
      if (!within && (empty_before || begins_block(lines[i]))) break;
      if (empty_before) loose = true;
      empty_before = false;
      inside.push_back(within ? lines[i].substr(width) : without_indent(lines[i]));
    }
    while (is_empty(inside.back())) inside.pop_back();
    return inside;
  }

  std::size_t list(const Lines& lines, std::size_t i) {
    const Marker first = marker_of(lines[i]);
    const char kind = without_indent(lines[i])[0];
    std::vector<Lines> items;
    bool loose = false;
    while (i < lines.size() && marker_of(lines[i]).width > 0 && !is_rule(lines[i]) &&
           marker_of(lines[i]).numbered == first.numbered &&
           (first.numbered || without_indent(lines[i])[0] == kind)) {
      if (!items.empty() && is_empty(lines[i - 1])) loose = true;
      items.push_back(item_lines(lines, i, loose));
    }
    MD_BLOCK_UL_DETAIL dots{};
    MD_BLOCK_OL_DETAIL numbers{};
    numbers.start = first.number;
    const MD_BLOCKTYPE type = first.numbered ? MD_BLOCK_OL : MD_BLOCK_UL;
    void* const detail = first.numbered ? static_cast<void*>(&numbers) : &dots;
    enter(type, detail);
    for (const Lines& item : items) {
      MD_BLOCK_LI_DETAIL about{};
      enter(MD_BLOCK_LI, &about);
      read(item, !loose);
      leave(MD_BLOCK_LI, &about);
    }
    leave(type, detail);
    return i;
  }

  const MD_PARSER& parser_;
  void* user_;
};

}  // namespace

extern "C" int md_parse(const MD_CHAR* text, MD_SIZE size, const MD_PARSER* parser, void* user) {
  Lines lines;
  for (Line rest(text, size); !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    lines.push_back(rest.substr(0, end > 0 && rest[end - 1] == '\r' ? end - 1 : end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  try {
    if (const int result = parser->enter_block(MD_BLOCK_DOC, nullptr, user)) return result;
    BlockReader(*parser, user).read(lines);
    return parser->leave_block(MD_BLOCK_DOC, nullptr, user);
  } catch (const int result) {
    return result;
  }
}
