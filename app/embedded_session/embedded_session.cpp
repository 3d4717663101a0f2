#include "app/embedded_session/embedded_session.h"

#include <algorithm>
#include <array>

#include "app/embedded_session/session_formats.h"

namespace lab::embedded_session {
namespace {

constexpr std::array kTypes{
    CarrierType{"a PNG picture", is_png, session_in_png, kSessionMark},
    CarrierType{"a PDF file", is_pdf, session_in_pdf, kSessionMark},
    CarrierType{"an SVG picture", is_svg, session_in_svg, kSessionMark},
    CarrierType{"a WebP picture", is_webp, session_in_webp, kSessionMark},
    CarrierType{"a page of HTML", is_html, session_in_html, kHtmlSessionId},
};

}  // namespace

const CarrierType* carrier_type(std::string_view bytes) {
  const auto found =
      std::ranges::find_if(kTypes, [&](const CarrierType& type) { return type.is(bytes); });
  return found == kTypes.end() ? nullptr : &*found;
}

std::optional<std::string> session_of_figure(std::string_view bytes) {
  const CarrierType* type = carrier_type(bytes);
  return type == nullptr ? std::nullopt : type->session(bytes);
}

bool has_session_mark(const CarrierType& type, std::string_view bytes) {
  return bytes.find(type.mark) != std::string_view::npos;
}

}  // namespace lab::embedded_session
