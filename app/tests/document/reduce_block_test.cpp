// Several cells at once, and the matrices that have a number for each pair of query and key.
#include <gmock/gmock.h>

#include <cmath>

#include "app/tests/document/samples.h"
#include "app/tests/rooms.h"

namespace lab {
namespace {

using attention::FillType;
using attention::Matrix;
using samples::after;
using samples::file_document;
using samples::kMask;
using samples::kScoreBias;
using samples::message_after;
using samples::small_document;
using ::testing::HasSubstr;

constexpr MatrixRef kXBlock{MatrixId::kX, 0}, kWQ2{MatrixId::kWQ, 1};

TEST(SetBlock, ChangesItsCellsAndNoOthers) {
  const Document before = small_document();
  const Document changed = after(before, SetBlock{kWQ2, 2, 1, Matrix{{7, 8}, {9, -0.0f}}});
  Matrix expected = *matrix_of(before, kWQ2);
  expected.block(2, 1, 2, 2) << 7, 8, 9, 0;
  EXPECT_EQ(*matrix_of(changed, kWQ2), expected);
  EXPECT_TRUE(std::signbit((*matrix_of(changed, kWQ2))(3, 2)));
  EXPECT_TRUE(
      changed.problem.parameters.heads[0].W_Q.same_as(before.problem.parameters.heads[0].W_Q));
}

TEST(SetBlock, GivesEveryPositionOfAWordItsRow) {
  const Document before = small_document();  // the cat saw the dog .
  const Document changed = after(before, SetBlock{kXBlock, 0, 4, Matrix{{1, 2}, {3, 4}}});
  Matrix expected = *before.problem.embedding;
  for (const int the : {0, 3}) expected.row(the).tail(2) << 1, 2;
  expected.row(1).tail(2) << 3, 4;
  EXPECT_EQ(*changed.problem.embedding, expected);
  EXPECT_EQ(*changed.problem.embedding, embed_tokens(changed));
}

TEST(SetBlock, UsesTheLastOfRowsThatBelongToTheSameWord) {
  const Document changed =
      after(small_document(), SetBlock{kXBlock, 0, 0, Matrix{{1}, {2}, {3}, {4}}});
  EXPECT_EQ((*changed.problem.embedding)(0, 0), 4);
  EXPECT_EQ((*changed.problem.embedding)(3, 0), 4);
}

TEST(SetBlock, SaysWhatDoesNotFit) {
  EXPECT_EQ(message_after(small_document(), SetBlock{kWQ2, 4, 1, Matrix::Zero(3, 3)}),
            "3 × 3 numbers do not fit: from row 4, column 1 on, W_Q of head 2 has room for 2 × 3");
  EXPECT_THAT(message_after(small_document(), SetBlock{kWQ2, 0, 2, Matrix::Zero(1, 3)}),
              HasSubstr("has room for 6 × 2"));
  EXPECT_THAT(message_after(small_document(), SetBlock{kWQ2, 6, 0, Matrix::Zero(1, 1)}),
              HasSubstr("there is no cell (6, 0)"));
  EXPECT_THAT(message_after(small_document(), SetBlock{kWQ2, 0, 0, Matrix()}),
              HasSubstr("from 1 to 262,144 numbers"));
}

TEST(SetBlock, IsRefusedWholeForOneBadNumber) {
  EXPECT_THAT(message_after(small_document(), SetBlock{kWQ2, 0, 0, Matrix{{1, std::nanf("")}}}),
              HasSubstr("NaN cannot be used"));
  EXPECT_THAT(message_after(small_document(), SetBlock{kWQ2, 0, 0, Matrix{{-INFINITY, 2}}}),
              HasSubstr("−∞ cannot be used"));
}

TEST(SetBlocks, ChangesSeveralMatricesAtOnce) {
  const Document before = small_document();
  const SetBlock queries{kWQ2, 2, 1, Matrix{{7, 8}}}, words{kXBlock, 1, 0, Matrix{{1, 2}}};
  const Document changed = after(before, SetBlocks{{queries, words}});
  EXPECT_EQ(samples::fingerprint(changed),
            samples::fingerprint(after(after(before, queries), words)));
}

TEST(SetBlocks, IsRefusedWholeForOneBadBlock) {
  const SetBlock good{kWQ2, 0, 0, Matrix{{1}}}, bad{kWQ2, 9, 0, Matrix{{1}}};
  EXPECT_THAT(message_after(small_document(), SetBlocks{{good, bad}}), HasSubstr("no cell (9, 0)"));
  EXPECT_THAT(message_after(small_document(), SetBlocks{}), HasSubstr("0 numbers cannot be set"));
}

TEST(PairMatrices, AreWhatTheirOwnCommandsChange) {
  const Document before = small_document();
  const auto same = [&](const Command& one, const Command& other) {
    EXPECT_EQ(samples::fingerprint(after(before, one)), samples::fingerprint(after(before, other)));
  };
  same(FillMatrix{kMask, FillType::kZero, 0}, FillMask{false});
}

TEST(PairMatrices, AreAbsentWhenTheyForbidAndAddNothing) {
  Document document = after(small_document(), SetBlock{kMask, 0, 0, Matrix::Zero(2, 2)});
  EXPECT_FALSE(document.problem.allowed.empty());
  document = after(document, SetBlock{kMask, 0, 0, Matrix::Ones(2, 2)});
  EXPECT_TRUE(document.problem.allowed.empty());
  document = after(document, SetCell{kScoreBias, 0, 1, 2});
  document = after(document, FillMatrix{kScoreBias, FillType::kZero, 0});
  EXPECT_TRUE(document.problem.bias.empty());
}

TEST(PairMatrices, HoldOnlyWhatMeansSomething) {
  EXPECT_THAT(message_after(small_document(), SetCell{kMask, 0, 0, 0.5f}),
              HasSubstr("0.5 cannot be in the mask"));
  EXPECT_THAT(message_after(small_document(), FillMatrix{kMask, FillType::kNormal, 1}),
              HasSubstr("cannot be in the mask"));
  EXPECT_THAT(message_after(file_document(), SetCell{kScoreBias, 0, 0, INFINITY}),
              HasSubstr("∞ cannot be used"));
}

}  // namespace
}  // namespace lab
