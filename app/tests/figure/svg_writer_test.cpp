#include "app/embedded_session/session_formats.h"
#include "app/figure/figure_writers.h"

#include <glib.h>
#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <regex>

#include "app/base/text_direction.h"
#include "app/tests/decimal_comma.h"
#include "app/tests/figure/samples.h"
#include "app/tests/figure/xml_tree.h"
#include "app/tests/rooms.h"
#include "app/tests/special_values.h"

namespace lab {
namespace {

using attention::Index;
using testing::HasSubstr;
using testing::Not;

std::string svg_of(const Figure& figure) { return write_svg(figure, {}).value(); }

XmlElement tree_of(const Figure& figure) {
  const auto tree = parsed_xml(svg_of(figure));
  EXPECT_TRUE(tree);
  return tree.value_or(XmlElement{});
}

XmlElement text_element(const shape::Text& text) {
  return tree_of(page_with(text)).all("text").at(0);
}

shape::HeatMap map_on_page(const attention::Matrix& values) {
  shape::HeatMap map;
  map.x = 10, map.y = 20, map.width = 90, map.height = 60;
  map.values = values;
  return map;
}

/// Figures of every sample: as one map with numbers, as all heads and as all stages.
std::vector<Figure> many_figures() {
  std::vector<Figure> figures;
  for (const Sample& s : samples())
    for (const FigureType type : {FigureType::kMap, FigureType::kHeads, FigureType::kPipeline}) {
      FigureOptions options;
      options.type = type;
      options.stage = attention::Stage::kMaskedScores;
      options.annotate = true;
      options.dark = type == FigureType::kHeads;
      figures.push_back(figure_of(s, options));
    }
  return figures;
}

TEST(SvgWriter, EveryTextIsAnElementWithTheText) {
  for (const Figure& figure : many_figures()) {
    std::vector<std::string> expected, found;
    for (const shape::Text& text : shapes_of<shape::Text>(figure))
      expected.push_back(
          std::regex_replace(text.text, std::regex(text.markup ? "<[^>]*>" : "$^"), ""));
    for (const XmlElement& text : tree_of(figure).all("text")) found.push_back(text.text);
    EXPECT_EQ(found, expected);
  }
}

TEST(SvgWriter, TextsStandWhereTheFigureHasThem) {
  const Figure figure =
      figure_of(sample("", "The animal didn't cross the street because it was too tired"), {});
  const auto shapes = shapes_of<shape::Text>(figure);
  const auto elements = tree_of(figure).all("text");
  ASSERT_EQ(elements.size(), shapes.size());
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    EXPECT_NEAR(elements[i].number("x"), shapes[i].x, 0.006);
    EXPECT_NEAR(elements[i].number("y"), shapes[i].y, 0.006);
    EXPECT_NEAR(elements[i].number("font-size"), shapes[i].size, 0.006);
    const bool left = shapes[i].align == shape::Align::kLeft;
    const bool centre = shapes[i].align == shape::Align::kCentre;
    EXPECT_EQ(elements[i]["text-anchor"], left ? "" : centre ? "middle" : "end");
    EXPECT_EQ(elements[i]["transform"].empty(), shapes[i].angle == 0);
  }
}

TEST(SvgWriter, TurnsTextAboutItsAnchor) {
  shape::Text text = text_of("up");
  text.angle = 50;
  EXPECT_EQ(text_element(text)["transform"], "rotate(-50 50 40)");
}

TEST(SvgWriter, HasTheSizeOfThePage) {
  FigureOptions options;
  options.width_mm = 89;
  const Figure figure = figure_of(sample("", "a b c"), options);
  const XmlElement svg = tree_of(figure);
  EXPECT_EQ(svg.name, "svg");
  EXPECT_EQ(svg["width"], "89mm");
  EXPECT_THAT(svg["viewBox"], testing::StartsWith("0 0 252.28 "));
  EXPECT_EQ(svg["role"], "img");
  ASSERT_FALSE(svg.children.empty());
  EXPECT_EQ(svg.children.front().name, "title");
  EXPECT_EQ(svg.children.front().text, "Weights, head 1");
}

TEST(SvgWriter, LeavesTheBackgroundOutWhenTransparent) {
  Figure figure = page();
  figure.background = {1, 2, 3};
  const auto rectangles = tree_of(figure).all("rect");
  ASSERT_EQ(rectangles.size(), 1u);
  EXPECT_EQ(rectangles[0]["fill"], "#010203");
  EXPECT_EQ(rectangles[0].number("width"), 200);
  EXPECT_EQ(rectangles[0].number("height"), 100);
  figure.transparent = true;
  EXPECT_TRUE(tree_of(figure).all("rect").empty());
}

TEST(SvgWriter, NamesItsFontsAndAnyOtherWithoutSerifs) {
  Figure figure = page();
  figure.family = "Liberation Sans, O'Neil\"s ,,Arial";
  EXPECT_EQ(tree_of(figure)["font-family"],
            "'Liberation Sans', 'O\\'Neil\"s', 'Arial', 'DejaVu Sans', sans-serif");
  shape::Text bold = text_of("bold"), formula = text_of("softmax");
  bold.face = shape::Face::kSansBold, formula.face = shape::Face::kSerifItalic;
  EXPECT_EQ(text_element(bold)["font-weight"], "600");
  EXPECT_EQ(text_element(formula)["font-style"], "italic");
  EXPECT_THAT(text_element(formula)["font-family"], testing::EndsWith(", serif"));
}

TEST(SvgWriter, EscapesWhateverTextComes) {
  for (const char* hostile :
       {"</text><script>alert(1)</script>", "a & b < c > d \"e\" 'f'", "]]>", "&amp;", "<!--"}) {
    Figure figure = page_with(text_of(hostile));
    figure.title = hostile;
    const XmlElement svg = tree_of(figure);
    EXPECT_EQ(svg.all("text").at(0).text, hostile);
    EXPECT_EQ(svg.all("title").at(0).text, hostile);
    EXPECT_TRUE(svg.all("script").empty());
  }
}

TEST(SvgWriter, ShowsWhatNoFileMayHold) {
  EXPECT_EQ(text_element(text_of(std::string("a\0b\x01\x1b\n\x7f", 7))).text, "a␀b␁␛␊␡");
  EXPECT_EQ(text_element(text_of("\xff\xc3(\xed\xa0\x80|\uFFFE|\u0085|\u2028")).text,
            "\uFFFD\uFFFD(\uFFFD\uFFFD\uFFFD|\uFFFD|\uFFFD|␤");
}

TEST(SvgWriter, KeepsSpacesThatTell) {
  EXPECT_EQ(text_element(text_of(" cat"))["xml:space"], "preserve");
  EXPECT_EQ(text_element(text_of("a  b"))["xml:space"], "preserve");
  EXPECT_EQ(text_element(text_of("a b"))["xml:space"], "");
}

TEST(SvgWriter, RightToLeftTextKeepsItsPlace) {
  struct Case {
    const char* text;
    shape::Align align;
    const char *direction, *anchor;
  };
  for (const Case& c : {Case{"עברית", shape::Align::kLeft, "rtl", "end"},
                        Case{"עברית", shape::Align::kRight, "rtl", ""},
                        Case{"العربية", shape::Align::kCentre, "rtl", "middle"},
                        Case{"(12) שלום abc", shape::Align::kRight, "rtl", ""},
                        Case{"abc שלום", shape::Align::kRight, "", "end"}}) {
    shape::Text text = text_of(c.text);
    text.align = c.align;
    const XmlElement element = text_element(text);
    EXPECT_EQ(element["direction"], c.direction) << c.text;
    EXPECT_EQ(element["text-anchor"], c.anchor) << c.text;
  }
}

TEST(SvgWriter, RaisesAndLowersPartsOfFormulas) {
  shape::Text formula = text_of("X W<sup>Q</sup> + b<sub>k</sub>");
  formula.markup = true;
  const XmlElement element = text_element(formula);
  EXPECT_EQ(element.text, "X WQ + bk");
  const auto spans = element.all("tspan");
  ASSERT_EQ(spans.size(), 3u);
  EXPECT_LT(spans[0].number("dy"), -2);
  EXPECT_EQ(spans[1].number("dy"), -spans[0].number("dy"));
  EXPECT_GT(spans[2].number("dy"), 0.5);
  EXPECT_LT(spans[0].number("font-size"), 8);
  EXPECT_EQ(spans[1]["font-size"], "");
  EXPECT_EQ(spans[1].text, " + b");
}

TEST(SvgWriter, EmojiTakeFontsInColourAndOtherTextDoesNot) {
  const struct {
    std::string text;
    std::vector<std::string> emoji;
  } cases[] = {{"a 😀b", {"😀"}},
               {"👩‍🚀", {"👩‍🚀"}},
               {"👍🏽🇩🇪", {"👍🏽🇩🇪"}},
               {"7️⃣7", {"7️⃣"}},
               {"❤️ or ❤", {"❤️"}},
               {"☺ 世界 − → × 12", {}},
               {"⌚ & ☀", {"⌚"}}};
  for (const auto& c : cases) {
    const XmlElement element = text_element(text_of(c.text));
    EXPECT_EQ(element.text, c.text);
    std::vector<std::string> emoji;
    for (const XmlElement& span : element.all("tspan")) {
      EXPECT_THAT(span["font-family"], HasSubstr("'Noto Color Emoji', sans-serif"));
      emoji.push_back(span.text);
    }
    EXPECT_EQ(emoji, c.emoji) << c.text;
  }
}

TEST(SvgWriter, MarkupThatIsNoneIsText) {
  shape::Text text = text_of("a <b and & more");
  text.markup = true;
  EXPECT_EQ(text_element(text).text, "a <b and & more");
}

TEST(SvgWriter, CellsAreRectanglesOfTheirColour) {
  attention::Matrix values(2, 3);
  values << 0, 0.5f, 1, 0.25f, 0.75f, 2;
  const shape::HeatMap map = map_on_page(values);
  const auto groups = tree_of(page_with(map)).all("g");
  ASSERT_EQ(groups.size(), 1u);
  const auto cells = groups[0].all("rect");
  ASSERT_EQ(cells.size(), 6u);
  for (Index i = 0; i < 2; ++i)
    for (Index j = 0; j < 3; ++j) {
      const XmlElement& cell = cells[static_cast<std::size_t>(3 * i + j)];
      EXPECT_NEAR(cell.number("x"), 10 + 30.0 * static_cast<double>(j), 0.01);
      EXPECT_NEAR(cell.number("y"), 20 + 30.0 * static_cast<double>(i), 0.01);
      EXPECT_NEAR(cell.number("width"), 30, 0.01);
      const Rgb c = colour_of(palette_table(map.palette, false), map.range, values(i, j));
      std::array<char, 8> name{};
      g_snprintf(name.data(), name.size(), "#%02x%02x%02x", c.r, c.g, c.b);
      EXPECT_EQ(cell["fill"], name.data());
    }
}

TEST(SvgWriter, CellsFillTheMapWithGapsBetweenThem) {
  shape::HeatMap map = map_on_page(attention::Matrix::Random(4, 6));
  map.gap = 0.5;
  const auto cells = tree_of(page_with(map)).all("g").at(0).all("rect");
  ASSERT_EQ(cells.size(), 24u);
  EXPECT_EQ(cells.front().number("x"), 10);
  EXPECT_EQ(cells.front().number("y"), 20);
  EXPECT_NEAR(cells.back().number("x") + cells.back().number("width"), 100, 0.011);
  EXPECT_NEAR(cells.back().number("y") + cells.back().number("height"), 80, 0.011);
  EXPECT_NEAR(cells[1].number("x") - cells[0].number("x") - cells[0].number("width"), 0.5, 0.011);
  map.gap = 5;
  const auto without = tree_of(page_with(map)).all("g").at(0).all("rect");
  EXPECT_NEAR(without[1].number("x"), without[0].number("x") + without[0].number("width"), 0.011);
}

TEST(SvgWriter, NumbersLieInTheirCells) {
  FigureOptions options;
  options.annotate = true;
  const Sample s = sample("", "I like attention", 1);
  const XmlElement svg = tree_of(figure_of(s, options));
  const auto cells = svg.all("g").at(0).all("rect");
  std::vector<XmlElement> numbers;
  for (const XmlElement& text : svg.all("text"))
    if (text.text.starts_with("0.") && text["text-anchor"] == "middle") numbers.push_back(text);
  ASSERT_EQ(numbers.size(), 9u);
  for (std::size_t i = 0; i < 9; ++i) {
    EXPECT_GT(numbers[i].number("x"), cells[i].number("x"));
    EXPECT_LT(numbers[i].number("x"), cells[i].number("x") + cells[i].number("width"));
    EXPECT_GT(numbers[i].number("y"), cells[i].number("y"));
    EXPECT_LT(numbers[i].number("y"), cells[i].number("y") + cells[i].number("height"));
  }
}

TEST(SvgWriter, NeighboursOfOneColourAreOneRectangle) {
  attention::Matrix values(2, 3);
  values << 0, 0, 1, -kInfinity, -kInfinity, -kInfinity;
  const auto cells = tree_of(page_with(map_on_page(values))).all("g").at(0).all("rect");
  ASSERT_EQ(cells.size(), 3u);
  EXPECT_EQ(cells[0].number("width"), 60);
  EXPECT_EQ(cells[2].number("width"), 90);
}

TEST(SvgWriter, HatchesWhatIsMaskedAndCrossesWhatIsNoNumber) {
  attention::Matrix values(1, 3);
  values << 0, -kInfinity, kNaN;
  const XmlElement svg = tree_of(page_with(map_on_page(values)));
  const auto cells = svg.all("g").at(0).all("rect");
  ASSERT_EQ(cells.size(), 3u);
  ASSERT_EQ(svg.all("pattern").size(), 1u);
  EXPECT_EQ(cells[1]["fill"], "url(#" + svg.all("pattern")[0]["id"] + ")");
  EXPECT_THAT(cells[2]["fill"], Not(HasSubstr("url")));
  const auto crosses = svg.all("g").at(0).all("path");
  ASSERT_EQ(crosses.size(), 1u);
  EXPECT_EQ(crosses[0]["d"], "M76 41L94 59M94 41L76 59");
  EXPECT_TRUE(
      tree_of(page_with(map_on_page(attention::Matrix::Zero(2, 2)))).all("pattern").empty());
}

TEST(SvgWriter, EachMapHasItsOwnNameAndTitle) {
  FigureOptions options;
  options.type = FigureType::kHeads;
  const auto groups = tree_of(figure_of(sample("", "The cat sat"), options)).all("g");
  ASSERT_EQ(groups.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(groups[i]["id"], "map-" + std::to_string(i + 1));
    EXPECT_EQ(groups[i].all("title").at(0).text, "Head " + std::to_string(i + 1));
  }
}

Picture picture_in(const XmlElement& image) {
  const std::string start = "data:image/png;base64,";
  const std::string link = image["xlink:href"];
  EXPECT_TRUE(link.starts_with(start));
  gsize size = 0;
  guchar* bytes = g_base64_decode(link.substr(start.size()).c_str(), &size);
  const Picture picture = decoded(std::string(reinterpret_cast<const char*>(bytes), size));
  g_free(bytes);
  return picture;
}

TEST(SvgWriter, ThousandsOfCellsAreOneImage) {
  attention::Matrix values = attention::Matrix::Random(130, 140);
  values(3, 5) = kNaN;
  shape::HeatMap map = map_on_page(values);
  map.range = {-1, 1};
  const XmlElement group = tree_of(page_with(map)).all("g").at(0);
  ASSERT_EQ(group.all("image").size(), 1u);
  const XmlElement image = group.all("image")[0];
  EXPECT_EQ(image.number("x"), 10);
  EXPECT_EQ(image.number("width"), 90);
  EXPECT_EQ(image.number("height"), 60);
  EXPECT_EQ(image["preserveAspectRatio"], "none");
  EXPECT_TRUE(group.all("rect").empty());
  const Picture picture = picture_in(image);
  const int scale = picture.width / 140;
  ASSERT_EQ(picture.width, 140 * scale);
  ASSERT_EQ(picture.height, 130 * scale);
  for (const auto& [i, j] : {std::pair{0, 0}, {129, 139}, {64, 7}})
    EXPECT_EQ(picture.at(j * scale, (i + 1) * scale - 1),
              colour_of(palette_table(map.palette, false), map.range, values(i, j)));
}

TEST(SvgWriter, HatchingShowsThroughAnImage) {
  attention::Matrix values = attention::Matrix::Zero(128, 128);
  values(0, 127) = -kInfinity;
  const XmlElement svg = tree_of(page_with(map_on_page(values)));
  const auto below = svg.all("g").at(0).all("rect");
  ASSERT_EQ(below.size(), 1u);
  EXPECT_EQ(below[0]["fill"], "url(#" + svg.all("pattern").at(0)["id"] + ")");
  const std::string png = svg_of(page_with(map_on_page(values)));
  const Picture picture = picture_in(svg.all("image").at(0));
  EXPECT_EQ(picture.at(picture.width - 1, 0), (Rgb{0, 0, 0}));  // transparent, so without colour
  EXPECT_NE(picture.at(0, 0), (Rgb{0, 0, 0}));
}

TEST(SvgWriter, ManyMapsShareTheRectangles) {
  Figure figure = page();
  for (int i = 0; i < 4; ++i)
    figure.shapes.push_back(map_on_page(attention::Matrix::Random(60, 60)));
  EXPECT_EQ(tree_of(figure).all("image").size(), 4u);
  figure.shapes.resize(1);
  EXPECT_TRUE(tree_of(figure).all("image").empty());
}

TEST(SvgWriter, TheColourBarIsThePalette) {
  for (const Palette palette : all_palettes()) {
    const XmlElement svg = tree_of(page_with(shape::ColourBar{1, 2, 3, 40, palette, true}));
    EXPECT_EQ(svg.all("rect").at(1)["fill"], "url(#" + svg.all("linearGradient").at(0)["id"] + ")");
    const auto stops = svg.all("stop");
    const auto channel = [&](std::size_t stop, int c) {
      return std::stoi(stops[stop]["stop-color"].substr(static_cast<std::size_t>(1 + 2 * c), 2),
                       nullptr, 16);
    };
    std::size_t next = 1;
    for (int entry = 0; entry < kPaletteSize; ++entry) {
      const double at = 100.0 * entry / (kPaletteSize - 1);
      while (next + 1 < stops.size() && stops[next].number("offset") < at) ++next;
      const double from = stops[next - 1].number("offset"), to = stops[next].number("offset");
      const double share = (at - from) / (to - from);
      const Rgb c = palette_table(palette, true)[static_cast<std::size_t>(entry)];
      const int channels[] = {c.r, c.g, c.b};
      for (int k = 0; k < 3; ++k)
        EXPECT_NEAR((1 - share) * channel(next - 1, k) + share * channel(next, k), channels[k], 2)
            << palette_name(palette) << " " << entry;
    }
  }
}

TEST(SvgWriter, DrawsTheOtherShapes) {
  Figure figure = page();
  figure.shapes.push_back(shape::Frame{10, 20, 30, 40, {1, 2, 3}, 2});
  figure.shapes.push_back(shape::Polygon{{{1, 2}, {3, 4.5}, {-0.001, 6}}, {4, 5, 6}});
  figure.shapes.push_back(shape::Curve{{1, 2}, {3, 4}, {5, 6}, {7, 8}, {7, 8, 9}, 1.5, 0.25});
  const XmlElement svg = tree_of(figure);
  const XmlElement frame = svg.all("rect").at(1);
  EXPECT_EQ(frame.number("x"), 9);
  EXPECT_EQ(frame.number("width"), 32);
  EXPECT_EQ(frame["stroke"], "#010203");
  EXPECT_EQ(svg.all("polygon").at(0)["points"], "1 2 3 4.5 0 6");
  const XmlElement curve = svg.all("path").at(0);
  EXPECT_EQ(curve["d"], "M1 2C3 4 5 6 7 8");
  EXPECT_EQ(curve["stroke-opacity"], "0.25");
  EXPECT_EQ(curve["stroke-width"], "1.5");
  EXPECT_EQ(curve["stroke-linecap"], "round");
}

TEST(SvgWriter, NumbersAreShortAndPlain) {
  const std::regex plain("-?[0-9]+(\\.[0-9]{1,2})?");
  for (const Figure& figure : many_figures())
    for (const XmlElement& element : tree_of(figure).all("rect"))
      for (const char* name : {"x", "y", "width", "height", "stroke-width"}) {
        const std::string value = element[name];
        EXPECT_TRUE(value.empty() || std::regex_match(value, plain)) << value;
        EXPECT_NE(value, "-0");
      }
}

TEST(SvgWriter, WritesTheSameBytesEveryTimeAndEverywhere) {
  const Sample s = sample("", "The animal didn't cross", 2, true);
  FigureOptions options;
  options.type = FigureType::kPipeline;
  options.annotate = true;
  const std::string first = svg_of(figure_of(s, options));
  EXPECT_EQ(svg_of(figure_of(s, options)), first);
  const DecimalComma comma;
  if (!comma) GTEST_SKIP() << "no locale with a decimal comma";
  EXPECT_EQ(svg_of(figure_of(s, options)), first);
}

TEST(SvgWriter, PassesXmllint) {
  if (std::system("command -v xmllint >/dev/null") != 0) GTEST_SKIP() << "no xmllint";
  std::vector<Figure> figures = many_figures();
  std::string every;
  for (int c = 0; c < 256; ++c) every += static_cast<char>(c);
  figures.push_back(page_with(text_of(every + "\uFFFE\uFFFF\uFDD0\U0001FFFE")));
  figures.back().title = every;
  const TemporaryFolder folder;
  for (std::size_t i = 0; i < figures.size(); ++i)
    std::ofstream(folder / (std::to_string(i) + ".svg"))
        << write_svg(figures[i], {72, "{\"" + every + "\uFFFE]]>\"}"}).value();
  EXPECT_EQ(std::system(("xmllint --noout '" + (folder / "") + "'*.svg").c_str()), 0);
}

TEST(SvgWriter, RefusesPagesWithoutASize) {
  Figure figure = page();
  for (const double width : {0.0, -1.0, 1e9, std::nan(""), HUGE_VAL}) {
    figure.width = width;
    EXPECT_EQ(write_svg(figure, {}).error().type, ErrorType::kBadInput) << width;
  }
}

TEST(SvgWriter, TellsHowFarItIsAndStopsWhenItIsTold) {
  const Figure figure = figure_of(sample("", "a b c"), {});
  attention::WorkWatch watch;
  EXPECT_TRUE(write_svg(figure, {72, {}, &watch}));
  EXPECT_EQ(watch.progress(), 1.0);
  watch.stop();
  EXPECT_THROW(static_cast<void>(write_svg(figure, {72, {}, &watch})), attention::WorkStopped);
}

std::string carrying(const std::string& session) {
  return write_svg(page_with(text_of("attention-lab-session")), {72, session}).value();
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

TEST(SvgSession, ComesBackAsItWas) {
  for (const std::string session :
       {R"({"a": "<b> & \"c\" 'd' ]]> &amp; </metadata>"})", "{\"ไทย\": \"😀\"}",
        "{\r\n\t\"a\":\n1}\n", R"(["id=\"attention-lab-session\""])"})
    EXPECT_EQ(session_in_svg(carrying(session)), session);
}

TEST(SvgSession, IsThereOnlyWhenItIsGiven) {
  EXPECT_EQ(session_in_svg(carrying("")), std::nullopt);
  EXPECT_TRUE(tree_of(page()).all("metadata").empty());
  for (const char* other :
       {"", "no XML", "<svg/>", "<svg><metadata id=\"attention-lab-session\">{}</metadata></svg>",
        "<svg><session id=\"attention-lab-session\"> \n</session></svg>",
        "<svg><!-- <session id=\"attention-lab-session\">{}</session> --></svg>"})
    EXPECT_EQ(session_in_svg(other), std::nullopt) << other;
}

TEST(SvgSession, WritesCharactersThatXmlCannotHoldAsJsonDoes) {
  EXPECT_EQ(session_in_svg(carrying("{\"a\": \"\uFFFE\uFFFF\"}")), R"({"a": "\ufffe\uffff"})");
  EXPECT_EQ(session_in_svg(carrying("{\"a\": \"\xff\"}")), "{\"a\": \"\uFFFD\"}");
}

TEST(SvgSession, OutlivesOtherPrograms) {
  const std::string svg = carrying(R"({"a": "b < c"})");
  const std::string head =
      "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n"
      "<!-- saved by another program -->\n";
  EXPECT_EQ(session_in_svg(head + svg), R"({"a": "b < c"})");
  EXPECT_EQ(session_in_svg("\uFEFF" + head + svg), R"({"a": "b < c"})");
  EXPECT_EQ(session_in_svg(replaced(svg, "lab:", "ns1:")), R"({"a": "b < c"})");
  EXPECT_EQ(session_in_svg(replaced(svg, "&quot;", "&#34;")), R"({"a": "b < c"})");
  EXPECT_EQ(session_in_svg("<svg><session id='attention-lab-session'><![CDATA[{\"a\": \"<\"}]]>"
                           "</session></svg>"),
            R"({"a": "<"})");
}

TEST(SvgSession, IsNotFoundInWhatIsCutOff) {
  const std::string session = R"({"name": "<&>", "list": [1, 2, 3]})";
  const std::string svg = carrying(session);
  const std::size_t end = svg.find("</lab:session>") + 14;
  for (std::size_t length = 0; length < end; ++length)
    EXPECT_EQ(session_in_svg(svg.substr(0, length)), std::nullopt) << length;
  for (std::size_t length = end; length < svg.size(); ++length)
    EXPECT_EQ(session_in_svg(svg.substr(0, length)), session) << length;
}

TEST(SvgSession, DamageDoesNoHarm) {
  const std::string svg = carrying(R"({"name": "<&>", "list": [1, 2, 3]})");
  for (std::size_t i = 0; i < svg.size(); ++i)
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = svg;
      damaged[i] = static_cast<char>(damaged[i] ^ 1 << bit);
      const auto session = session_in_svg(damaged);
      EXPECT_LT(session.value_or("").size(), svg.size());
    }
  std::string nested = "<svg>attention-lab-session";
  for (int i = 0; i < 100000; ++i) nested += "<g>";
  EXPECT_EQ(session_in_svg(nested), std::nullopt);
}

}  // namespace
}  // namespace lab
