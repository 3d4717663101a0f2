#include "app/files/open.h"

#include <algorithm>
#include <filesystem>

#include "app/carried/carried_session.h"
#include "app/files/bytes.h"
#include "app/files/examples_index.h"
#include "app/files/file_kind.h"
#include "app/files/paths.h"
#include "app/files/problem_file.h"
#include "app/files/reading.h"
#include "app/files/session.h"

namespace lab {
namespace {

using Notes = std::vector<std::string>;

// The session that a picture carries.
Expected<Document> document_in(const PictureKind& picture, const std::string& bytes,
                               attention::WorkWatch* watch) {
  const auto session = guarded([&] { return picture.session(bytes); });
  if (!session) return tl::make_unexpected(session.error());
  if (*session) return read_session(**session, watch);
  if (has_session_mark(picture, bytes))
    return fail(ErrorKind::kBadInput, "the session in this picture is damaged");
  return fail(ErrorKind::kBadInput,
              std::string(picture.name) +
                  " without a session; those that Attention Lab exports carry theirs");
}

Expected<Document> document_from(const std::string& bytes, const std::string& title, Notes& notes,
                                 attention::WorkWatch* watch) {
  const auto from_tensors = [&](const TensorFile& file) {
    notes = misspelt_names(file);
    return document_from_tensors(file, title);
  };
  switch (const FileKind kind = file_kind(bytes)) {
    case FileKind::kPicture:
      return document_in(*picture_kind(bytes), bytes, watch);
    case FileKind::kSession:
      return read_session(bytes, watch);
    case FileKind::kSafetensors:
      return read_safetensors(bytes, watch).and_then(from_tensors);
    case FileKind::kNpz:
      return read_npz(bytes, watch).and_then(from_tensors);
    default:
      return tl::make_unexpected(refusal(kind));
  }
}

// Every byte is work twice: it is read, and made sense of. A size that is not known beforehand is
// 0.
attention::Index work_of(const std::string& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  return error ? 0
               : 2 * static_cast<attention::Index>(std::min<std::uintmax_t>(size, kLargestFile));
}

Expected<Document> open_file(const std::string& path, Notes* told, attention::WorkWatch* watch) {
  const bool is_input = path == "-";
  attention::expect_work(watch, work_of(path));
  const Expected<std::string> bytes = read_bytes(path, kLargestFile, watch);
  if (!bytes) return tl::make_unexpected(bytes.error());
  // a.problem.safetensors is called a
  const std::string name = file_name_of(path);
  const std::string title = is_input ? "standard input" : name.substr(0, name.find('.', 1));
  Notes notes;
  Expected<Document> document = document_from(*bytes, title, notes, watch);
  const std::string where = is_input ? title : in_quotes(path);
  const std::string prefix = where + ": ";
  for (const std::string& note : notes)
    if (told) told->push_back(prefix + note);
  if (!document) {
    return fail(document.error().kind, prefix + document.error().message);
  }
  if (document->title.empty()) document->title = title;
  return document;
}

// Links that lead nowhere are there: reading them tells what is wrong.
bool is_missing(const std::string& path) {
  std::error_code error;
  return std::filesystem::symlink_status(path, error).type() ==
         std::filesystem::file_type::not_found;
}

}  // namespace

Expected<Document> open_document(const std::string& source, Notes* notes,
                                 attention::WorkWatch* watch) {
  const std::vector<ExampleInfo> known = examples();
  const auto example = std::ranges::find_if(known, [&](const ExampleInfo& info) {
    return same_title(info.name, source) || same_title(info.title, source);
  });
  if (example != known.end()) return open_file(example->path, notes, watch);
  if (source != "-" && is_missing(source))
    return fail(ErrorKind::kIo, "there is no file or example " + in_quotes(source) +
                                    "; \"attention-lab examples\" lists the examples");
  return open_file(source, notes, watch);
}

}  // namespace lab
