#include "app/files/model/catalogue.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/base/bad_input.h"
#include "app/base/strict_json.h"
#include "app/files/io/bytes.h"
#include "app/files/open.h"
#include "app/translation/words.h"

namespace lab::files {
namespace {

CatalogueModel model_of(const nlohmann::json& item) {
  CatalogueModel model{item.at("name"), item.at("repository"), item.at("licence"), item.at("size"),
                       item.at("about")};
  for (const Language other : kLanguages) {
    const std::string code(language_name(other));
    if (item.contains("about_" + code)) model.about_by_language[code] = item.at("about_" + code);
  }
  if (!item.contains("package")) return model;
  model.package = item.at("package");
  model.member = item.at("member");
  model.package_size = item.at("package_size");
  model.sha256 = item.at("sha256");
  return model;
}

std::vector<CatalogueModel> read_catalogue() {
  constexpr std::size_t kLargest = std::size_t{1} << 20;
  std::vector<CatalogueModel> models;
  const auto text = read_bytes(assets_folder() + "/models/catalogue.json", kLargest);
  if (!text) return models;
  const auto read = guarded([&] {
    try {
      for (const nlohmann::json& item : parse_json(*text)) models.push_back(model_of(item));
    } catch (const nlohmann::json::exception& error) {
      throw BadInput(error.what());
    }
    return true;
  });
  return read ? models : std::vector<CatalogueModel>();
}

}  // namespace

const std::vector<CatalogueModel>& catalogue() {
  static const std::vector<CatalogueModel> kModels = read_catalogue();
  return kModels;
}

const std::string& about_text(const CatalogueModel& model) {
  const auto found = model.about_by_language.find(std::string(language_name(language())));
  return found == model.about_by_language.end() ? model.about : found->second;
}

bool is_listed_as(const CatalogueModel& model, const std::string& listed) {
  return listed == model.name || listed == model.repository ||
         listed.starts_with(model.repository + ":");
}

const CatalogueModel* find_in_catalogue(const std::string& name) {
  const auto at = std::ranges::find(catalogue(), name, &CatalogueModel::name);
  return at == catalogue().end() ? nullptr : &*at;
}

}  // namespace lab::files
