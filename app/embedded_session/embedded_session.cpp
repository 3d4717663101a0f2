#include "app/embedded_session/embedded_session.h"

#include <algorithm>
#include <array>

#include "app/embedded_session/session_formats.h"

namespace lab::embedded_session {
namespace {

constexpr std::array kKinds{
    CarrierKind{"a PNG picture", is_png, session_in_png, kSessionMark},
    CarrierKind{"a PDF file", is_pdf, session_in_pdf, kSessionMark},
    CarrierKind{"an SVG picture", is_svg, session_in_svg, kSessionMark},
    CarrierKind{"a WebP picture", is_webp, session_in_webp, kSessionMark},
    CarrierKind{"a page of HTML", is_html, session_in_html, kHtmlSessionId},
};

}  // namespace

const CarrierKind* carrier_kind(std::string_view bytes) {
  const auto found =
      std::ranges::find_if(kKinds, [&](const CarrierKind& kind) { return kind.is(bytes); });
  return found == kKinds.end() ? nullptr : &*found;
}

std::optional<std::string> session_of_figure(std::string_view bytes) {
  const CarrierKind* kind = carrier_kind(bytes);
  return kind == nullptr ? std::nullopt : kind->session(bytes);
}

bool has_session_mark(const CarrierKind& kind, std::string_view bytes) {
  return bytes.find(kind.mark) != std::string_view::npos;
}

}  // namespace lab::embedded_session
