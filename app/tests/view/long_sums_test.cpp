// Explain with sums of many terms.
#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <string>

#include "app/explain/explain_text.h"
#include "app/files/open.h"
#include "app/tests/rooms.h"
#include "app/tests/view/screen.h"
#include "core/layer/evaluator.h"

namespace lab {
namespace {

using attention::Index;
using attention::Stage;

TEST(LongSums, ShowTheirTenLargestTermsOnWish) {
  attention::Config config;
  config.n_heads = 1;
  config.d_model = config.d_out = 8;
  config.d_k = 40;
  Screen screen(make_document("one two three", config, 7));
  screen.view.state().selection.stage = Stage::kScores;
  screen.frames(2);
  EXPECT_TRUE(screen.shows("explain/0/3"));
  EXPECT_FALSE(screen.shows("explain/0/4")) << "only the beginning";
  screen.click("explain/order");
  EXPECT_TRUE(screen.view.state().inspection.largest_first);
  EXPECT_TRUE(screen.shows("explain/0/9"));
  EXPECT_FALSE(screen.shows("explain/0/10")) << "… 30 more";
  screen.click("explain/order");
  EXPECT_FALSE(screen.view.state().inspection.largest_first);
}

// The digits after the point; nothing where there is an exponent.
std::optional<std::size_t> decimals_of(const std::string& number) {
  if (number.find('e') != number.npos) return std::nullopt;
  const std::size_t point = number.find('.');
  return point == number.npos ? 0 : number.size() - point - 1;
}

TEST(Explain, WritesTheNumbersOfALineWithEquallyManyDecimals) {
  Document document = *open_document("refer");
  const attention::Trace trace = attention::Evaluator().evaluate(document.problem);
  for (const Stage stage : {Stage::kQ, Stage::kScores, Stage::kWeights, Stage::kOutput}) {
    const Index columns = stage_matrix(document.problem, trace, stage, 0)->cols();
    for (Index i = 0; i < document.problem.seq_len(); ++i) {
      for (Index j = 0; j < columns; ++j) {
        for (const explain::ExplainLine& line :
             explain::explain_lines(document, trace, stage, 0, i, j)) {
          std::set<std::size_t> decimals;
          for (const float value : line.values)
            if (const auto count = decimals_of(explain::number_in(line, value)))
              decimals.insert(*count);
          EXPECT_LE(decimals.size(), 1u) << line.name << " of " << i << ", " << j;
        }
      }
    }
  }
}

}  // namespace
}  // namespace lab
