#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/lessons/lesson.h"

// A lesson file as lines and sections, and what reads those that are not text.

namespace lab::lessons {

/// One line of a lesson file.
struct LessonLine {
  int number = 0;  ///< from 1
  std::string_view text;
};

/// A section of a lesson file: a heading, a run of text, or a fenced block.
struct LessonSection {
  /// What the section is.
  enum class Type { kHeading, kText, kFence };
  Type type = Type::kText;
  int line = 0;                   ///< number of its first line
  std::string title;              ///< text of a heading
  std::string info;               ///< info string of a fence
  std::vector<LessonLine> lines;  ///< the text, or the contents of the fence
  bool closed = true;             ///< false if a fence runs to the end of the file
};

/// Splits a file into lines, without line ends and byte order mark.
std::vector<LessonLine> lesson_lines(std::string_view text);

/// Splits the lines at headings of the first two levels and at fences (``` or ~~~) whose info
/// string is "screen" or "paper", starts with "lab" or "question", or looks like a misspelling of
/// them. Headings and fence marks inside other fences are text.
std::vector<LessonSection> lesson_sections(const std::vector<LessonLine>& lines);

/// The lines joined again, each followed by a line end.
std::string joined_lines(const std::vector<LessonLine>& lines);

/// Reads the lines of a block marked "lab", one directive per line, into `step`. Adds lines that
/// cannot be read to `problems`.
void read_directives(const LessonSection& fence, Step& step, std::vector<LessonProblem>& problems);

/// Reads a block marked "question KIND": the question, then its members ("answer: …"), each on a
/// separate line and continued by indented lines. Adds whatever is invalid or missing to
/// `problems`.
Question read_question(const LessonSection& fence, std::vector<LessonProblem>& problems);

}  // namespace lab::lessons
