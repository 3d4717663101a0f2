#include "app/base/base64.h"

#include <glib.h>

#include <memory>

namespace lab {

std::string base64(std::string_view bytes) {
  struct Deleter {
    void operator()(gchar* text) const { g_free(text); }
  };
  const std::unique_ptr<gchar, Deleter> text(
      g_base64_encode(reinterpret_cast<const guchar*>(bytes.data()), bytes.size()));
  return text.get();
}

}  // namespace lab
