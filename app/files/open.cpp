#include "app/files/open.h"

#include <algorithm>

#include "app/base/bad_input.h"
#include "app/files/examples_index.h"
#include "app/files/io/bytes.h"
#include "app/files/io/paths.h"
#include "app/files/journal/journal.h"

namespace lab::files {
namespace {

Expected<Opened> open_file(const std::string& path, attention::WorkWatch* watch,
                           const MultiheadChoice& choice) {
  const bool is_input = path == "-";
  expect_reading(path, watch);
  const Expected<std::string> bytes = read_bytes(path, kLargestFile, watch);
  if (!bytes) return tl::make_unexpected(bytes.error());
  // a.problem.safetensors is called a
  const std::string name = file_name_of(path);
  const std::string title = is_input ? "standard input" : name.substr(0, name.find('.', 1));
  const std::string prefix = (is_input ? title : in_quotes(path)) + ": ";
  Expected<Opened> opened = open_bytes(*bytes, title, watch, choice);
  if (!opened) return fail(opened.error().type, prefix + opened.error().message);
  for (std::string& note : opened->notes) note.insert(0, prefix);
  if (opened->document.title.empty()) opened->document.title = title;
  return opened;
}

}  // namespace

Expected<Opened> open_whole(const std::string& source, attention::WorkWatch* watch,
                            const MultiheadChoice& choice) {
  const std::vector<ExampleInfo> known = examples();
  const auto example = std::ranges::find_if(known, [&](const ExampleInfo& info) {
    return same_title(info.name, source) || same_title(info.title, source);
  });
  if (example != known.end()) return open_file(example->path, watch, choice);
  if (source != "-" && is_missing(source))
    return fail(ErrorType::kIo, "there is no file or example " + in_quotes(source) +
                                    "; \"attention-lab examples\" lists the examples");
  const auto change = last_change(source);  // before it is read, so that no later one is missed
  return open_file(source, watch, choice).map([&](Opened&& opened) {
    if (source != "-") opened.path = source, opened.change = change;
    return std::move(opened);
  });
}

Expected<Document> open_document(const std::string& source, std::vector<std::string>* notes,
                                 attention::WorkWatch* watch, const MultiheadChoice& choice) {
  return open_whole(source, watch, choice).map([&](Opened&& opened) {
    if (notes) notes->insert(notes->end(), opened.notes.begin(), opened.notes.end());
    return std::move(opened.document);
  });
}

}  // namespace lab::files
