#include "app/view/export/export_options.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <type_traits>
#include <variant>

#include "app/figure/animation/animation_file.h"
#include "app/figure/compose/range.h"
#include "app/figure/figure_writers.h"
#include "app/figure/page_size.h"
#include "app/figure/text/figure_text.h"
#include "app/translation/words.h"
#include "app/view/export/animation_actions.h"
#include "app/view/export/export_actions.h"
#include "app/view/export/figure_actions.h"
#include "app/view/export/model_figures.h"
#include "app/view/export/number_actions.h"
#include "app/view/export/sentence_exports.h"
#include "app/view/widgets/option_rows.h"

namespace lab::view {
namespace {

using figure::LookRow;

void look_widget(Ui& ui, const figure::LookOption& option) {
  const std::string words = tr(option.widget.label),
                    name = std::string("dialog/") + option.widget.name;
  const auto draw = [&]<typename Value>(Value& (*member)(figure::FigureOptions&)) {
    Value& value = member(ui.state.dialog.exporting.figure);
    if constexpr (std::is_same_v<Value, bool>) {
      row_tick(ui, words, name, value);
    } else if constexpr (std::is_arithmetic_v<Value>) {
      auto number = static_cast<double>(value);
      row_number(ui, words, name, number, option.limits.least, option.limits.most);
      value = static_cast<Value>(number);
    }
  };
  std::visit(draw, option.member);
}

}  // namespace

void look_widgets(Ui& ui, figure::LookRow row) {
  for (const figure::LookOption& option : figure::kLookOptions)
    if (option.widget.row == row) look_widget(ui, option);
}

namespace {

// Keeps a text size that the user chose.
void choose_page(figure::FigureOptions& figure, const figure::PagePreset& chosen) {
  for (const figure::PagePreset& page : figure::kPagePresets)
    if (figure.width_mm == page.width_mm && figure.font_size == page.font_size)
      figure.font_size = chosen.font_size;
  figure::use_page(figure, chosen);
}

// The displayed names of the pages, in the order of kPagePresets.
constexpr std::array kPageNames{tr_later("Column"), tr_later("Text"), tr_later("Page"),
                                tr_later("Slide")};
static_assert(kPageNames.size() == std::size(figure::kPagePresets));

void page_row(Ui& ui) {
  figure::FigureOptions& figure = ui.state.dialog.exporting.figure;
  begin_row(ui, tr("Width"));
  for (std::size_t i = 0; i < kPageNames.size(); ++i) {
    const figure::PagePreset& page = figure::kPagePresets[i];
    const std::string name = kPageNames[i];
    if (row_choice(ui, tr(name), "dialog/width/" + name, figure.width_mm == page.width_mm))
      choose_page(figure, page);
  }
  const double before = figure.width_mm;
  row_number(ui, "mm", "dialog/width", figure.width_mm, 20, 1000);
  if (figure.width_mm != before) figure.height_mm.reset();
  end_row();
}

void letters_row(Ui& ui, bool of_pixels) {
  figure::FigureOptions& figure = ui.state.dialog.exporting.figure;
  begin_row(ui, tr("Letters"));
  row_text(ui, "Liberation Sans", "dialog/family", figure.family, 130);
  if (!figure.family.empty() && !figure::is_font_family(figure.family))
    row_note(ui, tr("not installed"));
  look_widgets(ui, LookRow::kLetters);
  if (of_pixels) look_widgets(ui, LookRow::kPixels);
  end_row();
}

// Palettes with names of their own keep them.
std::string palette_words(figure::Palette palette) {
  if (palette == figure::Palette::kBlues) return tr("blues");
  return palette == figure::Palette::kRedBlue ? tr("red-blue")
                                              : std::string(figure::palette_name(palette));
}

void palette_row(Ui& ui) {
  std::optional<figure::Palette>& palette = ui.state.dialog.exporting.figure.palette;
  begin_row(ui, tr("Colours"));
  if (row_choice(ui, tr("as in the window"), "dialog/palette/usual", !palette)) palette.reset();
  for (const figure::Palette one : figure::all_palettes()) {
    const std::string name(figure::palette_name(one));
    if (row_choice(ui, palette_words(one), "dialog/palette/" + name, palette == one)) palette = one;
  }
  end_row();
}

// The limits start as those of the map that is shown.
void choose_range(Ui& ui, figure::RangeRule rule) {
  figure::FigureOptions& figure = ui.state.dialog.exporting.figure;
  if (rule == figure::RangeRule::kFixed && figure.range_rule != rule)
    figure.range = figure::automatic_range(
        figure.stage, *stage_matrix(ui.problem(), ui.trace(), figure.stage, ui.state.head));
  figure.range_rule = rule;
}

void limit(Ui& ui, const std::string& between, const std::string& name, float& value) {
  constexpr double kMost = 1e30;
  double limit = static_cast<double>(value);
  row_number(ui, between, name, limit, -kMost, kMost);
  value = static_cast<float>(limit);
}

void spread_choices(Ui& ui) {
  figure::Spread& chosen = ui.state.dialog.exporting.figure.spread;
  constexpr std::array kNames{tr_later("linear"), tr_later("square root"), tr_later("logarithmic")};
  for (const figure::Spread spread : figure::all_spreads()) {
    const std::string id = "dialog/spread/" + std::string(figure::spread_name(spread));
    if (row_choice(ui, tr(kNames.at(static_cast<std::size_t>(spread))), id, chosen == spread))
      chosen = spread;
  }
}

void range_rows(Ui& ui) {
  figure::FigureOptions& figure = ui.state.dialog.exporting.figure;
  begin_row(ui, tr("Range"));
  constexpr std::pair<const char*, figure::RangeRule> kRules[] = {
      {tr_later("automatic"), figure::RangeRule::kAutomatic},
      {tr_later("shared"), figure::RangeRule::kShared},
      {tr_later("robust 2–98 %"), figure::RangeRule::kRobust},
      {tr_later("fixed"), figure::RangeRule::kFixed}};
  for (const auto& [name, rule] : kRules)
    if (row_choice(ui, tr(name), "dialog/range/" + std::to_string(static_cast<int>(rule)),
                   figure.range_rule == rule))
      choose_range(ui, rule);
  end_row();
  begin_row(ui, "");
  if (figure.range_rule == figure::RangeRule::kFixed) {
    limit(ui, tr("to##a number"), "dialog/range/lo", figure.range.lo);
    limit(ui, " ", "dialog/range/hi", figure.range.hi);
  }
  spread_choices(ui);
  end_row();
  begin_row(ui, "");
  if (figure.type == figure::FigureType::kHeads) look_widgets(ui, LookRow::kGrid);
  bool centred = figure.centre.has_value();
  row_tick(ui, tr("symmetric about"), "dialog/centred", centred);
  if (centred != figure.centre.has_value())
    figure.centre = centred ? std::optional<float>(0.0f) : std::nullopt;
  if (figure.centre) limit(ui, "", "dialog/centre", *figure.centre);
  end_row();
}

void cells_row(Ui& ui) {
  figure::FigureOptions& figure = ui.state.dialog.exporting.figure;
  begin_row(ui, tr("Cells"));
  row_tick(ui, tr("Numbers inside"), "dialog/values", figure.annotate);
  if (figure.annotate) {
    double digits = figure.decimals;
    row_number(ui, "", "dialog/digits", digits, figure.significant ? 1 : 0, 9);
    figure.decimals = static_cast<int>(digits);
    if (row_choice(ui, tr("decimals"), "dialog/decimals", !figure.significant))
      figure.significant = false;
    if (row_choice(ui, tr("digits"), "dialog/significant", figure.significant)) {
      figure.significant = true;
      figure.decimals = std::max(figure.decimals, 1);
    }
    if (!figure.significant) look_widgets(ui, LookRow::kDecimals);
  }
  end_row();
}

void own_title(Ui& ui, std::optional<std::string>& title) {
  bool has_title = title.has_value();
  row_tick(ui, tr("Own title"), "dialog/own_title", has_title);
  if (has_title != title.has_value())
    title = has_title ? std::optional<std::string>("") : std::nullopt;
  if (title) row_text(ui, tr("none##title"), "dialog/title", *title, 170);
}

// As dark as the window until it is chosen.
void dark_tick(Ui& ui) {
  std::optional<bool>& chosen = ui.state.dialog.exporting.dark;
  const bool was_dark = chosen.value_or(figure::is_dark(ui.state.theme));
  bool dark = was_dark;
  row_tick(ui, tr("Dark"), "dialog/dark", dark);
  if (dark != was_dark) chosen = dark;
}

void drawn_rows(Ui& ui) {
  ExportState& exporting = ui.state.dialog.exporting;
  begin_row(ui, tr("Draw"));
  look_widgets(ui, LookRow::kDrawn);
  row_tick(ui, tr("Pins and selection"), "dialog/marks", exporting.marks);
  look_widgets(ui, LookRow::kMarked);
  end_row();
  begin_row(ui, tr("Page"));
  dark_tick(ui);
  look_widgets(ui, LookRow::kPage);
  if (exporting.mode != ExportMode::kFolder) own_title(ui, exporting.figure.title);
  end_row();
}

template <typename Choice>
std::vector<std::string> names_of(const std::vector<Choice>& choices) {
  std::vector<std::string> names;
  names.reserve(choices.size());
  for (const Choice& one : choices) names.push_back(one.name);
  return names;
}

void sensitivity_row(Ui& ui) {
  const std::vector<MotionChoice> choices = motion_choices(ui);
  const auto chosen = std::ranges::find(choices, chosen_motion(ui), &MotionChoice::what);
  begin_row(ui, tr("Moves"));
  const auto at = static_cast<std::size_t>(chosen - choices.begin());
  if (const auto taken = row_list(ui, "dialog/motion", names_of(choices), at))
    choose_motion(ui, choices[*taken].what);
  end_row();
}

void motion_row(Ui& ui) {
  const std::vector<FigureChoice> choices = moving_figures(ui);
  const figure::FigureType type = export_options(ui).type;
  const auto chosen = std::ranges::find(choices, type, &FigureChoice::type);
  begin_row(ui, tr("Seen in"));
  const auto at = chosen == choices.end() ? 0 : static_cast<std::size_t>(chosen - choices.begin());
  if (const auto taken = row_list(ui, "dialog/seen", names_of(choices), at))
    choose_figure(ui, choices[*taken].type);
  end_row();
}

void pace_row(Ui& ui) {
  MotionState& motion = ui.state.dialog.exporting.motion;
  const Motion moved = chosen_motion(ui);
  begin_row(ui, moved == Motion::kWalk ? tr("Each for") : tr("Pace"));
  if (moves_number(moved)) {
    limit(ui, tr("to##a number"), "dialog/from", motion.from);
    limit(ui, tr("in##so many seconds"), "dialog/to", motion.to);
  }
  const bool back = moves_number(moved) && motion.back;  // twice as many frames
  row_number(ui, "s", "dialog/seconds", motion.seconds, 0.1, back ? 33 : 60);
  if (moves_number(moved)) row_tick(ui, tr("and back"), "dialog/back", motion.back);
  end_row();
}

// The other files that are written beside the one of the format `first`; two formats share a row.
void other_formats_row(Ui& ui, const std::string& first) {
  std::vector<std::string>& others = ui.state.dialog.exporting.others();
  begin_row(ui, tr("Also as"));
  for (const ExportFormat& format : export_formats(ui)) {
    if (format.ending == first) continue;
    const bool before = std::ranges::count(others, format.ending) > 0;
    bool ticked = before;
    row_tick(ui, tr(format.name), "dialog/also/" + format.ending.substr(1), ticked);
    if (ticked == before) continue;
    if (ticked)
      others.push_back(format.ending);
    else
      std::erase(others, format.ending);
  }
  end_row();
}

constexpr std::pair<const char*, const char*> kModes[] = {
    {tr_later("Figure"), "picture"},
    {tr_later("Numbers"), "numbers"},
    {tr_later("Every stage and head"), "folder"},
    {tr_later("Animation"), "motion"}};
static_assert(std::size(kModes) == kExportModes);

// True when one of the files is a figure or an animation.
bool makes_figures(const Ui& ui) {
  const ExportMode mode = ui.state.dialog.exporting.mode;
  if (mode != ExportMode::kFolder) return mode != ExportMode::kNumbers;
  const ExportState& exporting = ui.state.dialog.exporting;
  return figure::figure_format(exporting.ending()) != nullptr ||
         std::ranges::any_of(exporting.others(), [](const std::string& ending) {
           return figure::figure_format(ending) != nullptr;
         });
}

bool makes_pixels(const Ui& ui) {
  return std::ranges::count(ui.state.dialog.exporting.others(), ".png") > 0;
}

}  // namespace

void export_mode_row(Ui& ui) {
  ExportMode& mode = ui.state.dialog.exporting.mode;
  begin_row(ui, tr("Make"));
  for (int i = 0; i < kExportModes; ++i)
    if (row_choice(ui, tr(kModes[i].first), std::string("dialog/mode/") + kModes[i].second,
                   mode == static_cast<ExportMode>(i)))
      mode = static_cast<ExportMode>(i);
  end_row();
}

void export_format_row(Ui& ui) {
  ExportState& exporting = ui.state.dialog.exporting;
  std::string& path = ui.state.dialog.path;
  const bool folder = exporting.mode == ExportMode::kFolder;
  const std::string now = chosen_ending(ui);
  begin_row(ui, tr("Format"));
  for (const ExportFormat& format : export_formats(ui)) {
    if (!row_choice(ui, tr(format.name), "dialog/format/" + format.ending.substr(1),
                    now == format.ending))
      continue;
    exporting.ending() = format.ending;
    if (!folder) path = std::filesystem::path(path).replace_extension(format.ending).string();
  }
  const std::size_t formats = export_formats(ui).size();
  if (formats != 2) end_row();  // the only other one has room in the same row
  if (formats > 1) other_formats_row(ui, now);
}

void figure_type_rows(Ui& ui) {
  const std::vector<FigureChoice> choices = figure_choices(ui);
  ExportState& exporting = ui.state.dialog.exporting;
  const WholeModel whole = chosen_whole_model(ui);
  const auto chosen = std::ranges::find_if(choices, [&](const FigureChoice& one) {
    return one.whole == whole && (whole != WholeModel::kNone || one.type == exporting.figure.type);
  });
  const auto at = chosen == choices.end() ? 0 : static_cast<std::size_t>(chosen - choices.begin());
  begin_row(ui, tr("Shows"));
  if (const auto taken = row_list(ui, "dialog/what", names_of(choices), at)) {
    choose_figure(ui, choices[*taken].type);
    exporting.whole = choices[*taken].whole;
  }
  end_row();
}

void figure_option_rows(Ui& ui) {
  const std::string ending = chosen_ending(ui);
  const figure::FigureFormat* format = figure::figure_format(ending);
  const bool moves = figure::animation_format(ending) != nullptr;
  if (!makes_figures(ui)) return;
  page_row(ui);
  letters_row(ui, moves || format == nullptr || format->of_pixels || makes_pixels(ui));
  if (chosen_whole_model(ui) != WholeModel::kNone) return palette_row(ui);
  const figure::FigureType type = export_options(ui).type;
  if (type != figure::FigureType::kLines && type != figure::FigureType::kArithmetic) {
    palette_row(ui);
    range_rows(ui);
    cells_row(ui);
  }
  if (type != figure::FigureType::kArithmetic && !exports_all_sentences(ui)) token_rows(ui);
  drawn_rows(ui);
}

void motion_rows(Ui& ui) {
  sensitivity_row(ui);
  motion_row(ui);
  pace_row(ui);
}

namespace {

std::string name_of(const NumberChoice& one) {
  if (one.whole != WholeModel::kNone) return whole_model_stem(one.whole);
  return std::string(one.all_stages ? "stages" : "stage") + (one.all_heads ? "-heads" : "-head");
}

}  // namespace

void number_choice_rows(Ui& ui) {
  ExportState& exporting = ui.state.dialog.exporting;
  const NumberChoice chosen = chosen_numbers(ui);
  if (chosen.whole != WholeModel::kNone) exporting.ending() = ".csv";
  for (const NumberChoice& one : number_choices(ui)) {
    if (!list_choice(ui, one.name, "dialog/numbers/" + name_of(one), one == chosen)) continue;
    if (one.whole != WholeModel::kNone || chosen.whole != WholeModel::kNone)
      exporting.whole = one.whole;
    exporting.all_stages = one.all_stages, exporting.all_heads = one.all_heads;
    if (one.all_stages && exporting.ending() == ".npy") exporting.ending() = ".npz";
  }
}

}  // namespace lab::view
