#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/base/error.h"

namespace lab::hub {

/// A repository of the hub, as typed: "org/name", "org/name@revision", "org/name:file.gguf" or
/// "org/name:Q4_K_M".
struct RepositoryName {
  std::string name;               ///< "org/name"
  std::string revision = "main";  ///< a branch, a tag or a commit
  std::string file{};             ///< a file, or a part of its name; empty: what a model needs
};

/// Reads a name as typed. Fails with kUsage when it is none.
Expected<RepositoryName> parse_repository(std::string_view typed);

/// A file of a repository.
struct HubFile {
  std::string path;       ///< "model.safetensors"
  std::int64_t size = 0;  ///< in bytes
  std::string
      checksum;  ///< SHA-256 of a large file (64 digits), or git's SHA-1 of a small one (40)
};

/// What the hub says of a repository at one commit.
struct Repository {
  std::string commit;
  std::string licence;  ///< "apache-2.0"; empty where it says none
  std::vector<HubFile> files;
};

/// Reads the answer of `/api/models/NAME/revision/REVISION?blobs=true`. Fails with kBadInput when
/// it is not one.
Expected<Repository> parse_repository_answer(std::string_view json);

/// The files that opening the model needs: its configuration, tokenizer and safetensors, those of a
/// LoRA adapter without its base, or one GGUF file with its parts; `part_of_name` is
/// RepositoryName::file. Fails with kBadInput, naming what there is, when none fits, or several do.
Expected<std::vector<HubFile>> files_of_model(const Repository& repository,
                                              const std::string& part_of_name);

}  // namespace lab::hub
