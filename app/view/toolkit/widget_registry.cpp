#include "app/view/toolkit/widget_registry.h"

#include <nlohmann/json.hpp>

namespace lab::view {

std::string WidgetRegistry::json() const {
  nlohmann::json all = nlohmann::json::object();
  for (const auto& [name, rect] : widgets_) all[name] = {rect.x, rect.y, rect.w, rect.h};
  return all.dump(1) + "\n";
}

}  // namespace lab::view
