#include "app/figure/text/font_families.h"

#include <pango/pangocairo.h>

#include <memory>
#include <span>

namespace lab::figure {

bool is_font_family(const std::string& name) {
  PangoFontFamily** families = nullptr;
  int count = 0;
  pango_font_map_list_families(pango_cairo_font_map_get_default(), &families, &count);
  const std::unique_ptr<PangoFontFamily*, decltype(&g_free)> owned(families, g_free);
  for (PangoFontFamily* family : std::span(families, static_cast<std::size_t>(count)))
    if (g_ascii_strcasecmp(pango_font_family_get_name(family), name.c_str()) == 0) return true;
  return false;
}

}  // namespace lab::figure
