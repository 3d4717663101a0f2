#pragma once

#include <optional>
#include <string>

#include "app/document/document.h"
#include "app/document/error.h"
#include "app/figure/stage_figure.h"
#include "core/trace.h"

namespace lab {

/// The look that a page opens with; its reader can choose another.
enum class PageTheme { kAutomatic, kLight, kDark };  ///< automatic: what the reader's system has

/// What a page shows first, and how; its reader can change all of it.
struct HtmlOptions {
  std::optional<std::string> title;  ///< nothing: the document's; empty: no heading
  attention::Stage stage = attention::Stage::kWeights;
  attention::Index head = 0;       ///< from 0
  std::optional<Palette> palette;  ///< nothing: default_palette of each stage
  RangeRule range_rule = RangeRule::kAutomatic;
  Range range;               ///< for kFixed
  bool annotate = false;     ///< values inside the cells
  int decimals = 2;          ///< of those values (0 … 9), or significant digits (1 … 9) …
  bool significant = false;  ///< … when this is set
  PageTheme theme = PageTheme::kAutomatic;
  std::string session;  ///< the JSON text that the page carries, see session_in_html; may be empty
};

/// The longest page in bytes: some 12 million numbers, as of 512 tokens and 10 heads.
inline constexpr std::size_t kLongestPage = 64'000'000;

/// One page of HTML that needs nothing else: every number of every stage and head bit for bit, with
/// maps, a table, and the keys and words that a reader without a mouse or a screen needs. It
/// fetches nothing, which its Content-Security-Policy makes sure of. A stage that is not among
/// pipeline_stages gives way to the nearest one before it. Fails with kBadInput, before memory is
/// taken for it, when the page would be longer than kLongestPage. Throws std::out_of_range when
/// there is no such head.
Expected<std::string> write_html(const Document& document, const attention::Trace& trace,
                                 const HtmlOptions& options);

}  // namespace lab
