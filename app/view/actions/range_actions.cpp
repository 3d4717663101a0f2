#include <array>

#include "app/translation/words.h"
#include "app/view/actions/action_records.h"
#include "app/view/maps/map_ranges.h"

namespace lab::view {
namespace {

const RangeChoice& all_ranges(const Ui& ui) { return ui.state.inspection.ranges.all; }

template <RangeEnds ends>
bool has_ends(const Ui& ui) {
  return all_ranges(ui).ends == ends;
}
template <RangeEnds ends>
void use_ends(Ui& ui) {
  choose_all_ranges(ui, {ends, all_ranges(ui).spread});
}
template <figure::Spread spread>
bool has_spread(const Ui& ui) {
  return all_ranges(ui).spread == spread;
}
template <figure::Spread spread>
void use_spread(Ui& ui) {
  choose_all_ranges(ui, {all_ranges(ui).ends, spread});
}

template <int by>
bool has_digits_left(const Ui& ui) {
  const int digits = ui.state.digits + by;
  return digits >= kFewestDigits && digits <= kMostDigits;
}
template <int by>
void change_digits(Ui& ui) {
  if (!has_digits_left<by>(ui)) return;
  ui.state.digits += by;
  ui.state.notice = tr("Numbers have {} decimals", {std::to_string(ui.state.digits)});
}

const std::array kRangeActions{
    Action{"view.range_automatic", "View", "Range: automatic", kNoChord, nullptr,
           has_ends<RangeEnds::kAutomatic>, use_ends<RangeEnds::kAutomatic>}
        .found_by("colour scale limits minimum maximum")
        .below_line(),
    Action{"view.range_shared", "View", "Range: shared by all heads", kNoChord, nullptr,
           has_ends<RangeEnds::kShared>, use_ends<RangeEnds::kShared>}
        .found_by("colour scale limits same compare"),
    Action{"view.range_robust", "View", "Range: robust 2–98 %", kNoChord, nullptr,
           has_ends<RangeEnds::kRobust>, use_ends<RangeEnds::kRobust>}
        .found_by("colour scale limits percentile outliers quantile"),
    Action{"view.range_locked", "View", "Range: fixed", kNoChord, nullptr,
           has_ends<RangeEnds::kFixed>, use_ends<RangeEnds::kFixed>}
        .found_by("colour scale limits locked freeze"),
    Action{"view.spread_linear", "View", "Colours: linear", kNoChord, nullptr,
           has_spread<figure::Spread::kLinear>, use_spread<figure::Spread::kLinear>}
        .found_by("scale spread even normal")
        .below_line(),
    Action{"view.spread_sqrt", "View", "Colours: square root", kNoChord, nullptr,
           has_spread<figure::Spread::kSquareRoot>, use_spread<figure::Spread::kSquareRoot>}
        .found_by("scale spread sqrt gamma small weights"),
    Action{"view.spread_log", "View", "Colours: logarithmic", kNoChord, nullptr,
           has_spread<figure::Spread::kLogarithmic>, use_spread<figure::Spread::kLogarithmic>}
        .found_by("scale spread log decades small weights"),
    Action{"view.more_digits", "View", "More digits", kNoChord, has_digits_left<1>, nullptr,
           change_digits<1>}
        .found_by("decimals precision numbers places rounded")
        .below_line(),
    Action{"view.fewer_digits", "View", "Fewer digits", kNoChord, has_digits_left<-1>, nullptr,
           change_digits<-1>}
        .found_by("decimals precision numbers places")};

}  // namespace

std::span<const Action> range_actions() { return kRangeActions; }

}  // namespace lab::view
