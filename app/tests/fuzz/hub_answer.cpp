#include "app/hub/repository.h"
#include "app/tests/fuzz/input.h"

// What a hub says of a repository, and names of repositories as they are typed: the first line is
// the name.

namespace lab::fuzz {
namespace {

// Neither absolute nor out of the folder that files are downloaded into.
bool stays_inside(std::string_view path) {
  return !path.empty() && path.front() != '/' &&
         ("/" + std::string(path) + "/").find("/../") == std::string::npos;
}

}  // namespace

void try_input(std::string_view input) {
  const std::size_t end = std::min(input.find('\n'), input.size());
  const auto name = hub::parse_repository(input.substr(0, end));
  if (!name) must(!name.error().message.empty());
  if (name) must(stays_inside(name->name) && stays_inside(name->revision));
  const auto repository =
      hub::parse_repository_answer(input.substr(std::min(end + 1, input.size())));
  if (!repository) return must(!repository.error().message.empty());
  const auto files = hub::files_of_model(*repository, name ? name->file : "");
  if (!files) return must(!files.error().message.empty());
  must(!files->empty());
  for (const hub::HubFile& file : *files) must(stays_inside(file.path) && file.size >= 0);
}

}  // namespace lab::fuzz
