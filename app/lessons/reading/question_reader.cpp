#include "app/lessons/reading/lesson_lines.h"

#include <array>
#include <cmath>
#include <map>

#include "app/base/bad_input.h"
#include "app/base/machine_numbers.h"
#include "app/base/names.h"
#include "app/base/strings.h"
#include "app/lessons/paper/paper_tables.h"

namespace lab::lessons {
namespace {

// "answer: …" with its continuation lines. The name is "" for the question itself, "-" for a
// choice.
struct Member {
  int line = 0;
  std::string name, text;
};

constexpr std::array<std::string_view, 10> kFieldNames{"answer", "tolerance", "until", "solution",
                                                       "hint",   "right",     "wrong", "because",
                                                       "paper",  "table"};

// The member that starts on this line, or nothing.
std::optional<Member> member_started(const LessonLine& line) {
  const std::string_view text = trimmed(line.text);
  const bool indented = line.text.starts_with(' ') || line.text.starts_with('\t');
  if (!indented && text.starts_with("- ["))
    return Member{line.number, "-", std::string(text.substr(2))};
  for (const std::string_view name : kFieldNames) {
    if (!text.starts_with(name)) continue;
    const std::string_view rest = trimmed(text.substr(name.size()));
    if (rest.starts_with(':'))
      return Member{line.number, std::string(name), std::string(trimmed(rest.substr(1)))};
  }
  return std::nullopt;
}

// The word before the first colon of a line.
std::string_view name_before_colon(std::string_view text) {
  return trimmed(text.substr(0, text.find(':')));
}

// `suggestion`: the member that it was probably meant to be; empty if none.
std::string unknown_member(std::string_view name, const std::string& suggestion) {
  std::string all;
  for (const std::string_view one : kFieldNames) all.append(all.empty() ? "" : ", ").append(one);
  return "there is no " + in_quotes(std::string(name) + ":") + " in a question; " +
         (suggestion.empty() ? "use one of " + all
                             : "did you mean " + in_quotes(suggestion + ":") + "?");
}

// The name of the member that a line of text was probably meant to start, "becuase: …"; empty for
// prose, which may well begin with a word and a colon. A slip is seldom in the first letter.
std::string misspelt_member(std::string_view text, bool in_prompt) {
  const std::size_t end = lower_ascii(text).find_first_not_of("abcdefghijklmnopqrstuvwxyz");
  if (end == text.npos || end == 0 || !trimmed(text.substr(end)).starts_with(':')) return {};
  const std::string_view name = text.substr(0, end);
  const std::string small = lower_ascii(name);
  if (name != small) return !in_prompt && std::ranges::count(kFieldNames, small) > 0 ? small : "";
  const std::string suggestion = suggested_name(name, {kFieldNames.begin(), kFieldNames.end()});
  return !suggestion.empty() && suggestion.front() == name.front() ? suggestion : "";
}

// What is wrong with a line that does not start a member; empty if it is a valid continuation.
// `first`: the line belongs to the question itself.
std::string problem_with(const LessonLine& line, bool first, bool choices) {
  const std::string_view text = line.text;
  if (text.starts_with("```"))
    return "a block starts inside the question; close the question with a line ``` first";
  if (choices && text.starts_with("- "))
    return "a choice starts with [x] if it is right, [ ] if it is wrong, or [= …]";
  const bool indented = trimmed(text).empty() || text.front() == ' ' || text.front() == '\t';
  if (first || indented) {
    const std::string suggestion = misspelt_member(trimmed(text), first);
    return suggestion.empty() ? suggestion : unknown_member(name_before_colon(text), suggestion);
  }
  const std::size_t end = lower_ascii(text).find_first_not_of("abcdefghijklmnopqrstuvwxyz");
  const bool named = end != text.npos && end > 0 && text[end] == ':';
  if (named) {
    const std::string_view name = text.substr(0, end);
    return unknown_member(name, suggested_name(name, {kFieldNames.begin(), kFieldNames.end()}));
  }
  return "indent a line that continues the one before";
}

// `choices`: the question has choices.
std::vector<Member> members_of(const LessonSection& fence, bool choices,
                               std::vector<LessonProblem>& problems) {
  std::vector<Member> members{{fence.line, "", ""}};
  for (const LessonLine& line : fence.lines) {
    if (auto begun = member_started(line)) {
      members.push_back(std::move(*begun));
    } else {
      const bool first = members.size() == 1;
      if (const std::string wrong = problem_with(line, first, choices); !wrong.empty()) {
        problems.push_back({line.number, wrong});
        continue;
      }
      members.back().text.append("\n").append(first ? line.text : trimmed(line.text));
    }
  }
  return members;
}

Expression expression(std::string_view text) {
  return value_or_bad_input(Expression::parse(trimmed(text)));
}

double tolerance(std::string_view text) {
  const auto value = parse_number<double>(text);
  if (!value || !std::isfinite(*value) || *value < 0)
    throw BadInput("tolerance is " + in_quotes(text) + " but should be 0 or more, such as 0.01");
  return *value;
}

// The position of the bracket that closes the first one; brackets may be nested.
std::size_t closing_bracket(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '[' ? 1 : text[i] == ']' ? -1 : 0;
    if (depth == 0) return i;
  }
  throw BadInput("the bracket before a choice is not closed");
}

// "[x] text", "[ ] text", "[= expression] text".
Choice choice(std::string_view text, int line) {
  const std::size_t close = closing_bracket(text);
  const std::string_view mark = trimmed(text.substr(1, close - 1));
  Choice read;
  read.text = rich_text(trimmed(text.substr(close + 1)), line);
  if (read.text.empty()) throw BadInput("a choice has no text");
  if (mark.starts_with('=')) {
    read.right_when = expression(mark.substr(1));
  } else if (mark == "x" || mark == "X") {
    read.right = true;
  } else if (!mark.empty()) {
    throw BadInput("the mark before a choice is " + in_quotes(mark) +
                   " but should be [x] if it is right, [ ] if it is wrong, or [= …]");
  }
  return read;
}

// "none", or a stage or matrix such as "Q[1]".
void add_table(std::string_view text, Question& question) {
  if (!question.tables) question.tables.emplace();
  if (trimmed(text) != "none")
    question.tables->push_back(value_or_bad_input(named_table(trimmed(text))));
}

void read_member(const Member& member, Question& question) {
  const std::string_view text = member.text;
  const auto rich = [&] { return rich_text(text, member.line); };
  if (member.name.empty()) question.prompt = rich();
  if (member.name == "-") question.choices.push_back(choice(text, member.line));
  if (member.name == "answer" || member.name == "until") question.answer_line = member.line;
  if (member.name == "answer") question.answers.push_back(expression(text));
  if (member.name == "tolerance") question.tolerance = tolerance(trimmed(text));
  if (member.name == "until") question.until = expression(text);
  if (member.name == "solution") question.solution.push_back(value_or_bad_input(read_edit(text)));
  if (member.name == "hint") question.hints.push_back(rich());
  if (member.name == "paper") question.paper = rich();
  if (member.name == "table") add_table(text, question);
  if (member.name == "right") question.right = rich();
  if (member.name == "wrong") question.wrong = rich();
  if (member.name == "because") {
    if (question.choices.empty()) throw BadInput("\"because\" must come after a choice");
    question.choices.back().because = rich();
  }
}

// The member that a question of this type must have, and those that it cannot have.
struct Needs {
  QuestionType type;
  std::string_view required, forbidden;
};
constexpr std::array kNeeds = {
    Needs{QuestionType::kChoice, "-", "answer tolerance until solution"},
    Needs{QuestionType::kNumber, "answer", "- until solution because"},
    Needs{QuestionType::kName, "answer", "- tolerance until solution because"},
    Needs{QuestionType::kCell, "answer", "- tolerance until solution because"},
    Needs{QuestionType::kMake, "until", "- answer tolerance because table"},
    Needs{QuestionType::kText, "", "- answer tolerance until solution because wrong"},
};

std::string member_text(std::string_view member) {
  return member == "-" ? "a choice, \"- [x] …\"" : in_quotes(std::string(member) + ":");
}

bool is_among(std::string_view name, std::string_view names) {
  return (" " + std::string(names) + " ").find(" " + std::string(name) + " ") != std::string::npos;
}

void check_members(const std::vector<Member>& members, const Question& question,
                   std::vector<LessonProblem>& problems) {
  const Needs& needs = *std::ranges::find(kNeeds, question.type, &Needs::type);
  const std::string type(question_type_name(question.type));
  for (const Member& member : members) {
    if (!member.name.empty() && is_among(member.name, needs.forbidden))
      problems.push_back({member.line, member_text(member.name) +
                                           " does not belong in a question of the "
                                           "kind " +
                                           in_quotes(type)});
  }
  const auto is_needed = [&](const Member& member) { return member.name == needs.required; };
  if (!needs.required.empty() && std::ranges::none_of(members, is_needed))
    problems.push_back({question.line, "the question needs " + member_text(needs.required)});
  if (question.prompt.empty()) problems.push_back({question.line, "the question has no text"});
  if (question.type == QuestionType::kNumber && question.answers.size() > 1)
    problems.push_back({question.line, "a number has one answer; give a tolerance instead"});
  if (question.type == QuestionType::kChoice && question.choices.size() == 1)
    problems.push_back({question.line, "there is only one choice; give at least two"});
}

// What a question, or a choice, has once: a second one would replace the first.
void check_once(const std::vector<Member>& members, std::vector<LessonProblem>& problems) {
  constexpr std::string_view kOnce = "tolerance until paper right wrong because";
  std::map<std::string, int> first;  // the line, by name
  for (const Member& member : members) {
    if (member.name == "-") first.erase("because");
    if (member.name.empty() || !is_among(member.name, kOnce)) continue;
    const auto [before, is_new] = first.try_emplace(member.name, member.line);
    if (!is_new)
      problems.push_back({member.line, "there is a second " + in_quotes(member.name + ":") +
                                           "; the first is in line " +
                                           std::to_string(before->second)});
  }
}

QuestionType type_of(const LessonSection& fence, std::vector<LessonProblem>& problems) {
  const std::string_view keyword = "question";
  const std::string_view name = trimmed(std::string_view(fence.info).substr(keyword.size()));
  const auto type = question_type_from_name(name);
  if (!type)
    problems.push_back({fence.line, "the kind of the question is " + in_quotes(name) +
                                        " but should be choice, number, name, cell, make or text"});
  return type.value_or(QuestionType::kText);
}

}  // namespace

Question read_question(const LessonSection& fence, std::vector<LessonProblem>& problems) {
  const std::size_t before = problems.size();
  Question question;
  question.line = question.answer_line = question.last_line = fence.line;
  if (!fence.lines.empty()) question.last_line = fence.lines.back().number;
  question.type = type_of(fence, problems);
  const std::vector<Member> members =
      members_of(fence, question.type == QuestionType::kChoice, problems);
  for (const Member& member : members) {
    const auto read = guarded([&] {
      read_member(member, question);
      return true;
    });
    if (!read) problems.push_back({std::max(member.line, fence.line + 1), read.error().message});
  }
  check_once(members, problems);
  if (problems.size() == before) check_members(members, question, problems);
  return question;
}

}  // namespace lab::lessons
