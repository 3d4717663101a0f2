#include "app/figure/html/html_session_writer.h"

#include "app/embedded_session/html_session.h"
#include "app/figure/html/html_text.h"

namespace lab::figure {

std::string session_element(std::string_view session) {
  if (session.empty()) return {};
  return std::string(embedded_session::kHtmlSessionOpens) + json_in_html(session) +
         std::string(embedded_session::kHtmlSessionCloses) + "\n";
}

}  // namespace lab::figure
