#include "app/lessons/reading/lesson_lines.h"

#include "app/base/number_reading.h"
#include "app/base/strings.h"
#include "app/lessons/lesson.h"

namespace lab::lessons {
namespace {

using SectionType = LessonSection::Type;

// The marks that open a fence: at least three of one character, after at most three spaces.
std::string_view fence_marks(std::string_view line) {
  const std::size_t start = line.find_first_not_of(' ');
  if (start > 3) return {};  // this also covers lines of spaces
  const char mark = line[start];
  if (mark != '`' && mark != '~') return {};
  const std::size_t end = std::min(line.find_first_not_of(mark, start), line.size());
  return end - start < 3 ? std::string_view() : line.substr(start, end - start);
}

std::string_view fence_info(std::string_view line) {
  return trimmed(line.substr(std::min(line.find_first_not_of("`~ "), line.size())));
}

bool closes(std::string_view line, std::string_view marks) {
  const std::string_view closing = fence_marks(line);
  return closing.size() >= marks.size() && closing.front() == marks.front() &&
         fence_info(line).empty();
}

// Also accepts misspellings, such as "Lab" and "quesiton number", so that they are reported instead
// of being shown to students.
bool is_ours(std::string_view info) {
  const std::string first = lower_ascii(info.substr(0, info.find(' ')));
  const std::string_view second = trimmed(info.substr(first.size()));
  return first.starts_with("lab") || first.starts_with("question") || first == "screen" ||
         first == "paper" || question_type_from_name(second).has_value();
}

// "# Title" and "## Title"; empty for every other line.
std::string_view heading_title(std::string_view line) {
  const std::size_t marks = line.find_first_not_of('#');
  if (marks == line.npos || marks < 1 || marks > 2 || line[marks] != ' ') return {};
  return trimmed(line.substr(marks));
}

class Cutter {
 public:
  std::vector<LessonSection> cut(const std::vector<LessonLine>& lines) {
    for (const LessonLine& line : lines) add(line);
    if (!marks_.empty()) leave_open();
    return std::move(sections_);
  }

 private:
  void add(const LessonLine& line) {
    if (!marks_.empty()) {
      if (begins_ours(line.text)) {
        leave_open();
        return begin_fence(line, fence_marks(line.text));
      }
      if (!closes(line.text, marks_))
        return add_to(ours_ ? SectionType::kFence : SectionType::kText, line);
      marks_ = {};
      if (!ours_) add_to(SectionType::kText, line);
      return;
    }
    if (const auto marks = fence_marks(line.text); !marks.empty()) return begin_fence(line, marks);
    if (const auto title = heading_title(line.text); !title.empty())
      sections_.push_back({SectionType::kHeading, line.number, std::string(title), {}, {}});
    else
      add_to(SectionType::kText, line);
  }
  // A block of a lesson cannot be inside another fence, unless that has more marks.
  bool begins_ours(std::string_view line) const {
    const std::string_view closing = fence_marks(line);
    return closing.size() >= marks_.size() && closing.front() == marks_.front() &&
           is_ours(fence_info(line));
  }
  // The open fence ends without its closing line.
  void leave_open() {
    if (!ours_) sections_.push_back({SectionType::kText, opened_, {}, {}, {}});
    sections_.back().closed = false;
  }
  void begin_fence(const LessonLine& line, std::string_view marks) {
    marks_ = marks;
    opened_ = line.number;
    const std::string_view info = fence_info(line.text);
    ours_ = is_ours(info);
    if (ours_)
      sections_.push_back({SectionType::kFence, line.number, {}, std::string(info), {}});
    else
      add_to(SectionType::kText, line);
  }
  void add_to(SectionType type, const LessonLine& line) {
    if (sections_.empty() || sections_.back().type != type)
      sections_.push_back({type, line.number, {}, {}, {}});
    sections_.back().lines.push_back(line);
  }

  std::vector<LessonSection> sections_;
  std::string_view marks_;  // of the open fence
  int opened_ = 0;          // its line
  bool ours_ = false;
};

}  // namespace

std::vector<LessonLine> lesson_lines(std::string_view text) {
  text = without_byte_order_mark(text);
  std::vector<LessonLine> lines;
  while (!text.empty()) lines.push_back({static_cast<int>(lines.size()) + 1, take_line(text)});
  return lines;
}

std::vector<LessonSection> lesson_sections(const std::vector<LessonLine>& lines) {
  return Cutter().cut(lines);
}

std::string joined_lines(const std::vector<LessonLine>& lines) {
  std::string text;
  for (const LessonLine& line : lines) text.append(line.text).append("\n");
  return text;
}

}  // namespace lab::lessons
