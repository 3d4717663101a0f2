#include <CLI/CLI.hpp>
#include <memory>

#include "app/base/bad_input.h"
#include "app/base/machine_numbers.h"
#include "app/cli/arguments.h"
#include "app/cli/help.h"
#include "app/cli/language_meanwhile.h"
#include "app/cli/verb.h"
#include "app/figure/figure_writers.h"
#include "app/files/io/bytes.h"
#include "app/files/io/paths.h"
#include "app/files/open.h"
#include "app/lessons/lesson_check.h"
#include "app/lessons/paper/worksheet.h"
#include "app/lessons/reading/lesson_library.h"

namespace lab::cli {

namespace {

struct LessonOptions {
  std::string input;
  bool check = false;
  std::string worksheet;
  bool answers = false;
  std::string seed_text;
  std::optional<std::uint64_t> seed;  // as read from seed_text
  std::optional<int> digits{};        // unset: as in the window
  std::string head = "1";
  std::string language;  // empty: that of the lesson
  bool decimal_comma = false;
};

std::size_t question_count(const lessons::Lesson& lesson) {
  std::size_t count = 0;
  for (const lessons::Step& step : lesson.steps) count += lessons::questions_of(step).size();
  return count;
}

std::string counted(std::size_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

// Says what the edits of the lesson detached.
void print_detached(const lessons::OpenedLesson& opened) {
  for (const lessons::LessonProblem& note :
       lessons::lesson_notes(opened.reading.lesson, opened.folder))
    print_note(lessons::problem_text(opened.path, note));
}

Expected<void> check(const lessons::OpenedLesson& opened, const VerbRun& run) {
  const lessons::Lesson& lesson = opened.reading.lesson;
  const std::vector<lessons::LessonProblem> problems =
      lessons::check_reading(opened.reading, opened.folder, run.display.widget_names);
  if (!problems.empty()) return tl::make_unexpected(lesson_mistakes(opened.path, problems));
  print_detached(opened);
  return files::write_bytes(
      "-", in_quotes(lesson.title) + ": " + counted(lesson.steps.size(), "step") + ", " +
               counted(question_count(lesson), "question") + ", no problems\n");
}

// The built-in lesson whose name begins with these words, if it is the only one and nothing else
// has that name: "cat-sat" is "cat-sat-by-hand".
std::string whole_name(const std::string& input) {
  if (input == "-" || lessons::is_lesson(input) || !files::is_missing(input)) return input;
  std::string name;
  for (const lessons::LessonInfo& info : lessons::built_in_lessons()) {
    if (!info.name.starts_with(input + "-")) continue;
    if (!name.empty()) return input;
    name = info.name;
  }
  return name.empty() ? input : name;
}

Expected<lessons::OpenedLesson> open_in_its_language(const LessonOptions& options) {
  auto opened = lessons::open_lesson(whole_name(options.input));
  if (opened && options.language.empty() && opened->reading.lesson.language)
    LanguageMeanwhile::set(*opened->reading.lesson.language);
  return opened;
}

Expected<std::vector<figure::Figure>> pages_of_lesson(const LessonOptions& options) {
  if (options.head != "1")
    return fail(ErrorType::kUsage, "--head is for sessions; a lesson names its heads itself");
  const auto opened = open_in_its_language(options);
  if (!opened) return tl::make_unexpected(opened.error());
  if (!opened->reading.problems.empty())
    return tl::make_unexpected(lesson_mistakes(opened->path, opened->reading.problems));
  print_detached(*opened);
  return lessons::lesson_worksheet(opened->reading.lesson, opened->folder,
                                   {0, options.answers, options.seed, *options.digits});
}

Expected<std::vector<figure::Figure>> pages_of_session(const LessonOptions& options) {
  const auto document = open_input(options.input);
  if (!document && document.error().type == ErrorType::kIo && files::is_missing(options.input))
    return fail(
        ErrorType::kIo,
        "there is no lesson, example or file " + in_quotes(options.input) +
            "; \"attention-lab lessons\" and \"attention-lab examples\" list what there is");
  if (!document) return tl::make_unexpected(document.error());
  const auto head = parse_head(options.head, *document);
  if (!head) return tl::make_unexpected(head.error());
  return lessons::session_worksheet(
      *document, {static_cast<int>(*head), options.answers, options.seed, *options.digits});
}

// CLI11 would read −1 as the largest number.
Expected<std::optional<std::uint64_t>> read_seed(const std::string& text) {
  if (text.empty()) return std::optional<std::uint64_t>();
  if (const auto seed = parse_number<std::uint64_t>(text)) return seed;
  return fail(ErrorType::kUsage, "--seed is " + in_quotes(text) +
                                     " but should be a whole number from 0 to "
                                     "18446744073709551615, such as 7");
}

Expected<void> worksheet(LessonOptions options, const VerbRun& run) {
  const auto seed = read_seed(options.seed_text);
  if (!seed) return tl::make_unexpected(seed.error());
  options.seed = *seed;
  options.digits = options.digits.value_or(run.kept().digits);
  if (auto fits = check_digits(*options.digits); !fits) return fits;
  if (options.worksheet != "-" && files::ending_of(options.worksheet) != ".pdf")
    return fail(ErrorType::kUsage,
                "--worksheet is " + in_quotes(options.worksheet) + " but should be a .pdf file");
  const auto pages =
      lessons::is_lesson(options.input) ? pages_of_lesson(options) : pages_of_session(options);
  if (!pages) return tl::make_unexpected(pages.error());
  const auto pdf = figure::write_pdf_pages(*pages, {});
  if (!pdf) return tl::make_unexpected(pdf.error());
  return files::write_bytes(options.worksheet, *pdf);
}

Expected<void> run_lesson(const LessonOptions& options, const VerbRun& run) {
  const auto requested = parse_language(options.language.empty() ? "en" : options.language);
  if (!requested) return tl::make_unexpected(requested.error());
  const LanguageMeanwhile meanwhile(*requested, options.decimal_comma);
  if (options.check == !options.worksheet.empty())
    return fail(ErrorType::kUsage, "choose what to do: --check, or --worksheet OUT.pdf");
  if (!options.check) return worksheet(options, run);
  const auto opened = open_in_its_language(options);
  if (!opened) return tl::make_unexpected(opened.error());
  return check(*opened, run);
}

}  // namespace

Error lesson_mistakes(const std::string& path,
                      const std::vector<lessons::LessonProblem>& problems) {
  for (const lessons::LessonProblem& problem : problems)
    print_note(lessons::problem_text(path, problem));
  return {ErrorType::kBadInput, counted(problems.size(), "problem") + " in the lesson"};
}

Action declare_lesson(CLI::App& app) {
  const auto options = std::make_shared<LessonOptions>();
  set_help(
      app, "Checks a lesson, or makes a worksheet for pencil and paper.",
      "lesson LESSON --check\n       attention-lab lesson LESSON --worksheet OUT.pdf [--answers] "
      "[--seed N]\n       [--language L] [--digits N] [--decimal-comma]",
      "LESSON is a Markdown file or a built-in lesson; with --check, - is standard input.\n"
      "Worksheets can also be made from a session or an example. --check reports every mistake\n"
      "with its line, such as unknown directives and questions that reject their own answer.\n"
      "For example:\n"
      "  attention-lab lesson my-lesson.md --check\n"
      "  attention-lab lesson cat-sat-by-hand --worksheet sheet.pdf --seed 7\n"
      "  attention-lab lesson cat-sat-by-hand --worksheet key.pdf --seed 7 --answers");
  app.add_option("LESSON", options->input, "the lesson")->type_name("")->required();
  app.add_flag("--check", options->check, "play the lesson to the end and report every mistake");
  app.add_option("--worksheet,-o,--output", options->worksheet,
                 "write a worksheet (PDF); - for standard output")
      ->type_name("OUT");
  app.add_flag("--answers", options->answers, "write the answer key instead of the worksheet");
  app.add_option("--seed", options->seed_text, "use random numbers, the same ones for the same N")
      ->type_name("N");
  app.add_option("--head", options->head, "the head, for a worksheet from a session, from 1 (1)")
      ->type_name("N");
  app.add_option("--language", options->language,
                 "language of a built-in lesson and of the page, en or de (that of\nthe lesson)")
      ->type_name("LANGUAGE");
  app.add_option("--digits", options->digits,
                 "decimals of the numbers in tables, at most, 2 to 6 (as in the\nwindow)")
      ->type_name("N");
  app.add_flag("--decimal-comma", options->decimal_comma, "write 0,52 instead of 0.52");
  return [options](VerbRun& run) { return run_lesson(*options, run); };
}

}  // namespace lab::cli
