#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/tests/rooms.h"

namespace lab {

/// An element of an XML file as a reader sees it.
struct XmlElement {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::string text;  ///< all text in it, that of its children included
  std::vector<XmlElement> children;

  /// An attribute's value; empty where there is none.
  std::string operator[](const std::string& attribute) const;
  /// An attribute as a number; 0 where there is none.
  double number(const std::string& attribute) const;
  /// Every element of that name in it, at any depth, in the order of the file.
  std::vector<XmlElement> all(std::string_view element) const;
};

/// The root of an XML file, or nothing when it is not well-formed.
std::optional<XmlElement> parsed_xml(std::string_view xml);

}  // namespace lab
