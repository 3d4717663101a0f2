#include "app/cli/export_page.h"

#include <CLI/CLI.hpp>

#include "app/base/bad_input.h"
#include "app/cli/model/model_run.h"
#include "app/cli/verb.h"
#include "app/files/io/paths.h"
#include "app/files/opened_model.h"
#include "app/handout/lesson_handout.h"
#include "app/handout/page_file.h"
#include "app/handout/session_handout.h"

namespace lab::cli {

namespace {

// Built-in lessons have no mistakes.
Expected<lessons::OpenedLesson> open_faultless_lesson(const std::string& source) {
  auto opened = lessons::open_lesson(source);
  if (!opened || lessons::built_in_lesson_at(opened->path)) return opened;
  const auto problems = lessons::check_reading(opened->reading, opened->folder, {});
  if (!problems.empty()) return tl::make_unexpected(lesson_mistakes(opened->path, problems));
  return opened;
}

// A session of a model on the text, and with the gains, that the arguments give.
Expected<handout::Handout> handout_of_model(const std::string& input,
                                            const ModelArguments& arguments) {
  const auto run = run_model(input, arguments);
  if (!run) return tl::make_unexpected(run.error());
  const auto session = session_of(**run, arguments.layer);
  if (!session) return tl::make_unexpected(session.error());
  return handout::model_handout(*session, (*run)->model->folder);
}

Expected<void> add_to_page(handout::Handout& given, const std::string& name) {
  if (lessons::is_lesson(name))
    return open_faultless_lesson(name).and_then([&given](const lessons::OpenedLesson& lesson) {
      return handout::add_lesson(given, lesson);
    });
  if (files::is_model_source(name))
    return handout::add_model(given, name).map([](const std::string&) {});
  return fail(ErrorType::kUsage, "--with is " + in_quotes(name) +
                                     " but should be a lesson or a model, such as my-lesson.md");
}

Expected<void> check_outputs(const std::vector<std::string>& outputs) {
  for (const std::string& output : outputs)
    if (output != "-" && files::ending_of(output) != ".html")
      return fail(ErrorType::kUsage,
                  "the page that computes is an .html file, not " + in_quotes(output));
  return {};
}

}  // namespace

void add_live_page_options(CLI::App& app, LivePageArguments& arguments) {
  const char* group = "For pages that compute";
  app.add_flag("--live", arguments.live,
               "write the page that computes, which opens with IN; a lesson\nalways becomes one")
      ->group(group);
  app.add_option("--with", arguments.with,
                 "a lesson or a model that the page has too; may be repeated")
      ->type_name("NAME")
      ->allow_extra_args(false)
      ->group(group);
}

Expected<handout::Handout> handout_of_input(const std::string& input,
                                            const ModelArguments& arguments) {
  if (arguments.any()) {
    if (is_model(input)) return handout_of_model(input, arguments);
    if (auto none = check_no_model_arguments(input, arguments); !none)
      return tl::make_unexpected(none.error());
  }
  if (lessons::is_lesson(input))
    return open_faultless_lesson(input).and_then(handout::lesson_handout);
  return handout::handout_of(input);
}

Expected<void> export_live_page(const LivePageRequest& request) {
  if (auto fits = check_outputs(request.outputs); !fits) return fits;
  const auto page = handout::read_page();
  if (!page) return tl::make_unexpected(page.error());
  auto given = handout_of_input(request.input, request.model);
  if (!given) return tl::make_unexpected(given.error());
  if (request.language) given->language = request.language;
  for (const std::string& name : request.page.with)
    if (auto added = add_to_page(*given, name); !added) return added;
  const auto written = handout::page_with(*page, *given);
  if (!written) return tl::make_unexpected(written.error());
  return write_outputs(request.outputs,
                       [&](std::size_t) -> Expected<std::string> { return *written; });
}

}  // namespace lab::cli
