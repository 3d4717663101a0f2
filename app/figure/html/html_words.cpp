#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "app/base/byte_text.h"
#include "app/base/sha256.h"
#include "app/base/visible_text.h"
#include "app/figure/html/html_parts.h"
#include "app/translation/words.h"

namespace lab::figure {
namespace {

// In page.html, between {{= and }}.
constexpr std::array kOfTemplate{
    tr_later("Theme"),
    tr_later("Automatic"),
    tr_later("Light"),
    tr_later("Dark"),
    tr_later("This page draws its maps with JavaScript, which is switched off here."),
    tr_later("Stage"),
    tr_later("Heads"),
    tr_later("Compared"),
    tr_later("This map has no other one to be compared with."),
    tr_later("heat map"),
    tr_later("Cells without a colour"),
    tr_later("Table of the numbers"),
    tr_later("Look"),
    tr_later("Colours"),
    tr_later("Range"),
    tr_later("Spread"),
    tr_later("Even"),
    tr_later("Square root"),
    tr_later("Logarithmic"),
    tr_later("Compared with"),
    tr_later("Zoom"),
    tr_later("Fit"),
    tr_later("Numbers in the cells"),
    tr_later("Marks"),
    tr_later("There is no room for numbers in so many cells."),
    tr_later(
        "In the map, arrow keys move from cell to cell, Home and End go to the ends of a row, with "
        "Ctrl to the corners, Page Up and Page Down change the head, Esc lets go of the cell."),
    tr_later("With Shift, Page Up and Page Down change the layer."),
    tr_later("Rows are queries, columns are keys. Made with Attention Lab."),
    tr_later("The page embeds its session."),
};

// In the scripts, as arguments of say() and sayCount().
constexpr std::array kOfScript{
    tr_later("Head {}"),
    tr_later("head {}"),
    tr_later("{}, head {}"),
    tr_later("query##axis"),
    tr_later("key##axis"),
    tr_later("set by hand"),
    tr_later("pinned"),
    tr_later("selected"),
    tr_later("row {}, column {}"),
    tr_later("row {} · column {}"),
    tr_later("{}, {} rows, {} columns"),
    tr_later("Colours from {} to {}"),
    tr_later("−∞, masked"),
    tr_later("NaN, not a number"),
    tr_later("Of so large a map, the row of the marked cell."),
    tr_later("exactly {}"),
    tr_later("Head {} − head {}"),
    tr_later("Nothing"),
    tr_later("State A"),
    tr_later("Each map its own"),
    tr_later("One for all heads"),
    tr_later("The middle 96 %"),
    tr_later("blues"),
    tr_later("red-blue"),
    tr_later("{} query"),
    tr_later("{} queries"),
    tr_later("{} key"),
    tr_later("{} keys"),
    tr_later("{} token"),
    tr_later("{} tokens"),
    tr_later("{} layer"),
    tr_later("{} layers"),
    tr_later("{}, muted"),
    tr_later("{} head"),
    tr_later("{} heads"),
    tr_later("head {} − head {}"),
    tr_later("Automatic"),
};

}  // namespace

nlohmann::json script_texts() {
  nlohmann::json texts = nlohmann::json::object();
  if (language() == Language::kEnglish) return texts;
  for (const char* english : kOfScript) texts[english] = tr(english);
  return texts;
}

std::string template_text(std::string_view english) {
  if (std::ranges::find(kOfTemplate, english) == kOfTemplate.end())
    throw std::out_of_range(std::string(english));
  return escaped_html(tr(english));
}

std::string escaped_html(std::string_view text) {
  std::string escaped;
  for (const char c : printable(text)) {
    const std::string_view entity = entity_of(static_cast<unsigned char>(c));
    entity.empty() ? escaped += c : escaped += entity;
  }
  return escaped;
}

std::string policy_hash(std::string_view text) {
  Sha256 checksum;
  checksum.add(text);
  return "sha256-" + base64(checksum.bytes());
}

}  // namespace lab::figure
