#include "app/cli/export_each.h"

#include <unistd.h>

#include <cstdio>

#include "app/cli/verb.h"
#include "app/files/io/folder_writer.h"

namespace lab::cli {
namespace {

void show_progress(std::size_t done, std::size_t all) {
  if (isatty(STDERR_FILENO) != 0)
    std::fprintf(stderr, "\r%zu of %zu files%s", done, all, done == all ? "\n" : "");
  else if (done == all)
    print_note(std::to_string(all) + " files written");
}

}  // namespace

Expected<void> export_each(
    const Document& document, const std::string& folder, const std::string& ending,
    const std::function<Expected<std::string>(const figure::StageOfHead& what)>& encode) {
  const auto all = figure::all_stages_of_heads(document.problem);
  return files::write_folder(
      folder, figure::file_names(all, ending), [&](std::size_t i) { return encode(all[i]); },
      [&](std::size_t done) { show_progress(done, all.size()); });
}

}  // namespace lab::cli
