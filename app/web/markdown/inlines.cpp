#include "app/web/markdown/inlines.h"

#include <algorithm>
#include <cctype>
#include <list>
#include <optional>

namespace lab::web {
namespace {

using Event = InlineEvent;
using Events = std::list<Event>;

bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t'; }
bool is_mark(char c) { return std::ispunct(static_cast<unsigned char>(c)) != 0; }

// A run of * or _ that may begin or end emphasis, in place of its event.
struct Run {
  Events::iterator at;
  char mark;
  std::size_t count, original;
  bool opens, closes;
};

// A [ that may begin a link.
struct Bracket {
  Events::iterator at;
  std::size_t runs;  // before it
  bool image;
};

// Reads the text once from left to right.
class InlineReader {
 public:
  explicit InlineReader(const std::vector<std::string_view>& lines) {
    for (std::size_t i = 0; i < lines.size(); ++i) {
      begins_.push_back({text_.size(), lines[i].data()});
      text_ += lines[i];
      if (i + 1 < lines.size()) text_ += '\n';
    }
  }

  std::vector<Event> read() {
    while (at_ < text_.size()) step();
    flush();
    pair_runs(0);
    return {events_.begin(), events_.end()};
  }

 private:
  struct Line {
    std::size_t begin;
    const char* source;
  };

  // The part of the source that holds these characters, which are of one line.
  std::string_view source(std::size_t begin, std::size_t end) const {
    const auto after = std::ranges::upper_bound(begins_, begin, {}, &Line::begin);
    const Line& line = *std::prev(after);
    return {line.source + (begin - line.begin), end - begin};
  }

  void add(MD_TEXTTYPE type, std::size_t begin, std::size_t end) {
    while (begin < end) {
      const std::size_t stop = std::min(end, text_.find('\n', begin));
      if (stop > begin) events_.push_back({.text_type = type, .text = source(begin, stop)});
      begin = stop;
      if (begin < end) {
        // Within code and formulas, a line end is a blank.
        events_.push_back({.text_type = type, .text = " "});
        ++begin;
      }
    }
  }
  void flush() {
    if (plain_ < at_) add(MD_TEXT_NORMAL, plain_, at_);
    plain_ = at_;
  }
  void skip(std::size_t count) { plain_ = at_ += count; }

  void step() {
    switch (text_[at_]) {
      case '\\':
        return escape();
      case '`':
        return code();
      case '$':
        return formula();
      case '*':
      case '_':
        return run();
      case '!':
        if (at_ + 1 < text_.size() && text_[at_ + 1] == '[') return bracket(2);
        break;
      case '[':
        return bracket(1);
      case ']':
        return end_bracket();
      case '<':
        return html();
      case '&':
        return entity();
      case '\n':
        return line_end();
      default:
        break;
    }
    ++at_;
  }

  void escape() {
    const char next = at_ + 1 < text_.size() ? text_[at_ + 1] : 'a';
    if (next == '\n') {
      flush();
      events_.push_back({.text_type = MD_TEXT_BR, .text = "\n"});
      return skip(2);
    }
    if (!is_mark(next)) return void(++at_);
    flush();
    plain_ = at_ + 1;
    at_ += 2;
  }

  void line_end() {
    std::size_t blanks = 0;
    while (at_ > blanks && text_[at_ - 1 - blanks] == ' ') ++blanks;
    at_ -= blanks;
    flush();
    events_.push_back({.text_type = blanks >= 2 ? MD_TEXT_BR : MD_TEXT_SOFTBR, .text = "\n"});
    skip(blanks + 1);
  }

  std::size_t run_length(char mark) const {
    const std::size_t end = text_.find_first_not_of(mark, at_);
    return (end == text_.npos ? text_.size() : end) - at_;
  }

  // Where a run of exactly `length` marks begins, after `from`.
  std::optional<std::size_t> closing(char mark, std::size_t length, std::size_t from) const {
    for (std::size_t i = from; (i = text_.find(mark, i)) != text_.npos;) {
      std::size_t end = text_.find_first_not_of(mark, i);
      if (end == text_.npos) end = text_.size();
      if (end - i == length) return i;
      i = end;
    }
    return std::nullopt;
  }

  void code() {
    const std::size_t length = run_length('`');
    const auto end = closing('`', length, at_ + length);
    if (!end) return void(at_ += length);
    flush();
    std::size_t begin = at_ + length, stop = *end;
    const bool padded = stop - begin >= 2 && is_blank(text_[begin]) && is_blank(text_[stop - 1]) &&
                        text_.find_first_not_of(" \n", begin) < stop;
    if (padded) {
      ++begin;
      --stop;
    }
    wrap(MD_SPAN_CODE, MD_TEXT_CODE, begin, stop);
    at_ = plain_ = *end + length;
  }

  void formula() {
    const std::size_t length = run_length('$');
    const auto end = length > 2 ? std::nullopt : closing('$', length, at_ + length);
    if (!end) return void(at_ += length);
    // A single dollar sign beside a letter or digit is a sum of money, as md4c has it.
    const bool glued = length == 1 && *end + 1 < text_.size() &&
                       std::isalnum(static_cast<unsigned char>(text_[*end + 1])) != 0;
    if (glued) return void(at_ += length);
    flush();
    wrap(length == 2 ? MD_SPAN_LATEXMATH_DISPLAY : MD_SPAN_LATEXMATH, MD_TEXT_LATEXMATH,
         at_ + length, *end);
    at_ = plain_ = *end + length;
  }

