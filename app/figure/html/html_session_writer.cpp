#include "app/figure/html/html_session_writer.h"

#include "app/embedded_session/html_session.h"
#include "app/figure/html/html_text.h"

namespace lab {

std::string session_element(std::string_view session) {
  if (session.empty()) return {};
  return std::string(kHtmlSessionOpens) + json_in_html(session) + std::string(kHtmlSessionCloses) +
         "\n";
}

}  // namespace lab
