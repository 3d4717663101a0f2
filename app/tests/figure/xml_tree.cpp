#include "app/tests/figure/xml_tree.h"
#include "app/tests/rooms.h"

#include <glib.h>

#include <charconv>

namespace lab {
namespace {

using Open = std::vector<XmlElement>;  // the file itself and the elements that are open

void begin(GMarkupParseContext*, const char* name, const char** names, const char** values,
           void* to, GError**) {
  XmlElement element;
  element.name = name;
  for (; *names != nullptr; ++names, ++values) element.attributes.emplace(*names, *values);
  static_cast<Open*>(to)->push_back(std::move(element));
}

void end(GMarkupParseContext*, const char*, void* to, GError**) {
  Open& open = *static_cast<Open*>(to);
  XmlElement element = std::move(open.back());
  open.pop_back();
  open.back().text += element.text;
  open.back().children.push_back(std::move(element));
}

void add_text(GMarkupParseContext*, const char* text, gsize length, void* to, GError**) {
  static_cast<Open*>(to)->back().text.append(text, length);
}

void collect(const XmlElement& from, std::string_view name, std::vector<XmlElement>& to) {
  for (const XmlElement& child : from.children) {
    if (child.name == name) to.push_back(child);
    collect(child, name, to);
  }
}

}  // namespace

std::string XmlElement::operator[](const std::string& attribute) const {
  const auto found = attributes.find(attribute);
  return found == attributes.end() ? "" : found->second;
}

double XmlElement::number(const std::string& attribute) const {
  const std::string value = (*this)[attribute];
  double number = 0;
  std::from_chars(value.data(), value.data() + value.size(), number);
  return number;
}

std::vector<XmlElement> XmlElement::all(std::string_view element) const {
  std::vector<XmlElement> found;
  collect(*this, element, found);
  return found;
}

std::optional<XmlElement> parsed_xml(std::string_view xml) {
  const GMarkupParser parser{begin, end, add_text, nullptr, nullptr};
  Open open(1);
  GMarkupParseContext* context =
      g_markup_parse_context_new(&parser, G_MARKUP_TREAT_CDATA_AS_TEXT, &open, nullptr);
  const bool whole =
      g_markup_parse_context_parse(context, xml.data(), static_cast<gssize>(xml.size()), nullptr) &&
      g_markup_parse_context_end_parse(context, nullptr);
  g_markup_parse_context_free(context);
  if (!whole || open.front().children.size() != 1) return std::nullopt;
  return open.front().children.front();
}

}  // namespace lab
