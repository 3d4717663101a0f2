#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/figure/colour/palette.h"
#include "app/translation/words.h"
#include "core/explain/explain.h"
#include "core/layer/trace.h"
#include "core/matrix_id.h"

namespace lab::figure {

/// What a figure shows.
enum class FigureType {
  kMap,         ///< one stage of one head
  kHeads,       ///< one stage of several heads, as a grid; one map if all heads share the stage
  kPipeline,    ///< every stage of one head
  kTwoHeads,    ///< one stage of two heads, and the first minus the second
  kTwoStates,   ///< one stage of the kept state A, of the present state B, and B − A
  kLines,       ///< lines from the queries to the keys that they look at
  kArithmetic,  ///< the calculation behind one cell
  kMean,        ///< the mean of the weights of the heads that are active; of other stages: one head
  kMaximum,     ///< the largest of their weights in each cell; of other stages: one head
};

/// How the colour range of a map is chosen.
enum class RangeRule {
  kAutomatic,  ///< of its numbers: automatic_range
  kShared,     ///< one that holds the numbers of all heads
  kRobust,     ///< without the lowest and the highest 2 % of them: robust_range
  kFixed,      ///< FigureOptions::range
};

/// What is marked in maps. Marks on stages that the figure does not show are ignored.
struct FigureMarks {
  std::vector<attention::CellRef> pins;
  std::optional<attention::CellRef> selected;
  bool overrides = true;  ///< mark the corner of each overridden cell
  bool operator==(const FigureMarks&) const = default;
};

/// Another name for a token.
struct TokenName {
  bool second = false;  ///< of the second sentence, in cross-attention
  attention::Index position = 0;
  std::string text;  ///< empty: it has no label
  bool operator==(const TokenName&) const = default;
};

/// What a figure shows and how it looks; shared by the window and the command line.
struct FigureOptions {
  FigureType type = FigureType::kMap;
  attention::Stage stage = attention::Stage::kWeights;  ///< not of kPipeline; kLines: weights
  attention::Index head = 0;                            ///< from 0; not of kHeads
  /// Of kMap: an input or a parameter, that of `head`, in place of the stage.
  std::optional<attention::MatrixId> matrix{};
  /// The name of the number that is differentiated: the figure shows its gradient (see
  /// gradient_snapshot) in signed colours, and titles say so. Empty: it shows the numbers.
  std::string gradient_of{};
  attention::Index second_head = 1;       ///< of kTwoHeads
  std::vector<attention::Index> heads{};  ///< of kHeads, in order; none: all
  int grid_columns = 0;                   ///< of kHeads; 0: as many as fit
  bool layers = false;  ///< of kHeads: each line of the grid is a layer, whose heads are named so
  std::vector<attention::Index> line_heads{};  ///< of kLines, a colour each; none: `head`
  std::optional<attention::Index> row{};  ///< of kArithmetic; kLines: the query, nothing for all
  attention::Index column = 0;            ///< of kArithmetic
  double share = 0.9;  ///< of a query's weight that its lines hold together, 0 … 1

  std::vector<attention::Index> queries{}, keys{};  ///< of maps and lines, ascending; none: all
  std::vector<TokenName> names{};                   ///< of tokens, everywhere in the figure
  bool row_labels = true, column_labels = true;     ///< of maps; of lines: queries and keys
  bool letters = false;                             ///< (a), (b) … before the titles of maps

