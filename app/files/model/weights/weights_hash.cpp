#include "app/files/model/weights/weights_hash.h"

#include <algorithm>
#include <span>

#include "app/base/bad_input.h"
#include "app/base/sha256.h"
#include "app/files/io/paths.h"

namespace lab::files {
namespace {

// Between these parts, some milliseconds each, the work can be stopped.
constexpr std::size_t kHashedAtOnce = std::size_t{1} << 21;

std::string sha256_of(std::span<const std::byte> bytes, attention::WorkWatch* watch) {
  Sha256 sum;
  while (!bytes.empty()) {
    const auto chunk = bytes.first(std::min(bytes.size(), kHashedAtOnce));
    sum.add({reinterpret_cast<const char*>(chunk.data()), chunk.size()});
    bytes = bytes.subspan(chunk.size());
    attention::report_work(watch, std::ssize(chunk));
  }
  return sum.hex();
}

}  // namespace

Expected<std::vector<WeightsHash>> weights_hashes(const Checkpoint& checkpoint,
                                                  attention::WorkWatch* watch) {
  std::vector<WeightsHash> hashes;
  for (const auto& file : checkpoint.files())
    hashes.push_back({file_name_of(file->path()), sha256_of(file->bytes(), watch)});
  const std::string damaged = checkpoint.damaged_file();
  if (damaged.empty()) return hashes;
  return fail(ErrorType::kIo, "cannot read all of " + in_quotes(damaged));
}

WeightsHash config_hash(std::string_view text) {
  return {"config.json", sha256_of(std::as_bytes(std::span(text)), nullptr)};
}

}  // namespace lab::files
