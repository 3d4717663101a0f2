#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lab::lessons {

/// One line of a lesson's file.
struct LessonLine {
  int number = 0;  ///< from 1
  std::string_view text;
};

/// A part of a lesson's file.
struct LessonSection {
  enum class Kind { kHeading, kText, kFence };
  Kind kind = Kind::kText;
  int line = 0;                   ///< of its first line
  std::string title;              ///< of a heading
  std::string info;               ///< of a fence: what stands behind its three marks
  std::vector<LessonLine> lines;  ///< those of a text, those within a fence
  bool closed = true;             ///< false: the fence goes on to the end of the file
};

/// The file line by line, without line ends and without a byte order mark.
std::vector<LessonLine> lesson_lines(std::string_view text);

/// The lines cut at headings of the first two levels and at fences (``` or ~~~) whose info begins
/// with "lab" or "question", or seems meant to. Headings and marks within other fences are text.
std::vector<LessonSection> lesson_sections(const std::vector<LessonLine>& lines);

/// The text with small letters in place of the capitals of ASCII.
std::string in_small_letters(std::string_view text);

/// The lines as they stand, each with its line end.
std::string joined_lines(const std::vector<LessonLine>& lines);

}  // namespace lab::lessons
