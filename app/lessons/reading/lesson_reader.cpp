#include "app/lessons/reading/lesson_reader.h"

#include <algorithm>
#include <set>
#include <utility>

#include "app/base/bad_input.h"
#include "app/base/machine_numbers.h"
#include "app/base/strings.h"
#include "app/base/unicode_text.h"
#include "app/lessons/reading/lesson_lines.h"

namespace lab::lessons {
namespace {

using Type = LessonSection::Type;
using Lines = std::vector<LessonLine>;

constexpr std::size_t kMostSteps = 200;
constexpr std::size_t kLongestText = 20'000;  // bytes between two blocks: several pages
constexpr std::string_view kFrontMatterMark = "---";

// The line that ends the front matter, or the end of the file.
Lines::const_iterator end_of_matter(const Lines& lines) {
  if (lines.empty() || trimmed(lines.front().text) != kFrontMatterMark) return lines.begin();
  return std::find_if(lines.begin() + 1, lines.end(), [](const LessonLine& line) {
    return trimmed(line.text) == kFrontMatterMark;
  });
}

std::string_view without_quotes(std::string_view text) {
  const bool quoted = text.size() > 1 && text.front() == '"' && text.back() == '"';
  return quoted ? text.substr(1, text.size() - 2) : text;
}

class Reader {
 public:
  explicit Reader(std::string_view text) : lines_(lesson_lines(text)) {}

  LessonReading read() {
    const auto end = end_of_matter(lines_);
    read_matter(end);
    const Lines body(end == lines_.end() ? end : end + (end == lines_.begin() ? 0 : 1),
                     lines_.cend());
    for (const LessonSection& section : lesson_sections(body)) read_section(section);
    check_whole();
    std::ranges::stable_sort(reading_.problems, {}, &LessonProblem::line);
    return std::move(reading_);
  }

 private:
  Lesson& lesson() { return reading_.lesson; }
  void problem(int line, std::string message) {
    reading_.problems.push_back({line, std::move(message)});
  }

  void read_matter(Lines::const_iterator end) {
    if (end == lines_.begin())
      return problem(1,
                     "a lesson starts with a line \"---\", then title, goal, minutes and level, "
                     "then \"---\" again");
    if (end == lines_.end())
      return problem(1, "the front matter is not closed; end it with a line \"---\"");
    for (auto line = lines_.cbegin() + 1; line != end; ++line) read_matter_line(*line);
    for (const auto& [name, input] : {std::pair{"title", !lesson().title.empty()},
                                      {"goal", !lesson().goal.empty()},
                                      {"minutes", lesson().minutes > 0},
                                      {"level", !lesson().level.empty()}}) {
      if (!input) problem(1, "the front matter has no " + std::string(name));
    }
  }
  void read_matter_line(const LessonLine& line) {
    const std::string_view text = trimmed(line.text);
    if (text.empty() || text.starts_with('#')) return;
    const std::size_t colon = std::min(text.find(':'), text.size());
    const std::string_view name = trimmed(text.substr(0, colon));
    const std::string value(without_quotes(trimmed(text.substr(std::min(colon + 1, text.size())))));
    if (name == "title") {
      lesson().title = value;
    } else if (name == "goal") {
      lesson().goal = value;
    } else if (name == "level") {
      lesson().level = value;
    } else if (name == "minutes") {
      read_minutes(line.number, value);
    } else if (name == "language") {
      lesson().language = language_from_name(value);
      if (!lesson().language)
        problem(line.number, "language is " + in_quotes(value) + " but should be en or de");
    } else if (name == "seeds") {
      lesson().seeds = value == "yes";
      if (value != "yes" && value != "no")
        problem(line.number, "seeds is " + in_quotes(value) + " but should be yes or no");
    } else {
      problem(line.number, "the front matter cannot have " + in_quotes(name) +
                               "; its entries are title, goal, minutes, level, language and seeds");
    }
    if (!names_.insert(std::string(name)).second)
      problem(line.number, "the front matter has " + in_quotes(name) + " twice");
  }
  void read_minutes(int line, const std::string& value) {
    const auto minutes = parse_number<int>(value);
    const bool fits = minutes && *minutes >= 1 && *minutes <= 600;
    lesson().minutes = fits ? *minutes : 1;
    if (!fits) problem(line, "minutes is " + in_quotes(value) + " but should be from 1 to 600");
  }

