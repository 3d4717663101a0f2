#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <limits>

#include "app/tests/document/samples.h"
#include "app/tests/rooms.h"

namespace lab {
namespace {

using attention::FillType;
using attention::Matrix;
using samples::after;
using samples::file_document;
using samples::message_after;
using samples::small_document;
using ::testing::HasSubstr;

constexpr MatrixRef kX{MatrixId::kX, 0};

constexpr std::array kAllMatrices = {MatrixId::kX,  MatrixId::kWQ, MatrixId::kWK,
                                     MatrixId::kWV, MatrixId::kWO, MatrixId::kBQ,
                                     MatrixId::kBK, MatrixId::kBV, MatrixId::kBO};

TEST(SetCell, ChangesThatCellAndNoOtherMatrix) {
  const Document before = small_document();
  for (const MatrixId id : kAllMatrices) {
    const MatrixRef ref{id, is_per_head(id) ? 1 : 0};
    const attention::Shape shape = shape_of(before, ref);
    const auto row = static_cast<int>(shape.rows - 1), col = static_cast<int>(shape.cols - 1);
    const Document changed = after(before, SetCell{ref, row, col, 3.5f});
    EXPECT_NO_THROW(attention::validate(changed.problem)) << matrix_name(id);
    Matrix expected = matrix_of(before, ref).empty() ? Matrix::Zero(shape.rows, shape.cols)
                                                     : *matrix_of(before, ref);
    expected(row, col) = 3.5f;
    EXPECT_EQ(*matrix_of(changed, ref), expected) << matrix_name(id);
    for (const MatrixId other : kAllMatrices) {
      for (int head = 0; head < 3; ++head) {
        const MatrixRef elsewhere{other, is_per_head(other) ? head : 0};
        if (elsewhere == ref) continue;
        EXPECT_TRUE(matrix_of(changed, elsewhere).same_as(matrix_of(before, elsewhere)));
      }
    }
  }
}

TEST(SetCell, InXChangesEveryPositionOfTheWord) {
  const Document before = small_document();  // the cat saw the dog .
  const Document changed = after(before, SetCell{kX, 3, 2, 9.0f});
  Matrix expected = *before.problem.embedding;
  expected(0, 2) = expected(3, 2) = 9.0f;
  EXPECT_EQ(*changed.problem.embedding, expected);
  EXPECT_EQ(*changed.problem.embedding, embed_tokens(changed));
  EXPECT_EQ(changed.lexicon->size(), 1u);
  EXPECT_EQ(before.lexicon->size(), 0u);
}

TEST(SetCell, InXGoesByTheKeyAndNotTheText) {
  const Document before = file_document();
  const Document changed = after(before, SetCell{kX, 3, 2, 9.0f});
  EXPECT_EQ(changed.problem.embedding->row(0), before.problem.embedding->row(0));
  EXPECT_EQ((*changed.problem.embedding)(3, 2), 9.0f);
}

TEST(SetCell, BackToTheDefaultEmbeddingLeavesNothingInTheLexicon) {
  const Document before = small_document();
  Document document = after(before, SetCell{kX, 1, 0, 9.0f});
  document = after(document, SetCell{kX, 1, 0, (*before.problem.embedding)(1, 0)});
  EXPECT_EQ(samples::fingerprint(document), samples::fingerprint(before));
}

TEST(SetCell, ToTheCurrentValueChangesNothing) {
  const Document before = file_document();
  for (const MatrixId id : kAllMatrices) {
    const MatrixRef ref{id, 0};
    const float value = matrix_of(before, ref).empty() ? 0.0f : (*matrix_of(before, ref))(0, 1);
    EXPECT_TRUE(same_document(before, after(before, SetCell{ref, 0, 1, value})));
  }
}

TEST(SetCell, DistinguishesMinusZeroFromZero) {
  const Document zero = after(small_document(), SetCell{kX, 0, 0, 0.0f});
  const Document minus = after(zero, SetCell{kX, 0, 0, -0.0f});
  EXPECT_TRUE(std::signbit((*minus.problem.embedding)(0, 0)));
}

TEST(SetCell, RefusesCellsThatDoNotExist) {
  const Document document = small_document();
  EXPECT_EQ(message_after(document, SetCell{{MatrixId::kWQ, 1}, 6, 0, 0}),
            "there is no cell (6, 0) in W_Q of head 2: its rows are 0 to 5, its columns 0 to 3");
  for (const MatrixId id : kAllMatrices) {
    const attention::Shape shape = shape_of(document, {id, 0});
    for (const auto& [row, col] :
         {std::pair<int, int>{shape.rows, 0}, {0, shape.cols}, {-1, 0}, {0, -1}}) {
      EXPECT_THAT(message_after(document, SetCell{{id, 0}, row, col, 1}), HasSubstr("no cell"));
    }
  }
}

TEST(SetCell, RefusesHeadsThatDoNotExist) {
  for (const int head : {3, -1, std::numeric_limits<int>::max()}) {
    EXPECT_THAT(message_after(small_document(), SetCell{{MatrixId::kBV, head}, 0, 0, 1}),
                HasSubstr("the model has heads 1 to 3"));
    EXPECT_THAT(
        message_after(small_document(), FillMatrix{{MatrixId::kWV, head}, FillType::kZero, 0}),
        HasSubstr("the model has heads 1 to 3"));
  }
}

TEST(SetCell, RefusesWhatIsNotANumberOrTooLarge) {
  const float infinity = std::numeric_limits<float>::infinity();
  const auto message = [](float value) {
    return message_after(small_document(), SetCell{kX, 0, 0, value});
  };
  EXPECT_EQ(message(std::nanf("")),
            "NaN cannot be used: it must be a number between −1,000,000 and 1,000,000");
  EXPECT_THAT(message(infinity), HasSubstr("∞ cannot be used"));
  EXPECT_THAT(message(-infinity), HasSubstr("−∞ cannot be used"));
  EXPECT_THAT(message(1e38f), HasSubstr("1e+38 cannot be used"));
  EXPECT_THAT(message(std::nextafter(-kLargestCell, -infinity)), HasSubstr("cannot be used"));
  after(small_document(), SetCell{kX, 0, 0, -kLargestCell});
}

TEST(SetCell, NeverOverflowsAStage) {
  Document document = make_document(
      "a b", {.d_model = 2, .n_heads = 1, .d_k = 2, .d_v = 2, .d_out = 2, .mask = {}}, 1);
  document = after(document, SetTemperature{kSmallestTemperature});
  document = after(document, SetScale{false});
  for (const MatrixId id : kAllMatrices) {
    const attention::Shape shape = shape_of(document, {id, 0});
    for (int row = 0; row < shape.rows; ++row) {
      for (int col = 0; col < shape.cols; ++col) {
        document = after(document, SetCell{{id, 0}, row, col, kLargestCell});
      }
    }
  }
  const attention::Trace trace = samples::full_trace(document);
  EXPECT_TRUE(trace.heads[0].scaled_scores->allFinite());
  EXPECT_TRUE(trace.output->allFinite());
}

TEST(FillMatrix, FillsWithWhatTheCoreGives) {
  const Document before = small_document();
  for (const MatrixId id :
       {MatrixId::kWQ, MatrixId::kWV, MatrixId::kWO, MatrixId::kBK, MatrixId::kBO}) {
    for (const FillType type : {FillType::kIdentity, FillType::kNormal, FillType::kXavier}) {
      const MatrixRef ref{id, is_per_head(id) ? 2 : 0};
      const Document changed = after(before, FillMatrix{ref, type, 11});
      EXPECT_EQ(*matrix_of(changed, ref), attention::filled(type, shape_of(before, ref), 11));
      EXPECT_TRUE(same_document(changed, after(changed, FillMatrix{ref, type, 11})));
    }
  }
}

TEST(FillMatrix, OfXGivesEachWordOneRow) {
  const Document changed = after(small_document(), FillMatrix{kX, FillType::kIdentity, 0});
  Matrix expected = Matrix::Zero(6, 6);  // the cat saw the dog .
  expected(0, 0) = expected(1, 1) = expected(2, 2) = expected(3, 0) = 1;
  expected(4, 3) = expected(5, 4) = 1;
  EXPECT_EQ(*changed.problem.embedding, expected);
  EXPECT_EQ(embed_tokens(changed), expected);
  EXPECT_TRUE(same_document(changed, after(changed, FillMatrix{kX, FillType::kIdentity, 0})));
  const Document typed = after(changed, SetSentence{"dog"});
  EXPECT_EQ(typed.problem.embedding->row(0), expected.row(4));
}

TEST(FillMatrix, OfAnAbsentBiasWithZerosChangesNothing) {
  const Document before = small_document();
  EXPECT_TRUE(
      same_document(before, after(before, FillMatrix{{MatrixId::kBQ, 0}, FillType::kZero, 0})));
}

TEST(Switches, ChangeOnlyTheConfig) {
  const Document before = file_document();
  Document changed = after(before, SetScale{false});
  changed = after(changed, SetTemperature{2.5f});
  changed = after(changed, SetMask{true});
  EXPECT_FALSE(changed.problem.config.scale);
  EXPECT_EQ(changed.problem.config.temperature, 2.5f);
  EXPECT_TRUE(changed.problem.config.mask.causal);
  changed.problem.config = before.problem.config;
  EXPECT_TRUE(same_document(before, changed));
}

TEST(SetTemperature, RefusesWhatDividesBadly) {
  for (const float value :
       {0.0f, -1.0f, 1e-9f, 1e9f, std::nanf(""), std::numeric_limits<float>::infinity()}) {
    EXPECT_THAT(message_after(small_document(), SetTemperature{value}),
                HasSubstr("cannot be used: it must be between 0.001 and 1,000"));
  }
}

}  // namespace
}  // namespace lab