  std::optional<Palette> palette{};  ///< unset: default_palette of the stage
  RangeRule range_rule = RangeRule::kAutomatic;
  Range range{};                    ///< for kFixed: its ends
  Spread spread = Spread::kLinear;  ///< of the colours over the range
  std::optional<float> centre{};    ///< the range is widened to be even about it
  bool annotate = false;            ///< values inside the cells
  int decimals = 2;                 ///< of those values, or significant digits …
  bool significant = false;         ///< … when this is set
  bool exact = false;  ///< never more than `decimals`, even if a small value becomes 0.00
  bool colour_bar = true;
  double gap = 1;  ///< between the heads of a grid, as a multiple of what it is by default
  double width_mm = 89;
  std::optional<double> height_mm{};  ///< the page is no higher: cells, then letters, are smaller
  double dpi = 300;
  double font_size = 7;                ///< points
  std::string family{};                ///< of the text; empty: kFigureFamily
  std::optional<std::string> title{};  ///< std::nullopt: the default title; empty: none
  std::string subtitle{};              ///< a line below the default title; empty: none
  bool dark = false;
  bool transparent = false;  ///< no background
  FigureMarks marks{};
  bool operator==(const FigureOptions&) const = default;
};

/// The rows of the export dialog, or sections of them, whose widgets follow from kLookOptions.
enum class LookRow {
  kNone,      ///< of options that have no widget, or one that is special
  kLetters,   ///< about letters
  kPixels,    ///< the same, for files of pixels
  kGrid,      ///< below the range, for several heads
  kDecimals,  ///< about numbers in cells, when they are decimals
  kDrawn,     ///< what is drawn beside the maps
  kMarked,    ///< what is marked in maps
  kPage,      ///< about the page
  kLabels,    ///< about labels
};

/// One option of the look, but for how it is drawn: what is kept from one run to the next, the
/// command line and the export dialog go through kLookOptions.
struct LookOption {
  /// A function that returns the member of an object.
  template <typename... Values>
  using MemberOf = std::variant<Values& (*)(FigureOptions&)...>;

  struct Limits {
    double least = 0, most = 0;
  };
  /// An argument of the command line; without a name there is none.
  struct Argument {
    std::string_view name{};
    const char* type = nullptr;  ///< what the help calls its value; of a switch: null
    const char* help = nullptr;
  };
  /// A tick, or a field for a number.
  struct Widget {
    LookRow row = LookRow::kNone;
    const char* label = nullptr;  ///< beside it, to be translated
    const char* name = nullptr;   ///< after "dialog/"
  };

