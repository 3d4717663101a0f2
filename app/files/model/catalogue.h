#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lab::files {

/// A model of the catalogue: one that `attention-lab get` knows by a short name.
struct CatalogueModel {
  std::string name;        ///< "smollm2"
  std::string repository;  ///< of Hugging Face's hub: "HuggingFaceTB/SmolLM2-135M-Instruct"
  std::string licence;     ///< "apache-2.0"
  std::int64_t size = 0;   ///< of its files in bytes, about
  std::string about;       ///< what it is good for, one line
  /// A Python package that has it too; empty: none does. Then the next three say what in it.
  std::string package{};
  std::string member{};  ///< a GGUF file in the wheel
  std::int64_t package_size = 0;
  std::string sha256{};  ///< of that file
};

/// The models of assets/models/catalogue.json, in its order; empty when it cannot be read.
const std::vector<CatalogueModel>& catalogue();
/// The one of that name; null when there is none.
const CatalogueModel* find_in_catalogue(const std::string& name);

}  // namespace lab::files