  void wrap(MD_SPANTYPE span, MD_TEXTTYPE type, std::size_t begin, std::size_t end) {
    events_.push_back({.type = Event::Type::kEnter, .span = span});
    add(type, begin, end);
    events_.push_back({.type = Event::Type::kLeave, .span = span});
  }

  // CommonMark 6.2: whether a run can begin or end emphasis depends on what stands beside it.
  void run() {
    const char mark = text_[at_];
    const std::size_t length = run_length(mark);
    const char before = at_ == 0 ? ' ' : text_[at_ - 1];
    const char after = at_ + length < text_.size() ? text_[at_ + length] : ' ';
    const bool left = !is_blank(after) && (!is_mark(after) || is_blank(before) || is_mark(before));
    const bool right = !is_blank(before) && (!is_mark(before) || is_blank(after) || is_mark(after));
    flush();
    add(MD_TEXT_NORMAL, at_, at_ + length);
    const bool inner = mark == '_' && left && right;
    runs_.push_back({std::prev(events_.end()), mark, length, length,
                     left && (!inner || is_mark(before)), right && (!inner || is_mark(after))});
    skip(length);
  }

  void bracket(std::size_t length) {
    flush();
    add(MD_TEXT_NORMAL, at_, at_ + length);
    brackets_.push_back({std::prev(events_.end()), runs_.size(), length == 2});
    skip(length);
  }

  void end_bracket() {
    const auto target = brackets_.empty() ? std::nullopt : link_target();
    if (!target) {
      if (!brackets_.empty()) brackets_.pop_back();
      return void(++at_);
    }
    const std::size_t end = target_end_;
    flush();
    const Bracket opening = brackets_.back();
    brackets_.pop_back();
    pair_runs(opening.runs);
    *opening.at = {.type = Event::Type::kEnter,
                   .span = opening.image ? MD_SPAN_IMG : MD_SPAN_A,
                   .target = *target};
    events_.push_back(
        {.type = Event::Type::kLeave, .span = opening.image ? MD_SPAN_IMG : MD_SPAN_A});
    at_ = plain_ = end;
  }

  // Of "](target)" or "](target "title")" at at_.
  std::optional<std::string_view> link_target() {
    if (at_ + 1 >= text_.size() || text_[at_ + 1] != '(') return std::nullopt;
    const std::size_t end = text_.find_first_of(")\n", at_);
    if (end == text_.npos || text_[end] != ')') return std::nullopt;
    const std::size_t begin = at_ + 2;
    const std::size_t stop = std::min(end, text_.find(' ', begin));
    target_end_ = end + 1;
    return source(begin, stop);
  }

  void html() {
    const std::size_t end = text_.find('>', at_);
    const char next = at_ + 1 < text_.size() ? text_[at_ + 1] : ' ';
    const bool tag = std::isalpha(static_cast<unsigned char>(next)) != 0 || next == '/' ||
                     next == '!' || next == '?';
    if (end == text_.npos || !tag) return void(++at_);
    flush();
    add(MD_TEXT_HTML, at_, end + 1);
    at_ = plain_ = end + 1;
  }

  void entity() {
    std::size_t end = at_ + 1;
    while (end < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[end])) != 0 ||
                                  (text_[end] == '#' && end == at_ + 1)))
      ++end;
    if (end == at_ + 1 || end >= text_.size() || text_[end] != ';') return void(++at_);
    flush();
    add(MD_TEXT_ENTITY, at_, end + 1);
    at_ = plain_ = end + 1;
  }

  static bool fit(const Run& opening, const Run& closing) {
    if (opening.mark != closing.mark || !opening.opens) return false;
    const bool both = opening.closes || closing.opens;
    return !both || (opening.original + closing.original) % 3 != 0 ||
           (opening.original % 3 == 0 && closing.original % 3 == 0);
  }

  // Makes emphasis of the runs from number `first` on, and forgets them.
  void pair_runs(std::size_t first) {
    for (std::size_t c = first; c < runs_.size(); ++c) {
      while (runs_[c].closes && runs_[c].count > 0) {
        std::size_t o = c;
        while (o > first && !(runs_[o - 1].count > 0 && fit(runs_[o - 1], runs_[c]))) --o;
        if (o == first) break;
        emphasize(runs_[o - 1], runs_[c]);
        for (std::size_t i = o; i < c; ++i) runs_[i].count = 0;  // what is within opens nothing
      }
    }
    runs_.resize(first, Run{events_.end(), ' ', 0, 0, false, false});
  }

  void emphasize(Run& opening, Run& closing) {
    const std::size_t used = opening.count >= 2 && closing.count >= 2 ? 2 : 1;
    const MD_SPANTYPE span = used == 2 ? MD_SPAN_STRONG : MD_SPAN_EM;
    opening.count -= used;
    closing.count -= used;
    opening.at->text.remove_suffix(used);
    closing.at->text.remove_prefix(used);
    events_.insert(std::next(opening.at), {.type = Event::Type::kEnter, .span = span});
    events_.insert(closing.at, {.type = Event::Type::kLeave, .span = span});
  }

  std::string text_;
  std::vector<Line> begins_;
  std::size_t at_ = 0, plain_ = 0, target_end_ = 0;
  Events events_;
  std::vector<Run> runs_;
  std::vector<Bracket> brackets_;
};

}  // namespace

std::vector<InlineEvent> inline_events(const std::vector<std::string_view>& lines) {
  return InlineReader(lines).read();
}

}  // namespace lab::web
