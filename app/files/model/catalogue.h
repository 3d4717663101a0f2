#pragma once

#include <cstdint>
#include <map>
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
  std::string sha256{};                                    ///< of that file
  std::map<std::string, std::string> about_by_language{};  ///< by the codes of other languages
};

/// The models of assets/models/catalogue.json, in its order; empty when it cannot be read.
const std::vector<CatalogueModel>& catalogue();
/// CatalogueModel::about in the language of the process.
const std::string& about_text(const CatalogueModel& model);
/// True when a model that is listed by that name (see list_models()) is the one of the catalogue.
bool is_listed_as(const CatalogueModel& model, const std::string& listed);
/// The one of that name; null when there is none.
const CatalogueModel* find_in_catalogue(const std::string& name);

}  // namespace lab::files
