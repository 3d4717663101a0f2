// What libc++ keeps in its library for files, which the package for WebAssembly leaves out: its
// streams, and as much of std::filesystem as the program asks for, by the functions of wasi-libc.
#include <dirent.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <memory>
#include <system_error>
#include <vector>

_LIBCPP_BEGIN_NAMESPACE_STD

template class basic_filebuf<char>;
template class basic_ifstream<char>;

_LIBCPP_END_NAMESPACE_STD

_LIBCPP_BEGIN_NAMESPACE_FILESYSTEM

namespace {

// Stores `code` in `error`, or throws it where there is none.
void report(int code, const char* what, const path& about, error_code* error) {
  const error_code problem(code, generic_category());
  if (error != nullptr) {
    *error = problem;
  } else if (code != 0) {
    throw filesystem_error(what, about, problem);
  }
}

file_type type_of(mode_t mode) {
  return S_ISREG(mode)   ? file_type::regular
         : S_ISDIR(mode) ? file_type::directory
         : S_ISLNK(mode) ? file_type::symlink
                         : file_type::unknown;
}

file_status status_of(bool follows, const path& place, error_code* error) {
  struct stat status {};
  const int result = follows ? ::stat(place.c_str(), &status) : ::lstat(place.c_str(), &status);
  const int code = result == 0 ? 0 : errno;
  const bool missing = code == ENOENT || code == ENOTDIR;
  report(missing ? 0 : code, "status", place, error);
  if (missing) return file_status(file_type::not_found);
  return file_status(code == 0 ? type_of(status.st_mode) : file_type::none);
}

path done(error_code* error, path result) {
  if (error != nullptr) error->clear();
  return result;
}

}  // namespace

file_status __status(const path& place, error_code* error) { return status_of(true, place, error); }
file_status __symlink_status(const path& place, error_code* error) {
  return status_of(false, place, error);
}
uintmax_t __file_size(const path& place, error_code* error) {
  struct stat status {};
  const int code = ::stat(place.c_str(), &status) == 0 ? 0 : errno;
  report(code, "file_size", place, error);
  return code == 0 ? static_cast<uintmax_t>(status.st_size) : static_cast<uintmax_t>(-1);
}

// There are no links, and nothing is relative to another folder.
path __absolute(const path& place, error_code* error) { return done(error, path("/") / place); }
path __canonical(const path& place, error_code* error) {
  return done(error, (path("/") / place).lexically_normal());
}
path __weakly_canonical(const path& place, error_code* error) { return __canonical(place, error); }
path __current_path(error_code* error) { return done(error, path("/")); }
path __temp_directory_path(error_code* error) { return done(error, path("/tmp")); }
path __read_symlink(const path& /*place*/, error_code* error) {
  const error_code none = make_error_code(errc::invalid_argument);
  if (error == nullptr) throw filesystem_error("read_symlink", none);
  *error = none;
  return {};
}
bool __equivalent(const path& a, const path& b, error_code* error) {
  if (error != nullptr) error->clear();
  struct stat status {};
  return __canonical(a, nullptr) == __canonical(b, nullptr) && ::stat(a.c_str(), &status) == 0;
}

// Nothing is kept of an entry: what is asked of it is looked up.
error_code directory_entry::__do_refresh() noexcept {
  __data_.__reset();
  return {};
}

// The entries of a folder, all read when it is opened; the last one is the current one.
class __dir_stream {
 public:
  vector<directory_entry> entries;
};

directory_iterator::directory_iterator(const path& folder, error_code* error,
                                       directory_options /*options*/) {
  DIR* const opened = ::opendir(folder.c_str());
  report(opened == nullptr ? errno : 0, "directory_iterator", folder, error);
  if (opened == nullptr) return;
  auto stream = make_shared<__dir_stream>();
  while (const dirent* const entry = ::readdir(opened)) {
    const path name(entry->d_name);
    error_code none;
    if (name != "." && name != "..") stream->entries.emplace_back(folder / name, none);
  }
  ::closedir(opened);
  if (!stream->entries.empty()) __imp_ = std::move(stream);
}
directory_iterator& directory_iterator::__increment(error_code* error) {
  if (error != nullptr) error->clear();
  __imp_->entries.pop_back();
  if (__imp_->entries.empty()) __imp_.reset();
  return *this;
}
const directory_entry& directory_iterator::__dereference() const { return __imp_->entries.back(); }

// Looks at nothing: what the program searches for with it, the stores of other programs, no page
// has.
recursive_directory_iterator::recursive_directory_iterator(const path& /*folder*/,
                                                           directory_options /*options*/,
                                                           error_code* error) {
  if (error != nullptr) error->clear();
}
recursive_directory_iterator& recursive_directory_iterator::__increment(error_code* /*error*/) {
  return *this;
}
const directory_entry& recursive_directory_iterator::__dereference() const {
  static const directory_entry none;
  return none;
}
int recursive_directory_iterator::depth() const { return 0; }

_LIBCPP_END_NAMESPACE_FILESYSTEM
