#include "app/figure/figure_writers.h"

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <regex>
#include <set>

#include "app/tests/decimal_comma.h"
#include "app/tests/figure/samples.h"
#include "app/tests/rooms.h"
#include "app/tests/special_values.h"

namespace lab {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::string latex_of(const Figure& figure) { return write_latex(figure, {}).value(); }

shape::Text formula_of(const std::string& markup) {
  shape::Text shape = text_of(markup);
  shape.markup = true, shape.face = shape::Face::kSerifItalic;
  return shape;
}

/// A node of the picture.
struct Node {
  std::string options, x, y, text;
};

std::vector<Node> nodes_of(const std::string& latex) {
  static const std::regex node(R"(\\node\[([^\]]*)\] at \(([^,]*),([^)]*)\) \{(.*)\};\n)");
  std::vector<Node> nodes;
  for (std::sregex_iterator at(latex.begin(), latex.end(), node), end; at != end; ++at)
    nodes.push_back({(*at)[1], (*at)[2], (*at)[3], (*at)[4]});
  return nodes;
}

/// What stands in the node of a text.
std::string written(const shape::Text& text) {
  const std::vector<Node> nodes = nodes_of(latex_of(page_with(text)));
  return nodes.size() == 1 ? nodes[0].text : "";
}

/// The lines that begin with \command{.
std::vector<std::string> lines_of(const std::string& latex, const std::string& command) {
  std::vector<std::string> lines;
  std::istringstream text(latex);
  for (std::string line; std::getline(text, line);)
    if (line.starts_with("\\" + command + "{")) lines.push_back(line);
  return lines;
}

shape::HeatMap placed_map(const attention::Matrix& values) {
  shape::HeatMap map;
  map.x = 10, map.y = 20, map.width = 90, map.height = 60;
  map.values = values;
  return map;
}

TEST(LatexWriter, IsADocumentOfTheSizeOfThePage) {
  const std::string latex = latex_of(page());
  EXPECT_THAT(latex, HasSubstr("\\documentclass[border=0pt]{standalone}"));
  EXPECT_THAT(latex, HasSubstr("\\begin{tikzpicture}[x=1bp,y=-1bp]\n"
                               "\\useasboundingbox (0,0)rectangle (200,100);"));
  EXPECT_TRUE(latex.ends_with("\\end{tikzpicture}\n\\end{document}\n"));
}

TEST(LatexWriter, LeavesTheBackgroundOutWhenTransparent) {
  Figure figure = page();
  figure.background = {1, 2, 3};
  EXPECT_THAT(latex_of(figure), HasSubstr("\\fill[c010203] (0,0)rectangle (200,100);"));
  figure.transparent = true;
  EXPECT_THAT(latex_of(figure), Not(HasSubstr("\\fill[c")));
}

TEST(LatexWriter, TextsStandWhereTheFigureHasThem) {
  const Figure figure =
      figure_of(sample("", "The animal didn't cross the street because it was too tired"), {});
  const auto shapes = shapes_of<shape::Text>(figure);
  const auto nodes = nodes_of(latex_of(figure));
  ASSERT_EQ(nodes.size(), shapes.size());
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    EXPECT_NEAR(std::stod(nodes[i].x), shapes[i].x, 0.006);
    EXPECT_NEAR(std::stod(nodes[i].y), shapes[i].y, 0.006);
    const char align = shapes[i].align == shape::Align::kLeft     ? 'l'
                       : shapes[i].align == shape::Align::kCentre ? 'm'
                                                                  : 'r';
    EXPECT_EQ(nodes[i].options[0], align);
    EXPECT_EQ(nodes[i].options.find("rotate=") == std::string::npos, shapes[i].angle == 0);
  }
}

TEST(LatexWriter, SetsFontsAndAngles) {
  shape::Text text = text_of("up");
  text.angle = 50, text.face = shape::Face::kSansBold, text.colour = {0xab, 0, 1};
  const auto nodes = nodes_of(latex_of(page_with(text)));
  ASSERT_EQ(nodes.size(), 1u);
  EXPECT_EQ(nodes[0].options, "l,text=cab0001,rotate=50,font=\\size{10}\\bfseries");
}

