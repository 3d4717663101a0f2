#include "app/files/model/weights_hash.h"

#include <glib.h>

#include <algorithm>
#include <memory>
#include <span>

#include "app/base/bad_input.h"
#include "app/files/io/bytes.h"
#include "app/files/io/paths.h"

namespace lab::files {
namespace {

// GLib takes the length as a signed number, on some machines of 32 bits.
constexpr std::size_t kHashedAtOnce = std::size_t{1} << 30;

std::string sha256_of(std::span<const std::byte> bytes) {
  const std::unique_ptr<GChecksum, void (*)(GChecksum*)> sum(g_checksum_new(G_CHECKSUM_SHA256),
                                                             g_checksum_free);
  while (!bytes.empty()) {
    const auto part = bytes.first(std::min(bytes.size(), kHashedAtOnce));
    g_checksum_update(sum.get(), reinterpret_cast<const guchar*>(part.data()),
                      static_cast<gssize>(part.size()));
    bytes = bytes.subspan(part.size());
  }
  return g_checksum_get_string(sum.get());
}

}  // namespace

Expected<std::vector<WeightsHash>> weights_hashes(const Checkpoint& checkpoint) {
  std::vector<WeightsHash> hashes;
  for (const auto& file : checkpoint.files())
    hashes.push_back({file_name_of(file->path()), sha256_of(file->bytes())});
  const std::string damaged = checkpoint.damaged_file();
  if (damaged.empty()) return hashes;
  return fail(ErrorKind::kIo, "cannot read all of " + in_quotes(damaged));
}

Expected<WeightsHash> config_hash(const std::string& folder) {
  const auto config = read_bytes(folder + "/config.json");
  if (!config) return tl::make_unexpected(config.error());
  return WeightsHash{"config.json", sha256_of(std::as_bytes(std::span(*config)))};
}

}  // namespace lab::files
