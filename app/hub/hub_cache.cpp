#include "app/hub/hub_cache.h"

#include <glib.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <vector>

#include "app/base/bad_input.h"
#include "app/base/strings.h"
#include "app/files/io/atomic_write.h"
#include "app/files/model/model_list.h"

namespace lab::hub {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> failed(const std::string& path, const std::error_code& error) {
  return fail(ErrorType::kIo, in_quotes(path) + ": " + error.message());
}

// The checksum of a file: SHA-256 for 64 digits, git's SHA-1 of a blob for 40.
Expected<std::string> checksum_of(const std::string& path, std::size_t digits) {
  const bool large = digits == 64;
  const std::unique_ptr<GChecksum, void (*)(GChecksum*)> checksum(
      g_checksum_new(large ? G_CHECKSUM_SHA256 : G_CHECKSUM_SHA1), g_checksum_free);
  std::error_code error;
  const auto size = fs::file_size(path, error);
  std::ifstream file(path, std::ios::binary);
  if (error || !file) return fail(ErrorType::kIo, "cannot read " + in_quotes(path));
  const std::string head = "blob " + std::to_string(size) + std::string(1, '\0');
  const auto add = [&](const char* bytes, std::size_t count) {
    g_checksum_update(checksum.get(), reinterpret_cast<const guchar*>(bytes),
                      static_cast<gssize>(count));
  };
  if (!large) add(head.data(), head.size());
  std::vector<char> piece(std::size_t{1} << 20);
  while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())) || file.gcount() > 0)
    add(piece.data(), static_cast<std::size_t>(file.gcount()));
  return g_checksum_get_string(checksum.get());
}

}  // namespace

HubCache::HubCache(const std::string& repository) {
  std::string name = repository;
  replace_all(name, "/", "--");
  folder_ = files::hugging_face_cache() + "/models--" + name;
}

std::string HubCache::blob(const HubFile& file) const {
  return folder_ + "/blobs/" + file.checksum;
}

std::string HubCache::incomplete_blob(const HubFile& file) const {
  return blob(file) + ".incomplete";
}

std::string HubCache::snapshot(const std::string& commit) const {
  return folder_ + "/snapshots/" + commit;
}

std::string HubCache::in_snapshot(const std::string& commit, const std::string& path) const {
  return snapshot(commit) + "/" + path;
}

Expected<void> HubCache::prepare() const {
  std::error_code error;
  fs::create_directories(folder_ + "/blobs", error);
  if (error) return failed(folder_, error);
  return {};
}

std::int64_t HubCache::free_space() const {
  std::error_code error;
  const fs::space_info space = fs::space(folder_, error);
  return error ? std::numeric_limits<std::int64_t>::max()
               : static_cast<std::int64_t>(space.available);
}

Expected<void> HubCache::keep(const HubFile& file, const std::string& commit) const {
  const std::string arrived = incomplete_blob(file);
  const auto found = checksum_of(arrived, file.checksum.size());
  if (!found) return tl::make_unexpected(found.error());
  std::error_code error;
  if (*found != file.checksum) {
    fs::remove(arrived, error);
    return fail(ErrorType::kBadInput, in_quotes(file.path) + " arrived damaged: its checksum is " +
                                          *found + ", the hub says " + file.checksum +
                                          "; it was removed");
  }
  fs::rename(arrived, blob(file), error);
  if (error) return failed(arrived, error);
  return link(file, commit);
}

Expected<void> HubCache::link(const HubFile& file, const std::string& commit) const {
  const fs::path at = in_snapshot(commit, file.path);
  std::error_code error;
  fs::create_directories(at.parent_path(), error);
  if (error) return failed(at.parent_path().string(), error);
  const fs::path target = fs::path(blob(file)).lexically_relative(at.parent_path());
  if (fs::read_symlink(at, error) == target) return {};
  fs::remove(at, error);
  fs::create_symlink(target, at, error);
  if (error) return failed(at.string(), error);
  return {};
}

Expected<void> HubCache::set_revision(const std::string& revision,
                                      const std::string& commit) const {
  const fs::path at = fs::path(folder_) / "refs" / revision;
  std::error_code error;
  fs::create_directories(at.parent_path(), error);
  if (error) return failed(at.parent_path().string(), error);
  return files::write_atomically(at.string(), commit);
}

}  // namespace lab::hub