  std::string_view name{};  ///< in the text of a look; empty: it is not kept
  MemberOf<bool, int, float, double, std::optional<float>, std::optional<double>, std::string,
           std::optional<std::string>, FigureType, RangeRule, Spread, std::optional<Palette>>
      member;
  Limits limits{};      ///< of a number
  Argument argument{};  ///< sets it; if it is a switch, to true
  Widget widget{};
  Argument off{};  ///< sets a switch to false
};

/// Returns the member at the end of a path of pointers to members.
template <auto... kPath>
auto& member_at(FigureOptions& options) {
  return (options.*....*kPath);
}

/// The options of the look, in the order of the help and, within a row, of the dialog.
inline constexpr LookOption kLookOptions[] = {
    {.name = "kind", .member = member_at<&FigureOptions::type>},
    {.name = "palette",
     .member = member_at<&FigureOptions::palette>,
     .argument = {"--palette", "P",
                  "viridis, cividis, magma, blues or red-blue (depends on the stage)"}},
    {.name = "range",
     .member = member_at<&FigureOptions::range_rule>,
     .argument = {"--range", "R",
                  "range of the colours: auto (one for each map), shared (one for\n"
                  "all heads), robust (ignoring 2 % at each end) or MIN,MAX (auto;\n"
                  "shared with --head all)"}},
    {.name = "low",
     .member = member_at<&FigureOptions::range, &Range::lo>,
     .limits = {-1e30, 1e30}},
    {.name = "high",
     .member = member_at<&FigureOptions::range, &Range::hi>,
     .limits = {-1e30, 1e30}},
    {.name = "spread",
     .member = member_at<&FigureOptions::spread>,
     .argument = {"--spread", "S",
                  "how the colours are spread over it: linear, sqrt or log (linear)"}},
    {.name = "centre",
     .member = member_at<&FigureOptions::centre>,
     .limits = {-1e300, 1e300},
     .argument = {"--centre", "C", "extend the range to be symmetric about C"}},
    {.name = "numbers",
     .member = member_at<&FigureOptions::annotate>,
     .argument = {"--annot", nullptr, "write the number into each cell"}},
    {.name = "decimals",
     .member = member_at<&FigureOptions::decimals>,
     .limits = {0, 9},
     .argument = {"--fmt", "F",
                  "format of those numbers: .2f for two decimals, .2g for two\n"
                  "significant digits (.2f, with 7.1e-3 for small numbers)"}},
    {.name = "significant", .member = member_at<&FigureOptions::significant>},
    {.member = member_at<&FigureOptions::exact>,
     .widget = {LookRow::kDecimals, tr_later("in every cell"), "exact"}},
    {.name = "colour_bar",
     .member = member_at<&FigureOptions::colour_bar>,
     .widget = {LookRow::kDrawn, tr_later("Colour bar"), "bar"},
     .off = {"--no-bar", nullptr, "leave out the colour bar"}},
    {.name = "gap",
     .member = member_at<&FigureOptions::gap>,
     .limits = {0, 10},
     .argument = {"--gap", "G", "gap between the heads of a grid, 0 to 10 times the default (1)"},
     .widget = {LookRow::kGrid, tr_later("× gap"), "gap"}},
    {.name = "width_mm",
     .member = member_at<&FigureOptions::width_mm>,
     .limits = {20, 1000},
     .argument = {"--width-mm", "MM",
                  "width in millimetres, 20 to 1000, or column (89), page (183),\n"
                  "text (5.5 in) or slide (16:9, 13.33 in) (column)"}},
    {.name = "height_mm",
     .member = member_at<&FigureOptions::height_mm>,
     .limits = {20, 1000},
     .argument = {"--height-mm", "MM",
                  "maximum height, 20 to 1000 (7.5 in for a slide; otherwise none)"}},
    {.name = "dpi",
     .member = member_at<&FigureOptions::dpi>,
     .limits = {30, 2400},
     .argument = {"--dpi", "DPI", "dots per inch, 30 to 2400 (300)"},
     .widget = {LookRow::kPixels, "dpi", "dpi"}},
    {.name = "font",
     .member = member_at<&FigureOptions::family>,
     .argument = {"--font", "NAME", "font family (Liberation Sans, same widths as Arial)"}},
    {.name = "font_size",
     .member = member_at<&FigureOptions::font_size>,
     .limits = {2, 72},
     .argument = {"--font-size", "PT", "font size in points, 2 to 72 (7; 18 for a slide)"},
     .widget = {LookRow::kLetters, "pt", "font_size"}},
    {.member = member_at<&FigureOptions::title>,
     .argument = {"--title", "T", "title (the name of the stage); \"\" for no title"}},
    {.member = member_at<&FigureOptions::dark>,
     .argument = {"--theme", "THEME", "light or dark (light)"}},
    {.name = "transparent",
     .member = member_at<&FigureOptions::transparent>,
     .argument = {"--transparent", nullptr, "no background"},
     .widget = {LookRow::kPage, tr_later("Transparent"), "transparent"}},
    {.name = "mark_overrides",
     .member = member_at<&FigureOptions::marks, &FigureMarks::overrides>,
     .argument = {"--overrides", nullptr, "mark overridden numbers although the preset does not"},
     .widget = {LookRow::kMarked, tr_later("Overrides"), "overrides"},
     .off = {"--no-overrides", nullptr, "do not mark overridden numbers"}},
    {.name = "row_labels",
     .member = member_at<&FigureOptions::row_labels>,
     .widget = {LookRow::kLabels, tr_later("Rows"), "row_labels"}},
    {.name = "column_labels",
     .member = member_at<&FigureOptions::column_labels>,
     .widget = {LookRow::kLabels, tr_later("Columns"), "column_labels"}},
    {.name = "letters",
     .member = member_at<&FigureOptions::letters>,
     .widget = {LookRow::kLabels, tr_later("(a), (b) on maps"), "letters"}}};

}  // namespace lab::figure
