#pragma once

#include <string>

#include "app/base/error.h"
#include "app/hub/repository.h"

namespace lab::hub {

/// A repository's folder in Hugging Face's cache, which holds files once, by their checksums, and
/// the snapshots of commits as links to them: what transformers downloads, this program finds, and
/// the other way round.
class HubCache {
 public:
  /// Of a repository "org/name"; nothing is created.
  explicit HubCache(const std::string& repository);

  /// Where a file is kept, and where while it arrives.
  std::string blob(const HubFile& file) const;
  /// Its beginning, which a later download continues; becomes blob() when it is whole.
  std::string incomplete_blob(const HubFile& file) const;
  /// The file in a snapshot.
  std::string in_snapshot(const std::string& commit, const std::string& path) const;
  /// The folder of a snapshot.
  std::string snapshot(const std::string& commit) const;

  /// Creates the folder for blobs. Fails with kIo.
  Expected<void> prepare() const;
  /// Bytes that are free where blobs are kept.
  std::int64_t free_space() const;
  /// Makes an incomplete blob whose checksum is right the file of a snapshot. Fails with kIo, and
  /// with kBadInput when the checksum is another one: it is removed then.
  Expected<void> keep(const HubFile& file, const std::string& commit) const;
  /// Links a blob that is there into a snapshot.
  Expected<void> link(const HubFile& file, const std::string& commit) const;
  /// Says that the revision means that commit, once its files are there.
  Expected<void> set_revision(const std::string& revision, const std::string& commit) const;

 private:
  std::string folder_;
};

}  // namespace lab::hub
