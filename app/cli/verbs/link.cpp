#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "app/base/bad_input.h"
#include "app/base/wording.h"
#include "app/cli/export_page.h"
#include "app/cli/help.h"
#include "app/cli/verb.h"
#include "app/files/file_formats.h"
#include "app/files/io/bytes.h"
#include "app/files/io/paths.h"
#include "app/files/open.h"
#include "app/files/session/session.h"
#include "app/handout/session_link.h"
#include "app/lessons/reading/lesson_library.h"

namespace lab::cli {

namespace {

// Characters beyond which some browsers and mail programs cut an address.
constexpr std::size_t kLongestLink = 60'000;

struct LinkOptions {
  std::string input;
  std::string page;    // address that the link is one of
  std::string output;  // empty: standard output
};

// What every page has is named, in a few characters.
std::string short_fragment(const std::string& input) {
  const std::vector<files::ExampleInfo> examples = files::examples();
  const auto example = std::ranges::find(examples, input, &files::ExampleInfo::name);
  if (example != examples.end()) return "#example=" + example->name;
  const auto all = lessons::built_in_lessons();
  const auto lesson = std::ranges::find(all, input, &lessons::LessonInfo::name);
  return lesson != all.end() ? "#lesson=" + lesson->name : std::string();
}

Expected<std::string> fragment_of(const std::string& input) {
  if (std::string known = short_fragment(input); !known.empty()) return known;
  const auto given = handout_of_input(input, {});
  if (!given) return tl::make_unexpected(given.error());
  if (!given->lesson.empty() || !given->files.empty())
    return fail(ErrorType::kBadInput,
                "a link holds a session, but no lesson and no model; \"attention-lab export " +
                    printable(input) + " --live -o page.html\" makes a page with them");
  return handout::session_fragment(given->session);
}

Expected<void> make_link(const LinkOptions& options) {
  const auto fragment = fragment_of(options.input);
  if (!fragment) return tl::make_unexpected(fragment.error());
  const std::string link = options.page.substr(0, options.page.find('#')) + *fragment;
  if (link.size() > kLongestLink)
    print_note("the link has " + grouped(static_cast<attention::Index>(link.size())) +
               " characters; some programs cut it: hand out a page (export --live) instead");
  return files::write_bytes(options.output.empty() ? "-" : options.output, link + "\n");
}

Expected<void> save_session_of_link(const LinkOptions& options) {
  if (!options.page.empty())
    return fail(ErrorType::kUsage, "--page is for making a link, and IN is one");
  if (options.output.empty())
    return fail(ErrorType::kUsage, "say where to save the session of this link, with -o OUT.json");
  if (options.output != "-")
    if (auto fits = files::check_session_path(options.output); !fits) return fits;
  const auto session = handout::session_of_link(options.input);
  if (!session) return tl::make_unexpected(session.error());
  // A session of a model is read when it is opened, with the model.
  if (files::file_type(*session) != files::FileType::kModelSession)
    if (const auto read = files::read_whole_session(*session); !read)
      return fail(read.error().type,
                  "the session in this link cannot be read: " + read.error().message);
  return files::write_bytes(options.output, *session);
}

}  // namespace

Action declare_link(CLI::App& app) {
  const auto options = std::make_shared<LinkOptions>();
  set_help(app,
           "Prints a link that opens the page that computes with IN, or saves the session of such\n"
           "a link.",
           "link IN [--page ADDRESS] [-o OUT]\n       attention-lab link LINK -o OUT.json",
           "The whole session is in the link, after the #, which browsers send to no one. Without\n"
           "--page only that end is printed, to be put behind the address of the page. Links of\n"
           "examples and built-in lessons name them. A model that is not built in does not fit\n"
           "into a link. For example:\n"
           "  attention-lab link mine.json --page https://example.org/attention-lab.html\n"
           "  attention-lab link 'https://example.org/attention-lab.html#session=…' -o mine.json");
  add_input(app, options->input);
  app.add_option("--page", options->page, "address of the page")->type_name("ADDRESS");
  app.add_option("-o,--output", options->output,
                 "output file: the link, or the session of a link; - for standard\noutput")
      ->type_name("OUT");
  return [options](VerbRun&) {
    return handout::is_session_link(options->input) ? save_session_of_link(*options)
                                                    : make_link(*options);
  };
}

}  // namespace lab::cli
