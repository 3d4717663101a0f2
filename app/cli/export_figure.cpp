#include "app/cli/export_figure.h"

#include <unistd.h>

#include <cstdio>

#include "app/cli/verb.h"
#include "app/document/words/paired_tokens.h"
#include "app/explain/number_text.h"
#include "app/figure/compose/stage_figure.h"
#include "app/figure/compose/stage_sheet.h"
#include "app/files/io/folder_writer.h"
#include "app/files/session/session.h"

namespace lab::cli {
namespace {

using attention::Trace;

std::string short_number(double value) {
  return explain::format_significant(static_cast<float>(value), 6);
}

// What would make room for the numbers: more width, else smaller letters.
std::string room_for_numbers(const Document& document, const Trace& trace,
                             const figure::FigureOptions& options, const Snapshot* kept,
                             const std::optional<double>& width_mm) {
  if (width_mm) return "; use --width-mm " + short_number(*width_mm);
  const auto size = figure::font_size_for_numbers(document, trace, options, kept);
  if (!size) return " at any width";
  return " at " + short_number(options.font_size) + " pt; use --font-size " + short_number(*size);
}

// With --annot, notes if some numbers do not fit into their cells.
void note_if_numbers_do_not_fit(const Document& document, const Trace& trace,
                                const figure::FigureOptions& options, const Snapshot* kept) {
  if (!options.annotate) return;
  const auto enough =
      figure::width_for_numbers(document, trace, options, figure::kWidestForNumbers, kept);
  if (enough == options.width_mm) return;
  print_note("--annot: some maps have no room for numbers in their cells" +
             room_for_numbers(document, trace, options, kept, enough));
}

// With --against, notes what of a difference there is if the sentences are not the same.
void note_if_tokens_differ(const Document& document, const Trace& trace,
                           const figure::FigureOptions& options, const Snapshot* kept) {
  if (options.type != figure::FigureType::kTwoStates || kept == nullptr) return;
  const PairedTokens pairs = paired_tokens(kept->document, document);
  if (pairs.equal) return;
  const bool some = figure::has_difference({document, trace, options, kept}, pairs);
  print_note(std::string("--against: the sentences of A and B differ, so ") +
             (some ? "B − A is of the words that are in both" : "there is no map of B − A"));
}

void show_progress(std::size_t done, std::size_t all) {
  if (isatty(STDERR_FILENO) != 0)
    std::fprintf(stderr, "\r%zu of %zu files%s", done, all, done == all ? "\n" : "");
  else if (done == all)
    print_note(std::to_string(all) + " files written");
}

}  // namespace

Expected<std::string> export_figure(const figure::FigureFormat& format, const Document& document,
                                    const Trace& trace, const figure::FigureOptions& figure,
                                    const figure::WriteOptions& writing, const Snapshot* kept) {
  auto bytes = figure::figure_file(document, trace, figure, format, writing, kept);
  if (bytes && format.write != nullptr) {
    note_if_numbers_do_not_fit(document, trace, figure, kept);
    note_if_tokens_differ(document, trace, figure, kept);
  }
  if (bytes || bytes.error().type != ErrorType::kBadInput || format.write == nullptr) return bytes;
  const std::string pixels = format.of_pixels ? " with --dpi " + short_number(figure.dpi) : "";
  return fail(ErrorType::kUsage, "--width-mm " + short_number(figure.width_mm) + pixels + ": " +
                                     bytes.error().message);
}

Expected<void> export_each(
    const Document& document, const std::string& folder, const std::string& ending,
    const std::function<Expected<std::string>(const figure::StageOfHead& what)>& encode) {
  const auto all = figure::all_stages_of_heads(document.problem);
  return files::write_folder(
      folder, figure::file_names(all, ending), [&](std::size_t i) { return encode(all[i]); },
      [&](std::size_t done) { show_progress(done, all.size()); });
}

std::string short_enough_to_embed(std::string session) {
  if (session.size() > files::kLongestEmbedded) session.clear();
  if (session.empty())
    print_note("the figure cannot be opened again as a session: the session is larger than the " +
               std::to_string(files::kLongestEmbedded >> 20) +
               " MB that a figure can embed (--bare hides this note)");
  return session;
}

}  // namespace lab::cli
