// What is said about numbers that a smaller size drops.
#include <gmock/gmock.h>

#include "app/document/words/detached_text.h"
#include "app/tests/document/samples.h"
#include "app/tests/rooms.h"

namespace lab {
namespace {

using samples::after;
using samples::file_document;
using ::testing::Contains;
using ::testing::HasSubstr;

attention::Config sizes_with(int d_model, int n_heads) {
  attention::Config config;
  config.d_model = config.d_out = d_model;
  config.n_heads = n_heads;
  return config;
}

std::string text_of(const Document& before, const Command& command) {
  return detached_text(detached_report(before, after(before, command)));
}

TEST(DroppedNumbers, AreNamedByTheirMatrices) {
  const Document document = make_document("a b c", sizes_with(4, 3), 1);
  const Document edited = after(document, SetCell{{MatrixId::kWK, 2}, 3, 0, 0.5f});
  const Document both = after(edited, SetCell{{MatrixId::kX, 0}, 1, 3, 2});
  EXPECT_EQ(
      text_of(edited, SetSize{SizeId::kHeads, 2}),
      "Lost with the smaller size: 1 number in W_K of head 3. Undo brings them back; a larger "
      "size begins with new ones.");
  EXPECT_THAT(text_of(both, SetSize{SizeId::kDModel, 3}), HasSubstr("in X, W_K of head 3."));
  EXPECT_EQ(text_of(edited, SetSize{SizeId::kDK, 9}), "") << "nothing is dropped";
  EXPECT_EQ(text_of(both, SetScale{false}), "");
}

TEST(DroppedNumbers, OfAFileAreNamedToo) {
  const Document document = file_document();
  const int heads = document.problem.config.n_heads;
  const auto dropped =
      dropped_numbers(document, after(document, SetSize{SizeId::kHeads, heads - 1}));
  EXPECT_THAT(dropped.matrices, Contains("W_Q of head " + std::to_string(heads)));
  EXPECT_GT(dropped.count, 1);
}

TEST(DroppedNumbers, ThatNobodyGaveAreNotWorthAWord) {
  const Document fresh = make_document("a b c", sizes_with(6, 3), 1);
  for (const SizeId size : {SizeId::kDModel, SizeId::kHeads, SizeId::kDK, SizeId::kDV})
    EXPECT_EQ(text_of(fresh, SetSize{size, 2}), "") << static_cast<int>(size);
}

TEST(DroppedNumbers, AreNotThoseOfHeadsThatAreSplitAgain) {
  Document split = make_document("a b c", sizes_with(8, 4), 5);
  split = after(split, SetHeadBuild{attention::HeadBuild::kSplit});
  EXPECT_EQ(text_of(split, SetSize{SizeId::kHeads, 2}), "");
  EXPECT_EQ(text_of(split, SetSize{SizeId::kHeads, 8}), "");
}

}  // namespace
}  // namespace lab