TEST(LatexWriter, NoSignHasAMeaningOfItsOwn) {
  EXPECT_EQ(written(text_of(R"(\{}$&#^_~<>|"'`%)")),
            R"(\textbackslash{}\{\}\$\&\#\textasciicircum{}\_\textasciitilde{})"
            R"(\textless{}\textgreater{}\textbar{}\textquotedbl{}\textquotesingle{})"
            R"(\textasciigrave{}\%)");
  EXPECT_EQ(written(text_of("--- ,,")), R"(-\kern0pt -\kern0pt - ,\kern0pt ,)");
  EXPECT_EQ(written(text_of(" a  b ")), R"(\ a \ b\ )");
}

TEST(LatexWriter, ShowsWhatNoTextMayHold) {
  EXPECT_EQ(written(text_of("\xff")), "\\lettercode{FF}{FD}");
  EXPECT_THAT(written(text_of("a\nb\x1b")), HasSubstr("{a␊b␛}"));
}

TEST(LatexWriter, FormulasAreFormulas) {
  const std::pair<const char*, const char*> formulas[] = {
      {"softmax", "$\\mathit{softmax}$"},
      {"X W<sup>Q</sup> + b<sup>Q</sup>", "$X\\ W^{Q}+b^{Q}$"},
      {"X<sub>kv</sub> W<sup>K</sup>", "$X_{\\mathit{kv}}\\ W^{K}$"},
      {"÷ √d<sub>k</sub> ÷ T", "${}\\div \\sqrt{d_{k}}\\div T$"},
      {"Q′ K′<sup>T</sup>", "$Q'\\ K'^{T}$"},
      {"concat · W<sup>O</sup>", "$\\mathit{concat}\\cdot W^{O}$"},
      {"head 1 | … | head 8", "$\\mathit{head}\\ 1\\mid \\ldots \\mid \\mathit{head}\\ 8$"},
      {"−∞ where forbidden", "$-\\infty \\ \\mathit{where}\\ \\mathit{forbidden}$"},
      {"+ bias, − slope", "${}+\\mathit{bias},{}-\\mathit{slope}$"},
      {"(x − mean) ÷ σ · γ", "$(x-\\mathit{mean})\\div \\sigma \\cdot \\gamma $"},
      {"Q′: Q turned", "$Q'{:}\\ Q\\ \\mathit{turned}$"},
      {"a<sup>b</sup><sub>c</sub><sup>d</sup>", "$a^{b}{}_{c}{}^{d}$"},
      {"100 % of a_b", "$100\\ \\mbox{\\%}\\ \\mathit{of}\\ a\\mbox{\\_}b$"},
      {"&lt;x&gt;", "$\\mbox{\\textless{}}x\\mbox{\\textgreater{}}$"},
  };
  for (const auto& [markup, latex] : formulas) EXPECT_EQ(written(formula_of(markup)), latex);
}

TEST(LatexWriter, MarkupOfOtherTextBecomesCommands) {
  shape::Text text = text_of("a <b>b <i>c</i></b> x<sub>1</sub><sup>2</sup> &lt;");
  text.markup = true;
  EXPECT_EQ(written(text),
            "a\\ \\textbf{b\\ }\\textbf{\\textit{c}}\\ x\\textsubscript{1}"
            "\\textsuperscript{2}\\ \\textless{}");
}

TEST(LatexWriter, DeclaresLettersBeyondAsciiOnce) {
  Figure figure = page_with(text_of("ไทย ไทย −∞ 😀"));
  figure.shapes.push_back(text_of("Straße ไ"));
  EXPECT_THAT(lines_of(latex_of(figure), "letter"),
              ElementsAre(R"(\letter{00DF}{ß}{\lettercode{00}{DF}})",
                          R"(\letter{0E17}{ท}{\lettercode{0E}{17}})",
                          R"(\letter{0E22}{ย}{\lettercode{0E}{22}})",
                          R"(\letter{0E44}{ไ}{\lettercode{0E}{44}})",
                          R"(\letter{01F600}{😀}{\lettercode{01F}{600}})"));
  EXPECT_THAT(
      lines_of(latex_of(figure), "sign"),
      ElementsAre(R"(\sign{2212}{−}{\ensuremath{-}})", R"(\sign{221E}{∞}{\ensuremath{\infty}})"));
  EXPECT_TRUE(lines_of(latex_of(page_with(text_of("plain"))), "letter").empty());
  EXPECT_THAT(lines_of(latex_of(page_with(text_of("a\u200Db"))), "letter"),
              ElementsAre("\\letter{200D}{\u200D}{}"));
}

TEST(LatexWriter, NamesAFontForEveryScript) {
  Figure figure = page_with(text_of("ไทย (1)"));
  figure.shapes.push_back(text_of("हिन्दी ไทย"));
  const std::string latex = latex_of(figure);
  EXPECT_THAT(lines_of(latex, "fontfor"), ElementsAre("\\fontfor{Devanagari}{Noto Sans Devanagari}",
                                                      "\\fontfor{Thai}{Noto Sans Thai}"));
  EXPECT_THAT(nodes_of(latex).at(0).text, HasSubstr("{\\inscript{Thai}{ไทย}\\ (1)}"));
}

TEST(LatexWriter, TurnsTextThatRunsTheOtherWay) {
  EXPECT_THAT(written(text_of("שלום")), HasSubstr("{\\righttoleft{\\inscript{Hebrew}{שלום}}}"));
  EXPECT_THAT(written(text_of("a שלום b")),
              HasSubstr("{a\\ \\righttoleft{\\inscript{Hebrew}{שלום}}\\ b}"));
  EXPECT_THAT(written(text_of("שלום abc!")),
              HasSubstr("{\\righttoleft{\\inscript{Hebrew}{שלום}\\ \\lefttoright{abc}!}}"));
}

TEST(LatexWriter, DeclaresEveryColourOnce) {
  FigureOptions options;
  options.type = FigureType::kPipeline;
  const std::string latex = latex_of(figure_of(sample("", "a b c", 2, true), options));
  std::set<std::string> declared, used;
  for (const std::string& line : lines_of(latex, "definecolor")) {
    EXPECT_TRUE(declared.insert(line.substr(13, 7)).second) << line;
    EXPECT_TRUE(std::regex_match(
        line, std::regex(R"(\\definecolor\{c[0-9a-f]{6}\}\{HTML\}\{[0-9A-F]{6}\})")))
        << line;
  }
  const std::regex use(R"((?:\[|=|cells\{)(c[0-9a-f]{6}))");
  for (std::sregex_iterator at(latex.begin(), latex.end(), use), end; at != end; ++at)
    used.insert((*at)[1]);
  EXPECT_EQ(declared, used);
}

TEST(LatexWriter, CellsAreRectanglesOfTheirColour) {
  attention::Matrix values(1, 3);
  values << 0, 0, 1;
  shape::HeatMap map = placed_map(values);
  map.palette = Palette::kViridis;
  EXPECT_THAT(latex_of(page_with(map)), HasSubstr("\\cells{c440154}{\\cell{10}{20}{70.1}{80}}\n"
                                                  "\\cells{cfde725}{\\cell{70}{20}{100}{80}}\n"));
  map.gap = 1.5;
  EXPECT_THAT(latex_of(page_with(map)), HasSubstr("\\cells{c440154}{\\cell{10}{20}{39}{80}\n"
                                                  "\\cell{40.5}{20}{69.5}{80}}\n"
                                                  "\\cells{cfde725}{\\cell{71}{20}{100}{80}}\n"));
}

TEST(LatexWriter, HatchesWhatIsMaskedAndCrossesWhatIsNoNumber) {
  attention::Matrix values(1, 3);
  values << 0, -kInfinity, std::numeric_limits<float>::quiet_NaN();
  const std::string latex = latex_of(page_with(placed_map(values)));
  EXPECT_THAT(latex, HasSubstr("\\clip\n (40,20)rectangle (70,80);"));
  EXPECT_THAT(latex, HasSubstr("(76,41)-- (94,59) (94,41)-- (76,59);"));
  EXPECT_THAT(latex_of(page_with(placed_map(attention::Matrix::Zero(2, 2)))),
              Not(HasSubstr("\\clip\n")));
}

TEST(LatexWriter, DrawsTheOtherShapes) {
  Figure figure = page();
  figure.shapes.push_back(shape::Frame{10, 20, 30, 40, {1, 2, 3}, 2});
  figure.shapes.push_back(shape::Polygon{{{1, 2}, {3, 4.5}, {-0.001, 6}}, {4, 5, 6}});
  figure.shapes.push_back(shape::Curve{{1, 2}, {3, 4}, {5, 6}, {7, 8}, {7, 8, 9}, 1.5, 0.25});
  const std::string latex = latex_of(figure);
  EXPECT_THAT(latex, HasSubstr("\\draw[c010203,line width=2bp] (9,19)rectangle (41,61);"));
  EXPECT_THAT(latex, HasSubstr("\\fill[c040506] (1,2)-- (3,4.5)-- (0,6)--cycle;"));
  EXPECT_THAT(latex, HasSubstr("line width=1.5bp,line cap=round,draw opacity=0.25] (1,2)..controls "
                               "(3,4)and (5,6).. (7,8);"));
}

TEST(LatexWriter, TheColourBarGoesFromTopToBottom) {
  const std::string latex =
      latex_of(page_with(shape::ColourBar{1, 2, 3, 40, Palette::kViridis, false}));
  EXPECT_THAT(latex, HasSubstr("\\cells{cfde725}{\\cell{1}{2}{4}"));
  EXPECT_THAT(latex, HasSubstr("\\cells{c440154}{\\cell{1}{41.5}{4}{42}"));
}

TEST(LatexWriter, RefusesWhatTexCannotDo) {
  Figure figure = page();
  for (const double width : {0.0, -1.0, 14401.0, std::nan("")}) {
    figure.width = width;
    EXPECT_EQ(write_latex(figure, {}).error().type, ErrorType::kBadInput) << width;
  }
  EXPECT_TRUE(write_latex(page_with(placed_map(attention::Matrix::Zero(200, 200))), {}));
  const auto large = write_latex(page_with(placed_map(attention::Matrix::Zero(200, 201))), {});
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().type, ErrorType::kUsage);
  EXPECT_THAT(large.error().message, HasSubstr(".svg"));
  const auto masked = attention::Matrix::Constant(120, 120, -kInfinity);
  EXPECT_FALSE(write_latex(page_with(placed_map(masked)), {}));
}

TEST(LatexWriter, WritesTheSameBytesEveryTimeAndEverywhere) {
  const Sample s = sample("", "The animal didn't cross", 2, true);
  FigureOptions options;
  options.type = FigureType::kPipeline;
  options.annotate = true;
  const std::string first = latex_of(figure_of(s, options));
  EXPECT_EQ(latex_of(figure_of(s, options)), first);
  const DecimalComma comma;
  if (!comma) GTEST_SKIP() << "no locale with a decimal comma";
  EXPECT_EQ(latex_of(figure_of(s, options)), first);
}

TEST(LatexWriter, TellsHowFarItIsAndStopsWhenItIsTold) {
  const Figure figure = figure_of(sample("", "a b c"), {});
  attention::WorkWatch watch;
  EXPECT_TRUE(write_latex(figure, {72, {}, &watch}));
  EXPECT_EQ(watch.progress(), 1.0);
  watch.stop();
  EXPECT_THROW(static_cast<void>(write_latex(figure, {72, {}, &watch})), attention::WorkStopped);
}

/// Compiles figures with `engine`; skips the test where it is not installed.
class LatexCompiled : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const std::string engine = GetParam();
    if (std::system(("command -v " + engine + " pdftotext >/dev/null").c_str()) != 0)
      GTEST_SKIP() << "no " << engine;
    if (std::system("kpsewhich standalone.cls tikz.sty fontspec.sty phvr8t.tfm >/dev/null") != 0)
      GTEST_SKIP() << "LaTeX lacks packages";
    if (engine == "lualatex" && std::system("kpsewhich luaotfload-main.lua >/dev/null") != 0)
      GTEST_SKIP() << "LuaLaTeX cannot load fonts";
  }

  /// The words of the page that `figure` becomes.
  std::string words_of(const Figure& figure) const {
    folder_.write("figure.tex", latex_of(figure));
    const std::string command = "cd '" + (folder_ / "") + "' && timeout 300 " + GetParam() +
                                " -interaction=nonstopmode -halt-on-error figure.tex >log && "
                                "pdftotext figure.pdf";
    EXPECT_EQ(std::system(command.c_str()), 0) << content("log");
    return content("figure.txt");
  }

 private:
  std::string content(const std::string& name) const {
    std::ifstream file(folder_ / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  TemporaryFolder folder_;
};

TEST_P(LatexCompiled, EveryStage) {
  FigureOptions options;
  options.type = FigureType::kPipeline;
  options.width_mm = 183;
  const std::string words =
      words_of(figure_of(sample("", "The quick Straße didn't cross_it 100%", 2, true), options));
  for (const char* word : {"Every stage", "quick", "Straße", "didn't", "cross_it", "100"})
    EXPECT_THAT(words, HasSubstr(word));
}

TEST_P(LatexCompiled, EveryText) {
  Figure figure = page();
  std::string every;
  for (int c = 0; c < 256; ++c) every += static_cast<char>(c);
  for (const std::string& text :
       {every, std::string(R"(\{}$&#^_~<>|"'`% --- ,, ?` \input{x})"),
        std::string("שלום abc! العربية ไทย हिन्दी 日本語 한국어 😀 Ж −∞ \uFFFD\uFFFE \u2028")}) {
    figure.shapes.push_back(text_of(text));
    figure.shapes.push_back(formula_of("<b>" + text));
    figure.shapes.push_back(formula_of("x<sup>ไ</sup><sub>é</sub><sup>% _</sup> √ √√x √(y)"));
  }
  for (int latin = 0xA0; latin < 0x250; ++latin) {
    std::string letter{static_cast<char>(0xC0 | latin >> 6),
                       static_cast<char>(0x80 | (latin & 63))};
    figure.shapes.push_back(text_of(letter));
  }
  EXPECT_THAT(words_of(figure), HasSubstr("\\input{x}"));
}

INSTANTIATE_TEST_SUITE_P(Engines, LatexCompiled, ::testing::Values("pdflatex", "lualatex"));

}  // namespace
}  // namespace lab