  void read_section(const LessonSection& section) {
    if (section.type == Type::kHeading) return begin_step(section);
    if (!section.closed)
      problem(section.line, "the block that starts here is not closed; end it with a line ```");
    if (section.type == Type::kText) return read_text(section, Medium::kBoth);
    if (lesson().steps.empty())
      return problem(section.line,
                     "this block comes before the first step; start a step with a "
                     "heading, \"## …\"");
    if (section.info == "lab") {
      read_directives(section, lesson().steps.back(), reading_.problems);
    } else if (section.info.starts_with("question")) {
      lesson().steps.back().items.emplace_back(read_question(section, reading_.problems));
    } else if (section.info == "screen" || section.info == "paper") {
      read_text(section, section.info == "paper" ? Medium::kPaper : Medium::kScreen);
    } else {
      problem(section.line, "there is no block " + in_quotes(section.info) +
                                "; use \"lab\", \"question\", \"screen\" or \"paper\"");
    }
  }
  void begin_step(const LessonSection& heading) {
    const bool full = lesson().steps.size() == kMostSteps;
    if (full && !std::exchange(noted_full_, true))
      problem(heading.line, "a lesson can have at most " + std::to_string(kMostSteps) + " steps");
    if (!full) lesson().steps.push_back({heading.line, title_text(heading), {}});
  }
  // The text of a heading, without Markdown.
  std::string title_text(const LessonSection& heading) {
    const auto read = guarded([&] { return rich_text(heading.title); });
    if (!read) problem(heading.line, read.error().message);
    std::string title;
    if (read && !read->empty())
      for (const TextSpan& span : read->front().spans) title += span.text;
    return title.empty() ? heading.title : title;
  }
  void read_text(const LessonSection& section, Medium medium) {
    const std::string text = joined_lines(section.lines);
    if (text.find_first_not_of(" \t\n") == text.npos) return;
    if (lesson().steps.empty())
      return problem(section.line,
                     "there is text before the first step; start a step with a "
                     "heading, \"## …\"");
    if (text.size() > kLongestText)
      return problem(section.line,
                     "there is too much text for one step; start another with \"## …\"");
    auto read = guarded([&] { return rich_text(text, section.lines.front().number); });
    if (!read)
      return problem(line_of_problem(section.lines, read.error().message), read.error().message);
    lesson().steps.back().items.emplace_back(Passage{std::move(*read), medium});
  }
  // The first line that makes the text invalid.
  static int line_of_problem(const Lines& lines, const std::string& message) {
    Lines first;
    for (const LessonLine& line : lines) {
      first.push_back(line);
      const auto read = guarded([&] { return rich_text(joined_lines(first)); });
      if (!read && read.error().message == message) return line.number;
    }
    return lines.front().number;
  }
  void check_whole() {
    if (lesson().steps.empty())
      problem(std::max(1, static_cast<int>(lines_.size())),
              "the lesson has no steps; each starts with a "
              "heading, \"## …\"");
  }

  const Lines lines_;
  std::set<std::string> names_;  // names read in the front matter
  LessonReading reading_;
  bool noted_full_ = false;
};

}  // namespace

LessonReading read_lesson(std::string_view text) {
  if (text.size() > kLargestLesson) return {{}, {{1, "a lesson can have at most 1 MB"}}};
  for (const LessonLine& line : lesson_lines(text)) {
    if (line.text.find('\0') != text.npos || !is_utf8(line.text))
      return {{}, {{line.number, "this line is not valid UTF-8"}}};
  }
  return Reader(text).read();
}

bool looks_like_lesson(std::string_view text) {
  const std::vector<LessonLine> lines = lesson_lines(text.substr(0, 4096));
  const auto end = end_of_matter(lines);
  return std::any_of(lines.begin(), end, [](const LessonLine& line) {
    return trimmed(line.text).starts_with("goal:");
  });
}

}  // namespace lab::lessons
