#include "app/figure/figure_writers.h"

#include <gmock/gmock.h>
#include <stdlib.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFPageDocumentHelper.hh>
#include <random>
#include <sstream>

#include "app/embedded_session/embedded_session.h"
#include "app/figure/cairo/heat_map_image.h"
#include "app/figure/cairo/source_date.h"
#include "app/tests/figure/samples.h"
#include "app/tests/rooms.h"
#include "app/tests/temporary_folder.h"

namespace lab {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr Rgb kPaper{250, 10, 200};

std::string written(const Figure& figure, const WriteOptions& options = {}) {
  return write_pdf(figure, options).value();
}

/// A PDF that is open.
struct Opened {
  explicit Opened(std::string pdf) : bytes(std::move(pdf)) {
    file.processMemoryFile("figure", bytes.data(), bytes.size());
  }
  QPDFObjectHandle page() {
    return QPDFPageDocumentHelper(file).getAllPages().at(0).getObjectHandle();
  }
  /// The images, masks of images left out.
  std::vector<QPDFObjectHandle> images() {
    std::vector<QPDFObjectHandle> found;
    for (QPDFObjectHandle object : file.getAllObjects())
      if (object.isStream() && object.getDict().getKey("/Subtype").isNameAndEquals("/Image") &&
          !object.getDict().getKey("/ColorSpace").isNameAndEquals("/DeviceGray"))
        found.push_back(object);
    return found;
  }
  std::string bytes;
  QPDF file;
};

bool has_tool(const std::string& name) {
  return std::system(("command -v " + name + " >/dev/null").c_str()) == 0;
}

/// What a tool of Poppler prints about a PDF, given in place of "%".
std::string told(const std::string& pdf, std::string command, const char* result = "out") {
  const TemporaryFolder folder;
  command.replace(command.find('%'), 1, folder.write("figure.pdf", pdf));
  const std::string line = "cd '" + (folder / "") + "' && " + command + " >out 2>err";
  EXPECT_EQ(std::system(line.c_str()), 0) << command;
  std::stringstream text;
  text << std::ifstream(folder / result, std::ios::binary).rdbuf();
  return text.str();
}

/// The page in pixels, with smoothed edges.
Picture seen(const std::string& pdf, int dpi, const std::string& options = "") {
  return decoded(told(
      pdf, "pdftocairo -png -singlefile -r " + std::to_string(dpi) + options + " % p", "p.png"));
}

/// A map at (10, 10) that is 80 points wide and high, on paper of a loud colour.
Figure figure_of(const attention::Matrix& values, double gap = 0) {
  Figure figure;
  figure.width = figure.height = 100;
  figure.background = kPaper;
  shape::HeatMap map;
  map.x = map.y = 10, map.width = map.height = 80;
  map.values = values, map.gap = gap;
  figure.shapes.push_back(map);
  return figure;
}

TEST(PdfWriter, ThePageIsAsLargeAsTheFigure) {
  Figure figure = figure_of(attention::Matrix::Zero(2, 2));
  figure.width = 252.283, figure.height = 99.5;
  Opened pdf(written(figure));
  const auto box = pdf.page().getKey("/MediaBox").getArrayAsRectangle();
  EXPECT_NEAR(box.urx - box.llx, 252.283, 1e-3);
  EXPECT_NEAR(box.ury - box.lly, 99.5, 1e-3);
}

TEST(PdfWriter, TellsTitleAndCreatorAndNothingElse) {
  ::unsetenv("SOURCE_DATE_EPOCH");
  Figure figure = figure_of(attention::Matrix::Zero(2, 2));
  figure.title = "Weights — 日本語";
  Opened pdf(written(figure));
  QPDFObjectHandle info = pdf.file.getTrailer().getKey("/Info");
  EXPECT_THAT(info.getKeys(), ElementsAre("/Creator", "/Title"));
  EXPECT_EQ(info.getKey("/Title").getUTF8Value(), figure.title);
  EXPECT_EQ(info.getKey("/Creator").getUTF8Value(), "Attention Lab");
}

TEST(PdfWriter, IsDatedByTheEnvironmentAlone) {
  const auto date = [](const char* variable) {
    ::setenv("SOURCE_DATE_EPOCH", variable, 1);
    Opened pdf(written(figure_of(attention::Matrix::Zero(2, 2))));
    ::unsetenv("SOURCE_DATE_EPOCH");
    QPDFObjectHandle found = pdf.file.getTrailer().getKey("/Info").getKey("/CreationDate");
    return found.isString() ? found.getStringValue() : "none";
  };
  EXPECT_EQ(date("1700000000"), "D:20231114221320Z");
  EXPECT_EQ(date("951782399"), "D:20000228235959Z");
  EXPECT_EQ(date("0"), "D:19700101000000Z");
  EXPECT_EQ(date("253402300799"), "D:99991231235959Z");
  for (const char* wrong : {"", "x", "-1", "1.5", "17 ", "253402300800", "99999999999999999999"})
    EXPECT_EQ(date(wrong), "none") << wrong;
}

TEST(PdfWriter, WritesTheSameBytesEveryTime) {
  const Sample s = sample("", "Das ist 😀 ein Satz", 2, true);
  FigureOptions options;
  options.type = FigureType::kPipeline;
  const std::string first = written(figure_of(s, options), {300, "{}"});
  ::setenv("TZ", "Pacific/Kiritimati", 1);
  ::tzset();
  EXPECT_EQ(written(figure_of(s, options), {72, "{}"}), first);
  ::unsetenv("TZ");
  ::tzset();
}

TEST(PdfWriter, CarriesTheSessionWhereOneIsGiven) {
  const Figure figure = figure_of(attention::Matrix::Zero(2, 2));
  std::string session = "{\"a\": \"(weird) \\\\ 日本語\"}\n\r endstream endobj";
  session.push_back('\0');
  EXPECT_EQ(session_of_figure(written(figure, {300, session})), session);
  EXPECT_EQ(session_of_figure(written(figure)), std::nullopt);
  EXPECT_THAT(written(figure), Not(HasSubstr(kSessionMark)));
}

TEST(PdfWriter, FontsAreEmbeddedAndNoneIsOfType3) {
  if (!has_tool("pdffonts")) GTEST_SKIP() << "no pdffonts";
  for (const Sample& s : samples()) {
    std::istringstream lines(told(written(figure_of(s, {})), "pdffonts %"));
    std::string line;
    int fonts = -2;  // after two lines of headings
    for (; std::getline(lines, line); ++fonts) {
      EXPECT_THAT(line, Not(HasSubstr("Type 3"))) << s.name;
      const bool ours = line.find("Liberation") != line.npos || line.find("DejaVu") != line.npos;
      EXPECT_TRUE(!ours || line.find("TrueType") != line.npos) << line;
      EXPECT_TRUE(fonts < 0 || line.find(" yes yes yes ") != line.npos) << line;
    }
    EXPECT_GT(fonts, 0) << s.name;
  }
}

TEST(PdfWriter, TokensComeBackAsText) {
  if (!has_tool("pdftotext")) GTEST_SKIP() << "no pdftotext";
  const Sample s = sample("",
                          "สวัสดี 😀 עברית 日本語 हिन्दी شمس русский naïve "
                          "👩‍👩‍👧‍👦",
                          1);
  const std::string text = told(written(figure_of(s, {})), "pdftotext % -");
  for (const Token& token : s.document.tokens) EXPECT_THAT(text, HasSubstr(token.text));
}

TEST(PdfWriter, EqualEmojiShareAPictureThatIsSharp) {
  Figure figure = figure_of(attention::Matrix::Zero(1, 1));
  for (const double y : {40.0, 60.0, 80.0}) {
    shape::Text text;
    text.text = y == 80 ? "a 🙂 b" : "a 😀 b", text.x = 20, text.y = y, text.angle = y;
    figure.shapes.push_back(text);
  }
  Opened pdf(written(figure));
  auto images = pdf.images();
  if (images.empty()) GTEST_SKIP() << "no font with emoji";
  ASSERT_EQ(images.size(), 2u);
  EXPECT_GE(images[0].getDict().getKey("/Width").getIntValue(), 100);
}

TEST(PdfWriter, CellsAreVectorsUntilThereAreThousands) {
  EXPECT_TRUE(Opened(written(figure_of(attention::Matrix::Random(64, 64)))).images().empty());
  Opened many(written(figure_of(attention::Matrix::Random(65, 64))));
  ASSERT_EQ(many.images().size(), 1u);
  QPDFObjectHandle image = many.images()[0].getDict();
  EXPECT_EQ(image.getKey("/Width").getIntValue() % 64, 0);
  EXPECT_EQ(image.getKey("/Height").getIntValue() % 65, 0);
  QPDFObjectHandle smoothed = image.getKey("/Interpolate");
  EXPECT_FALSE(smoothed.isBool() && smoothed.getBoolValue());
}

TEST(PdfWriter, AMillionRandomCellsTakeAtMostTwoMegabytes) {
  std::mt19937 random(1);
  attention::Matrix values(1024, 1024);
  for (attention::Index i = 0; i < values.size(); ++i)
    values.data()[i] = static_cast<float>(random() % 4096) / 4095;
  for (const Palette palette : all_palettes()) {
    Figure figure = figure_of(values);
    std::get<shape::HeatMap>(figure.shapes[0]).palette = palette;
    EXPECT_LE(written(figure).size(), 2'000'000u) << palette_name(palette);
  }
}

// Cells are drawn one by one; where they only met, smoothed edges would let the paper through.
TEST(PdfWriter, NoPaperShowsBetweenCellsWithoutGaps) {
  if (!has_tool("pdftocairo")) GTEST_SKIP() << "no pdftocairo";
  for (const int side : {7, 41, 90}) {
    attention::Matrix values(side, side);
    for (attention::Index i = 0; i < values.size(); ++i)
      values.data()[i] = 0.9f + 0.001f * static_cast<float>(i % 2);  // no runs of equal colour
    const std::string pdf = written(figure_of(values));
    for (const int dpi : {50, 72, 100, 133, 300}) {
      const Picture page = seen(pdf, dpi);
      const int first = 10 * dpi / 72 + 2, last = 90 * dpi / 72 - 2;
      for (int y = first; y < last; ++y)
        for (int x = first; x < last; ++x) ASSERT_LT(page.at(x, y).r, 60) << side << " at " << dpi;
    }
  }
}

TEST(PdfWriter, GapsShowThePaper) {
  if (!has_tool("pdftocairo")) GTEST_SKIP() << "no pdftocairo";
  const Picture page = seen(written(figure_of(attention::Matrix::Ones(2, 2), 4)), 72);
  EXPECT_EQ(page.at(49, 49), kPaper);
  EXPECT_EQ(page.at(49, 30), kPaper);
  EXPECT_NE(page.at(30, 30), kPaper);
  EXPECT_NE(page.at(88, 88), kPaper);
}

TEST(PdfWriter, MaskedCellsAloneAreHatchedAndNaNIsCrossed) {
  if (!has_tool("pdftocairo")) GTEST_SKIP() << "no pdftocairo";
  for (const int scale : {1, 33}) {  // vectors, and an image
    attention::Matrix values = attention::Matrix::Zero(2 * scale, 2 * scale);
    values.topRightCorner(scale, scale).setConstant(-std::numeric_limits<float>::infinity());
    values(2 * scale - 1, 0) = std::nanf("");
    const Picture page = seen(written(figure_of(values)), 288);
    const auto shares = [&](int left, int top) {
      int ink = 0, fill = 0;
      for (int y = top; y < top + 120; ++y)
        for (int x = left; x < left + 120; ++x) {
          ink += page.at(x, y) == special_ink(false);
          fill += page.at(x, y) == special_fill(false);
        }
      return std::pair(ink > 0, fill);
    };
    EXPECT_EQ(shares(60, 60), std::pair(false, 0));
    EXPECT_EQ(shares(220, 220), std::pair(false, 0));
    const auto [inked, filled] = shares(220, 60);
    EXPECT_TRUE(inked);
    EXPECT_GT(filled, 120 * 120 / 2);
    EXPECT_LT(filled, 120 * 120 * 9 / 10);
    const double half_cell = 320.0 / (4 * scale);
    EXPECT_LT(page.at(static_cast<int>(40 + half_cell), static_cast<int>(360 - half_cell)).r, 220);
  }
}

TEST(PdfWriter, ATransparentFigureHasNoPaper) {
  if (!has_tool("pdftocairo")) GTEST_SKIP() << "no pdftocairo";
  Figure figure = figure_of(attention::Matrix::Ones(2, 2));
  EXPECT_EQ(seen(written(figure), 72, " -transp").at(2, 2), kPaper);
  figure.transparent = true;
  EXPECT_EQ(seen(written(figure), 72, " -transp").at(2, 2), (Rgb{0, 0, 0}));
  EXPECT_EQ(seen(written(figure), 72).at(2, 2), (Rgb{255, 255, 255}));
}

TEST(PdfWriter, LooksLikeThePng) {
  if (!has_tool("pdftocairo")) GTEST_SKIP() << "no pdftocairo";
  const auto* png = figure_format(".png");
  FigureOptions options;
  options.range_rule = RangeRule::kFixed, options.range = {0, 1};
  for (const Sample& s : samples()) {
    const Figure figure = figure_of(s, options);
    const Picture page = seen(written(figure), 150);
    const Picture picture = decoded(png->write(figure, {150}).value());
    ASSERT_NEAR(page.width, picture.width, 1);
    ASSERT_NEAR(page.height, picture.height, 1);
    double difference = 0;
    for (int y = 0; y < std::min(page.height, picture.height); ++y)
      for (int x = 0; x < std::min(page.width, picture.width); ++x)
        difference += std::abs(page.at(x, y).r - picture.at(x, y).r);
    EXPECT_LT(difference / (page.width * page.height), 4) << s.name;
  }
}

TEST(PdfWriter, RefusesPagesBeyondTheLimits) {
  Figure figure = figure_of(attention::Matrix::Zero(2, 2));
  for (const double side :
       {0.0, -5.0, 14401.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    figure.width = side;
    EXPECT_EQ(write_pdf(figure, {}).error().type, ErrorType::kBadInput) << side;
  }
  EXPECT_THAT(write_pdf(figure, {}).error().message, HasSubstr("5080 mm"));
  figure.width = 14400;
  EXPECT_TRUE(write_pdf(figure, {}));
}

TEST(PdfWriter, TellsHowFarItIsAndStopsWhenItIsTold) {
  const Figure figure = figure_of(attention::Matrix::Zero(2, 2));
  attention::WorkWatch watch;
  EXPECT_TRUE(write_pdf(figure, {300, {}, &watch}));
  EXPECT_EQ(watch.progress(), 1.0);
  watch.stop();
  EXPECT_THROW(static_cast<void>(write_pdf(figure, {300, {}, &watch})), attention::WorkStopped);
}

}  // namespace
}  // namespace lab
